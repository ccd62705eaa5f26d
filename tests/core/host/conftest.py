"""Fixtures of the host's tests: a host whose clock stands still, and a match with all its keys."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
from attrs import define
from kifu.core.game import Seat
from kifu.core.game.shuffle import Shuffler
from kifu.core.host import About, Host, Observation, Proposal, Receipt, Terms
from kifu.core.match.bot import Bot
from kifu.core.match.random_play import draw_command
from kifu.core.stores import MemoryStore
from kifu.core.trust import signing

Command = Any
FIRST: dict[str, Bot] = {"first": lambda info_state: info_state.legal[0]}
"""A bot that takes the first command it may."""
SENT = count(1)
"""The numbers of commands, as idempotency keys: a fork has those of its parent, too."""


class Entropy:
    """The same bytes in every run."""

    def __init__(self, seed: bytes = bytes(32), number: int = 7) -> None:
        self._shuffler = Shuffler(seed, number)

    def __call__(self, size: int) -> bytes:
        return bytes(self._shuffler.below(256) for _ in range(size))


@define
class Clock:
    """A clock that stands still."""

    now: int = 1_000_000

    def __call__(self) -> int:
        return self.now


def alone(bot: str = "first") -> Terms:
    """Return terms under which bots play a match of three alone, at once."""
    return Terms(bots=dict.fromkeys(map(Seat, range(3)), bot), bot_delay_ms=0)


def of_seat(method: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method of a table that calls this one of its host for a seat."""

    def call(table: Table, seat: int, *args: Any) -> Any:
        return method(table.host, table.match, table.keys[seat], *args)

    return call


@define
class Table:
    """One match at a host, with the keys of all its seats."""

    host: Host
    match: str
    keys: list[str | None]
    clock: Clock

    def observe(self, seat: int | None = None) -> Observation:
        return self.host.observe(self.match, None if seat is None else self.keys[seat])

    def history(self, seat: int | None = None, since: int = 0) -> Any:
        return self.host.history(self.match, None if seat is None else self.keys[seat], since)

    take_back, undo, fork = of_seat(Host.take_back), of_seat(Host.undo), of_seat(Host.fork)
    abandon, accept, reject = of_seat(Host.abandon), of_seat(Host.accept), of_seat(Host.reject)

    @property
    def about(self) -> About:
        return self.host.about(self.match)

    @property
    def log(self) -> bytes:
        return self.host.export_log(self.match)

    @property
    def count(self) -> int:
        return self.observe().count

    def play(
        self,
        seat: int,
        command: Command = None,
        expected_events: int | None = None,
        idempotency_key: bytes | None = None,
    ) -> Receipt:
        """Submit this command of the seat, or its first legal one."""
        observation = self.observe(seat)
        return self.host.submit(
            self.match,
            self.keys[seat],
            observation.legal[0] if command is None else command,
            observation.count if expected_events is None else expected_events,
            next(SENT).to_bytes(4, "big") if idempotency_key is None else idempotency_key,
        )

    def agree(self, proposal: Proposal) -> Proposal:
        """Accept a proposal at each seat that is asked."""
        for seat in proposal.waiting_for:
            proposal = self.accept(seat, proposal.number)
        return proposal

    def play_on(self, most: int = 2000) -> None:
        """Play at random, to the end of the game or so many commands."""
        for _ in range(most):
            to_act = self.observe().to_act
            if not to_act:
                return
            observation = self.observe(min(to_act))
            self.play(min(to_act), draw_command(observation.legal, Shuffler(bytes(32), observation.count)))

    def play_until(self, wanted: Callable[[Observation], bool]) -> Observation:
        """Play at random until a seat to act has such an observation."""
        for _ in range(500):
            to_act = self.observe().to_act
            for seat in sorted(to_act):
                if wanted(observation := self.observe(seat)):
                    return observation
            self.play_on(1)
        raise AssertionError("no such observation")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def host(clock: Clock) -> Host:
    return Host(MemoryStore(), clock=clock, entropy=Entropy(), engine="kifu tests")


@pytest.fixture
def table(host: Host, clock: Clock) -> Callable[..., Table]:
    """Return a function that opens a match whose seats are all taken, at the host or at another one."""

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
    """Return a function that makes a host like `host`, over another store or with other bots."""

    def made(store: Any = None, **more: Any) -> Host:
        return Host(store or MemoryStore(), **{"clock": clock, "entropy": Entropy(), "engine": "kifu tests", **more})

    return made


@pytest.fixture
def signing_host(make_host: Callable[..., Host]) -> Host:
    if not signing.is_available:
        pytest.skip("needs kifu[replay]")
    return make_host(sign=signing.SigningKey(bytes(31) + b"h"), engine=None)
