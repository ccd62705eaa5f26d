"""The rules of Palace, one by one: what each forbids, and what each makes happen."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from kifu.core.errors import OptionError
from kifu.core.game import TABLE, RedactedCommand, Seat, TableRule
from kifu.core.game.shuffle import Shuffler
from kifu.core.testing import Case, game_laws
from kifu.games.palace import GAME
from kifu.games.palace.model import Build, Deal, Draw, Inspect, Options, Palace, Quake, Rule, State
from kifu.games.palace.rules import DECK, END, PILLARS

from ..at_table import AtTable

apply, legal = GAME.apply, GAME.legal


def cards(letters: str) -> tuple[Any, ...]:
    """Read cards from letters: R, Y, G, B, and E for END."""
    return tuple("RYGBE".index(letter) for letter in letters)


def palaces(text: str) -> tuple[Palace, ...]:
    """Read a seat's palaces from words: `RG` is face down, `RG!` verified, and `-` was pulled down or fell."""
    return tuple(
        Palace(number, cards(word.rstrip("!")), word.endswith("!"))
        for number, word in enumerate(text.split())
        if word != "-"
    )


def table(
    *hands: str,
    built: tuple[str, ...] = (),
    top: str = "",
    out: str = "",
    turn: int = 0,
    open_colour: Any = "seen",
) -> State:
    """Set a table in the middle of a game, seats 0, 1, … with these hands and palaces.

    The cards that are not named lie in the draw pile below `top`, and END at its bottom unless it is named.
    """
    built_palaces = tuple(palaces(text) for text in (*built, *[""] * (len(hands) - len(built))))
    rest = Counter(DECK)
    rest.subtract(cards("".join(hands) + top + out))
    rest.subtract(card for each in built_palaces for palace in each for card in palace.cards)
    assert min(rest.values()) >= 0, "no more cards than there are"
    return State(
        options=Options(open_colour=open_colour),
        turn=Seat(turn),
        hands=tuple(map(cards, hands)),
        pile=cards(top) + tuple(sorted(rest.elements())),
        palaces=built_palaces,
        built=tuple(len(text.split()) for text in (*built, *[""] * (len(hands) - len(built)))),
        out=cards(out),
    )


def build(*bundles: str) -> Build:
    return Build(tuple(map(cards, bundles)))


def inspect(charge: Any, *targets: tuple[int, int]) -> Inspect:
    return Inspect(charge, tuple((Seat(owner), number) for owner, number in targets))


def fresh(seats: int, **options: Any) -> State:
    return GAME.start(Options(**options), seats)


def deal_of(seats: int, place: int | None = None) -> Deal:
    """Deal the pillars in ascending order, END at this place (None: where the rules want it first)."""
    first = {3: 54}.get(seats, 66)
    at = first if place is None else place
    return Deal((*DECK[:at], END, *DECK[at:-1]))


ALL_RED = "R" * 16
ENDED = table("RR", "Y", "G", out="E")
THREE = table("RRY", "YGB", "GBB", built=("RY GG!", "BB - YY!", "RB"))
FOUR = table("RRRR", "Y", "G", "B", built=("RY", "GG!", "B", "Y"))
FIVE = table("RRRRY", "Y", "G", built=("B", "GG", "Y"))

