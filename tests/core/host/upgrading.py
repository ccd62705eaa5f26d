"""Hosts of two versions of a game over one store, and a match that was begun at the older one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kifu.core.host import Host, Terms
from kifu.core.host.metadata import metadata_of
from kifu.core.stores import MemoryStore

from ..log.bids import NEW, OLD, Bid
from .conftest import Entropy


def finds(game: Any) -> Callable[[str], Any]:
    return lambda _: game


class Hosts:
    """A host of each version over one store, and a match of three seats that was begun at the older one.

    After each command its host writes the witnesses, if it `is_slow` not.
    """

    def __init__(
        self, clock: Any, terms: Terms, played: Sequence[int] = (3, 1, 3), *, is_slow: bool = False, **more: Any
    ) -> None:
        self.store, self.clock, self.is_slow, self.more = MemoryStore(), clock, is_slow, more
        self.old = self.host()
        names = [None if seat in terms.bots else name for seat, name in enumerate(("Aki", "Ren", "Mio"))]
        opened = self.old.open("bids", names, {}, terms)
        self.match, self.keys = opened.match, opened.keys
        for coins in played:
            self.bid(self.old, Bid(coins))

    def host(self, game: Any = OLD) -> Host:
        return Host(self.store, find=finds(game), clock=self.clock, entropy=Entropy(), engine="kifu tests", **self.more)

    def bid(self, host: Host, command: Any, match: str | None = None) -> Any:
        match = match or self.match
        observed = host.observe(match)
        (seat,) = observed.to_act
        receipt = host.submit(match, self.keys[seat], command, observed.count)
        assert self.is_slow or all(each.problem is None for each in host.write_witnesses())
        return receipt

    def fork(self, host: Host, events: int) -> str:
        """Fork the match by the consent of all."""
        number = host.fork(self.match, self.keys[0], events).number
        return [str(host.accept(self.match, key, number).fork) for key in self.keys[1:]][-1]

    def noted(self, match: str | None = None) -> int:
        """Return of how many events the row has witnesses."""
        match = match or self.match
        written = metadata_of(self.store.read(match).row, match).witnesses
        return written[-1].end(3) if written else 0

    def updates(self, game: Any = NEW) -> list[tuple[str, Any]]:
        return [(each.outcome, each.why) for each in self.host(game).update_rules()]

    @property
    def log(self) -> bytes:
        return self.old.export_log(self.match)
