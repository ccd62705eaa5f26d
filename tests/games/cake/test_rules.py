"""The rules of Marie's cake, one after the other."""

from pathlib import Path
from typing import Any

import pytest
from kifu.core.errors import OptionError
from kifu.core.game import TABLE, TableRule, evolve
from kifu.core.testing import Case, game_laws
from kifu.games.cake import GAME
from kifu.games.cake.model import Claim, Deal, Open, Options, Rule, Settle, State, Take, Vote
from kifu.games.cake.rules import DECK, score

from ..at_table import AtTable

AT = AtTable(GAME)
play, asked, notes, rules_told = AT.play, AT.asked, AT.notes, AT.rules_told


def table(seats: int = 3, *, options: Options | None = None, **places: Any) -> State:
    """Return a state: what is not given is as before the deal, and the elder is seat 0."""
    return evolve(GAME.start(options or Options(), seats), **places)


UNDEALT = table()
PILE = (1, 2, 3, 4, 5, 6)
LATER = (PILE, (), (), (), (), ())
"""Piles of which one is still to be opened: a round that ends is not the last."""
DEALT = table(piles=(PILE,) * 6)
SECOND = table(piles=(PILE, (), PILE, PILE, PILE, PILE))
HANDED = table(piles=LATER, hand=(1, 2, 2, 4, 5, 6))
HANDED_ON = table(piles=LATER, hand=(2, 4, 5, 6), pairs=((1, 2), (), ()))
LAID = table(piles=LATER, pairs=((1, 2), (3, 4), (5, 6)))
VOTED = evolve(LAID, votes=(None, False, None))
DISPUTED = evolve(LAID, votes=(False, False, True))
FORCED = evolve(DISPUTED, pairs=((1, 2), (), ()))
CLAIMED = evolve(DISPUTED, pairs=((), (3, 4), (5, 6)), acquired=(1, 2))
UNDISPUTED = evolve(LAID, votes=(False, True, True), pairs=((1, 2), (3, 4), ()), acquired=(5, 6))
SILENT = table(options=Options(elder_votes=False), piles=LATER, pairs=((1, 2), (3, 4), (5, 6)))
OVER = table(piles=((),) * 6, kept=((1, 1, 1), (2,), (3,)))

CASES = [
    Case(TableRule.FORM, "a deal of 55 cards", UNDEALT, TABLE, Deal(DECK[1:])),
    Case(TableRule.FORM, "a pile beyond the last", DEALT, 0, Open(6)),
    Case(TableRule.FORM, "taken cards that descend", HANDED, 0, Take((2, 1))),
    Case(TableRule.FORM, "an owner beyond the last seat", DISPUTED, 2, Claim(3)),
    Case(TableRule.FORM, "a rank 8 eaten", CLAIMED, 2, Settle((8,))),
    Case(TableRule.FORM, "a pile that cannot be, after the end", OVER, 0, Open(6)),
    Case(TableRule.OVER, "a pile opened after the last", OVER, 0, Open(0)),
    Case(TableRule.TURN, "a seat deals", UNDEALT, 0, Deal(DECK)),
    Case(TableRule.TURN, "a brother takes before the elder", HANDED, 1, Take((1, 2))),
    Case(TableRule.TURN, "a second vote", VOTED, 1, Vote(True)),
    Case(TableRule.TURN, "the elder votes without a vote (CAKE-R3)", SILENT, 0, Vote(True)),
    Case(TableRule.TURN, "the elder claims first", DISPUTED, 0, Claim(1)),
    Case(TableRule.TURN, "the owner settles what another acquired", CLAIMED, 0, Settle(())),
    Case(TableRule.ORDER, "another pile opened while cards are handed on", HANDED, 0, Open(0)),
    Case(TableRule.ORDER, "a vote before the pairs lie face up", HANDED_ON, 1, Vote(True)),
    Case(TableRule.ORDER, "a claim with fewer than two discontent (CAKE-11)", UNDISPUTED, 2, Claim(0)),
    Case(TableRule.DEAL, "a deal of nine 1s and seven 7s", UNDEALT, TABLE, Deal((1, *DECK[:-1]))),
    Case(Rule.CAKE_4, "a pile opened before", SECOND, 0, Open(1)),
    Case(Rule.CAKE_5, "a card that was not handed on", HANDED, 0, Take((2, 3))),
    Case(Rule.CAKE_5, "two of a rank that was handed on once", HANDED, 0, Take((1, 1))),
    Case(Rule.CAKE_5, "a card that the elder kept back", HANDED_ON, 1, Take((1, 2))),
    Case(Rule.CAKE_9, "the youngest claims his own pair", DISPUTED, 2, Claim(2)),
    Case(Rule.CAKE_9, "a pair that was acquired", evolve(CLAIMED, acquired=()), 1, Claim(0)),
    Case(Rule.CAKE_9, "the elder's own, which another acquired", evolve(FORCED, pairs=((), (3, 4), ())), 0, Claim(0)),
    Case(Rule.CAKE_9, "an acquired pair, only his own being left to the elder (CAKE-10)", FORCED, 0, Claim(1)),
    Case(Rule.CAKE_12, "an eaten card that was not acquired", CLAIMED, 2, Settle((3,))),
    Case(Rule.CAKE_12, "two of a rank acquired once", CLAIMED, 2, Settle((1, 1))),
    Case(Rule.CAKE_12, "a card kept before", evolve(CLAIMED, kept=((), (), (3, 7))), 2, Settle((1, 7))),
    Case(
        Rule.CAKE_12,
        "three cards in all, one of them not acquired",
        evolve(CLAIMED, eaten=((), (), (6,))),
        2,
        Settle((2, 3)),
    ),
    Case(Rule.CAKE_13, "a third card", evolve(CLAIMED, eaten=((), (), (6, 6))), 2, Settle((1,))),
    Case(Rule.CAKE_13, "two more after one", evolve(CLAIMED, eaten=((), (), (6,))), 2, Settle((1, 2))),
]


