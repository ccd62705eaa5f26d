"""Commands of several matches, judged one after the other and stored in one transaction.

Many threads that each judge a command wait for one interpreter more than they compute. So whoever has several commands
gives them to one thread. Here is only the straight way: a command of a cached match that nobody else uses now, and that
the store takes. Any other goes the usual way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from ..errors import KifuError, StoreError
from ..stores.store import Append, Store, TogetherStore
from .context import HostContext
from .live_match import ConcurrentUpdate, LiveMatch
from .storing import Storing
from .submission import Receipt, Submission

Answer = Receipt | KifuError | None
"""A receipt, or the error of a command that may have been stored; None: the command goes the usual way."""


def takes_together(store: Store) -> bool:
    """Return True if a store can make several changes in one transaction."""
    return hasattr(store, "append_together")


def submit_together(
    context: HostContext,
    submissions: Sequence[Submission],
    stored: Callable[[LiveMatch], None],
    is_late: Callable[[], bool],
) -> list[Answer]:
    """Apply and store commands; return what became of each that was begun.

    `stored` is called with each match that has a new event. Once `is_late` returns True, no further command is begun.
    """
    answers: list[Answer] = []
    begun: list[tuple[int, Storing[Receipt], Append]] = []
    try:
        for place, each in enumerate(submissions):
            if place and is_late():
                break
            answers.append(None)
            work = _submitting(context, each, stored)
            try:
                begun.append((place, work, next(work)))
            except StopIteration as done:
                answers[place] = done.value
            except Exception:  # noqa: S112 (it may come of an old copy: the usual way will tell)
                continue
        failures = _append(context.store, [append for _, _, append in begun])
        for (place, work, _), failure in zip(begun, failures, strict=True):
            answers[place] = _answer(work, failure)
    finally:
        for _, work, _ in begun:
            work.close()  # which gives the match free, if it was left in between
    return answers


def _append(store: Any, appends: Sequence[Append]) -> Sequence[KifuError | None]:
    """Store what was begun; return the error of each, None if it is stored."""
    if not appends:
        return ()
    try:
        return cast("TogetherStore", store).append_together(appends)
    except KifuError as failure:
        return [failure] * len(appends)


def _answer(work: Storing[Receipt], failure: KifuError | None) -> Answer:
    """Finish what was begun; return its answer."""
    try:
        if failure is None:
            next(work)
        else:
            work.throw(failure)
    except StopIteration as done:
        receipt: Receipt = done.value
        return receipt
    except ConcurrentUpdate:
        return None
    except KifuError as error:
        return error
    raise AssertionError("a command is stored once")


def _submitting(context: HostContext, submission: Submission, stored: Callable[[LiveMatch], None]) -> Storing[Receipt]:
    """Apply a command to a cached match, and have it stored; raises `ConcurrentUpdate` where that cannot be done."""
    with context.cache.locked_at_once(submission.match) as live:
        if not live.is_current_version:
            raise ConcurrentUpdate
        writes = live.writes
        try:
            receipt = yield from submission(context, live)
        except StoreError as failure:
            live.failure = failure if live.writes > writes else live.failure  # for those who wait for the match
            raise
        stored(live)
        return receipt
