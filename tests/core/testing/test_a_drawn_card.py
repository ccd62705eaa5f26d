"""The table deals one card to one seat: there is nothing to swap in such a deal, so others are made anew."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import attrs
import pytest
from kifu.core.game import (
    DEALER,
    NOBODY,
    TABLE,
    Card,
    Game,
    NoOptions,
    Note,
    Result,
    RuleBook,
    RuleViolation,
    command,
    evolve,
    public,
    secret,
    seen_by,
    state,
    visible_to,
)
from kifu.core.testing.laws_of_chance import deals_vary
from kifu.core.testing.laws_of_sight import deals_are_told
from kifu.core.testing.play import played

DECK = tuple(map(Card, range(1, 10)))


class Rule(RuleBook):
    D_1 = "A card is drawn for seat 0."


def for_seat_0(_: Any, viewer: int | None) -> bool:
    """Seat 0."""
    return viewer == 0


@command("draw")
class Draw:
    card: Card = secret()


@state
class State:
    card: Card | None = seen_by(for_seat_0, default=None)


def explain(step: Any, viewer: int | None) -> Iterator[Note]:
    if visible_to(viewer, 0):
        yield Note.of("got", Rule.D_1, card=step.command.card)


def told_to_all(step: Any, viewer: int | None) -> Iterator[Note]:
    return explain(step, TABLE)


RULES = SimpleNamespace(
    start=lambda options, seats: State(),
    to_act=lambda state: DEALER if state.card is None else NOBODY,
    apply=lambda state, seat, command: evolve(state, card=command.card),
    legal=lambda state, seat: iter(()),
    deal=lambda state, shuffler: Draw(DECK[shuffler.below(len(DECK))]),
    result=lambda state: None if state.card is None else Result((0, 0), ()),
    deck=lambda options, seats: DECK,
    cards=lambda state: (),
)
GAME: Any = Game(
    "draw",
    range(2, 3),
    State,
    (Draw,),
    RULES,
    options=NoOptions,
    book=Rule,
    table=SimpleNamespace(explain=explain),
)
LEAKS = {
    "observed": ("observes", {"redact": lambda step, viewer: step.command}),
    "told": ("the notes of Draw.* leak", {"explain": told_to_all}),
}


def test_a_correct_one_is_green() -> None:
    for number in range(5):
        match = played(GAME, 2, GAME.options(), number)
        deals_are_told(match)


@pytest.mark.parametrize(("says", "functions"), LEAKS.values(), ids=LEAKS.keys())
def test_a_leak_is_red(says: str, functions: dict[str, Any]) -> None:
    match = played(GAME.altered(**functions), 2, GAME.options(), 0)
    with pytest.raises(AssertionError, match=says):
        deals_are_told(match)


def test_a_seat_that_is_not_told_its_own_card_is_found() -> None:
    match = played(GAME.altered(explain=lambda step, viewer: iter(())), 2, GAME.options(), 0)
    with pytest.raises(AssertionError, match="neither the observed command nor a note told it"):
        deals_are_told(match)


@command("toss")
class Toss:
    heads: bool = public()


@state
class Tossed(State):
    heads: bool | None = public(default=None)


def tossed(state: Tossed, seat: int, command: Any) -> Tossed:
    if isinstance(command, Draw) and command.card not in DECK:
        raise RuleViolation(Rule.D_1, seat)
    return evolve(state, **attrs.asdict(command))


def in_order(state: Tossed, seat: int, command: Any) -> Tossed:
    if isinstance(command, Toss) is (state.card is None):
        raise RuleViolation(Rule.D_1, seat)
    return tossed(state, seat, command)


TWO: Any = Game(
    "draw_and_toss",
    range(2, 3),
    Tossed,
    (Draw, Toss),
    SimpleNamespace(
        start=lambda options, seats: Tossed(),
        to_act=lambda state: DEALER if state.heads is None else NOBODY,
        deal=lambda state, shuffler: (
            GAME.deal(state, shuffler) if state.card is None else Toss(bool(shuffler.below(2)))
        ),
        result=lambda state: None if state.heads is None else Result((0, 0), ()),
        apply=in_order,
        legal=lambda state, seat: iter(()),
        cards=lambda state: (),
        deck=lambda options, seats: DECK,
    ),
)


def test_a_deal_is_refused_where_another_is_due() -> None:
    deals_vary(played(TWO, 2, TWO.options(), 0))
    with pytest.raises(AssertionError, match=r"accept Toss\(.*\) where the table deals Draw\(.*never dealt there"):
        deals_vary(played(TWO.altered(apply=tossed), 2, TWO.options(), 0))