FORM = [
    (fresh(3), TABLE, Deal(DECK[:-1]), "a deal of 76 cards"),
    (fresh(3), TABLE, Deal((*DECK[:-1], 5)), "a card that is none of the deck"),
    (THREE, 0, Build(()), "no palace"),
    (THREE, 0, build("R", "R", "Y"), "three palaces"),
    (THREE, 0, build(""), "a palace without a card"),
    (THREE, 0, build("E"), "a palace of END"),
    (THREE, 0, build("YR"), "a palace whose cards are not ascending"),
    (THREE, 0, inspect("no_end", (1, 0)), "a charge that there is not"),
    (THREE, 0, inspect("no_red", (1, 0), (1, 2), (2, 0)), "three palaces to inspect"),
    (THREE, 0, inspect("no_red", (3, 0)), "a palace of a seat that there is not"),
    (THREE, 0, inspect("no_red", (1, -1)), "a palace before the first"),
    (THREE, 0, inspect("no_red", (1, 0), (1, 0)), "one palace named twice"),
    (THREE, 0, Quake(4), "an earthquake of END"),
    (ENDED, 0, build(""), "a palace without a card, after END"),
    (THREE, 1, Quake(4), "an earthquake of END, out of turn"),
]
OVER = [
    (ENDED, 0, Draw(), "a draw after END"),
]
TURN = [
    (THREE, 1, Draw(), "a draw out of turn"),
    (THREE, 1, build("Y"), "a palace out of turn"),
    (fresh(3), 0, deal_of(3), "a deal of a seat"),
    (FIVE, 1, Draw(), "a draw out of turn, while another has five cards in hand"),
]
DEALT = [
    (fresh(4), TABLE, Deal((*DECK[:66], END, *DECK[66:75], 0)), "a red pillar too many"),
    (fresh(4), TABLE, deal_of(4, 65), "END the twelfth from the bottom"),
    (fresh(4), TABLE, deal_of(4, 0), "END in a hand"),
    (fresh(3), TABLE, deal_of(3, 50), "END below 41 cards, with three seats"),
    (fresh(3), TABLE, deal_of(3, 57), "END below 48 cards, with three seats"),
    (fresh(3, end_place="exact"), TABLE, deal_of(3, 53), "END below 44 cards, where 45 are called for"),
    (fresh(3, end_place="exact"), TABLE, deal_of(3, 55), "END below 46 cards, where 45 are called for"),
    (fresh(3), TABLE, deal_of(3, 76), "END at the bottom, with three seats"),
]
GAMES_OWN = {
    Rule.PAL_5: [
        (FIVE, 0, Draw(), "a draw with five cards in hand"),
        (FIVE, 0, inspect("no_red", (1, 0)), "an inspection with five cards in hand"),
        (FIVE, 0, Quake(0), "an earthquake with five cards in hand"),
    ],
    Rule.PAL_8: [
        (THREE, 0, build("G"), "a card that is not in the hand"),
        (THREE, 0, build("RRR"), "more cards of a colour than are in the hand"),
        (table("RRY", "Y", "G", built=("", "R", "R")), 0, build("RR", "RY"), "one card for two palaces"),
        (THREE, 0, build("Y", "G"), "two palaces, not allowed either, with a card that is not in the hand"),
    ],
    Rule.PAL_9: [
        (THREE, 0, build("R", "RY"), "two palaces by a seat with more than another"),
        (table("RRY", "Y", "G", built=("R", "Y", "G G")), 0, build("R", "Y"), "two by a seat with as few as another"),
        (table("RRY", "YYY", "GGG"), 0, build("R", "Y"), "two palaces while nobody has any"),
        (table("RRY", "Y", "G", built=("R!", "Y!", "G G")), 0, build("R", "Y"), "as few as another, all verified"),
    ],
    Rule.PAL_10: [
        (THREE, 0, inspect("no_red", (0, 0)), "an own palace"),
        (THREE, 0, inspect("no_red", (0, 7)), "an own palace that does not stand"),
        (THREE, 0, inspect("no_red", (1, 2)), "a verified palace"),
        (THREE, 0, inspect("no_red", (1, 1)), "a palace that was pulled down"),
        (THREE, 0, inspect("no_red", (2, 1)), "a palace not yet built"),
        (THREE, 0, inspect("no_red", (0, 0), (1, 0)), "an own palace as the first of two"),
        (THREE, 0, inspect("all_colours", (0, 0), (1, 0)), "two palaces for all colours, one of them an own"),
        (table("Y", "Y", "G", built=("", ALL_RED + "!")), 0, inspect("no_red", (1, 0)), "verified, the colour open"),
    ],
    Rule.PAL_13: [
        (table("Y", "Y", "G", built=("", ALL_RED + "! G")), 0, inspect("no_red", (1, 1)), "all red cards verified"),
        (table("Y", "Y", "G", built=("", "G"), out=ALL_RED), 0, inspect("no_red", (1, 0)), "all red cards out"),
        (
            table("Y", "Y", "G", built=("", ALL_RED + "! G"), open_colour="table"),
            0,
            inspect("no_red", (1, 1)),
            "all red cards on the table, where only those count",
        ),
        (
            table("Y", "Y", "R", built=("", "B" * 22 + "! G Y")),
            0,
            inspect("no_blue", (1, 1), (1, 2)),
            "all blue cards verified, two palaces",
        ),
    ],
    Rule.PAL_14: [(THREE, 0, inspect("no_pair", (1, 0), (2, 0)), "two palaces inspected for a pair")],
    Rule.PAL_15: [(THREE, 0, inspect("all_colours", (1, 0), (2, 0)), "two palaces inspected for all colours")],
    Rule.PAL_16: [
        (table("RRR", "Y", "G"), 0, Quake(0), "three cards of the colour"),
        (table("RRRY", "Y", "G"), 0, Quake(0), "four cards, but three of the colour"),
        (FOUR, 0, Quake(1), "four cards of another colour"),
    ],
}

