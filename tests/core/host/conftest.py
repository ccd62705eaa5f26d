"""A table at which tests play: a host with a clock that stands still, and the keys of one match."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from attrs import define, field
from kifu.core.host import Host, Observation, Receipt, Terms
from kifu.core.random_play import draw_command
from kifu.core.shuffle import Shuffler
from kifu.core.stores import MemoryStore

Command = Any


class Entropy:
    """The same bytes in every run."""

    def __init__(self, seed: bytes = bytes(32)) -> None:
        self._shuffler = Shuffler(seed, 7)

    def __call__(self, size: int) -> bytes:
        return bytes(self._shuffler.below(256) for _ in range(size))


@define
class Clock:
    now: int = 1_000_000

    def __call__(self) -> int:
        return self.now


@define
class Table:
    """One match at a host, with the keys of all its seats."""

    host: Host
    match: str
    keys: list[str | None]
    clock: Clock
    ids: int = field(default=0)

    def observe(self, seat: int | None = None) -> Observation:
        return self.host.observe(self.match, None if seat is None else self.keys[seat])

    def seen(self, seat: int | None = None, since: int = 0) -> Any:
        return self.host.history(self.match, None if seat is None else self.keys[seat], since)

    @property
    def count(self) -> int:
        return self.observe().count

    def play(self, seat: int, command: Command = None, at: int | None = None, id: bytes | None = None) -> Receipt:
        """Let the seat give this command, or its first legal one."""
        observation = self.observe(seat)
        self.ids += 1
        return self.host.submit(
            self.match,
            self.keys[seat],
            observation.legal[0] if command is None else command,
            observation.count if at is None else at,
            self.ids.to_bytes(4, "big") if id is None else id,
        )

    def play_on(self, most: int = 2000) -> None:
        """Play on at random, to the end of the game or so many commands further."""
        for _ in range(most):
            asked = self.observe().to_act
            if not asked:
                return
            observation = self.observe(min(asked))
            self.play(min(asked), draw_command(observation.legal, Shuffler(bytes(32), observation.count)))

    def play_until(self, wanted: Callable[[Observation], bool]) -> Observation:
        """Play on until somebody sees what is wanted."""
        for _ in range(500):
            asked = self.observe().to_act
            for seat in sorted(asked):
                if wanted(observation := self.observe(seat)):
                    return observation
            self.play_on(1)
        raise AssertionError("it never came to that")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def host(clock: Clock) -> Host:
    return Host(MemoryStore(), clock=clock, entropy=Entropy(), engine="kifu tests")


@pytest.fixture
def table(host: Host, clock: Clock) -> Callable[..., Table]:
    """Open a match whose seats are all taken, at the host or at another one."""

    def opened(game: str = "take_and_share", seats: int = 4, *, at: Host | None = None, **more: Any) -> Table:
        chosen, names = at or host, ["Aki", "Ren", "Mio", "Sou", "Emi", "Jun"]
        terms = more.pop("terms", Terms())
        given = [None if seat in terms.bots else names[seat] for seat in range(seats)]
        match = chosen.open(game, given, more.pop("options", {}), terms)
        assert not more
        return Table(chosen, match.match, list(match.keys), clock)

    return opened


@pytest.fixture
def make_host(clock: Clock) -> Callable[..., Host]:
    """Make a host like the one of `host`, over another store or with other bots."""

    def made(store: Any = None, **more: Any) -> Host:
        return Host(store or MemoryStore(), **{"clock": clock, "entropy": Entropy(), "engine": "kifu tests", **more})

    return made
