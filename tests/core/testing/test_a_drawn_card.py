"""The table deals one card to one seat: there is nothing to swap in such a deal, so others are made anew."""

from collections.abc import Iterator
from typing import Any

import attrs
import pytest
from attrs import frozen
from high_card import GAME as HIGH_CARD
from high_card.model import Rule
from kifu.core.game import (
    DEALER,
    NOBODY,
    TABLE,
    Card,
    Note,
    RedactedCommand,
    Result,
    RuleViolation,
    Seat,
    evolve,
    visible_to,
)
from kifu.core.testing.laws_of_deals import deals_vary
from kifu.core.testing.laws_of_histories import deals_tell_all, deals_tell_no_more
from kifu.core.testing.play import played

DECK = tuple(map(Card, range(1, 10)))


@frozen(slots=False)
class Draw:
    card: Card


@frozen(slots=False)
class State:
    card: Card | None = None


@frozen(slots=False)
class View:
    viewer: Seat | None
    card: Card | None
    drawn: bool


def view(state: State, viewer: Seat | None) -> View:
    return View(viewer, state.card if visible_to(viewer, 0) else None, state.card is not None)


def redact(command: Any, seat: Seat, viewer: Seat | None) -> Any:
    return command if viewer == TABLE else RedactedCommand("draw")


def explain(step: Any, viewer: Seat | None) -> Iterator[Note]:
    if visible_to(viewer, 0):
        yield Note.of("got", Rule.HC_1, card=step.command.card)


def told_to_all(step: Any, viewer: Seat | None) -> Iterator[Note]:
    return explain(step, TABLE)


GAME = attrs.evolve(
    HIGH_CARD,
    wire={Draw: "draw"},
    start=lambda options, seats: State(),
    to_act=lambda state: DEALER if state.card is None else NOBODY,
    apply=lambda state, seat, command: evolve(state, card=command.card),
    legal=lambda state, seat: iter(()),
    deal=lambda state, shuffler: Draw(DECK[shuffler.below(len(DECK))]),
    result=lambda state: None if state.card is None else Result((0, 0), ()),
    cards=lambda state: iter(()),
    view=view,
    redact=redact,
    explain=explain,
    scores=None,
)
LEAKS = {
    "observed": ("observes", {"redact": lambda command, seat, viewer: command}),
    "told": ("notes of a deal leak", {"explain": told_to_all}),
}


def test_a_correct_one_is_green() -> None:
    for number in range(5):
        match = played(GAME, 2, GAME.options(), number)
        deals_tell_no_more(match)
        deals_tell_all(match)


@pytest.mark.parametrize(("says", "functions"), LEAKS.values(), ids=LEAKS.keys())
def test_a_leak_is_red(says: str, functions: dict[str, Any]) -> None:
    match = played(attrs.evolve(GAME, **functions), 2, GAME.options(), 0)
    with pytest.raises(AssertionError, match=says):
        deals_tell_no_more(match)


def test_a_seat_that_is_not_told_its_own_card_is_found() -> None:
    match = played(attrs.evolve(GAME, explain=lambda step, viewer: iter(())), 2, GAME.options(), 0)
    with pytest.raises(AssertionError, match="neither the observed command nor a note told it"):
        deals_tell_all(match)


@frozen(slots=False)
class Toss:
    heads: bool


@frozen(slots=False)
class Tossed(State):
    heads: bool | None = None


def tossed(state: Tossed, seat: Seat, command: Any) -> Tossed:
    if isinstance(command, Draw) and command.card not in DECK:
        raise RuleViolation(Rule.HC_1, seat)
    return evolve(state, **attrs.asdict(command))


def in_order(state: Tossed, seat: Seat, command: Any) -> Tossed:
    if isinstance(command, Toss) is (state.card is None):
        raise RuleViolation(Rule.HC_1, seat)
    return tossed(state, seat, command)


TWO = attrs.evolve(
    GAME,
    wire={Draw: "draw", Toss: "toss"},
    start=lambda options, seats: Tossed(),
    to_act=lambda state: DEALER if state.heads is None else NOBODY,
    deal=lambda state, shuffler: GAME.deal(state, shuffler) if state.card is None else Toss(bool(shuffler.below(2))),
    result=lambda state: None if state.heads is None else Result((0, 0), ()),
    apply=in_order,
)


def test_a_deal_is_refused_where_another_is_due() -> None:
    deals_vary(played(TWO, 2, TWO.options(), 0))
    with pytest.raises(AssertionError, match=r"accept Toss\(.*\) where the table deals Draw\(.*never dealt there"):
        deals_vary(played(attrs.evolve(TWO, apply=tossed), 2, TWO.options(), 0))