CASES = [
    Case(rule=rule, what=what, state=state, seat=Seat(seat), command=command)
    for rule, group in [
        (TableRule.FORM, FORM),
        (TableRule.OVER, OVER),
        (TableRule.TURN, TURN),
        (TableRule.DEAL, DEALT),
        *GAMES_OWN.items(),
    ]
    for state, seat, command, what in group
]


TestLaws = game_laws(GAME, cases=CASES, golden=Path(__file__).parents[3] / "fixtures" / "palace")
pytest.mark.long(TestLaws.test_10_every_mutant_is_caught)


@pytest.mark.parametrize("seats", GAME.seats)
def test_pal_1_three_pillars_each(seats: int) -> None:
    dealt = apply(fresh(seats), TABLE, deal_of(seats))
    assert [len(hand) for hand in dealt.hands] == [3] * seats
    assert len(dealt.pile) == 77 - 3 * seats


def test_pal_1_seat_i_gets_the_ith_three_sorted() -> None:
    shuffled = GAME.deal(fresh(5), Shuffler(bytes(32)))
    dealt = apply(fresh(5), TABLE, shuffled)
    assert dealt.hands[2] == tuple(sorted(shuffled.cards[6:9]))
    assert dealt.pile == shuffled.cards[15:]


@pytest.mark.parametrize("seats", [4, 5, 6])
@pytest.mark.parametrize("place", range(66, 77))
def test_pal_2_end_may_be_any_of_the_last_eleven(seats: int, place: int) -> None:
    assert apply(fresh(seats), TABLE, deal_of(seats, place)).pile[place - 3 * seats] == END


@pytest.mark.parametrize("above", range(42, 48))
def test_pal_r1_with_three_seats_end_lies_below_42_to_47_cards(above: int) -> None:
    assert apply(fresh(3), TABLE, deal_of(3, 9 + above)).pile.index(END) == above


def test_pal_r1_a_seeded_deal_puts_end_after_42_and_a_number_below_six() -> None:
    for number in range(40):
        dealt = GAME.deal(fresh(3), Shuffler(number.to_bytes(32)))
        same = Shuffler(number.to_bytes(32))
        pillars = same.shuffle(PILLARS)
        place = 9 + 42 + same.below(6)
        assert dealt.cards == (*pillars[:place], END, *pillars[place:])


def test_pal_r1_exactly_45_cards_lie_above_end_if_the_option_says_so() -> None:
    start = fresh(3, end_place="exact")
    assert {GAME.deal(start, Shuffler(number.to_bytes(32))).cards.index(END) for number in range(40)} == {54}
    assert apply(start, TABLE, deal_of(3)).pile.index(END) == 45


def test_pal_4_every_action_passes_the_turn_to_the_left() -> None:
    for seat, command in [(0, Draw()), (1, build("Y")), (2, inspect("no_red", (1, 0)))]:
        state = table("RRY", "YGB", "GBB", built=("RY GG!", "BB - YY!", "RB"), turn=seat)
        assert GAME.to_act(apply(state, Seat(seat), command)) == {(seat + 1) % 3}
    assert GAME.to_act(apply(FOUR, Seat(0), Quake(0))) == {1}


def test_the_first_turn_is_as_the_option_says() -> None:
    dealt = apply(fresh(4, first=2), TABLE, deal_of(4))
    assert GAME.to_act(dealt) == {2}
    with pytest.raises(OptionError):
        GAME.check_options(Options(first=3), 3)
    with pytest.raises(OptionError):
        GAME.check_options(Options(open_colour="hidden"), 3)
    with pytest.raises(OptionError):
        GAME.check_options(Options(end_place="somewhere"), 3)


def test_pal_5_four_cards_are_not_five() -> None:
    assert Draw() in legal(table("RRYB", "Y", "G"), Seat(0))
    with_five = list(legal(FIVE, Seat(0)))
    assert with_five
    assert {type(command) for command in with_five} == {Build}


def test_pal_6_the_top_card_goes_to_the_hand() -> None:
    after = apply(table("RG", "Y", "G", top="YB"), Seat(0), Draw())
    assert after.hands[0] == cards("RYG")
    assert after.pile[0] == cards("B")[0]


