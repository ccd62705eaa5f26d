"""The host: live matches for many people, kept in a store."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.metadata import version
from threading import Event
from time import time
from typing import Any

from ..bot import Bot
from ..catalogue import find as find_installed
from ..errors import MatchError, StoreError, Why
from ..game import Seat
from ..stores.store import Query, Store, kept_bytes
from . import opening, seeing, submitting, watching, wishing
from .about import About, about, lobby
from .desk import Desk, checked
from .folds import Find, Folds
from .opening import Joined, Opened
from .papers import Terms, Wish
from .seeing import Look, Seen
from .submitting import Receipt
from .tending import Tending
from .waking import Waking


def now() -> int:
    """Give the milliseconds since the Unix epoch."""
    return int(time() * 1000)


class Host:
    """Runs matches for many people, from any thread; any number of hosts may share a store.

    A seat gives its key, a spectator None. `at` and `since` are numbers of events; times are milliseconds.
    """

    def __init__(
        self,
        store: Store,
        *,
        find: Find = find_installed,
        clock: Callable[[], int] = now,
        entropy: Callable[[int], bytes] = secrets.token_bytes,
        stand_in: Bot | None = None,
        bots: Mapping[str, Bot] | None = None,
        patience: int = 10_000,
        keep: int = 256,
        engine: str | None = None,
    ) -> None:
        """Serve from this store.

        `stand_in` plays for seats that are not there in time, None: at random. `patience` is how long a bot may think,
        `keep` how many matches are kept folded. Raises `MatchError` for the name of a bot that cannot stand in a log.
        """
        self._desk = Desk(
            store=store,
            find=find,
            clock=lambda: int(clock()),
            entropy=entropy,
            engine=f"kifu {version('kifu')}" if engine is None else engine,
            folds=Folds(store, find, keep),
            bots=opening.checked_bots(bots or {}),
            stand_in=stand_in,
            patience=patience,
            reschedule=lambda live: self._tending.reschedule(live),
        )
        self._tending = Tending(self._desk)
        self._waking = Waking()

    def open(
        self,
        game: str,
        seats: Sequence[str | None] | int,
        options: Mapping[str, Any] | None = None,
        terms: Terms = Terms(),  # noqa: B008 (frozen)
    ) -> Opened:
        """Open a match with these names at its seats, None or a mere number for seats that are free.

        Raises `GameError`, `MatchError` or `OptionError`.
        """
        return opening.open_match(self._desk, game, seats, options or {}, terms)

    def join(self, match: str, name: str, seat: int | None = None) -> Joined:
        """Take a free seat, the first or this one; the last to join begins the match."""
        return self._desk.alone(match, lambda live: opening.join(self._desk, live, name, seat))

    def about(self, match: str) -> About:
        """Tell the public facts of a match."""
        return about(self._desk, match)

    def lobby(self, query: Query = Query()) -> list[About]:  # noqa: B008 (frozen)
        """List the public matches that the query asks for, newest change first."""
        return lobby(self._desk, query)

    def seat(self, match: str, key: str | None) -> Seat | None:
        """Name the seat that this key opens, None for a spectator; raises `KeyRefused`."""
        with self._desk.fresh(match) as live:
            return live.seat_of(key)

    def submit(self, match: str, key: str | None, command: Any, at: int, id: bytes | None = None) -> Receipt:
        """Give a command, or its tag and fields, made when there were `at` events; it is on disk when this returns.

        The same `id` (1 to 32 bytes) again gives the first answer again. Raises `RuleViolation`, `Conflict` with what
        happened meanwhile, `KeyRefused`, `NoMatch`, `MatchError`.
        """
        return self._desk.alone(
            match,
            lambda live: submitting.submit(self._desk, live, live.require_seat(key), command, checked(at, "at"), id),
            trusting=True,
        )

    def look(self, match: str, key: str | None = None, at: int | None = None) -> Look:
        """Show how a match stands; once it is over, also how it stood after `at` events."""
        with self._desk.fresh(match) as live:
            seat = live.seat_of(key)
            return seeing.look(live, seat, None if at is None else checked(at, "at"))

    def seen(self, match: str, key: str | None = None, since: int = 0) -> tuple[Seen, ...]:
        """Tell what a seat saw of the events from `since` on."""
        with self._desk.fresh(match) as live:
            return seeing.seen(live, live.seat_of(key), checked(since, "since"))

    def watch(self, match: str, key: str | None = None, since: int = 0, timeout: int | None = None) -> Iterator[Seen]:
        """Give what a seat sees from event `since` on, as it happens, until the match has ended.

        Ends too once nothing has happened for `timeout` milliseconds.
        """
        return watching.watch(self._desk, match, key, max(checked(since, "since"), 0), timeout)

    def follow(
        self, match: str, key: str | None = None, since: int = 0, timeout: int | None = None
    ) -> AsyncIterator[Seen]:
        """Do as `watch`, for a program with an event loop."""
        return watching.follow(self._desk, match, key, max(checked(since, "since"), 0), timeout)

    def subscribe(self, match: str, wake: Callable[[], None]) -> Callable[[], None]:
        """Call `wake` soon after anything about the match has changed; the answer ends that.

        It is called from another thread, may ask the host, and should be quick; what it raises is lost.
        """
        return self._waking.subscribe(self._desk.store, match, wake)

    def take_back(self, match: str, key: str | None, to: int) -> Wish:
        """Restore the state after event `to` (-1: the start); by consent, unless nobody has learnt anything since."""
        return self._desk.alone(
            match, lambda live: wishing.take_back(self._desk, live, live.require_seat(key), checked(to, "to"))
        )

    def fork(self, match: str, key: str | None, at: int) -> Wish:
        """Begin another match with the same seats, keys and first `at` events: once this is over, else by consent."""
        wish = self._desk.alone(
            match, lambda live: wishing.fork(self._desk, live, live.require_seat(key), checked(at, "at"))
        )
        return self._forked(wish)

    def abandon(self, match: str, key: str | None) -> Wish:
        """End the match without a result, by consent."""
        return self._desk.alone(match, lambda live: wishing.abandon(self._desk, live, live.require_seat(key)))

    def agree(self, match: str, key: str | None, number: int) -> Wish:
        """Agree to the wish of this number; the last to agree brings it about."""
        wish = self._desk.alone(
            match, lambda live: wishing.answer(self._desk, live, live.require_seat(key), number, agrees=True)
        )
        return self._forked(wish)

    def refuse(self, match: str, key: str | None, number: int) -> Wish:
        """Refuse the wish of this number, also one's own."""
        return self._desk.alone(
            match, lambda live: wishing.answer(self._desk, live, live.require_seat(key), number, agrees=False)
        )

    def tend(self) -> int | None:
        """Let bots act, and the stand-in for seats that are not there in time; tell when there is more to do."""
        return self._tending.tend()

    def keep_tending(self, stop: Event) -> None:
        """Tend for as long as `stop` is not set: the work of a thread, or of several if several bots are to think."""
        while not stop.is_set():
            due = None
            with suppress(StoreError):  # it is asked again
                due = self._tending.tend()
            left = 1.0 if due is None else (due - self._desk.clock()) / 1000
            self._tending.wait(min(max(left, 0.01), 1.0))

    def log(self, match: str) -> bytes:
        """Give the whole log, once the match has ended; before that raises `MatchError`."""
        kept = self._desk.store.read(match)
        if not kept.head:
            raise MatchError(Why("no-log-yet", "it has no log: it has not begun"))
        if kept.end is None:
            raise MatchError(Why("secret-log", "its log is the table's secret for as long as the match goes on"))
        return kept_bytes(kept)

    def copy(self, match: str) -> bytes:
        """Give the log as it is, deals and seed and all: for the operator alone."""
        return kept_bytes(self._desk.store.read(match))

    def call_off(self, match: str) -> None:
        """End a match without a result, whatever the seats wish: for the operator alone."""
        self._desk.alone(match, lambda live: wishing.call_off(self._desk, live))

    def new_keys(self, match: str, seats: Iterable[int] | None = None) -> Opened:
        """Issue new keys for these seats, or for all that players have, and revoke theirs: for the operator alone.

        Seats that get none have None. Forks of the match have keys of their own. Raises `MatchError` for a seat that is
        free or a bot's.
        """
        return self._desk.alone(match, lambda live: opening.new_keys(self._desk, live, seats))

    def take_in(self, raw: bytes, terms: Terms = Terms()) -> Opened:  # noqa: B008 (frozen)
        """Put a log into the store, an unfinished one to be played on.

        Raises `LogError` if anything is wrong with it, `MatchError` if it cannot be kept.
        """
        return opening.take_in(self._desk, raw, terms)

    def _forked(self, wish: Wish) -> Wish:
        if wish.kind == "fork" and wish.state == "done" and wish.fork is not None:
            with self._desk.fresh(wish.fork) as live:
                self._tending.reschedule(live)
        return wish