TestLaws = game_laws(GAME, cases=CASES, golden=Path(__file__).parents[3] / "fixtures" / "cake")
pytest.mark.long(TestLaws.test_10_every_mutant_is_caught)


def test_the_first_elder_is_a_seat() -> None:
    GAME.check_options(Options(first=2), 3)
    for first in (-1, 3):
        with pytest.raises(OptionError):
            GAME.check_options(Options(first=first), 3)


@pytest.mark.parametrize(("seats", "piles", "size"), [(3, 6, 6), (4, 5, 8), (5, 5, 10)])
def test_cake_1_piles_are_slices_of_the_deck(seats: int, piles: int, size: int) -> None:
    dealt = play(table(seats), (TABLE, Deal(DECK)))
    assert dealt.piles == tuple(DECK[i * size : (i + 1) * size] for i in range(piles))
    assert dealt.out == DECK[piles * size :]


@pytest.mark.parametrize(("seats", "piles"), [(3, 6), (4, 5), (5, 5)])
def test_cake_2_there_are_as_many_rounds_as_piles(seats: int, piles: int) -> None:
    state, rounds = play(table(seats), (TABLE, Deal(DECK[::-1]))), 0
    while GAME.to_act(state):
        seat = min(GAME.to_act(state))
        command = next(GAME.legal(state, seat))
        rounds += isinstance(command, Open)
        state = GAME.apply(state, seat, command)
    assert rounds == piles


@pytest.mark.parametrize("first", [0, 1, 3])
def test_cake_3_the_option_names_the_first_elder(first: int) -> None:
    start = table(4, options=Options(first=first))
    assert asked(play(start, (TABLE, Deal(DECK)))) == [first]
    assert notes(start, TABLE, Deal(DECK))["first-elder"] == {"seat": first, "youngest": (first - 1) % 4}


def test_cake_4_the_elder_chooses_any_unopened_pile() -> None:
    assert [command.pile for command in GAME.legal(SECOND, 0)] == [0, 2, 3, 4, 5]
    opened = play(SECOND, (0, Open(3)))
    assert (opened.hand, opened.piles) == (PILE, (PILE, (), PILE, (), PILE, PILE))
    assert asked(opened) == [0]


def test_cake_5_each_takes_two_and_hands_the_rest_to_the_left() -> None:
    after = play(HANDED, (0, Take((2, 2))))
    assert (after.pairs, after.hand, asked(after)) == (((2, 2), (), ()), (1, 4, 5, 6), [1])
    assert [take.cards for take in GAME.legal(after, 1)] == [(1, 4), (1, 5), (1, 6), (4, 5), (4, 6), (5, 6)]


