"""What an operator does with a whole store: check it, copy it into another, drop what is old."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgpack
from attrs import evolve, frozen

from ..errors import Conflict, KifuError, Message, NoMatch, StoreError
from ..log import Reading, read_bytes
from ..wire import REFUSED
from .store import (
    FINISHED,
    Append,
    Create,
    Delete,
    Due,
    MetadataRow,
    Query,
    Schedule,
    Store,
    StoredLog,
    Update,
    commit_one,
    log_bytes_of,
)

CheckRow = Callable[[MetadataRow, str], object]
"""Raises a `KifuError` for a row that no host could have written."""
IsClosed = Callable[[Store, str], bool]
PAGE = 10_000
"""How many rows are asked for at once."""
DAY_MS = 24 * 60 * 60 * 1000


@frozen
class Outcome:
    """What became of one match: `problem` is None if all is well."""

    match: str
    status: str
    problem: str | None = None


def rows_of(store: Store, status: str | None = None) -> Iterator[tuple[str, MetadataRow]]:
    """Yield the ids and rows of all matches, or of those with this status, the newest change first."""
    query = Query(status=status, limit=PAGE)
    while page := list(store.list(query)):
        yield from page
        query = evolve(query, before=(page[-1][1].changed_at_ms, page[-1][0]))


def check(store: Store, find: Any, check_row: CheckRow = lambda *_: None) -> Iterator[Outcome]:
    """Yield an outcome for each match: its log is read whole, with every chain, digest and rule, and its row.

    `check_row` raises a `KifuError` for a row whose data its host could not read.
    """
    for match, row in rows_of(store):
        yield Outcome(match, row.status, _problem(store, match, find, check_row))


def _problem(store: Store, match: str, find: Any, check_row: CheckRow) -> str | None:
    try:
        stored = store.read(match)
        check_row(stored.row, match)
        status = stored.row.status
        going = ("going",) if stored.end is None else FINISHED
        if status not in (going if stored.header else ("open", "abandoned")):
            english = "its row says {status}, but its log says otherwise"
            return Message("row-says-otherwise", english, status=status)
        if not stored.header:
            return None
        reading = read_bytes(log_bytes_of(stored), find)
    except KifuError as error:
        return error.summary
    problem = None if _is_of_older_rules(reading, stored) else reading.problem()
    return None if problem is None else problem.summary


def _is_of_older_rules(reading: Reading, stored: StoredLog) -> bool:
    """Return True for a log that ended since newer rules forbid it, so that it is no problem that they do."""
    if stored.end is None or not {each.kind for each in reading.findings} <= {"rule", "rules", "digest", "result"}:
        return False
    tag = msgpack.unpackb(stored.events[-1], strict_map_key=False)[3] if stored.events else None
    return bool(tag == REFUSED)


def copy(source: Store, target: Store) -> Iterator[Outcome]:
    """Copy each match into another store, or what is new of one that was copied before; yield an outcome for each.

    Matches may go on meanwhile: what they gain is copied the next time. A match whose log in the target is another one
    is left alone, and so is one that fails.
    """
    for match, row in rows_of(source):
        try:
            _copy(source, target, match)
            yield Outcome(match, row.status)
        except KifuError as error:
            yield Outcome(match, row.status, error.summary)


def _copy(source: Store, target: Store, match: str) -> None:
    wanted = source.read(match)
    try:
        there = target.read(match)
    except NoMatch:
        commit_one(target, Create(match, b"", wanted.row))
        _look_soon(target, match, wanted)
        there = StoredLog(b"", 0, (), None, wanted.row)
    if there.header and (there.header, there.events) != (wanted.header, wanted.events[: there.count]):
        why = Message("another-log-there", "match {match} is there already, with another log", match=match)
        raise StoreError("of the copy", why)
    row = evolve(wanted.row, version=there.row.version + 1)
    is_same = (there.header, there.events, there.end) == (wanted.header, wanted.events, wanted.end)
    if is_same and evolve(there.row, version=0) == evolve(wanted.row, version=0):
        return
    if is_same:
        commit_one(target, Update(match, row))
        _look_soon(target, match, wanted)
        return
    append = Append(
        match,
        there.count,
        wanted.events[there.count :],
        header=wanted.header if not there.header else None,
        end=wanted.end,
        row=row,
        due=Due(0) if wanted.row.status == "going" else None,  # whoever serves it looks when it is
    )
    commit_one(target, append)


def _look_soon(target: Store, match: str, wanted: StoredLog) -> None:
    """Let whoever serves a match that has not begun look at it: a fair deal may wait for somebody, and not for ever."""
    if wanted.row.status == "open":
        commit_one(target, Schedule(match, 0, Due(0)))


def expire(store: Store, now_ms: int, days: dict[str, float], is_closed: IsClosed) -> Iterator[Outcome]:
    """Delete the matches that have not changed for so many days, given for each status; yield those deleted.

    One that changes at that moment stays, and one that has ended and `is_closed`: by it others know that they are.
    """
    for match, row in list(rows_of(store)):
        if row.status in days and now_ms - row.changed_at_ms > days[row.status] * DAY_MS:
            try:
                if row.status in FINISHED and is_closed(store, match):
                    continue
                commit_one(store, Delete(match, row.version))
                yield Outcome(match, row.status)
            except (Conflict, NoMatch):
                continue
            except KifuError as error:
                yield Outcome(match, row.status, error.summary)
