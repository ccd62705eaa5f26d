"""The rules of Gosne is Gone: a case for each prohibition, and the others at work, in the rulebook's order."""

import json
from pathlib import Path

import attrs
import pytest
from hypothesis import strategies as st
from kifu.core.errors import OptionError
from kifu.core.game import TABLE, Result, Seat, TableRule
from kifu.core.log import read_bytes
from kifu.core.log.json_form import from_json, to_json
from kifu.core.testing import Case, game_laws
from kifu.games.gosne import GAME
from kifu.games.gosne.model import CEO, GOSNE, Deal, Declare, Give, Options, Play, Rule, State, X
from kifu.games.gosne.rules import DECKS, legal, may_declare, result, start

from ..at_table import AtTable

ROOT = Path(__file__).parents[3]
EXCHANGED = ((1, 2), (1, 2), (3, 4), (3, 4))
SECRET = Options(whistleblower=True)
after, asked = AtTable(GAME).play, AtTable(GAME).asked


def table(*hands, gosne=0, options=None, gifts=EXCHANGED, **changes) -> State:
    """Set a table in the middle of a hand, the exchange done, Gosne about to declare."""
    hands = tuple(tuple(sorted(hand)) for hand in hands)
    options = options or Options()
    gifts = () if options.whistleblower else gifts
    return attrs.evolve(start(options, 4), gosne=Seat(gosne), hands=hands, gifts=gifts, **changes)


def ordered(*hands, unseen=()) -> Deal:
    """Deal these hands, the seats after them from what is left of the deck."""
    whistleblower = bool(unseen) or any(card in (GOSNE, CEO) for hand in hands for card in hand)
    rest = list(DECKS[whistleblower])
    for card in (*(card for hand in hands for card in hand), *unseen):
        rest.remove(card)
    return Deal((*(card for hand in hands for card in hand), *rest, *unseen))


UNDEALT = start(Options(), 4)
DEALT = after(UNDEALT, (TABLE, ordered((1, 1, 2, 2, 3, 3, 4), (4, 5, 5, 6, 6, 7, 7))))
LED = table((4, 9, X), (5, 5, 6), (7, 7, 8), (8, 10, 11))
LAID = after(LED, (0, Declare(9, 4)))
WHISTLE = table((GOSNE, 9), (CEO, 5), (7, 7), (8, 8), options=SECRET, gosne_card=0, ceo_card=1)
OVER = attrs.evolve(UNDEALT, finished=1)

CASES = [
    Case(TableRule.FORM, "Gosne's card in a game without it", LED, Seat(0), Declare(GOSNE, 6)),
    Case(TableRule.FORM, "a CEO card in a game without it", LAID, Seat(1), Play(CEO, gun=True)),
    Case(TableRule.FORM, "a card below X", DEALT, Seat(0), Give((-1, 1))),
    Case(TableRule.FORM, "a gift of one card", DEALT, Seat(0), Give((1,))),
    Case(TableRule.FORM, "a gift in descending order", DEALT, Seat(0), Give((2, 1))),
    Case(TableRule.FORM, "a deal of the whistleblower deck without the option", UNDEALT, TABLE, Deal(DECKS[True])),
    Case(TableRule.FORM, "a form that is wrong, out of turn", DEALT, Seat(1), Give((2, 1))),
    Case(TableRule.OVER, "a card after the last hand", OVER, Seat(0), Play(5, gun=True)),
    Case(TableRule.TURN, "a declaration by a prosecutor", LED, Seat(1), Declare(5, 5)),
    Case(TableRule.TURN, "a gift of the table's before the deal", UNDEALT, TABLE, Give((1, 1))),
    Case(TableRule.ORDER, "a card where a declaration is called for", LED, Seat(0), Play(9, gun=False)),
    Case(TableRule.ORDER, "a gift where there is no exchange", WHISTLE, Seat(0), Give((9, GOSNE))),
    Case(TableRule.DEAL, "a deck with a card short", UNDEALT, TABLE, Deal(DECKS[False][1:])),
    Case(TableRule.DEAL, "a whistleblower deck of 28", start(SECRET, 4), TABLE, Deal(DECKS[False])),
    Case(Rule.GOS_2, "a gift that is not of the hand", DEALT, Seat(0), Give((1, 12))),
    Case(Rule.GOS_2, "a pair of which only one is held", DEALT, Seat(0), Give((4, 4))),
    Case(Rule.GOS_4, "a card that is not of the hand", LED, Seat(0), Declare(5, 5)),
    Case(Rule.GOS_4, "a number above the card", LED, Seat(0), Declare(4, 5)),
    Case(Rule.GOS_4, "a number between the card and its half", LED, Seat(0), Declare(4, 3)),
    Case(Rule.GOS_4, "a half rounded up", LED, Seat(0), Declare(9, 5)),
    Case(Rule.GOS_4, "a number below the half", LED, Seat(0), Declare(9, 3)),
    Case(Rule.GOS_4, "a 10 as a half too low", attrs.evolve(LED, gosne=Seat(3)), Seat(3), Declare(10, 4)),
    Case(Rule.GOS_4, "the Gosne card as an X", WHISTLE, Seat(0), Declare(GOSNE, 9)),
    Case(Rule.GOS_5, "a 10 as 10", attrs.evolve(LED, gosne=Seat(3)), Seat(3), Declare(10, 10)),
    Case(Rule.GOS_5, "the Gosne card as 13", WHISTLE, Seat(0), Declare(GOSNE, 13)),
    Case(Rule.GOS_5, "a 1 as its half", table((1,), (2,), (3,), (4,)), Seat(0), Declare(1, 0)),
    Case(Rule.GOS_5, "an X as 10", LED, Seat(0), Declare(X, 10)),
    Case(Rule.GOS_5, "an X as 0", LED, Seat(0), Declare(X, 0)),
    Case(Rule.GOS_5, "a number below 0", LED, Seat(0), Declare(9, -4)),
    Case(Rule.GOS_5, "a number out of range, of a card not held", LED, Seat(0), Declare(5, 10)),
    Case(Rule.GOS_6, "a gun that is not of the hand", LAID, Seat(1), Play(9, gun=True)),
    Case(Rule.GOS_6, "a chestnut that is not of the hand", LAID, Seat(1), Play(X, gun=False)),
]


