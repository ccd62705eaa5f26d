"""Bots: whose turn is next, and their threads, with a time limit."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from threading import Lock
from typing import Any

from attrs import define, frozen

from ..errors import BotError
from ..match.bot import Bot, InformationState, ask_bot
from ..stores.store import Claim
from .threads import THREADS, Threads


class BotRunner:
    """Calls bots with a time limit.

    A thread cannot be stopped: a bot that timed out is not called again until it has returned.
    """

    def __init__(self, timeout_ms: int, threads: Threads = THREADS) -> None:
        self._timeout_s = timeout_ms / 1000
        self._threads = threads
        self._stalled: dict[int, Any] = {}
        """By bot what is set once the call that timed out has returned."""
        self._lock = Lock()

    def choose(
        self,
        bot: Bot,
        info_state: InformationState[Any, Any],
        waiting: Callable[[], None] = lambda: None,
        every_s: float = 1.0,
    ) -> Any:
        """Return the command that the bot chose; raises `BotError` if it raises, times out or returns no command.

        Calls `waiting` again and again while the bot thinks.
        """
        with self._lock:
            stalled = self._stalled.get(id(bot))
            if stalled is not None and not stalled.is_set():
                raise BotError("still thinking")
        returned, has_returned = list[Any](), self._threads.event()

        def think() -> None:
            try:
                returned.append(_call(bot, info_state))
            finally:
                has_returned.set()

        self._threads.start(think, "kifu bot")
        until_s = self._threads.monotonic() + self._timeout_s
        while not has_returned.is_set() and (left_s := until_s - self._threads.monotonic()) > 0:
            if not has_returned.wait(min(left_s, every_s)):
                waiting()
        if not returned:
            with self._lock:
                self._stalled[id(bot)] = has_returned
            raise BotError("took too long")
        if isinstance(returned[0], BotError):
            raise returned[0]
        return returned[0]


def _call(bot: Bot, info_state: InformationState[Any, Any]) -> Any:
    """Return what the bot chose, or the `BotError` it failed with."""
    try:
        return ask_bot(bot, info_state)
    except BaseException as failure:  # it may even try to end the program
        return failure if isinstance(failure, BotError) else BotError(f"raised {type(failure).__name__}")


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
        self._lock = Lock()  # held for moments
        self._changed = threads.event()
        """Set when a turn may be there for whoever found none."""
        self._clock = threads.monotonic
        self._turns: dict[str, BotTurn] = {}
        """The turn of each match that waits, first the one that came first."""
        self._served: dict[tuple[bool, str], int] = {}
        """By place the number of when it was served last, or came."""
        self._numbers = count()
        self._budget = Budget(alone_share)
        self._alone: str | None = None
        """The match of bots alone whose turn is being made."""

    def waiting(self, *, has_players: bool) -> int:
        """Return how many turns wait, with players or of bots alone."""
        with self._lock:
            return sum(each.has_players == has_players for each in self._turns.values())

    def put(self, turn: BotTurn) -> None:
        """Add a turn; one of the same match, claimed earlier, makes way, but keeps its place in the order."""
        with self._lock:
            if self._turns.get(turn.match, turn).place != turn.place:
                del self._turns[turn.match]
            self._turns[turn.match] = turn
            self._served.setdefault(turn.place, next(self._numbers))
            self._changed.set()

    def get(self, timeout_s: float) -> BotTurn | None:
        """Take the next turn, which is `done` later; None if none comes in time."""
        turn = self._take()
        if turn is None:
            self._changed.wait(timeout_s)
            turn = self._take()
        return turn

    def _take(self) -> BotTurn | None:
        """Take a turn with players, else one of bots alone if they may: that of the place served longest ago."""
        with self._lock:
            may_be_alone = self._alone is None and self._budget.is_left(self._clock())
            fit = [each for each in self._turns.values() if each.has_players or may_be_alone]
            if not fit:
                self._changed.clear()
                return None
            turn = min(fit, key=lambda each: (not each.has_players, self._served[each.place]))
            del self._turns[turn.match]
            self._alone = self._alone if turn.has_players else turn.match
            self._served[turn.place] = next(self._numbers)
            self._forget_the_idle()
            return turn

    def done(self, turn: BotTurn, took_s: float) -> None:
        """Note how long a turn has taken, now that it is made."""
        with self._lock:
            if not turn.has_players:
                self._budget.spend(took_s)
                self._alone = None
            self._changed.set()

    def _forget_the_idle(self) -> None:
        """Forget the openers without turns that were served longest ago."""
        idle = self._served.keys() - {each.place for each in self._turns.values()}
        for place in sorted(idle, key=self._served.__getitem__)[:-100]:
            del self._served[place]
