"""What a host knows of itself, as metrics: folded matches, slow changes, and the time of bots."""

from __future__ import annotations

from time import monotonic

from prometheus_client import CollectorRegistry, Counter, Gauge

from ..host import Host

EVERY_S = 0.5
"""How often at most the host is asked while requests are counted."""
PLAYERS = {"with": False, "without": True}
"""The values of the label `players`, and whether bots are alone there."""


class HostMetrics:
    """The metrics of a host; they are written, and not only read, as workers share them through files."""

    def __init__(self, host: Host, registry: CollectorRegistry) -> None:
        self._host = host
        self._asked_at_s = -EVERY_S
        self._counted_s = dict.fromkeys(PLAYERS, 0.0)
        self._folded = Gauge(
            "kifu_folded_matches", "Folded matches in memory.", registry=registry, multiprocess_mode="livesum"
        )
        self._folded_bytes = Gauge(
            "kifu_folded_bytes", "About what they take.", registry=registry, multiprocess_mode="livesum"
        )
        self._bot_seconds = Counter(
            "kifu_bot_seconds", "How long bots have thought, with or without players.", ["players"], registry=registry
        )
        self._slow_changes = Counter(
            "kifu_slow_changes", "Changes of a match that took so long that others did not wait.", registry=registry
        )
        self._counted_slow = 0
        self._bot_turns = Gauge(
            "kifu_bot_turns_waiting",
            "Turns of bots that wait for a thread, with or without players.",
            ["players"],
            registry=registry,
            multiprocess_mode="livesum",
        )

    def update(self, *, at_once: bool) -> None:
        """Ask the host, unless it was asked just before."""
        if not at_once and monotonic() - self._asked_at_s < EVERY_S:
            return
        self._asked_at_s = monotonic()
        folded, folded_bytes = self._host.cached
        self._folded.set(folded)
        self._folded_bytes.set(folded_bytes)
        slow = self._host.slow_changes
        self._slow_changes.inc(slow - self._counted_slow)
        self._counted_slow = slow
        for players, alone in PLAYERS.items():
            thought_s = self._host.bot_seconds(alone=alone)
            self._bot_seconds.labels(players).inc(thought_s - self._counted_s[players])
            self._counted_s[players] = thought_s
            self._bot_turns.labels(players).set(self._host.bot_turns_waiting(alone=alone))
