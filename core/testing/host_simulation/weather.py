"""The weather of a simulation: which faults there are, and how often."""

from __future__ import annotations

from typing import Literal, get_args

from .world import World

Fault = Literal["clocks", "crashes", "errors", "losses", "partitions", "stalls", "upgrades"]
FAULTS: frozenset[Fault] = frozenset(get_args(Fault))
"""`clocks` jump, hosts suffer `crashes`, stores answer with `errors` before and after a change, requests and answers
suffer `losses`, `partitions` part hosts from the store, tasks suffer `stalls` longer than a claim, `upgrades` bring the
hosts to newer rules one after the other."""

Fate = Literal["", "before", "after"]


class Weather:
    """The faults that there may be; once it is calm there are none."""

    def __init__(self, world: World, faults: frozenset[Fault]) -> None:
        self._world = world
        self._faults = faults
        self.is_calm = False

    def has(self, fault: Fault) -> bool:
        """Return True if there may be such faults now."""
        return not self.is_calm and fault in self._faults

    def strikes(self, fault: Fault, one_in: float) -> bool:
        """Return True once in so many times, if there may be such faults."""
        return self._world.chance(one_in) and self.has(fault)

    def latency_ms(self) -> float:
        """Return how long a message takes, or a task that the machine has stalled."""
        most_ms = (4, 4, 4, 40, 40, 400)[self._world.below(6)]
        if self.strikes("stalls", 150):
            most_ms = 8000
        return self._world.random() * (4 if self.is_calm else most_ms)

    def fate(self) -> Fate:
        """Return whether a call of the store fails, before or after it was carried out."""
        drawn = self._world.below(40)
        if not self.has("errors") or drawn > 1:
            return ""
        return "before" if drawn else "after"
