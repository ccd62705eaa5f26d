"""The rules of Take & Share, in the order of the rulebook, and the laws that hold for every game."""

from pathlib import Path

import pytest
from kifu.core.errors import OptionError
from kifu.core.game import TABLE, Card, Result, RuleViolation, Seat, TableRule, evolve
from kifu.core.testing import Case, game_laws
from kifu.games.take_and_share import GAME
from kifu.games.take_and_share.model import Deal, Options, Play, Rule, Share, State
from kifu.games.take_and_share.rules import DECKS, score, winner

FOLDER = Path(__file__).parents[3] / "fixtures" / GAME.name


def dealt(seats: int = 4, **options) -> State:
    """Deal the deck unshuffled: with four seats seat 0 holds all spades and ♥1 to ♥4."""
    return GAME.apply(GAME.start(Options(**options), seats), TABLE, Deal(DECKS[seats]))


def play(state: State, *cards: int) -> State:
    """Play these cards, seat after seat."""
    for card in cards:
        (seat,) = GAME.to_act(state)
        state = GAME.apply(state, seat, Play(Card(card)))
    return state


def holding(*hands: tuple[int, ...], **changes) -> State:
    """Return a state in which these are the hands, and nothing else lies anywhere."""
    return evolve(dealt(len(hands)), **{"hands": hands, "shares": (), "trick": (), **changes})


def last_share(*piles: tuple[int, ...], **changes) -> State:
    """Return a state in which only the last share is due, and it will make these piles."""
    seats = len(piles)
    before = tuple(pile[:-1] for pile in piles)
    trick = tuple(Card(500 + number) for number in range(10, 10 - seats, -1))
    state = evolve(dealt(seats), hands=((),) * seats, trick=trick, shares=tuple(pile[-1] for pile in piles))
    return evolve(state, piles=before, **changes)


def share(state: State, *cards: int) -> State:
    (seat,) = GAME.to_act(state)
    return GAME.apply(state, seat, Share(cards or state.shares))


START = GAME.start(Options(), 4)
FRESH = dealt()
LED = play(FRESH, 1)
FULL = play(FRESH, 1, 105, 209, 403)
FOLLOWING = holding((3,), (4, 105), (5,), trick=(Card(6),))
OVER = share(last_share((1,), (2,), (3,), (4,)))

CASES = [
    Case(TableRule.FORM, "a card that no deck has", FRESH, Seat(0), Play(Card(11))),
    Case(TableRule.FORM, "a share for three of four", FULL, Seat(0), Share((510, 509, 508))),
    Case(TableRule.FORM, "a share of a card that no deck has", FULL, Seat(0), Share((510, 509, 508, 611))),
    Case(TableRule.DEAL, "a deal that lacks a card", START, TABLE, Deal(DECKS[4][1:])),
    Case(TableRule.OVER, "a card after the end", OVER, Seat(0), Play(Card(1))),
    Case(TableRule.TURN, "a card out of turn", FRESH, Seat(1), Play(Card(105))),
    Case(TableRule.TURN, "a share by a seat that did not win", FULL, Seat(1), Share(FULL.shares)),
    Case(TableRule.ORDER, "a share in the middle of a trick", LED, Seat(1), Share(FRESH.shares)),
    Case(TableRule.ORDER, "a card where a share is due", FULL, Seat(0), Play(Card(2))),
    Case(Rule.TS_2, "the lead plays a card of another hand", FRESH, Seat(0), Play(Card(105))),
    Case(Rule.TS_2, "a card that was played already", LED, Seat(1), Play(Card(1))),
    Case(Rule.TS_3, "another suit, though the led one is held", FOLLOWING, Seat(1), Play(Card(105))),
    Case(Rule.TS_8, "a card kept back, another given twice", FULL, Seat(0), Share((507, 507, 508, 509))),
    Case(Rule.TS_8, "the cards of the trick instead of the share cards", FULL, Seat(0), Share(FULL.trick)),
]

TestLaws = game_laws(GAME, cases=CASES, golden=FOLDER)
pytest.mark.long(TestLaws.test_10_every_mutant_is_caught)


@pytest.mark.parametrize(("seats", "hand", "shares"), [(3, 15, (508, 509, 510)), (4, 14, (507, 508, 509, 510))])
def test_ts_1_the_hands_and_the_share_cards(seats: int, hand: int, shares: tuple[int, ...]) -> None:
    state = dealt(seats)
    assert [len(each) for each in state.hands] == [hand] * seats
    assert state.shares == shares


def test_ts_2_the_lead_may_play_any_card() -> None:
    assert {play.card for play in GAME.legal(FRESH, Seat(0))} == set(FRESH.hands[0])


def test_ts_3_who_holds_none_of_the_led_suit_may_play_any_card() -> None:
    assert {play.card for play in GAME.legal(LED, Seat(1))} == set(LED.hands[1])


def test_ts_3_a_refusal_names_a_card_that_would_have_followed() -> None:
    with pytest.raises(RuleViolation) as refused:
        GAME.apply(FOLLOWING, Seat(1), Play(Card(105)))
    assert refused.value.facts == {"card": 105, "led": "♠", "held": 4}


