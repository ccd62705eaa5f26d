"""What the stores in databases have in common: how a sheet is a row, and is found."""

from __future__ import annotations

from typing import Any

from .store import MetadataRow, Query

BITS = 63
COLUMNS = "game, status, public, changed, data, version"
"""The columns of a sheet, in the order of its fields."""


def list_query(query: Query, table: str, mark: str) -> tuple[str, list[Any]] | None:
    """Write the question that lists what a query asks for, and its values; None where no database has such texts."""
    texts = [query.game or "", query.status or "", query.before[1] if query.before else ""]
    if not all(map(_is_storable, texts)):
        return None
    wanted = {"game": query.game, "status": query.status, "public": query.public}
    where = [f"{column} = {mark}" for column, value in wanted.items() if value is not None]
    values: list[Any] = [value for value in wanted.values() if value is not None]
    if query.before is not None:
        changed, match = query.before
        where.append(f"(changed < {mark} OR (changed = {mark} AND id > {mark}))")
        values += [_bounded(changed), _bounded(changed), match]
    values.append(_bounded(max(query.limit, 0)))
    condition = f"WHERE {' AND '.join(where)} " if where else ""
    question = f"SELECT id, {COLUMNS} FROM {table} {condition}ORDER BY changed DESC, id LIMIT {mark}"  # noqa: S608
    return question, values


def values_of(row: MetadataRow) -> tuple[Any, ...]:
    """Give the values of a sheet's columns."""
    return row.game, row.status, row.public, row.changed_at_ms, row.data, row.version


def row_of(game: str, status: str, public: bool, changed: int, data: bytes, version: int) -> MetadataRow:
    """Make a sheet of the values of its columns."""
    return MetadataRow(game, status, bool(public), changed, bytes(data), version)


def _is_storable(text: str) -> bool:
    return "\0" not in text and text.encode("utf-8", "ignore").decode() == text


def _bounded(number: int) -> int:
    return max(-(1 << BITS), min(number, (1 << BITS) - 1))
