"""The public facts of a match: who plays what, and how it stands."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from attrs import evolve, frozen

from ..errors import Message, StoreError
from ..game import Result, Seat
from ..stores.store import MetadataRow, Query
from .context import HostContext
from .live_match import LiveMatch
from .metadata import MatchMetadata, Terms, metadata_of
from .trust_status import TrustStatus, trust_status


@frozen
class About:
    """The public facts of a match. Never its seed."""

    match: str
    game: str
    options: Mapping[str, Any]
    seats: tuple[str | None, ...]
    """The name of each seat; None where a seat is free."""
    status: str
    """`open` (seats are free), `going`, `over` or `abandoned`."""
    terms: Terms
    opened_at_ms: int
    """Milliseconds since the Unix epoch."""
    changed_at_ms: int
    """When a seat was last taken, a proposal made or answered, or the match ended; milliseconds since the epoch."""
    result: Result | None
    count: int | None = None
    """How many events there are; None in the list of a lobby."""
    to_act: frozenset[Seat] | None = None
    """The seats that are to act; None in the list of a lobby."""
    trust: TrustStatus | None = None
    """Keys, commitments and roster; None in the list of a lobby, and for a match without marks."""
    stopped: Message | None = None
    """Why it takes no commands, as in an `Observation`; None in the list of a lobby."""


def about(context: HostContext, match: str) -> About:
    """Return the public facts of one match."""
    with context.shown(match) as live:
        stopped = context.why_stopped(live)
        facts = evolve(facts_of(live), trust=trust_status(context, live), stopped=stopped)
        if live.folded is None or live.ended or stopped:
            return evolve(facts, count=live.count, to_act=frozenset())
        return evolve(facts, count=live.count, to_act=live.match.to_act)


def lobby(context: HostContext, query: Query) -> list[About]:
    """Return the public matches that fit the query, newest change first; `query.public` is ignored."""
    found: list[About] = []
    for match, row in context.store.list(evolve(query, public=True)):
        with suppress(StoreError):  # metadata that no host wrote
            found.append(_facts(match, row, metadata_of(row, match)))
    return found


def facts_of(live: LiveMatch) -> About:
    """Return the public facts of a locked match, as a lobby has them."""
    return _facts(live.id, live.row, live.metadata)


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
