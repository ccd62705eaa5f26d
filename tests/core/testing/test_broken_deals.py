"""Law 5 catches deals that are not drawn at random: dice in the middle of a match, rolled under cups or in the open."""

import attrs
import pytest
from kifu.core.game import Card, Seat
from kifu.core.testing.laws_of_histories import Dealt, deal_shows_no_more

from . import dice, race

SAME = "is always the same, whatever the shuffler"


def second_die(of):
    def deal(state, shuffler):
        first = 1 + shuffler.below(6)
        return race.Roll((first, 1 + of(state, first, shuffler) % 6))

    return attrs.evolve(race.GAME, deal=deal)


ROLLS = {
    "of what lies open": (second_die(lambda state, first, shuffler: sum(state.runners[0])), rf"dice\[1\] {SAME}"),
    "fixed after the first roll": (
        second_die(lambda state, first, shuffler: shuffler.below(6) if state.turn is None else 3),
        rf"dice\[1\] {SAME}",
    ),
    "of the other die": (second_die(lambda state, first, shuffler: first + 2), r"follows from .*dice\[0\]"),
    "never a six": (
        attrs.evolve(race.GAME, deal=lambda s, shuffler: race.Roll((1 + shuffler.below(5), 1 + shuffler.below(5)))),
        "accept a deal with 6, and it is never dealt",
    ),
}


@pytest.mark.parametrize(("game", "says"), ROLLS.values(), ids=ROLLS)
def test_law_5_catches_a_roll_that_is_not_random(fails, game, says):
    fails("test_5_deals_vary", game, says)


def test_law_5_catches_dice_of_one_seat_that_another_can_tell_by_its_own(fails):
    def deal(state, shuffler):
        under = [Card(1 + shuffler.below(6)) for _ in range(max(state.left))]
        return dice.Roll(tuple(card for count in state.left for card in under[:count]))

    fails("test_5_deals_vary", attrs.evolve(dice.GAME, deal=deal), "follows from dice", options={"dice": 1})


@pytest.mark.parametrize(
    ("state", "one", "other"),
    [
        (attrs.evolve(race.start(race.Options(), 2), turn=Seat(0)), (2, 6), (6, 2)),
        (race.start(race.Options(), 2), (3, 3), (4, 4)),
    ],
    ids=["in another order", "that are rolled again"],
)
def test_open_dice_that_leave_the_same_state_leak_nothing(state, one, other):
    deals = (Dealt(race.GAME, state, race.Roll(dice)) for dice in (one, other))
    deal_shows_no_more(*deals, None)
