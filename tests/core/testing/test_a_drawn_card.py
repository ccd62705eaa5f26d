"""The table deals one card to one seat: there is nothing to swap in such a deal, so others are made anew."""

from collections.abc import Iterator
from typing import Any

import pytest
from kifu.core import game as k
from kifu.core.testing.laws_of_chance import deals_vary
from kifu.core.testing.laws_of_sight import deals_are_told
from kifu.core.testing.play import played

DECK = tuple(map(k.Card, range(1, 10)))


def for_seat_0(_: Any, viewer: int | None) -> bool:
    """Seat 0."""
    return viewer == 0


@k.command("draw")
class Draw:
    card: k.Card = k.secret()


@k.command("toss")
class Toss:
    heads: bool = k.public()


@k.state
class State:
    card: k.Card | None = k.seen_by(for_seat_0, default=None)
    heads: bool | None = k.public(default=None)


def start(options: object, seats: int) -> State:
    return State()


def to_act(state: State) -> frozenset[int]:
    return k.DEALER if state.heads is None else k.NOBODY


def legal(state: State, seat: int) -> Iterator[Any]:
    return iter(())


def deal(state: State, shuffler: k.Shuffler) -> Draw | Toss:
    return Draw(DECK[shuffler.below(len(DECK))]) if state.card is None else Toss(bool(shuffler.below(2)))


def in_any_order(state: State, seat: int, command: Draw | Toss) -> State:
    if isinstance(command, Toss):
        return k.evolve(state, heads=command.heads)
    k.check_cards(seat, [command.card], DECK)
    return k.evolve(state, card=command.card)


def apply(state: State, seat: int, command: Draw | Toss) -> State:
    if isinstance(command, Toss) is (state.card is None):
        raise k.Illegal("a card is drawn, then the coin is tossed")
    return in_any_order(state, seat, command)


def result(state: State) -> k.Result | None:
    return None if to_act(state) else k.Result((0, 0), ())


GAME = k.Game.of(__name__, seats=range(2, 3), state=State)
LEAKS: dict[str, tuple[str, dict[str, Any]]] = {
    "observed": ("observes", {"redact": lambda step, viewer: step.command}),
    "told": ("the notes of Draw.* leak", {"explain": lambda step, viewer: GAME.explain(step, k.TABLE)}),
    "not told": ("neither the observed command nor a note told it", {"explain": lambda step, viewer: iter(())}),
}


def test_a_correct_one_is_green() -> None:
    for number in range(5):
        match = played(GAME, 2, GAME.options(), number)
        deals_are_told(match)
        deals_vary(match)


@pytest.mark.parametrize(("says", "functions"), LEAKS.values(), ids=LEAKS.keys())
def test_a_leak_is_red(says: str, functions: dict[str, Any]) -> None:
    match = played(GAME.altered(**functions), 2, GAME.options(), 0)
    with pytest.raises(AssertionError, match=says):
        deals_are_told(match)


def test_a_deal_is_refused_where_another_is_due() -> None:
    with pytest.raises(AssertionError, match=r"accept Toss\(.*\) where the table deals Draw\(.*never dealt there"):
        deals_vary(played(GAME.altered(apply=in_any_order), 2, GAME.options(), 0))
