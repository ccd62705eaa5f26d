"""What the SQL stores share: rows and lists, versions of the schema, the check that a log is whole, the probe."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from secrets import token_hex
from typing import Any

from ..errors import Message, StoreError
from .store import TAIL_BYTES, MetadataRow, Query

Steps = Sequence[Sequence[str]]
"""For each version of a schema the statements that make it from the one before; version 0 is an empty database."""
LOCK_TIMEOUT_S = 1.5
"""How long a change waits for a lock that another program holds: no longer than a host claims a deadline for."""
PROBE_BYTES = 4096
"""The size of a probe: a block, which a full disk does not take."""

BITS = 63
COLUMNS = "game, status, public, changed, data, version"
"""The columns of a metadata row, in the order of its fields."""


def list_query(query: Query, table: str, placeholder: str) -> tuple[str, list[Any]] | None:
    """Return the SELECT of a query and its values; None if no row can match, as for a text with a zero byte."""
    texts = [query.game or "", query.status or "", query.before[1] if query.before else ""]
    if not all(map(_is_storable, texts)):
        return None
    wanted = {"game": query.game, "status": query.status, "public": query.public}
    where = [f"{column} = {placeholder}" for column, value in wanted.items() if value is not None]
    values: list[Any] = [value for value in wanted.values() if value is not None]
    if query.before is not None:
        changed_at_ms, match = query.before
        where.append(f"(changed < {placeholder} OR (changed = {placeholder} AND id > {placeholder}))")
        values += [_bounded(changed_at_ms), _bounded(changed_at_ms), match]
    values.append(_bounded(max(query.limit, 0)))
    condition = f"WHERE {' AND '.join(where)} " if where else ""
    statement = f"SELECT id, {COLUMNS} FROM {table} {condition}ORDER BY changed DESC, id LIMIT {placeholder}"  # noqa: S608
    return statement, values


def migrate(store: str, version: int, steps: Steps) -> Iterator[str]:
    """Return the statements that migrate a schema from this version; raises `StoreError` for a newer one."""
    if version > len(steps):
        english = "its schema is of version {version}, this kifu knows {known}: use a newer one"
        raise StoreError(store, Message("newer-schema", english, version=version, known=len(steps)))
    return (statement for step in steps[version:] for statement in step)


def check_whole(
    store: str, match: str, count: int, known: int, events: Sequence[bytes] = (), tail: bytes = b""
) -> None:
    """Raise `StoreError` unless it is the log that was acknowledged: so many events, the last with this tail.

    An empty tail, of a log that an older kifu wrote, fits every log.
    """
    if count < known:
        english = "match {match} is shorter than what was acknowledged: {count} events, not {known}"
        raise StoreError(store, Message("log-shorter", english, match=match, count=count, known=known))
    if count > known or (events and tail and events[-1][-TAIL_BYTES:] != tail):
        english = "the log of match {match} is not the one that was acknowledged"
        raise StoreError(store, Message("log-other", english, match=match))


def check_probe(store: str, written: bytes, found: bytes) -> None:
    """Raise `StoreError` unless the bytes that are read are those that were written."""
    if found != written:
        raise StoreError(store, Message("other-bytes", "it reads other bytes than were written"))


def new_epoch() -> str:
    """Return the name of what begins when a store is made, or restored from a backup."""
    return token_hex(8)


def row_of(game: str, status: str, public: bool, changed_at_ms: int, data: bytes, version: int) -> MetadataRow:
    """Return the row of these columns."""
    return MetadataRow(game, status, bool(public), changed_at_ms, bytes(data), version)


def _is_storable(text: str) -> bool:
    return "\0" not in text and text.encode("utf-8", "ignore").decode() == text


def _bounded(number: int) -> int:
    return max(-(1 << BITS), min(number, (1 << BITS) - 1))
