"""Law 5: what the table deals, in the middle of a match too, comes from its shuffler and from nothing else.

A deal that a host, or a seat, can foresee hides nothing. So a place of a deal may not always hold the same value, nor
one that follows from what another place holds, where the rules would accept another: it was not drawn at random then.
Whatever the rules refuse to have otherwise (a card that is turned up from a deck that lies there) is nobody's choice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import permutations
from typing import Any

from ..game import TABLE, Shuffler
from ..match import Match
from .laws_of_histories import Dealt, deals_of
from .laws_of_play import answer
from .places import Path, leaves, put, swap
from .play import pick, shuffler_of

DEALT = 3
"""So many deals of a match are judged, the first among them."""
FEW, MANY = 32, 2048
"""So often is dealt to find what seems to be fixed, and to be sure that it is."""
PLACES = 16
"""So many places of a deal are looked at."""
AGAIN = 8
"""So many deals more than values must show that one place follows from another."""

Row = dict[Path, Any]


def deals_vary(match: Match[Any, Any, Any]) -> None:
    """Law 5: each value of a deal that the rules would accept otherwise is drawn from the shuffler."""
    shuffler, deals = shuffler_of(match, "deals vary"), deals_of(match)
    for dealt in [*deals[:1], *pick(shuffler, deals[1:], DEALT - 1)]:
        if dealt.after is not None:
            deal_varies(dealt, shuffler)
            for other in {type(each.deal): each.deal for each in deals}.values():
                _is_due(dealt, other)


def _is_due(dealt: Dealt, other: Any) -> None:
    """Raise if the rules accept a command of the table of another kind than is dealt, as a deal where a card is due."""
    kind = type(other)
    if kind is not type(dealt.deal) and type(answer(dealt.game, dealt.before, TABLE, other)) is not tuple:
        made = (dealt.game.deal(dealt.before, Shuffler(bytes(32), number)) for number in range(MANY))
        assert any(type(each) is kind for each in made), (
            f"the rules accept {other!r} where the table deals {dealt.deal!r}, and it is never dealt there: let "
            "`apply` refuse it"
        )


def deal_varies(dealt: Dealt, shuffler: Shuffler) -> None:
    """Deal often in the place of one deal, and look for what is always so and could be otherwise."""
    few = list(_rows(dealt, FEW))
    places = pick(shuffler, [path for path, _ in leaves(dealt.deal)], PLACES)
    suspects: list[tuple[Path, Path | None]] = [(place, None) for place in places if _follows(few, place, None)]
    suspects += [
        (place, other)
        for other, place in permutations(places, 2)
        if (place, None) not in suspects and _follows(few, place, other)
    ]
    for place, other in suspects:
        deal = next(_otherwise(dealt, place, other, few), None)
        if deal is not None and _follows(_rows(dealt, MANY), place, other):
            what = "is always the same" if other is None else f"follows from {_named(other)}"
            raise AssertionError(
                f"of a deal {_named(place)} {what}, whatever the shuffler, though the rules accept another: draw it "
                f"from the shuffler, or let `apply` refuse what is never dealt\n"
                f"dealt: {dealt.deal!r}\naccepted: {deal!r}"
            )
    _none_is_left_out(dealt, few, places)


def _none_is_left_out(dealt: Dealt, few: list[Row], places: list[Path]) -> None:
    """Raise if the rules accept an int just beyond those that are dealt: a die without its six."""
    here = dict(leaves(dealt.deal))
    ints = {value for row in few for value in row.values() if isinstance(value, int) and type(value) is not bool}
    for beyond in (min(ints) - 1, max(ints) + 1) if ints else ():
        deals = (put(dealt.deal, place, beyond) for place in places if type(here[place]) is int)
        if any(type(answer(dealt.game, dealt.before, TABLE, deal)) is not tuple for deal in deals):
            assert any(beyond in row.values() for row in _rows(dealt, MANY)), (
                f"the rules accept a deal with {beyond}, and it is never dealt: deal it, or let `apply` refuse it\n"
                f"dealt: {dealt.deal!r}"
            )


def _rows(dealt: Dealt, times: int) -> Iterator[Row]:
    """Yield what lies in each place of deals in the same state."""
    for number in range(times):
        yield dict(leaves(dealt.game.deal(dealt.before, Shuffler(bytes(32), number))))


def _follows(rows: Iterable[Row], place: Path, other: Path | None) -> bool:
    """Return True if a place holds the same wherever another one holds the same; None: holds always the same."""
    found: dict[Any, Any] = {}
    number = 0
    for row in rows:
        number += 1
        key = None if other is None else row.get(other)
        if found.setdefault(key, row.get(place)) != row.get(place):
            return False
    return number - len(found) >= AGAIN


def _otherwise(dealt: Dealt, place: Path, other: Path | None, rows: list[Row]) -> Iterator[Any]:
    """Yield deals that are accepted, lead elsewhere, and have another value in a place, but not in the other one."""
    here = dict(leaves(dealt.deal))
    kind = type(here[place])
    known = dict.fromkeys(value for row in rows for value in row.values() if type(value) is kind)
    changed = [put(dealt.deal, place, value) for value in known if value != here[place]]
    changed += [swap(dealt.deal, place, path) for path in here if path != other and here[path] != here[place]]
    for deal in changed:
        after = answer(dealt.game, dealt.before, TABLE, deal)
        if type(after) is not tuple and after != dealt.after:
            yield deal


def _named(path: Path) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")
