"""Metrics for Prometheus."""

from __future__ import annotations

from collections.abc import Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

BUCKETS_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)


class Metrics:
    """The metrics of one app, in a registry of their own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "kifu_requests", "Requests answered.", ["method", "route", "status"], registry=self.registry
        )
        self.seconds = Histogram(
            "kifu_request_seconds", "How long a response took.", ["route"], registry=self.registry, buckets=BUCKETS_S
        )
        self.problems = Counter("kifu_problems", "Problem responses, by kind.", ["kind"], registry=self.registry)
        self.refused = Counter(
            "kifu_refused", "What was refused at a limit, by its name.", ["limit"], registry=self.registry
        )
        self.rules = Counter(
            "kifu_rules_updates", "Matches of older rules, by what became of them.", ["outcome"], registry=self.registry
        )
        self.in_flight = Gauge("kifu_requests_in_flight", "Requests being served.", registry=self.registry)
        self.connections = Gauge("kifu_connections", "Open connections.", registry=self.registry)
        self.late_s = Gauge("kifu_due_late_seconds", "How late due work is, when last asked.", registry=self.registry)
        self.open_files = Gauge("kifu_open_files", "Open files, when last asked.", registry=self.registry)
        self.watchers = Gauge("kifu_watchers", "Matches being watched.", registry=self.registry)
        self.cut_off = Counter("kifu_watchers_cut_off", "Watchers that were too slow.", registry=self.registry)

    def count_rules(self, outcomes: Mapping[str, int]) -> None:
        """Count what became of matches that were begun under older rules, by outcome."""
        for outcome, count in outcomes.items():
            self.rules.labels(outcome).inc(count)

    def count(self, method: str, route: str, status: int, seconds: float, problem: str | None) -> None:
        """Count a request that was answered."""
        self.requests.labels(method, route, str(status)).inc()
        self.seconds.labels(route).observe(seconds)
        if problem is not None:
            self.problems.labels(problem).inc()

    def text(self) -> bytes:
        """Return all metrics in the text format of Prometheus."""
        return generate_latest(self.registry)
