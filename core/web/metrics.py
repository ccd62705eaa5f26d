"""Metrics for Prometheus: of the app, and what its host knows of itself."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest

from ..host import Host

BUCKETS_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)


class Metrics:
    """The metrics of one app, and of its host, in a registry of their own."""

    def __init__(self, host: Host | None = None) -> None:
        self.registry = CollectorRegistry()
        if host is not None:
            self._gauge("kifu_folded_matches", "Folded matches in memory.").set_function(lambda: host.cached[0])
            self._gauge("kifu_folded_bytes", "About what they take.").set_function(lambda: host.cached[1])
        self.requests = Counter(
            "kifu_requests", "Requests answered.", ["method", "route", "status"], registry=self.registry
        )
        self.seconds = Histogram(
            "kifu_request_seconds", "How long a response took.", ["route"], registry=self.registry, buckets=BUCKETS_S
        )
        self.refused = Counter(
            "kifu_refused", "What was refused at a limit, by its name.", ["limit"], registry=self.registry
        )
        self.late_s = self._gauge("kifu_due_late_seconds", "How late due work is, when last asked.")
        ProcessCollector(registry=self.registry)
        self.watchers = self._gauge("kifu_watchers", "Streams, and requests that wait for an event.")

    def _gauge(self, name: str, help_text: str) -> Gauge:
        return Gauge(name, help_text, registry=self.registry)

    def text(self) -> bytes:
        """Return all metrics in the text format of Prometheus."""
        return generate_latest(self.registry)