CHESTNUTS = st.dictionaries(st.integers(X, CEO), st.integers(0, 40)).map(lambda drawn: tuple(sorted(drawn.items())))

OPTIONS = {"hands": st.sampled_from([1, 4]), "chestnuts": CHESTNUTS}
GOLDEN = Path(__file__).parents[3] / "fixtures" / GAME.name

TestLaws = game_laws(GAME, options=OPTIONS, cases=CASES, golden=GOLDEN)
pytest.mark.long(TestLaws.test_10_every_mutant_is_caught)


def test_gos_1_every_seat_gets_seven_cards():
    hands = (1, 1, 2, 2, 3, 3, 4), (4, 5, 5, 6, 6, 7, 7), (8, 8, 9, 9, 10, 10, 11), (0, 0, 0, 0, 11, 12, 12)
    assert after(UNDEALT, (TABLE, ordered(*hands))).hands == hands


def test_the_pairs_exchange_two_cards_the_dealer_s_first():
    """GOS-2: the partner sees what he gets before he gives; then the left neighbour's pair."""
    state = after(start(Options(dealer=1), 4), (TABLE, Deal(DEALT.hands[0] + ordered(DEALT.hands[0]).cards[7:])))
    assert asked(state) == [1]
    given = after(state, (1, Give(state.hands[1][:2])))
    assert asked(given) == [3]
    assert (len(given.hands[1]), len(given.hands[3])) == (5, 9)
    assert Give(state.hands[1][:2]) in list(legal(given, Seat(3)))  # the same again, if he likes
    back = after(given, (3, Give(state.hands[1][:2])))
    assert back.hands == state.hands
    assert asked(back) == [2]
    there = after(back, (2, Give(back.hands[2][-2:])))
    assert asked(there) == [0]
    done = after(there, (0, Give(there.hands[0][-2:])))
    assert [len(hand) for hand in done.hands] == [7, 7, 7, 7]
    assert asked(done) == [2]


@pytest.mark.parametrize("dealer", range(4))
def test_gos_3_the_dealer_s_left_neighbour_is_the_first_gosne(dealer):
    state = after(start(Options(dealer=dealer), 4), (TABLE, ordered()))
    for _ in range(4):
        giver = asked(state)[0]
        state = after(state, (giver, next(legal(state, Seat(giver)))))
    assert asked(state) == [(dealer + 1) % 4]


def test_a_number_is_declared_truly_or_halved_and_rounded_down():
    """GOS-4, GOS-5, GOS-12, GOS-19, with the rulebook's own 4 as 4 or 2, and 9 as 9 or 4."""
    may = {card: [number for number in range(1, 10) if may_declare(card, number)] for card in range(15)}
    assert may == {
        1: [1],
        2: [1, 2],
        3: [1, 3],
        4: [2, 4],
        5: [2, 5],
        6: [3, 6],
        7: [3, 7],
        8: [4, 8],
        9: [4, 9],
        10: [5],
        11: [5],
        12: [6],
        GOSNE: [6],
        X: [1, 2, 3, 4, 5, 6, 7, 8, 9],
        CEO: [1, 2, 3, 4, 5, 6, 7, 8, 9],
    }


