"""What anybody may know of a match: who plays what, and how it stands."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from attrs import evolve, frozen

from ..errors import StoreError
from ..game import Result, Seat
from ..stores.store import MetadataRow, Query
from .context import HostContext
from .metadata import MatchMetadata, Terms, metadata_of


@frozen
class About:
    """The public facts of a match. Never its seed."""

    match: str
    game: str
    options: Mapping[str, Any]
    seats: tuple[str | None, ...]
    """The names; None where a seat is free."""
    status: str
    """`open` (seats are free), `going`, `over` or `abandoned`."""
    terms: Terms
    opened_at_ms: int
    """Milliseconds since the Unix epoch, as `changed`, when a seat was taken, a wish was made or the match ended."""
    changed_at_ms: int
    result: Result | None
    count: int | None = None
    """How many events there are; None in a lobby's list, as `to_act`."""
    to_act: frozenset[Seat] | None = None


def about(context: HostContext, match: str) -> About:
    """Tell the public facts of one match."""
    with context.locked(match) as live:
        facts = _facts(match, live.row, live.metadata)
        if live.folded is None or live.ended:
            return evolve(facts, count=live.count, to_act=frozenset())
        return evolve(facts, count=live.count, to_act=live.match.to_act)


def lobby(context: HostContext, query: Query) -> list[About]:
    """List the public matches that the query asks for, newest change first."""
    found: list[About] = []
    for match, row in context.store.list(evolve(query, public=True)):
        with suppress(StoreError):  # a sheet that no host wrote
            found.append(_facts(match, row, metadata_of(row, match)))
    return found


def _facts(match: str, row: MetadataRow, metadata: MatchMetadata) -> About:
    return About(
        match=match,
        game=row.game,
        options=metadata.options,
        seats=metadata.names,
        status=row.status,
        terms=metadata.terms,
        opened_at_ms=metadata.opened_at_ms,
        changed_at_ms=row.changed_at_ms,
        result=metadata.result,
    )