@pytest.mark.parametrize(
    ("trick", "place"),
    [
        pytest.param((3, 10, 7, 4), 1, id="TS-4 all followed: the highest"),
        pytest.param((10, 3, 7, 4), 0, id="TS-4 the lead may be the highest"),
        pytest.param((3, 10, 101, 4), 2, id="TS-5 mixed suits: the lowest"),
        pytest.param((3, 110, 7, 4), 0, id="TS-5 the lowest may be of the led suit"),
        pytest.param((5, 102, 302, 8), 1, id="TS-6 of equal lowest the earliest"),
        pytest.param((505, 205, 105), 0, id="TS-6 also if all are equal"),
    ],
)
def test_who_wins_a_trick(trick: tuple[int, ...], place: int) -> None:
    assert winner(tuple(map(Card, trick))) == place


def test_ts_7_and_8_the_share_cards_go_round_and_the_trick_takes_their_place() -> None:
    shared = share(FULL, 510, 508, 507, 509)
    assert shared.piles == ((510,), (508,), (507,), (509,))
    assert shared.shares == FULL.trick
    assert shared.trick == ()


def test_ts_8_each_way_to_give_the_cards_is_legal() -> None:
    assert len(list(GAME.legal(FULL, Seat(0)))) == 24


def test_ts_10_the_winner_of_a_trick_leads_the_next() -> None:
    full = play(FRESH, 10, 105, 209, 403)
    assert GAME.to_act(full) == {3}
    assert GAME.to_act(share(full)) == {3}


def test_ts_11_the_cards_of_the_last_trick_are_never_shared() -> None:
    assert OVER.shares == (510, 509, 508, 507)
    assert not GAME.to_act(OVER)


def test_ts_12_the_worked_example() -> None:
    assert score(((3, 4, 5, 6), (8, 10), (1, 2, 9), (7,))) == (4, 2, 0, 0)


def test_ts_12_each_suit_is_counted_by_itself() -> None:
    assert score(((10, 101, 102), (3, 110), (5, 6))) == (0, 1, 2)


def test_ts_12_a_seat_without_a_card_of_a_suit_scores_nothing_in_it() -> None:
    assert score(((1,), (), ())) == (1, 0, 0)


@pytest.mark.parametrize(
    ("piles", "result"),
    [
        pytest.param(((1, 2), (3,), (101,)), Result((2, 1, 1), (Seat(0),)), id="the highest total"),
        pytest.param(((1,), (102, 103), (201, 202)), Result((1, 2, 2), (Seat(1), Seat(2))), id="ties share"),
    ],
)
def test_ts_13_who_wins(piles: tuple[tuple[int, ...], ...], result: Result) -> None:
    assert GAME.result(evolve(OVER, hands=((),) * 3, totals=score(piles), piles=piles)) == result


@pytest.mark.parametrize(("seats", "goal"), [(3, 30), (4, 20)])
def test_ts_14_a_long_game_ends_when_a_total_is_more_than_the_goal(seats: int, goal: int) -> None:
    piles = tuple((Card(100 * seat + 5),) for seat in range(seats))
    options = Options(long=True)
    at_goal = share(last_share(*piles, options=options, totals=(goal - 1,) + (0,) * (seats - 1)))
    above = share(last_share(*piles, options=options, totals=(goal,) + (0,) * (seats - 1)))
    assert at_goal.totals[0] == goal
    assert GAME.to_act(at_goal) == {TABLE}
    assert GAME.result(at_goal) is None
    assert above.totals[0] == goal + 1
    assert GAME.result(above) == Result(above.totals, (Seat(0),))


def test_ts_14_a_short_game_is_one_deal() -> None:
    assert GAME.result(OVER) is not None


def test_ts_r2_the_first_lead_moves_to_the_left_with_every_deal() -> None:
    state = GAME.start(Options(first=2, long=True), 4)
    leads = []
    for _ in range(3):
        state = GAME.apply(evolve(state, hands=((),) * 4), TABLE, Deal(DECKS[4]))
        leads += GAME.to_act(state)
    assert leads == [2, 3, 0]


def test_ts_r3_so_many_deals_are_played_as_the_option_says() -> None:
    piles = tuple((Card(100 * seat + 5),) for seat in range(3))
    options = Options(deals=3)
    second, third = (share(last_share(*piles, options=options, totals=(90, 0, 0), deals=deals)) for deals in (2, 3))
    assert (GAME.to_act(second), GAME.result(second)) == ({TABLE}, None)
    assert GAME.result(third) == Result(third.totals, (Seat(0),))


@pytest.mark.parametrize("options", [Options(deals=0), Options(deals=13), Options(deals=2, long=True)])
def test_ts_r3_a_number_of_deals_is_refused(options: Options) -> None:
    with pytest.raises(OptionError) as refused:
        GAME.check_options(options, 3)
    assert refused.value.option == "deals"


@pytest.mark.parametrize(("seats", "first"), [(3, 3), (4, 4), (4, -1)])
def test_the_first_lead_is_a_seat(seats: int, first: int) -> None:
    with pytest.raises(OptionError) as refused:
        GAME.check_options(Options(first=first), seats)
    assert refused.value.option == "first"
