"""What the SQL stores share: the columns of a metadata row, and the query of a list."""

from __future__ import annotations

from typing import Any

from .store import MetadataRow, Query

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


def values_of(row: MetadataRow) -> tuple[Any, ...]:
    """Return the values of a row's columns."""
    return row.game, row.status, row.public, row.changed_at_ms, row.data, row.version


def row_of(game: str, status: str, public: bool, changed_at_ms: int, data: bytes, version: int) -> MetadataRow:
    """Return the row of these columns."""
    return MetadataRow(game, status, bool(public), changed_at_ms, bytes(data), version)


def _is_storable(text: str) -> bool:
    return "\0" not in text and text.encode("utf-8", "ignore").decode() == text


def _bounded(number: int) -> int:
    return max(-(1 << BITS), min(number, (1 << BITS) - 1))