def test_cake_5_starts_with_the_elder_and_goes_clockwise() -> None:
    state = table(5, elder=3, hand=(1, 1, 2, 2, 3, 3, 4, 4, 5, 5))
    for seat, rank in ((3, 1), (4, 2), (0, 3), (1, 4)):
        assert asked(state) == [seat]
        state = play(state, (seat, Take((rank, rank))))
    assert state.pairs == ((3, 3), (4, 4), (5, 5), (1, 1), (2, 2))


def test_cake_6_and_7_the_youngest_gets_the_last_two_and_all_vote() -> None:
    after = play(HANDED_ON, (1, Take((2, 6))))
    assert (after.pairs, after.hand) == (((1, 2), (2, 6), (4, 5)), ())
    assert asked(after) == [0, 1, 2]
    assert {"CAKE-6", "CAKE-7"} <= rules_told(HANDED_ON, 1, Take((2, 6)))


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0)])
def test_cake_8_votes_come_in_any_order(order: tuple[int, ...]) -> None:
    content = {0: True, 1: False, 2: False}
    state = LAID
    for place, seat in enumerate(order):
        assert asked(state) == sorted(order[place:])
        state = play(state, (seat, Vote(content[seat])))
    assert state == evolve(LAID, votes=(True, False, False))


@pytest.mark.parametrize(("discontent", "disputed"), [(0, False), (1, False), (2, True), (3, True), (4, True)])
def test_cake_9_two_discontent_are_enough(discontent: int, disputed: bool) -> None:
    state = table(4, piles=LATER, pairs=((1, 1), (2, 2), (3, 3), (4, 4)))
    state = play(state, *((seat, Vote(seat >= discontent)) for seat in range(4)))
    assert asked(state) == [3]
    assert type(next(GAME.legal(state, 3))) is (Claim if disputed else Settle)


def test_cake_9_claims_go_counter_clockwise_from_the_youngest() -> None:
    state = table(4, elder=1, piles=LATER, pairs=((1, 1), (2, 2), (3, 3), (4, 4)), votes=(False,) * 4)
    for seat, left, owner in ((0, [1, 2, 3], 3), (3, [0, 1, 2], 2), (2, [0, 1], 0), (1, [1], 1)):
        assert asked(state) == [seat]
        assert [claim.owner for claim in GAME.legal(state, seat)] == left
        state = play(state, (seat, Claim(owner)))
        assert asked(state) == [seat]
        state = play(state, (seat, Settle(())))
    assert state.kept == ((4, 4), (2, 2), (1, 1), (3, 3))


def test_cake_9_whoever_is_left_with_anothers_pair_claims_it() -> None:
    last = evolve(DISPUTED, pairs=((), (3, 4), ()))
    assert list(GAME.legal(last, 0)) == [Claim(1)]
    assert rules_told(last, 0, Claim(1)) == {"CAKE-9"}


def test_cake_10_the_elder_acquires_his_own_if_only_that_is_left() -> None:
    assert list(GAME.legal(FORCED, 0)) == [Claim(0)]
    assert rules_told(FORCED, 0, Claim(0)) == {"CAKE-10"}
    after = play(FORCED, (0, Claim(0)))
    assert (after.acquired, asked(after)) == ((1, 2), [0])


def test_cake_11_and_r1_each_acquires_his_own_youngest_first() -> None:
    state = table(4, elder=2, piles=LATER, pairs=((1, 1), (2, 2), (3, 3), (4, 4)), votes=(True, True, None, False))
    state = play(state, (2, Vote(True)))
    for seat in (1, 0, 3, 2):
        assert asked(state) == [seat]
        assert state.acquired == (seat + 1, seat + 1)
        state = play(state, (seat, Settle(())))
    assert state.kept == ((1, 1), (2, 2), (3, 3), (4, 4))


@pytest.mark.parametrize(("eat", "kept"), [((), (1, 2, 7)), ((1,), (2, 7)), ((2,), (1, 7)), ((1, 2), (7,))])
def test_cake_12_each_card_is_kept_or_eaten(eat: tuple[int, ...], kept: tuple[int, ...]) -> None:
    after = play(evolve(CLAIMED, kept=((), (), (7,))), (2, Settle(eat)))
    assert (after.kept[2], after.eaten[2], after.acquired) == (kept, eat, ())


