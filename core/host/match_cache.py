"""The cache of folded matches: between two calls it holds only what the store has acknowledged."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock

from ..errors import GameError, LogError, Message
from ..game import TABLE, RuleViolation
from ..stores.store import Store, check_known
from ..trust.signing import SigningKey
from .guarded_game import guarded
from .live_match import DueOf, Find, LiveMatch
from .threads import THREADS, Threads


def sanitized(live: LiveMatch, error: Exception) -> Exception:
    """Return an error that names no hidden cards for one of a log, of a game's code and of a deal; any other as it is.

    The original stays in `__context__`, for the operator's debugger.
    """
    told = error
    if isinstance(error, LogError):
        why = Message("does-not-replay", "it does not replay here: audit a copy of it")
        told = LogError(error.kind, why, error.seq, path=f"match {live.id}")
    elif isinstance(error, GameError) or (isinstance(error, RuleViolation) and error.seat == TABLE):
        why = Message("rules-failed-on", "its rules failed on match {match}: audit a copy of it", match=live.id)
        told = GameError(live.name, why)
    if told is not error:
        told.__context__, told.__suppress_context__ = error, True
    return told


class MatchCache:
    """A least-recently-used cache of so many folded matches, and so many bytes of them."""

    def __init__(
        self,
        store: Store,
        find: Find,
        size: int,
        sign: SigningKey | None = None,
        due_of: DueOf = lambda *_: None,
        threads: Threads = THREADS,
        max_bytes: int = 1 << 62,
    ) -> None:
        self._store = store
        self._threads = threads
        self._find: Find = lambda name: guarded(find(name))
        self._sign = sign
        self._due_of = due_of
        self._size = size
        self._max_bytes = max_bytes
        self.freed: Callable[[], None] = lambda: None
        """Called once a match is free that `hold` could not lock."""
        self.total_bytes = 0
        """About how much memory the matches take."""
        self._matches: OrderedDict[str, LiveMatch] = OrderedDict()
        self._lock = Lock()

    @contextmanager
    def locked(self, match: str) -> Iterator[LiveMatch]:
        """Lock the match and yield it, as the store has it now.

        Raises `NoMatch`, `StoreError`, and `GameError` or `LogError` where its rules or its log fail.
        """
        check_known(match)
        live = self._acquire(match)
        try:
            live.catch_up()
            yield live
        except (LogError, GameError, RuleViolation) as error:
            raise sanitized(live, error) from None
        finally:
            self.release(live)
            if live.is_wanted:
                self.freed()

    def hold(self, match: str) -> LiveMatch | None:
        """Lock the match as it is known here; return None while somebody uses it: `freed` is called after that."""
        with self._lock:
            live = self._cached(match)
            live.is_wanted = True
            if not live.lock.acquire(False):
                return None
        live.is_wanted = False
        if not live.discarded:
            return live
        live.lock.release()
        return self.hold(match)

    def release(self, live: LiveMatch) -> None:
        """Give a locked match free after its use; discard it if changes were left that are not stored."""
        if live.has_uncommitted_changes or not live.is_read:
            self.discard(live)
        else:
            self._count(live)
        live.lock.release()

    def __len__(self) -> int:
        """Return how many matches it holds."""
        return len(self._matches)

    def _cached(self, match: str) -> LiveMatch:
        """Return the match, newly cached if need be; called under the cache's lock."""
        live = self._matches.get(match)
        if live is None:
            settings = self._sign, self._due_of, self._threads
            live = self._matches[match] = LiveMatch(match, self._store, self._find, *settings)
        self._matches.move_to_end(match)
        return live

    def _acquire(self, match: str) -> LiveMatch:
        """Return the match with its lock held."""
        while True:
            with self._lock:
                live = self._cached(match)
            live.lock.acquire()
            if not live.discarded:
                return live
            live.lock.release()

    def discard(self, live: LiveMatch) -> None:
        """Take the match out of the cache: the rollback of what was not committed."""
        live.discarded = True
        with self._lock:
            if self._matches.get(live.id) is live:
                self._drop(live.id)

    def _drop(self, match: str) -> None:
        self.total_bytes -= self._matches.pop(match).counted_bytes

    def _count(self, live: LiveMatch) -> None:
        """Count the memory of a match after its use, and take the least recently used out of a full cache.

        One that is locked may be among them: then two copies can be changed at once, and the store accepts the change
        of one and rejects that of the other, as with two hosts.
        """
        with self._lock:
            if self._matches.get(live.id) is live:
                size = live.size_bytes
                self.total_bytes += size - live.counted_bytes
                live.counted_bytes = size
            while len(self._matches) > 1 and (len(self._matches) > self._size or self.total_bytes > self._max_bytes):
                self._drop(next(iter(self._matches)))
