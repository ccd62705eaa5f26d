"""The turns of bots, in a fair order: each opener's in turn, matches that people play before those of bots alone.

Bots alone are in a match without players, or all of whose players have left it to the stand-in. One of their turns at
most is being made at a time, as long as their budget lasts.
"""

from __future__ import annotations

from collections import OrderedDict

from attrs import define, frozen

from ..stores.store import Claim
from .threads import THREADS, Threads

BURST_S = 10.0
"""How much of its budget can be saved up."""


@frozen
class BotTurn:
    """A match in which a bot is to act, claimed by this host for a while."""

    claim: Claim
    opener: str
    has_players: bool
    claimed_until_ms: int

    @property
    def match(self) -> str:
        """The match."""
        return self.claim.match

    @property
    def place(self) -> tuple[bool, str]:
        """Where it waits: with the turns of the same opener, apart those with players."""
        return self.has_players, self.opener


@define
class Budget:
    """Seconds that may be spent: `share` of them come back each second, at most `BURST_S` are there."""

    share: float
    _left_s: float = BURST_S
    _then_s: float | None = None

    def is_left(self, now_s: float) -> bool:
        """Return True if anything is left."""
        since_s = now_s - (now_s if self._then_s is None else self._then_s)
        self._left_s, self._then_s = min(BURST_S, self._left_s + since_s * self.share), now_s
        return self._left_s > 0

    def spend(self, seconds: float) -> None:
        """Spend so many seconds, which may be more than are left."""
        self._left_s -= seconds


class FairQueue:
    """The turns that wait; of two openers the one that was served longer ago comes first."""

    def __init__(self, threads: Threads = THREADS, alone_share: float = 1.0) -> None:
        self._changed = threads.condition()
        self._clock = threads.monotonic
        self._turns: OrderedDict[tuple[bool, str], OrderedDict[str, BotTurn]] = OrderedDict()
        """The turns of each place, by match; the place that was served last stands last."""
        self._places: dict[str, tuple[bool, str]] = {}
        """Where each match waits."""
        self._budget = Budget(alone_share)
        self._alone: str | None = None
        """The match of bots alone whose turn is being made."""
        self.thinking_s = {True: 0.0, False: 0.0}
        """The seconds that turns have taken, with players and of bots alone."""

    def waiting(self, *, has_players: bool) -> int:
        """Return how many turns wait, with players or of bots alone."""
        with self._changed:
            return sum(place[0] == has_players for place in self._places.values())

    def put(self, turn: BotTurn) -> None:
        """Add a turn; one of the same match, claimed earlier, makes way, but keeps its place in the order."""
        with self._changed:
            if (before := self._places.get(turn.match)) not in (None, turn.place):
                del self._turns[before][turn.match]
            self._turns.setdefault(turn.place, OrderedDict())[turn.match] = turn
            self._places[turn.match] = turn.place
            self._changed.notify()

    def get(self, timeout_s: float) -> BotTurn | None:
        """Take the next turn, which is `done` later; None if none comes in time."""
        with self._changed:
            if self._next() is None:
                self._changed.wait(timeout_s)
            place = self._next()
            if place is None:
                return None
            match, turn = self._turns[place].popitem(last=False)
            del self._places[match]
            self._alone = self._alone if turn.has_players else match
            self._turns.move_to_end(place)
            self._forget_the_idle()
            return turn

    def done(self, turn: BotTurn, took_s: float) -> None:
        """Note how long a turn has taken, now that it is made."""
        with self._changed:
            self.thinking_s[turn.has_players] += took_s
            if not turn.has_players:
                self._budget.spend(took_s)
                self._alone = None
            self._changed.notify()

    def _next(self) -> tuple[bool, str] | None:
        """Return the place whose turn is next: with players, or of bots alone if they may."""
        waiting = [place for place, turns in self._turns.items() if turns]
        with_players = next((place for place in waiting if place[0]), None)
        if with_players is not None or not waiting:
            return with_players
        return waiting[0] if self._alone is None and self._budget.is_left(self._clock()) else None

    def _forget_the_idle(self) -> None:
        """Forget the openers without turns that were served longest ago."""
        for place in [place for place, turns in self._turns.items() if not turns][:-100]:
            del self._turns[place]