def test_pal_7_end_is_no_hand_card_and_ends_the_game() -> None:
    after = apply(table("RG", "Y", "G", built=("R", "Y Y", "G"), top="EB"), Seat(0), Draw())
    assert after.hands[0] == cards("RG")
    assert END not in after.pile
    assert GAME.to_act(after) == frozenset()
    assert not [command for seat in range(3) for command in legal(after, Seat(seat))]
    result = GAME.result(after)
    assert result is not None
    assert result.winners == (1,)


def test_pal_8_a_bundle_is_one_palace_with_the_next_number() -> None:
    after = apply(THREE, Seat(0), build("RY"))
    assert after.hands[0] == cards("R")
    assert after.palaces[0][-1] == Palace(2, cards("RY"))
    after_others = table("R", "YGB", "G", built=("", "BB - -"), turn=1)
    assert apply(after_others, Seat(1), build("GB")).palaces[1][-1] == Palace(3, cards("GB"))


def test_pal_9_the_seat_that_alone_has_the_fewest_may_build_two() -> None:
    state = table("RRY", "Y", "G", built=("R!", "Y Y", "G G!"))
    after = apply(state, Seat(0), build("R", "RY"))
    assert after.palaces[0] == (*palaces("R!"), Palace(1, cards("R")), Palace(2, cards("RY")))
    assert after.hands[0] == ()


def test_pal_9_counts_the_palaces_that_stand_at_that_moment() -> None:
    state = table("RRY", "Y", "G", built=("- - -", "Y", "G"))
    assert len(apply(state, Seat(0), build("R", "R")).palaces[0]) == 2


def test_pal_10_a_safe_palace_stays_face_up_and_verified() -> None:
    after = apply(THREE, Seat(0), inspect("no_red", (2, 0)))
    assert after.palaces[2] == palaces("RB!")
    assert after.hands[0] == THREE.hands[0]


def test_pal_11_the_cards_of_a_pulled_down_palace_go_to_the_inspector() -> None:
    after = apply(THREE, Seat(0), inspect("no_red", (1, 0)))
    assert after.palaces[1] == palaces("- - YY!")
    assert after.hands[0] == cards("RRYBB")


@pytest.mark.parametrize(
    ("charge", "down", "safe"),
    [
        ("no_red", "YGGB B", "R RYGB RR"),
        ("no_yellow", "RGB R", "Y RYB YY"),
        ("no_green", "RYB Y", "G RGG GB"),
        ("no_blue", "RYG G", "B RYGB BB"),
        ("no_pair", "R RYGB YB", "RR RYGG YYYY"),
        ("all_colours", "RYGB RRYGBB", "R RYG YYGGBB"),
    ],
)
def test_pal_12_14_15_which_palaces_a_charge_holds_against(charge: str, down: str, safe: str) -> None:
    state = table("", "", "", built=("", f"{down} {safe}"))
    for number, _ in enumerate(down.split()):
        assert not stands(apply(state, Seat(0), inspect(charge, (1, number))), number)
    for number, _ in enumerate(safe.split(), len(down.split())):
        assert stands(apply(state, Seat(0), inspect(charge, (1, number))), number)


def stands(state: State, number: int) -> bool:
    return any(palace.number == number and palace.verified for palace in state.palaces[1])


def test_pal_12_two_palaces_of_one_seat_or_of_two() -> None:
    state = table("", "", "", built=("", "YG R", "B"))
    both = apply(state, Seat(0), inspect("no_red", (1, 0), (2, 0)))
    assert both.palaces == ((), palaces("- R"), ())
    one = apply(state, Seat(0), inspect("no_red", (1, 0), (1, 1)))
    assert one.palaces == ((), palaces("- R!"), palaces("B"))


def test_pal_13_one_card_that_is_not_open_is_enough_to_name_the_colour() -> None:
    for hidden in (
        table("R", "Y", "G", built=("", "R" * 15 + "! G")),
        table("Y", "Y", "G", built=("", "R" * 15 + "! RG")),
        table("Y", "Y", "G", built=("", "R" * 11 + "! G"), out="RRRR"),
    ):
        apply(hidden, Seat(0), inspect("no_red", (1, 1)))


