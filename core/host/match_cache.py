"""The cache of folded matches: between two calls it holds only what the store has acknowledged."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache, partial
from threading import Lock
from typing import Any

from ..errors import GameError, GameFailed, GameMissing, KifuError, LogError, Message
from ..game import TABLE, Game, RuleViolation
from ..match.fold import BUGS, call_game, failed
from ..stores.store import check_known
from .live_match import Find, LiveMatch

FUNCTIONS = ("to_act", "view", "redact", "result", "scene", "open_ended")
"""The functions that the host calls; the fold guards `start`, `apply` and `deal`."""
GENERATORS = ("legal", "explain")


def guarded(find: Find) -> Find:
    """Return what returns the games, with `GameError` in place of exceptions of their functions that are not kifu's."""
    return lambda name: _guarded(find(name))


@lru_cache(maxsize=64)
def _guarded(game: Game[Any, Any, Any]) -> Game[Any, Any, Any]:
    changes: dict[str, Any] = {name: partial(call_game, game, getattr(game, name)) for name in FUNCTIONS}
    changes |= {name: _guarded_generator(game, getattr(game, name)) for name in GENERATORS}
    return game.altered(**changes)


def _guarded_generator(game: Game[Any, Any, Any], function: Callable[..., Any]) -> Callable[..., Iterator[Any]]:
    def values(*args: Any) -> Iterator[Any]:
        try:
            yield from function(*args)
        except KifuError:
            raise
        except BUGS as bug:
            raise failed(game, function, bug) from bug

    return values


def sanitized(live: LiveMatch, error: Exception) -> Exception:
    """Return an error that names no hidden cards for one of a log, of a game's code and of a deal; any other as it is.

    The original stays in `__context__`, for the operator's debugger.
    """
    told: Exception
    if isinstance(error, GameMissing):  # no rules have seen the match
        return error
    if isinstance(error, LogError):
        why = Message("does-not-replay", "it does not replay here: audit a copy of it")
        told = LogError(error.kind, why, error.seq, path=f"match {live.id}")
    elif isinstance(error, GameError) or (isinstance(error, RuleViolation) and error.seat == TABLE):
        why = Message("rules-failed-on", "its rules failed on match {match}: audit a copy of it", match=live.id)
        told = (type(error) if isinstance(error, GameError) else GameFailed)(live.name, why)
    else:
        return error
    told.__context__, told.__suppress_context__ = error, True
    return told


READ_S = 0.1
"""How long the first reader waits for a change that is computed or stored; then all read what the store has."""


class MatchCache:
    """A least-recently-used cache of so many bytes of folded matches."""

    def __init__(self, new: Callable[[str], LiveMatch], max_bytes: int) -> None:
        """Keep so many bytes of matches; `new` makes one by its id, not read yet."""
        self._new = new
        self._max_bytes = max_bytes
        self.total_bytes = 0
        """About how much memory the matches take."""
        self._matches: OrderedDict[str, LiveMatch] = OrderedDict()
        self._sizes: dict[str, int] = {}
        """What was counted of their memory."""
        self._lock = Lock()

    @contextmanager
    def locked(self, match: str) -> Iterator[LiveMatch]:
        """Lock the match and yield it, as the store has it now.

        Raises `NoMatch`, `StoreError`, and `GameError` or `LogError` where its rules or its log fail.
        """
        check_known(match)
        live = self.acquire(match, timeout_s=READ_S)
        try:
            live.catch_up()
            yield live
        except (LogError, GameError, RuleViolation) as error:
            raise sanitized(live, error) from None
        finally:
            self.release(live)

    def acquire(self, match: str, *, timeout_s: float = -1) -> LiveMatch:
        """Return the match as it is known here, with its lock held; one that was discarded meanwhile is another now.

        Where the lock is not free in time, it is a copy, read anew, which all who read share until it is. Who waits
        without end, as a change does, is raised the `StoreError` of a change that it waited behind: each would wait as
        long for the store.
        """
        while True:
            with self._lock:
                live = self._matches.get(match)
                if live is None:
                    live = self._matches[match] = self._new(match)
                self._matches.move_to_end(match)
            if not live.lock.acquire(timeout=0 if live.copy and timeout_s > 0 else timeout_s):
                copy = live.copy = live.copy or self._new(match)
                copy.lock.acquire()
                return copy
            if self._matches.get(match) is live:
                return live
            live.lock.release()
            if timeout_s < 0 and live.failure is not None:
                raise live.failure

    def release(self, live: LiveMatch) -> None:
        """Give a locked match free after its use; discard it if it is not as the store has it.

        Else its memory is counted, and the least recently used go from a full cache. One that is locked may be among
        them: then two copies can be changed at once, and the store accepts the change of one and rejects that of the
        other, as with two hosts.
        """
        live.copy = None
        if live.has_uncommitted_changes:
            self.discard(live)
        else:
            with self._lock:
                if self._matches.get(live.id) is live:
                    size = live.size_bytes
                    self.total_bytes += size - self._sizes.get(live.id, 0)
                    self._sizes[live.id] = size
                while len(self._matches) > 1 and self.total_bytes > self._max_bytes:
                    self._drop(next(iter(self._matches)))
        live.lock.release()

    def __len__(self) -> int:
        """Return how many matches it holds."""
        return len(self._matches)

    def discard(self, live: LiveMatch, failure: KifuError | None = None) -> None:
        """Take the match out of the cache: the rollback of what was not committed, for this failure if it was one."""
        live.failure = failure or live.failure
        with self._lock:
            known = self._matches.get(live.id)
            if known is live:
                self._drop(live.id)
            elif known is not None and known.copy is live:
                known.copy = None

    def _drop(self, match: str) -> None:
        del self._matches[match]
        self.total_bytes -= self._sizes.pop(match, 0)
