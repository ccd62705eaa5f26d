"""Law 5 catches deals that are not drawn at random: dice in the middle of a match, rolled under cups or in the open."""

import attrs
import pytest
from high_card import GAME as HIGH_CARD
from high_card import Deal
from kifu.core.game import RuleViolation, TableRule
from kifu.core.testing.laws_of_sight import Dealt, Shown, told_as_seen

from .toys import dice, race

START = race.GAME.start(race.GAME.options(), 2)
NO_THREE = (1, 2, 4, 5, 6)
SAME = "is always the same, whatever the shuffler"


def second_die(of):
    def deal(state, shuffler):
        first = 1 + shuffler.below(6)
        return race.Roll((first, 1 + of(state, first, shuffler) % 6))

    return race.GAME.altered(deal=deal)


ROLLS = {
    "of what lies open": (second_die(lambda state, first, shuffler: sum(state.runners[0])), rf"dice\[1\] {SAME}"),
    "fixed after the first roll": (
        second_die(lambda state, first, shuffler: shuffler.below(6) if state.turn is None else 3),
        rf"dice\[1\] {SAME}",
    ),
    "of the other die": (second_die(lambda state, first, shuffler: first + 2), r"follows from .*dice\[0\]"),
    "never a six": (
        race.GAME.altered(deal=lambda s, shuffler: race.Roll((1 + shuffler.below(5), 1 + shuffler.below(5)))),
        r"accept 6 as dice\[0\] of a deal, and it is never dealt",
    ),
    "one die never a six": (
        race.GAME.altered(deal=lambda s, shuffler: race.Roll((1 + shuffler.below(6), 1 + shuffler.below(5)))),
        r"accept 6 as dice\[1\] of a deal, and it is never dealt there",
    ),
    "a die without its three": (
        race.GAME.altered(
            deal=lambda s, shuffler: race.Roll(((1, 2, 4, 5, 6)[shuffler.below(5)], 1 + shuffler.below(6)))
        ),
        r"accept 3 as dice\[0\] of a deal, and it is never dealt there",
    ),
}


def test_law_5_catches_a_card_that_never_lies_where_others_do(fails):
    def never_first(state, shuffler):
        cards = HIGH_CARD.deal(state, shuffler).cards
        return Deal(cards if cards[0] != 30 else cards[::-1])

    says = r"accept 30 as cards\[0\] of a deal, and it is never dealt there"
    fails("test_5_deals_vary", HIGH_CARD.altered(deal=never_first), says)


@pytest.mark.parametrize(("game", "says"), ROLLS.values(), ids=ROLLS)
def test_law_5_catches_a_roll_that_is_not_random(fails, game, says):
    fails("test_5_deals_vary", game, says)


def test_law_5_catches_a_deal_with_a_card_twice_that_is_accepted(fails):
    def accepts(state, seat, command):
        try:
            return HIGH_CARD.apply(state, seat, command)
        except RuleViolation as refused:
            if refused.rule is TableRule.DEAL:
                return state
            raise

    fails("test_5_deals_vary", HIGH_CARD.altered(apply=accepts), r"2 times, and it is dealt 1 times at most")


def test_law_5_catches_dice_of_one_seat_that_another_can_tell_by_its_own(fails):
    def deal(state, shuffler):
        under = [1 + shuffler.below(6) for _ in range(max(state.left))]
        return dice.Roll(tuple(card for count in state.left for card in under[:count]))

    fails("test_5_deals_vary", dice.GAME.altered(deal=deal), "follows from dice", options={"dice": 1})


@pytest.mark.parametrize(
    ("state", "one", "other"),
    [
        (attrs.evolve(START, turn=0), (2, 6), (6, 2)),
        (START, (3, 3), (4, 4)),
    ],
    ids=["in another order", "that are rolled again"],
)
def test_open_dice_that_leave_the_same_state_leak_nothing(state, one, other):
    told_as_seen(*(Shown(Dealt(race.GAME, state, race.Roll(dice)).step, None) for dice in (one, other)))
