"""Metrics for Prometheus: of the app, and what its host knows of itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Metric, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from ..host import Host

PLAYERS = {"with": False, "without": True}
"""The values of the label `players`, and whether bots are alone there."""


class HostMetrics(Collector):
    """What a host knows of itself, whenever it is asked."""

    def __init__(self, host: Host) -> None:
        self._host = host

    def collect(self) -> Iterator[Metric]:
        """Ask the host."""
        folded, folded_bytes = self._host.cached
        yield GaugeMetricFamily("kifu_folded_matches", "Folded matches in memory.", folded)
        yield GaugeMetricFamily("kifu_folded_bytes", "About what they take.", folded_bytes)
        said = "How long bots have thought, with or without players."
        thought = CounterMetricFamily("kifu_bot_seconds", said, labels=["players"])
        said = "Turns of bots that wait for a thread, with or without players."
        waiting = GaugeMetricFamily("kifu_bot_turns_waiting", said, labels=["players"])
        for players, alone in PLAYERS.items():
            thought.add_metric([players], self._host.bot_seconds(alone=alone))
            waiting.add_metric([players], self._host.bot_turns_waiting(alone=alone))
        yield from (thought, waiting)


BUCKETS_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)


class Metrics:
    """The metrics of one app, and of its host, in a registry of their own."""

    def __init__(self, host: Host | None = None) -> None:
        self.registry = CollectorRegistry()
        if host is not None:
            self.registry.register(HostMetrics(host))
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
        self.late_s = self._gauge("kifu_due_late_seconds", "How late due work is, when last asked.")
        self.open_files = self._gauge("kifu_open_files", "Open files, when last asked.")
        self.watchers = self._gauge("kifu_watchers", "Streams, and requests that wait for an event.")
        self.analyses = Counter(
            "kifu_analyses", "Analyses of matches, by what became of them.", ["outcome"], registry=self.registry
        )
        self.analysis_seconds = Counter("kifu_analysis_seconds", "How long they took.", registry=self.registry)
        self.analyses_waiting = self._gauge("kifu_analyses_waiting", "Analyses that wait or are computed.")
        self.cut_off = Counter("kifu_watchers_cut_off", "Watchers that were too slow.", registry=self.registry)

    def _gauge(self, name: str, help_text: str) -> Gauge:
        return Gauge(name, help_text, registry=self.registry)

    def count_rules(self, outcomes: Mapping[str, int]) -> None:
        """Count what became of matches that were begun under older rules, by outcome."""
        for outcome, count in outcomes.items():
            self.rules.labels(outcome).inc(count)

    def text(self) -> bytes:
        """Return all metrics in the text format of Prometheus."""
        return generate_latest(self.registry)