def test_gos_6_the_others_follow_clockwise_with_any_card_either_way():
    assert asked(LAID) == [1]
    assert list(legal(LAID, Seat(1))) == [Play(card, gun) for card in (5, 6) for gun in (False, True)]
    assert asked(after(LAID, (1, Play(5, gun=True)))) == [2]
    assert LAID.trick == (Play(9, gun=False),)


def test_gos_13_the_winner_takes_the_four_cards_and_is_the_next_gosne():
    state = after(LAID, (1, Play(5, gun=True)), (2, Play(7, gun=False)), (3, Play(11, gun=True)))
    assert asked(state) == [3]
    assert state.taken == ((), (), (), (9, 5, 7, 11))
    assert list(legal(state, Seat(3))) == [Declare(8, 4), Declare(8, 8), Declare(10, 5)]
    assert (state.trick, state.declared) == ((), None)


TAKEN = ((1, 2), (3,), (), (4, 5))
LAST = table((9,), (5,), (7,), (8,), taken=TAKEN)
GUNS = (0, Declare(9, 4)), (1, Play(5, gun=True)), (2, Play(7, gun=False)), (3, Play(8, gun=True))
"""The prosecutor of seat 3 takes the last trick."""


def test_each_pair_counts_its_chestnuts_when_the_hands_are_empty():
    """GOS-14, GOS-R1, GOS-R4: one chestnut a card, and each seat scores those of its pair."""
    assert result(LAST) is None
    assert result(after(LAST, *GUNS)) == Result((2, 7, 2, 7), (Seat(1), Seat(3)))


def test_the_option_says_how_many_chestnuts_a_card_shows():
    """GOS-R1: here 40 on a 2 and none on a 5; a rank not named shows 1."""
    options = Options(chestnuts=((2, 40), (5, 0)))
    assert result(after(attrs.evolve(LAST, options=options), *GUNS)) == Result((41, 5, 41, 5), (Seat(0), Seat(2)))


def test_gos_r2_equal_chestnuts_share_the_victory():
    state = attrs.evolve(LAST, taken=((1, 2, 3), (), (4, 5), (6,)))
    assert result(after(state, *GUNS)) == Result((5, 5, 5, 5), (Seat(0), Seat(1), Seat(2), Seat(3)))


def test_equal_points_of_sides_that_change_are_told_as_a_tie():
    """GOS-R2: under the whistleblower's rules who was on one side last has no shared score."""
    options, taken = Options(whistleblower=True, hands=4), ((), (7, 5, 6, 4), (), ())
    hands = {"finished": 3, "points": (4, 0, 4, 0), "taken": taken, "unseen": (7, 8)}
    state = table((9,), (3,), (2,), (1,), options=options, gosne_card=0, ceo_card=2, **hands)
    state = after(state, (0, Declare(9, 9)), (1, Play(3, gun=False)), (2, Play(2, gun=False)))
    assert "GOS-R2" in AtTable(GAME).rules_told(state, 3, Play(1, gun=False))


def test_the_deal_goes_round_and_points_add_up():
    """GOS-15, GOS-R4: the table deals for each seat once; the hand before is forgotten."""
    state = attrs.evolve(LAST, options=Options(dealer=3, hands=4), points=(10, 0, 10, 0), finished=1)
    counted = after(state, *GUNS)
    assert counted.points == (12, 7, 12, 7)
    assert (asked(counted), result(counted)) == ([TABLE], None)
    dealt = after(counted, (TABLE, ordered()))
    assert asked(dealt) == [1]  # the dealer after 3 and 0
    assert (dealt.taken, dealt.gifts) == (((), (), (), ()), ())
    last = after(attrs.evolve(state, finished=3), *GUNS)
    assert (asked(last), result(last)) == ([], Result((12, 7, 12, 7), (Seat(0), Seat(2))))


SHOWN = ((1, 1, 2, 2, 3, 3, 4), (4, 5, 5, 6, 6, 7, GOSNE))


def test_whistleblower_deals_seven_of_thirty_and_no_exchange():
    """GOS-16, GOS-17, GOS-18: the holder of the Gosne card opens the first trick at once."""
    state = after(start(Options(dealer=2, whistleblower=True), 4), (TABLE, ordered(*SHOWN, unseen=(7, 8))))
    assert [len(hand) for hand in state.hands] == [7, 7, 7, 7]
    assert state.unseen == (7, 8)
    assert asked(state) == [1]
    assert Declare(GOSNE, 6) in list(legal(state, Seat(1)))
    assert (state.gosne_card, state.ceo_card) == (1, 3)