def test_pal_13_says_nothing_of_the_other_charges() -> None:
    state = table("Y", "Y", "G", built=("", ALL_RED + "! G"))
    for charge in ("no_yellow", "no_pair", "all_colours"):
        apply(state, Seat(0), inspect(charge, (1, 1)))


def test_pal_r2_on_the_table_cards_that_are_out_do_not_count_as_open() -> None:
    state = table("Y", "Y", "G", built=("", "R" * 12 + "! G"), out="RRRR", open_colour="table")
    assert inspect("no_red", (1, 1)) in legal(state, Seat(0))
    assert not stands(apply(state, Seat(0), inspect("no_red", (1, 1))), 1)


def test_pal_16_and_17_verified_palaces_of_anybody_with_the_colour_fall() -> None:
    state = table("RRRR", "Y", "G", built=("RY! RB GG!", "YRB! YY!", "RRR"))
    after = apply(state, Seat(0), Quake(0))
    assert after.hands[0] == ()
    assert after.palaces == (palaces("- RB GG!"), palaces("- YY!"), palaces("RRR"))
    assert after.out == cards("RRRRRRYYB")


@pytest.mark.parametrize(
    ("hands", "built", "points", "winners"),
    [
        pytest.param(("YYYY", "B", "G"), ("R! R!", "Y Y! Y", "G"), (2, 3, 1), (1,), id="most palaces, verified or not"),
        pytest.param(("YY", "BBB", "GGGG"), ("R R", "Y Y!", "G"), (2, 2, 1), (1,), id="of equals more cards in hand"),
        pytest.param(
            ("YYB", "B", "GGG", "R"), ("R R", "Y Y!", "G! B", "R"), (2, 2, 2, 1), (0, 2), id="still tied: shared"
        ),
    ],
)
def test_pal_18_who_wins(hands: Any, built: Any, points: Any, winners: Any) -> None:
    result = GAME.result(apply(table(*hands, built=built, top="E"), Seat(0), Draw()))
    assert result is not None
    assert (result.points, result.winners) == (points, winners)


def test_pal_r4_an_earthquake_may_leave_all_standing() -> None:
    after = apply(FOUR, Seat(0), Quake(0))
    assert after.palaces == FOUR.palaces
    assert after.out == cards("RRRR")


def test_pal_r5_each_of_two_palaces_is_judged_for_itself() -> None:
    state = table("Y", "", "", built=("", "RB", "YGG"))
    first_safe = apply(state, Seat(0), inspect("no_red", (1, 0), (2, 0)))
    assert (first_safe.palaces[1], first_safe.palaces[2]) == (palaces("RB!"), ())
    assert first_safe.hands[0] == cards("YYGG")
    second_safe = apply(state, Seat(0), inspect("no_green", (1, 0), (2, 0)))
    assert (second_safe.palaces[1], second_safe.palaces[2]) == ((), palaces("YGG!"))
    both_down = apply(table("RRRR", "", "", built=("", "YB", "GG")), Seat(0), inspect("no_red", (1, 0), (2, 0)))
    assert both_down.hands[0] == cards("RRRRYGGB")


def test_pal_9_two_palaces_are_laid_in_any_order_whatever_lies_in_them() -> None:
    """Which number is whose is the player's own choice: an order by content would tell what lies in them."""
    state = table("RY", "Y", "G", built=("", "Y", "G"))
    for order in (("R", "Y"), ("Y", "R")):
        assert build(*order) in set(legal(state, Seat(0)))
        laid = apply(state, Seat(0), build(*order))
        assert [palace.cards for palace in laid.palaces[0]] == [cards(each) for each in order]
        for viewer in (Seat(0), Seat(1), Seat(2), None, TABLE):
            whole = viewer in (Seat(0), TABLE)
            shown = build(*order) if whole else RedactedCommand("build", (("sizes", (1, 1)),))
            assert AtTable(GAME).redacted(build(*order), Seat(0), viewer) == shown


@pytest.mark.ci
def test_legal_lists_what_a_big_hand_can_build() -> None:
    hand = "RRRRYYYYGGGGBBBB"
    assert len(list(legal(table(hand, "Y", "G"), Seat(0)))) == 5**4 - 1
    two = list(legal(table("RRRYYYGGGBBB", "Y", "G", built=("", "Y", "G")), Seat(0)))
    pairs = {command.palaces for command in two if len(command.palaces) == 2}
    # Each colour's three cards go to the first, the second and neither in 10 ways; neither palace may be empty.
    assert len(pairs) == 10**4 - 2 * 4**4 + 1