@pytest.mark.parametrize(
    ("eaten", "choices"), [((), [(), (1,), (2,), (1, 2)]), ((5,), [(), (1,), (2,)]), ((5, 5), [()])]
)
def test_cake_13_two_cards_are_the_most(eaten: tuple[int, ...], choices: list[tuple[int, ...]]) -> None:
    state = evolve(CLAIMED, eaten=((), (), eaten))
    assert [settle.eat for settle in GAME.legal(state, 2)] == choices


def test_cake_14_the_youngest_is_the_next_elder() -> None:
    last = evolve(DISPUTED, pairs=((), (), ()), acquired=(1, 2))
    after = play(last, (0, Settle(())))
    assert (after.elder, asked(after), after.votes) == (2, [2], (None, None, None))
    assert notes(last, 0, Settle(()))["next-elder"] == {"seat": 2}


@pytest.mark.parametrize(("number", "points"), list(enumerate([0, -3, -1, 1, 3, 5, 6, 7, 8])))
def test_cake_15_the_number_of_a_rank_scores(number: int, points: int) -> None:
    assert score((4,) * number, 0) == points
    assert score((4,) * number, 2) == points + 2


def test_cake_15_the_worked_example() -> None:
    assert score((1, 1, 1, 1, 2, 6, 6, 6, 6, 6), 2) == 7


def test_cake_15_the_game_ends_after_the_last_pile() -> None:
    last = table(piles=((),) * 6, votes=(True,) * 3, acquired=(5, 6), kept=((5, 5), (1, 1, 1), (2,)))
    assert GAME.result(last) is None
    over = play(last, (0, Settle((6,))))
    assert asked(over) == []
    assert GAME.result(over).points == (2, 1, -3)


def test_cake_16_the_highest_total_wins() -> None:
    assert GAME.result(OVER).winners == (0,)


@pytest.mark.parametrize("rank", [7, 6, 5, 4, 3, 2, 1])
def test_cake_16_more_kept_cards_of_a_rank_break_a_tie(rank: int) -> None:
    tied = evolve(OVER, kept=((), (rank,) * 3, (1, 1)), eaten=((7,), (), ()))
    assert GAME.result(tied).points == (1, 1, -1)
    assert GAME.result(tied).winners == (1,)


def test_cake_16_a_higher_rank_decides_before_any_lower() -> None:
    tied = evolve(OVER, kept=((5, 5, 5, 6, 6, 6), (1, 1, 1, 7, 7, 7), (2,)))
    assert GAME.result(tied).points == (2, 2, -3)
    assert GAME.result(tied).winners == (1,)


def test_cake_16_ties_are_told_rank_by_rank() -> None:
    kept = ((6, 6, 6), (5, 5, 5, 7, 7), (6, 6, 6, 7, 7), (2, 2, 3, 3, 3))
    last = table(4, piles=((),) * 5, votes=(True,) * 4, acquired=(7, 7), kept=kept)
    noted = [dict(note.values) for note in AT.told(last, 0, Settle(())) if note.key == "tie-break"]
    assert noted == [
        {"tied": (0, 1, 2, 3), "card": 7, "seats": (0, 1, 2)},
        {"tied": (0, 1, 2), "card": 6, "seats": (0, 2)},
    ]
    assert GAME.result(play(last, (0, Settle(())))).winners == (0, 2)
    assert "CAKE-R2" in rules_told(last, 0, Settle(()))


def test_cake_r2_seats_still_tied_share_the_victory() -> None:
    shared = evolve(OVER, kept=((3,) * 3, (1,), (3,) * 3), eaten=((), (5, 5), ()))
    assert GAME.result(shared).winners == (0, 2)


def test_cake_r3_the_elder_votes_unless_the_option_says_not() -> None:
    assert asked(LAID) == [0, 1, 2]
    assert asked(SILENT) == [1, 2]
    disputed = play(SILENT, (2, Vote(False)), (1, Vote(False)))
    assert type(next(GAME.legal(disputed, 2))) is Claim
    undisputed = play(SILENT, (1, Vote(False)), (2, Vote(True)))
    assert type(next(GAME.legal(undisputed, 2))) is Settle
