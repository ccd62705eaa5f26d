"""What anybody may know of a match: who plays what, and how it stands."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from attrs import evolve, frozen

from ..errors import StoreError
from ..game import Result, Seat
from ..stores.store import Query, Sheet
from .desk import Desk
from .papers import Papers, Terms, papers_of


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
    opened: int
    """Milliseconds since the Unix epoch, as `changed`, when a seat was taken, a wish was made or the match ended."""
    changed: int
    result: Result | None
    count: int | None = None
    """How many events there are; None in a lobby's list, as `to_act`."""
    to_act: frozenset[Seat] | None = None


def about(desk: Desk, match: str) -> About:
    """Tell the public facts of one match."""
    with desk.fresh(match) as live:
        facts = _facts(match, live.sheet, live.papers)
        if live.folded is None or live.ended:
            return evolve(facts, count=live.count, to_act=frozenset())
        return evolve(facts, count=live.count, to_act=live.match.to_act)


def lobby(desk: Desk, query: Query) -> list[About]:
    """List the public matches that the query asks for, newest change first."""
    found: list[About] = []
    for match, sheet in desk.store.list(evolve(query, public=True)):
        with suppress(StoreError):  # a sheet that no host wrote
            found.append(_facts(match, sheet, papers_of(sheet, match)))
    return found


def _facts(match: str, sheet: Sheet, papers: Papers) -> About:
    return About(
        match=match,
        game=sheet.game,
        options=papers.options,
        seats=papers.names,
        status=sheet.status,
        terms=papers.terms,
        opened=papers.opened,
        changed=sheet.changed,
        result=papers.result,
    )