def test_whistleblower_deals_again_if_nobody_holds_gosne():
    """GOS-17: all is gathered, and the same dealer deals again."""
    misdeal = after(start(SECRET, 4), (TABLE, ordered(unseen=(GOSNE, CEO))))
    assert asked(misdeal) == [TABLE]
    again = after(misdeal, (TABLE, ordered(*SHOWN, unseen=(7, 8))))
    assert asked(again) == [1]
    assert (again.finished, again.points) == (0, (0, 0, 0, 0))


REDEAL = Options(whistleblower=True, alone="redeal")
BOTH = ordered((1, 1, 2, 2, 3, 3, 4), (4, 5, 5, 6, 6, CEO, GOSNE), unseen=(7, 8))
UNSEEN = ordered(*SHOWN, unseen=(7, CEO))


@pytest.mark.parametrize("deal", [BOTH, UNSEEN])
def test_by_the_option_alone_the_same_dealer_deals_again(deal):
    """GOS-R3: as under GOS-17, until the Gosne card and CEO are dealt to two seats."""
    assert asked(after(start(SECRET, 4), (TABLE, deal))) == [1]
    misdeal = after(start(REDEAL, 4), (TABLE, deal))
    assert asked(misdeal) == [TABLE]
    again = after(misdeal, (TABLE, deal), (TABLE, ordered(*SHOWN, unseen=(7, 8))))
    assert (asked(again), again.finished, again.points) == ([1], 0, (0, 0, 0, 0))


def whistle_end(gosne_card, ceo_card, unseen) -> Result | None:
    """Play the last trick, which seat 3 wins, with the holders that are told."""
    options = Options(whistleblower=True, chestnuts=((1, 100), (3, 10)))
    return result(
        after(
            table(
                *LAST.hands,
                options=options,
                taken=TAKEN,
                unseen=unseen,
                gosne_card=gosne_card,
                ceo_card=ceo_card,
            ),
            *GUNS,
        )
    )


def test_whistleblower_pairs_are_those_who_were_dealt_the_two_cards():
    """GOS-18, GOS-16: seats 0 and 1 (101 + 10) against 2 and 3 (0 + 6 and the two unseen)."""
    assert whistle_end(0, 1, (2, 6)) == Result((111, 111, 8, 8), (Seat(0), Seat(1)))
    assert whistle_end(1, 3, (2, 6)) == Result((101, 18, 101, 18), (Seat(0), Seat(2)))


def test_gos_r3_whoever_holds_both_cards_is_alone():
    assert whistle_end(0, 0, (2, 6)) == Result((101, 18, 18, 18), (Seat(0),))
    assert whistle_end(1, 1, (2, 6)) == Result((109, 10, 109, 109), (Seat(0), Seat(2), Seat(3)))


def test_gosne_is_alone_if_ceo_is_unseen():
    """GOS-R3: as seat 3, who gets the unseen two with the last trick."""
    assert whistle_end(3, None, (2, CEO)) == Result((111, 111, 111, 8), (Seat(0), Seat(1), Seat(2)))


@pytest.mark.parametrize(
    ("option", "options"),
    [
        ("dealer", Options(dealer=4)),
        ("dealer", Options(dealer=-1)),
        ("hands", Options(hands=0)),
        ("hands", Options(hands=2)),
        ("chestnuts", Options(chestnuts=((15, 1),))),
        ("chestnuts", Options(chestnuts=((-1, 1),))),
        ("chestnuts", Options(chestnuts=((3, -1),))),
        ("chestnuts", Options(chestnuts=((3, 2**63),))),
    ],
)
def test_an_option_out_of_range_is_refused(option, options):
    with pytest.raises(OptionError) as refused:
        GAME.check_options(options, 4)
    assert refused.value.option == option


def test_digests_of_chestnuts_in_another_order_are_not_compared() -> None:
    """In rules version 1 they were a map in any order, and so they stood in the states that the digests are of."""
    raw = (ROOT / "fixtures" / "gosne" / "chestnuts_on_the_cards.log").read_bytes()
    assert read_bytes(raw).digests == "checked"
    data = json.loads(to_json(raw))
    options = data["header"]["options"]
    options["chestnuts"] = dict(reversed(options["chestnuts"].items()))
    for each in (*data["events"], data["end"]):
        del each["chain"]
    reading = read_bytes(from_json(json.dumps(data).encode()))
    assert (reading.ok, reading.digests) == (True, "unchecked")
