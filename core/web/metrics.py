"""Metrics for Prometheus: those of one process, or of all workers of a server together.

Workers share their figures through the files of a folder, as the library `prometheus_client` does it where the
environment names one in `PROMETHEUS_MULTIPROC_DIR`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from ..host import Host
from .host_metrics import HostMetrics

SHARED = "PROMETHEUS_MULTIPROC_DIR"

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
        self.in_flight = self._gauge("kifu_requests_in_flight", "Requests being served.")
        self.connections = self._gauge("kifu_connections", "Open connections.")
        self.late_s = self._gauge("kifu_due_late_seconds", "How late due work is, when last asked.", "livemax")
        self.open_files = self._gauge("kifu_open_files", "Open files, when last asked.")
        self.watchers = self._gauge("kifu_watchers", "Matches being watched.")
        self.analyses = Counter(
            "kifu_analyses", "Analyses of matches, by what became of them.", ["outcome"], registry=self.registry
        )
        self.analysis_seconds = Counter("kifu_analysis_seconds", "How long they took.", registry=self.registry)
        self.analyses_waiting = self._gauge("kifu_analyses_waiting", "Analyses that wait or are computed.")
        self.cut_off = Counter("kifu_watchers_cut_off", "Watchers that were too slow.", registry=self.registry)
        self._host: HostMetrics | None = None

    def _gauge(self, name: str, help_text: str, mode: Literal["livesum", "livemax"] = "livesum") -> Gauge:
        """Return a gauge; `mode`: what is made of the figures of several workers."""
        return Gauge(name, help_text, registry=self.registry, multiprocess_mode=mode)

    def read_from(self, host: Host) -> None:
        """Have what a host knows of itself among the metrics from now on."""
        self._host = HostMetrics(host, self.registry)

    def count_rules(self, outcomes: Mapping[str, int]) -> None:
        """Count what became of matches that were begun under older rules, by outcome."""
        for outcome, count in outcomes.items():
            self.rules.labels(outcome).inc(count)

    def count(self, method: str, route: str, status: int, seconds: float, problem: str | None) -> None:
        """Count a request that was answered."""
        if self._host is not None:
            self._host.update(at_once=False)
        self.requests.labels(method, route, str(status)).inc()
        self.seconds.labels(route).observe(seconds)
        if problem is not None:
            self.problems.labels(problem).inc()

    def text(self) -> bytes:
        """Return all metrics in the text format of Prometheus."""
        if self._host is not None:
            self._host.update(at_once=True)
        folder = os.environ.get(SHARED)
        if folder is None:
            return generate_latest(self.registry)
        _forget_dead(Path(folder))
        together = CollectorRegistry()
        MultiProcessCollector(together, folder)  # type: ignore[no-untyped-call]
        return generate_latest(together)


def _forget_dead(folder: Path) -> None:
    """Forget the gauges of workers that have ended; what they counted stays."""
    for process in {int(each.stem.rpartition("_")[2]) for each in folder.glob("gauge_live*.db")}:
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            mark_process_dead(process, str(folder))  # type: ignore[no-untyped-call]
        except OSError:
            continue
