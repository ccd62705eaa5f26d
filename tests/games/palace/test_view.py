"""What each seat of Palace sees of palaces, and knows of the place of END; a determinization keeps to it."""

from collections import Counter
from typing import Any

import pytest
from kifu.core.game import TABLE, Card, Event, Seat, Step, evolve
from kifu.core.game.shuffle import Shuffler
from kifu.games.palace import GAME
from kifu.games.palace.model import Deal, Options, Palace, State
from kifu.games.palace.rules import DECK, END


def start(seats: int = 3, end_place: Any = "about") -> State:
    return GAME.start(Options(end_place=end_place), seats)


def dealt(state: State) -> State:
    return GAME.apply(state, TABLE, GAME.deal(state, Shuffler(bytes(32))))


def near_end(state: State, left: int) -> State:
    """Return the state with all but so many cards of the pile out of the game, END the last of them."""
    pillars = [card for card in state.pile if card != END]
    gone = len(pillars) - left + 1
    return evolve(state, pile=(*pillars[gone:], END), out=tuple(sorted(pillars[:gone])))


@pytest.mark.parametrize(("verified", "sees"), [(False, [TABLE, 0]), (True, [TABLE, 0, 1, 2, 3, None])])
def test_pal_8_10_and_r3_who_sees_the_cards_of_a_palace(verified: bool, sees: list[int | None]) -> None:
    """All see its size, and that it was verified."""
    palace = Palace(0, (Card(1), Card(3)), verified)
    state = evolve(dealt(start(4)), palaces=((palace,), (), (), ()))
    for viewer in (TABLE, 0, 1, 2, 3, None):
        shown = GAME.view(state, viewer).palaces[0][0]
        assert (shown.number, shown.size, shown.verified) == (0, 2, verified)
        assert shown.cards == (palace.cards if viewer in sees else None), viewer


def deal_with(above: int) -> tuple[Deal, State]:
    """Return a deal of three seats with so many cards above END, and the state after it."""
    pillars = DECK[:-1]
    deal = Deal((*pillars[: 9 + above], END, *pillars[9 + above :]))
    return deal, GAME.apply(start(), TABLE, deal)


def drawn(state: State, count: int) -> State:
    """Return the state with so many cards of the pile put out of the game."""
    return evolve(state, pile=state.pile[count:], out=tuple(sorted(state.pile[:count])))


@pytest.mark.parametrize(
    ("state", "viewer", "below"),
    [
        pytest.param(dealt(start(4)), 0, range(11), id="PAL-2 among the last eleven"),
        pytest.param(near_end(dealt(start(4)), 2), None, range(2), id="PAL-2 of a short pile any card"),
        pytest.param(dealt(start()), 0, range(20, 26), id="PAL-R1 with three seats about a third"),
        pytest.param(drawn(deal_with(47)[1], 45), 0, range(20, 23), id="PAL-R1 deeper once more cards are drawn"),
        pytest.param(drawn(deal_with(47)[1], 47), 0, [20], id="PAL-R1 where only one place is left"),
        pytest.param(dealt(start(3, "exact")), 0, [22], id="PAL-R1 an exact place"),
    ],
)
def test_a_determinization_puts_end_in_any_place_that_is_left_as_likely(state: State, viewer: Any, below: Any) -> None:
    piles = [GAME.determinize(GAME.view(state, viewer), Shuffler(number.to_bytes(32))).pile for number in range(150)]
    places = Counter(len(pile) - 1 - pile.index(END) for pile in piles)
    assert places.keys() == {*below}
    assert min(places.values()) > 150 / len(below) / 3


def test_pal_r1_the_place_of_end_is_told_to_nobody() -> None:
    """Two deals that differ in it alone look the same to every seat, as they are dealt and after."""
    deals = [deal_with(above) for above in (42, 47)]
    for viewer in (None, *map(Seat, range(3))):
        steps = [Step(Event(0, TABLE, deal), start(), after, GAME) for deal, after in deals]
        one, other = (step.notes_for(viewer) for step in steps)
        assert one == other
        assert GAME.view(deals[0][1], viewer) == GAME.view(deals[1][1], viewer)
