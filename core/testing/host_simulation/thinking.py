"""Who asks a bot, and when: one host at a time, unless its claim has lapsed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from attrs import define, field

from ...game import Game
from ...log import read_bytes
from ...match.bot import InformationState
from ...stores.store import Query, Store, log_bytes_of
from .processes import HostProcess, Machine
from .world import World

MAX_APART_MS = 700
"""How far the clocks of all hosts may be apart, for the claim of one to hold for the others until it is renewed."""
GOING = Query(status="going", limit=1 << 30)


@define
class Thinking:
    """The bots that think in a calm, and for which host."""

    world: World
    store: Store
    find: Callable[[str], Game[Any, Any, Any]]
    machines: Sequence[Machine]
    _hosts: dict[tuple[str, int], HostProcess] = field(factory=dict)
    """Who asks for the next command of a match after so many events."""

    @contextmanager
    def of(self, process: HostProcess, info_state: InformationState[Any, Any]) -> Iterator[None]:
        """Note that a host asks a bot while the context lasts, and that another one does already."""
        match = self._match_of(info_state)
        if match is None:
            yield
            return
        place = match, len(info_state.history)
        other = self._hosts.get(place)
        if other is not None and other is not process and other.is_alive and self._agree():
            said = f"match {match[:4]}: after {place[1]} events {process.name} asks a bot that {other.name} has asked"
            self.world.violate(said)
        self._hosts[place] = process
        try:
            yield
        finally:
            if self._hosts.get(place) is process:
                del self._hosts[place]

    def _agree(self) -> bool:
        """Return whether the clocks of all hosts show about the same time."""
        clocks = [each.process.host._context.clock() for each in self.machines if each.process is not None]
        return max(clocks) - min(clocks) < MAX_APART_MS

    def _match_of(self, info_state: InformationState[Any, Any]) -> str | None:
        """Return the match in which a seat knows this; None if there are several, or it has gone on."""
        found = [match for match, _ in self.store.list(GOING) if self._fits(match, info_state)]
        return found[0] if len(found) == 1 else None

    def _fits(self, match: str, info_state: InformationState[Any, Any]) -> bool:
        folded = read_bytes(log_bytes_of(self.store.read(match)), self.find).match
        if folded is None or len(folded.events) != len(info_state.history) or info_state.seat not in folded.to_act:
            return False
        return bool(folded.view(info_state.seat) == info_state.view)
