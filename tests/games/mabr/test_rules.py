"""The rules of MABR, one after the other."""

from typing import Any

import kifu
import pytest
from hypothesis import settings
from kifu.core.errors import OptionError
from kifu.core.game import TABLE, Result, Seat, SectionKind, TableRule, evolve
from kifu.core.log import log_bytes, read_bytes
from kifu.core.testing import Case, game_laws
from kifu.games.mabr import GAME, lexicon
from kifu.games.mabr.bot import HINTS
from kifu.games.mabr.model import KANA, Conceal, Deal, Draw, Judge, Options, Pass, Rule, State, Swap, Word
from kifu.replay.tournament.random_matches import play_out

from ..at_table import AtTable
from .at_mabr import AT_TABLE, STACKS, table

AT = AtTable(GAME)
play, asked, notes, rules_told = AT.play, AT.asked, AT.notes, AT.rules_told
LONGEST = 2**64 - 1
"""The largest `min_word` that a log can hold: no word is so long, and such logs are out there."""
DEALT = tuple(zip(KANA, STACKS, strict=True))


def points(state: State) -> tuple[int, ...]:
    return GAME.view(state, None).scores


UNDEALT = GAME.start(Options(), 3)
FIRST_ROUND = play(UNDEALT, (TABLE, Deal(DEALT)))
DREW = play(FIRST_ROUND, (0, Draw("TBS")))
TURN = table("つぶそんひく", "たばさ", "ち")
"""Seat 0 holds the cards of the rulebook's worked example, all face down."""
FREE = evolve(TURN, options=Options(pass_="free"))
BUHIN = Word("ぶひん", (1, 4, 3))
LOOKING = play(TURN, (0, Draw("NHK")))
HALF_UP = table("つぶそんひく", "たばさ", "ち", up=((1, 3, 4),))
NEARLY = table("かきくけこさしすせそまみむめも" + "たちぶ", "は", "ひ", up=(tuple(range(15)),))
"""Seat 0 has 15 points of 18; た, ち and ぶ lie face down at the places 15 to 17."""
ASKED = play(table("つぶそんひく", "たばさ", "ち", "て", options=AT_TABLE), (0, BUHIN))
VOTED = play(ASKED, (2, Judge(False)))
PASSED = table("つぶ", "たば", "ち", passes=3)
REACHED = play(
    table("ぱぴぷぺぽばびぶべがつ", "ざじず", up=(tuple(range(9)),)), (0, Word("がいあつ", (9, "I", "A", 10)))
)

CASES = [
    Case(TableRule.FORM, "a deal without a stack", UNDEALT, TABLE, Deal(DEALT[1:])),
    Case(TableRule.FORM, "a deal of a kana on no card", UNDEALT, TABLE, Deal((("K", tuple("かきくけを")), *DEALT[1:]))),
    Case(TableRule.FORM, "an abbreviation without a letter", TURN, 0, Draw("")),
    Case(TableRule.FORM, "letters in full width", TURN, 0, Draw("\uff34\uff22\uff33")),
    Case(TableRule.FORM, "a word in katakana", TURN, 0, Word("ブヒン", (1, 4, 3))),
    Case(TableRule.FORM, "a voiced kana that is not composed", TURN, 0, Word("ふ\u3099", (4, 1))),
    Case(TableRule.FORM, "fewer cards than letters", TURN, 0, Word("ぶひん", (1, 4))),
    Case(TableRule.FORM, "a place below the first", TURN, 0, Word("ぶひん", (1, 4, -1))),
    Case(TableRule.FORM, "a stack's letter as a fixed card", TURN, 0, Word("ぶひん", (1, 4, "N"))),
    Case(TableRule.FORM, "an own place below the first", TURN, 0, Swap(-1, Seat(1), 0)),
    Case(TableRule.FORM, "another's place below the first", TURN, 0, Swap(0, Seat(1), -1)),
    Case(TableRule.FORM, "a swap with a seat beyond the last", TURN, 0, Swap(0, Seat(3), 0)),
    Case(TableRule.FORM, "no abbreviation, after the end", PASSED, 0, Draw("")),
    Case(TableRule.OVER, "a draw after all passed", PASSED, 0, Draw("TBS")),
    Case(TableRule.TURN, "a seat deals", UNDEALT, 0, Deal(DEALT)),
    Case(TableRule.TURN, "who declared judges", ASKED, 0, Judge(True)),
    Case(TableRule.TURN, "who declared declares again before it is judged", ASKED, 0, Draw("NHK")),
    Case(TableRule.TURN, "a second judgement", VOTED, 2, Judge(True)),
    Case(TableRule.ORDER, "a pass instead of a judgement", ASKED, 1, Pass()),
    Case(TableRule.ORDER, "laying down instead of a judgement", ASKED, 1, Conceal()),
    Case(TableRule.DEAL, "a stack that lacks a card", UNDEALT, TABLE, Deal((("K", tuple("かきくけ")), *DEALT[1:]))),
    Case(Rule.MABR_2, "a word in the first round", FIRST_ROUND, 0, Word("あい", ("A", "I"))),
    Case(Rule.MABR_2, "a word in the first round, after the draw", DREW, 0, Word("たば", (0, 1))),
    Case(Rule.MABR_2, "a swap in the first round", FIRST_ROUND, 0, Swap(0, Seat(0), 0)),
    Case(Rule.MABR_4, "more of a letter than the stack holds", TURN, 0, Draw("SSSS")),
    Case(Rule.MABR_4, "a letter whose stack is empty", table("やゆよ", "か"), 0, Draw("KY")),
    Case(Rule.MABR_4, "too few cards for a used abbreviation", table("やゆよ", "か", used=("KY",)), 0, Draw("KY")),
    Case(Rule.MABR_5, "an abbreviation used by another", evolve(TURN, used=("NHK",)), 0, Draw("NHK")),
    Case(Rule.MABR_5, "an abbreviation used in the first round", play(DREW, (0, Conceal())), 1, Draw("TBS")),
    Case(Rule.MABR_7, "no own card", TURN, 0, Word("あい", ("A", "I"))),
    Case(Rule.MABR_7, "only face-up and fixed cards", HALF_UP, 0, Word("ぶあん", (1, "A", 3))),
    Case(Rule.MABR_7, "a place that the seat does not have", TURN, 0, Word("ぶひん", (1, 4, 6))),
    Case(Rule.MABR_7, "a face-down card twice", TURN, 0, Word("ぶび", (1, 1))),
    Case(Rule.MABR_7, "a face-up card twice", HALF_UP, 0, Word("つぶぶ", (0, 1, 1))),
    Case(Rule.MABR_7, "a fixed card twice", TURN, 0, Word("いいつ", ("I", "I", 0))),
    Case(Rule.MABR_7, "a T declared as a D", TURN, 0, Word("づ", (0,))),
    Case(Rule.MABR_7, "a face-down card declared as a fixed kana", TURN, 0, Word("あぶ", (0, 1))),
    Case(Rule.MABR_8, "a face-up card as another kana of its letter", HALF_UP, 0, Word("びつ", (1, 0))),
    Case(Rule.MABR_8, "a fixed card as another kana", TURN, 0, Word("うつ", ("I", 0))),
    Case(Rule.MABR_8, "a fixed card as a stack's kana", TURN, 0, Word("かつ", ("I", 0))),
    Case(Rule.MABR_10, "a swap with oneself", TURN, 0, Swap(0, Seat(0), 1)),
    Case(Rule.MABR_10, "an own place that does not exist", TURN, 0, Swap(6, Seat(1), 0)),
    Case(Rule.MABR_10, "another's place that does not exist", TURN, 0, Swap(0, Seat(2), 1)),
    Case(Rule.MABR_10, "cards of two letters", TURN, 0, Swap(0, Seat(1), 1)),
    Case(Rule.MABR_10, "an own card that lies face up", HALF_UP, 0, Swap(1, Seat(1), 1)),
    Case(Rule.MABR_10, "another's card that lies face up", evolve(TURN, turned=((), (0,), ())), 0, Swap(0, Seat(1), 0)),
    Case(Rule.MABR_12, "three letters that reach the goal", NEARLY, 0, Word("たぶち", (15, 17, 16))),
    Case(Rule.MABR_12, "three letters, only declared to reach it", NEARLY, 0, Word("つばて", (15, 17, 16))),
    Case(
        Rule.MABR_12,
        "three letters that reach it, in the last round",
        evolve(NEARLY, reached=Seat(2)),
        0,
        Word("たぶち", (15, 17, 16)),
    ),
    Case(Rule.MABR_R1, "a fixed card's letter", TURN, 0, Draw("PTA")),
    Case(Rule.MABR_R1, "a letter that no card has", TURN, 0, Draw("CM")),
    Case(Rule.MABR_R1, "one letter, and not a stack's", TURN, 0, Draw("A")),
    Case(Rule.MABR_R2, "one letter", TURN, 0, Draw("K")),
    Case(Rule.MABR_R2, "one letter before the table", evolve(TURN, options=AT_TABLE), 0, Draw("K")),
    Case(Rule.MABR_R3, "a kana on no card", TURN, 0, Word("ぶを", (1, 4))),
    Case(Rule.MABR_R3, "an old kana in place of a fixed card", TURN, 0, Word("ゐつ", ("I", 0))),
    Case(Rule.MABR_R3, "a single letter", TURN, 0, Word("つ", (0,))),
    Case(Rule.MABR_R3, "two letters of three", evolve(TURN, options=Options(min_word=3)), 0, Word("ひつ", (4, 0))),
    Case(Rule.MABR_R5, "a draw before laying down", LOOKING, 0, Draw("TBS")),
    Case(Rule.MABR_R5, "a word before laying down", LOOKING, 0, BUHIN),
    Case(Rule.MABR_R5, "a swap before laying down", LOOKING, 0, Swap(0, Seat(1), 0)),
    Case(Rule.MABR_R5, "a pass before laying down", LOOKING, 0, Pass()),
    Case(Rule.MABR_R5, "laying down without a look", TURN, 0, Conceal()),
    Case(Rule.MABR_R6, "a pass in the first round", FIRST_ROUND, 0, Pass()),
    Case(Rule.MABR_R6, "a free pass in the first round", evolve(FIRST_ROUND, options=FREE.options), 0, Pass()),
    Case(Rule.MABR_R6, "a pass where an abbreviation is left", TURN, 0, Pass()),
    Case(Rule.MABR_R6, "a pass before the table, with two cards left", evolve(TURN, options=AT_TABLE), 0, Pass()),
    Case(Rule.MABR_R7, "an abbreviation that is not in the lexicon", TURN, 0, Draw("TBZ")),
    Case(Rule.MABR_R7, "a word that is not in the lexicon", TURN, 0, Word("ひぶそ", (4, 1, 2))),
    Case(Rule.MABR_R7, "a word without its small kana", table("しよくば", "か"), 0, Word("しよくば", (0, 1, 2, 3))),
]


SHIPPED = lexicon.find("kifu-ja-1")
SHORT = "short-1"
"""A list so short that random play, which goes through every command at every step, is quick."""
lexicon.register(SHORT, sorted(SHIPPED.common)[::60], sorted(SHIPPED.abbreviations)[::3])


EXAMPLES = settings().max_examples // 3
"""Matches of words take their time."""


class TestLaws(game_laws(GAME, options={"lexicon": SHORT}, cases=CASES, examples=EXAMPLES)):
    """The laws, judged by a lexicon; that of every rule at work is in `../test_recipes.py`."""

    test_7_every_rule_is_at_work = None


class TestLawsAtTable(game_laws(GAME, options={"judge": "table", "lexicon": ""}, cases=CASES, examples=EXAMPLES)):
    """The laws before a table judge; the cases of rules set their judge themselves, and ran above."""

    test_7_case = None
    test_7_every_rule_is_at_work = None


pytest.mark.long(TestLaws.test_10_every_mutant_is_caught)
pytest.mark.long(TestLawsAtTable.test_10_every_mutant_is_caught)


@pytest.mark.parametrize(
    "options",
    [
        *(Options(first=-1), Options(first=3), Options(lexicon=""), Options(lexicon="kifu-ja-0")),
        *(Options(min_word=0), Options(idle_rounds=-1)),
    ],
)
def test_an_option_that_does_not_fit_is_refused(options: Options) -> None:
    with pytest.raises(OptionError):
        GAME.check_options(options, 3)


def test_mabr_1_the_stacks_are_dealt_and_the_fixed_cards_lie_apart() -> None:
    assert FIRST_ROUND.stacks == STACKS
    assert sorted(GAME.cards(FIRST_ROUND)) == sorted("あいうえおわ" + "".join(KANA.values()))
    assert rules_told(UNDEALT, TABLE, Deal(DEALT)) == {"MABR-1", "MABR-2", "MABR-11"}


@pytest.mark.parametrize(("seats", "first"), [(2, 0), (2, 1), (3, 2), (4, 1)])
def test_mabr_2_in_the_first_round_every_seat_draws(seats: int, first: int) -> None:
    state = play(GAME.start(Options(first=first), seats), (TABLE, Deal(DEALT)))
    for turn, abbreviation in enumerate(("NHK", "TBS", "GPS", "BGM")[:seats]):
        seat = (first + turn) % seats
        assert asked(state) == [seat]
        assert {type(command) for command in GAME.legal(state, Seat(seat))} == {Draw}
        state = play(state, (seat, Draw(abbreviation)), (seat, Conceal()))
    assert asked(state) == [first]
    offered = {type(command) for command in GAME.legal(state, Seat(first))}
    assert Draw in offered
    assert Pass not in offered


def test_mabr_3_a_draw_takes_the_top_card_of_each_letter_in_order() -> None:
    after = play(TURN, (0, Draw("SMS")))
    assert after.rows[0] == (*TURN.rows[0], "し", "ま", "す")
    assert (after.look, after.shown) == ((6, 7, 8), False)
    assert (after.stacks[1], after.stacks[5]) == (("せ",), ("み", "む", "め", "も"))
    assert notes(TURN, 0, Draw("SMS"))["drew"] == {"seat": 0, "letters": ("S", "M", "S"), "places": (6, 7, 8)}


def test_mabr_6_and_r5_laying_down_hides_the_cards_and_ends_the_turn() -> None:
    after = play(LOOKING, (0, Conceal()))
    assert (after.look, asked(after)) == ((), [1])
    assert list(GAME.legal(LOOKING, Seat(0))) == [Conceal()]
    assert rules_told(LOOKING, 0, Conceal()) == {"MABR-6"}


def test_the_worked_example_of_the_rulebook() -> None:
    after = play(TURN, (0, BUHIN))
    assert (points(after), after.turned[0], asked(after)) == ((4, 0, 0), (1, 3, 4), [1])
    again = play(evolve(after, turns=TURN.turns), (0, Word("ぶんつう", (1, 3, 0, "U"))))
    assert (points(again), again.turned[0]) == ((5, 0, 0), (0, 1, 3, 4))
    noted = notes(evolve(after, turns=TURN.turns), 0, Word("ぶんつう", (1, 3, 0, "U")))
    assert noted["also-uses"] == {"seat": 0, "cards": ("ぶ", "ん", "う")}
    assert (noted["right"]["cards"], noted["right"]["points"], noted["right"]["score"]) == (("つ",), 1, 5)


def test_mabr_7_a_wrong_word_over_cards_of_its_letters_is_no_violation() -> None:
    assert Word("ぶんか", (1, 3, 5)) in list(GAME.legal(TURN, Seat(0)))
    assert play(TURN, (0, Word("ぶんか", (1, 3, 5)))).shown


@pytest.mark.parametrize(("kana", "value"), [("か", 1), ("ん", 1), ("が", 2), ("ぢ", 2), ("ぱ", 2)])
def test_mabr_9_voiced_and_half_voiced_cards_score_two(kana: str, value: int) -> None:
    state = table(kana + "つ", "し", options=AT_TABLE)
    word = Word(kana + "い", (0, "I"))
    assert points(play(state, (0, word), (1, Judge(True)))) == (value, 0)


def test_mabr_r4_a_wrong_card_ends_the_showing_and_the_turn() -> None:
    wrong = Word("ぶんつう", (1, 3, 0, "U"))
    state = table("たぶそなひく", "ば")
    after = play(state, (0, wrong))
    assert (after.look, after.shown, after.turned[0], asked(after)) == ((1, 3), True, (), [0])
    assert notes(state, 0, wrong)["wrong"]["cards"] == ("ぶ", "な")
    concealed = play(after, (0, Conceal()))
    assert (concealed.shown, points(concealed), asked(concealed)) == (False, (0, 0), [1])


def test_mabr_r4_face_up_and_fixed_cards_are_not_shown_again() -> None:
    state = table("たぶそんひく", "ば", up=((1, 3),))
    assert play(state, (0, Word("ぶんつう", (1, 3, 0, "U")))).look == (0,)


def test_mabr_10_and_r9_a_swap_moves_the_kana_alone() -> None:
    after = play(TURN, (0, Swap(0, Seat(1), 0)))
    assert after.rows == (tuple("たぶそんひく"), tuple("つばさ"), ("ち",))
    assert (after.look, after.shown, asked(after)) == ((0,), False, [0])
    assert rules_told(TURN, 0, Swap(0, Seat(1), 0)) == {"MABR-10", "MABR-R9", "MABR-R5"}
    assert notes(TURN, 0, Swap(0, Seat(1), 0))["looks"] == {"seat": 0, "cards": ("た",)}


@pytest.mark.parametrize(("seats", "goal"), [(2, 20), (3, 18), (4, 16)])
def test_mabr_11_the_goal_depends_on_the_seats(seats: int, goal: int) -> None:
    voiced = "がぎぐげござじずぜぞ"[: goal // 2 - 1] + "たちつて"
    up = (tuple(range(goal // 2 - 1)),)
    state = table(voiced, *"かきく"[: seats - 1], options=AT_TABLE, up=up)
    first = len(up[0])
    word = Word("たちいう", (first, first + 1, "I", "U"))
    judged = [(seat, Judge(True)) for seat in range(1, seats)]
    assert play(state, (0, word), *judged).reached == 0
    short = Word("たいうえ", (first, "I", "U", "E"))
    assert play(state, (0, short), *judged).reached is None


def test_mabr_12_four_letters_reach_the_goal_and_three_that_stay_below_are_fine() -> None:
    state = evolve(NEARLY, options=AT_TABLE)
    judged = ((1, Judge(True)), (2, Judge(True)))
    assert play(state, (0, Word("たぶちい", (15, 17, 16, "I"))), *judged).reached == 0
    assert points(play(state, (0, Word("たちい", (15, 16, "I"))), *judged))[0] == 17


def test_mabr_13_everybody_else_has_one_more_turn() -> None:
    assert (REACHED.reached, asked(REACHED)) == (0, [1])
    wrong = play(REACHED, (1, Word("ざい", (1, "I"))))
    assert asked(wrong) == [1]
    assert asked(play(wrong, (1, Conceal()))) == []
    free = evolve(REACHED, options=FREE.options)
    assert GAME.result(play(free, (1, Pass()))) == Result((21, 0), (Seat(0),))
    assert "last-turn-over" in notes(free, 1, Pass())


def test_mabr_13_another_may_still_reach_the_goal_and_win() -> None:
    state = table("か", "ざじずぜぞがぎぐげだ", up=((), tuple(range(9))), turns=5, reached=Seat(0))
    after = play(evolve(state, options=AT_TABLE), (1, Word("だいうわ", (9, "I", "U", "W"))), (0, Judge(True)))
    assert (after.reached, GAME.result(after)) == (0, Result((0, 20), (Seat(1),)))


@pytest.mark.parametrize(
    ("up", "result"),
    [
        (((0, 1), (0,), ()), Result((2, 1, 0), (Seat(0),))),
        (((0, 1), (2,), ()), Result((2, 2, 0), (Seat(1),))),
        (((0,), (0,), ()), Result((1, 1, 0), (Seat(0), Seat(1)))),
        (((), (), ()), Result((0, 0, 0), (Seat(0), Seat(1), Seat(2)))),
    ],
    ids=["most points", "fewer face-up cards", "shared by two", "shared by all"],
)
def test_mabr_14_and_r8_most_points_then_fewer_cards_then_shared(up: Any, result: Result) -> None:
    last = table("かき", "くけが", "こ", up=up, turns=8, passes=2, options=FREE.options)
    assert GAME.result(play(last, (2, Pass()))) == result
    rule = "MABR-R8" if len(result.winners) > 1 else "MABR-14"
    assert rule in rules_told(last, 2, Pass())


@pytest.mark.parametrize(
    ("row", "word", "cards"),
    [("きやく", "きゃく", (0, 1, 2)), ("きやく", "きやく", (0, 1, 2)), ("せけんつ", "せっけん", (0, 3, 1, 2))],
)
def test_mabr_r3_small_kana_are_laid_with_full_size_cards(row: str, word: str, cards: tuple[int, ...]) -> None:
    state = table(row, "か")
    assert Word(word, cards) in list(GAME.legal(state, Seat(0)))
    assert points(play(state, (0, Word(word, cards))))[0] == len(word)
    assert ("full-size" in notes(state, 0, Word(word, cards))) is (word != "きやく")


def test_mabr_r3_a_log_in_which_no_word_can_be_so_long_is_read() -> None:
    match = kifu.new("mabr", ["a", "b"], options={"min_word": LONGEST}, seed=bytes(32))
    play_out(match, bytes([1] * 32))
    assert match.result is not None
    assert match.result.points == (0, 0)
    assert read_bytes(log_bytes(match)).ok


EVERYTHING = "".join(KANA.values())
VOIDED = play(evolve(FIRST_ROUND, options=AT_TABLE), (0, Draw("TBS")), (1, Judge(False)), (2, Judge(False)))
NO_LEAVE = Options(judge="table", pass_after_void=False)


@pytest.mark.parametrize(
    ("state", "offered"),
    [
        pytest.param(table("", EVERYTHING[:-1], turns=0), {Pass}, id="one card left, first round"),
        pytest.param(
            table("", EVERYTHING[:-1], turns=0, options=AT_TABLE), {Pass}, id="one card left, the table judges"
        ),
        pytest.param(
            table("", EVERYTHING[:-2], turns=0, options=Options(lexicon="kifu-ja-1")), {Pass}, id="two cards left"
        ),
        pytest.param(table("", EVERYTHING[:-2], turns=0, options=AT_TABLE), {Draw}, id="two left, the table judges"),
        pytest.param(table("か", EVERYTHING[1:-1]), {Pass, Swap, Word}, id="nothing left to draw, later"),
        pytest.param(TURN, {Draw, Swap, Word}, id="something left to draw"),
        pytest.param(FREE, {Draw, Swap, Word, Pass}, id="passing is free"),
        pytest.param(evolve(FIRST_ROUND, options=FREE.options), {Draw}, id="passing is free, first round"),
        pytest.param(VOIDED, {Draw, Pass}, id="after a void, first round"),
        pytest.param(play(VOIDED, (0, Pass())), {Draw}, id="after another's void"),
        pytest.param(evolve(VOIDED, options=NO_LEAVE), {Draw}, id="after a void, without the option"),
    ],
)
def test_mabr_r6_who_may_pass(state: State, offered: set[type]) -> None:
    """What the seat could lay or swap counts for nothing: that depends on what it remembers."""
    assert {type(command) for command in GAME.legal(state, state.turn)} == offered
    weighed = [command for command, _ in HINTS.priors(state, state.turn)]
    assert (Pass() in weighed) is (Pass in offered)
    assert [play(state, (state.turn, command)) for command in weighed]


def test_mabr_r6_the_game_ends_when_every_last_turn_was_a_pass() -> None:
    one = play(FREE, (0, Pass()), (1, Pass()))
    assert asked(one) == [2]
    assert asked(play(one, (2, Pass()))) == []
    drew = play(one, (2, Draw("NHK")), (2, Conceal()))
    assert asked(play(drew, (0, Pass()), (1, Pass()))) == [2]
    assert "all-passed" in notes(one, 2, Pass())


def test_mabr_r6_a_voided_declaration_is_no_turn() -> None:
    state = evolve(TURN, options=evolve(AT_TABLE, pass_="free"), passes=2)
    void = play(state, (0, Draw("ZZ")), (1, Judge(False)), (2, Judge(False)))
    assert asked(void) == [0]
    assert asked(play(void, (0, Pass()))) == []


def swapped(state: State, times: int) -> State:
    """Return the state after so many turns in which the seats swap the same two cards."""
    for _ in range(times):
        seat = state.turn
        other = Seat(1 - seat if seat < 2 else 1)
        state = play(state, (seat, Swap(0, other, 0)), (seat, Conceal()))
    return state


def test_mabr_r10_after_three_rounds_without_a_draw_or_a_word_the_game_ends() -> None:
    state = table("つ", "た", "ち")
    last = swapped(state, 8)
    assert asked(last) == [2]
    over = swapped(last, 1)
    assert GAME.result(over) == Result((0, 0, 0), (Seat(0), Seat(1), Seat(2)))
    looking = play(last, (2, Swap(0, Seat(1), 0)))
    assert rules_told(looking, 2, Conceal()) >= {"MABR-R10"}


@pytest.mark.parametrize(
    "moves", [((2, Draw("NHK")), (2, Conceal())), ((2, Word("かい", (1, "I"))),)], ids=["a draw", "a word"]
)
def test_mabr_r10_what_succeeds_begins_the_count_again(moves: Any) -> None:
    state = play(swapped(table("つ", "た", "ちか"), 8), *moves)
    assert asked(swapped(state, 8)) == [2]
    assert asked(swapped(state, 9)) == []


def test_mabr_r10_a_wrong_word_and_a_void_one_count_for_nothing() -> None:
    last = swapped(table("つ", "た", "ちき", options=AT_TABLE), 8)
    judged = ((0, Judge(True)), (1, Judge(True)))
    assert asked(play(last, (2, Word("かい", (1, "I"))), *judged, (2, Conceal()))) == []
    void = play(last, (2, Draw("ZZ")), (0, Judge(False)), (1, Judge(False)))
    assert asked(swapped(void, 1)) == []


@pytest.mark.parametrize(("rounds", "turns"), [(0, None), (1, 3), (5, 15)])
def test_mabr_r10_the_rounds_are_an_option(rounds: int, turns: int | None) -> None:
    state = table("つ", "た", "ち", options=Options(idle_rounds=rounds))
    if turns is None:
        assert asked(swapped(state, 40)) == [1]
    else:
        assert asked(swapped(state, turns - 1)) != []
        assert asked(swapped(state, turns)) == []


def voided(state: State, declared: Draw | Word) -> State:
    """Return the state after seat 0 declared and all others objected."""
    return play(state, (0, declared), *[(seat, Judge(False)) for seat in range(1, state.seats)])


def test_a_round_begins_once_however_often_a_declaration_is_voided() -> None:
    state = evolve(TURN, options=evolve(AT_TABLE, pass_="free"))
    assert begun(state, Draw("ZZ")) == [(SectionKind.ROUND, 3)]
    void = voided(state, Draw("ZZ"))
    assert begun(void, BUHIN) == begun(void, Pass()) == []
    after = play(voided(void, BUHIN), (0, Pass()))
    assert not after.voided
    assert begun(after, Pass(), seat=1) == [(SectionKind.TURN, None)]


def begun(state: State, command: Any, seat: int = 0) -> list[Any]:
    """Return what begins with a command, and the number of its round."""
    told = AT.told(state, seat, command)
    return [(note.begins, dict(note.values).get("round")) for note in told if note.begins]


def test_the_last_scene_shows_the_last_round_that_was_played() -> None:
    def rounds(state: State) -> list[Any]:
        return [fact.value for fact in GAME.scene(GAME.view(state, None)).table.facts if fact.label == "fact-round"]

    one = play(FREE, (0, Pass()), (1, Pass()))
    assert rounds(one) == [3]
    assert rounds(play(one, (2, Pass()))) == [3]


@pytest.mark.parametrize(
    ("votes", "void"),
    [([True, True, True], False), ([True, False, True], False), ([False, True, False], True), ([False] * 3, True)],
)
def test_mabr_r7_more_than_half_of_the_others_make_a_declaration_void(votes: list[bool], void: bool) -> None:
    assert asked(ASKED) == [1, 2, 3]
    state = ASKED
    for seat, accept in zip((2, 3), votes[1:], strict=True):
        state = play(state, (seat, Judge(accept)))
        assert state.declared == BUHIN
    after = play(state, (1, Judge(votes[0])))
    assert (after.turns == ASKED.turns) is void
    assert points(after)[0] == (0 if void else 4)
    assert ("void" if void else "accepted") in notes(state, 1, Judge(votes[0]))


def test_mabr_r7_half_of_two_judges_is_not_more_than_half() -> None:
    state = play(evolve(TURN, options=AT_TABLE), (0, Draw("ZZZ")), (1, Judge(False)))
    assert play(state, (2, Judge(True))).rows[0][6:] == ("ざ", "じ", "ず")
    assert play(state, (2, Judge(False))).used == ()


def test_mabr_r11_the_one_other_seat_judges_alone() -> None:
    asked_one = play(table("つぶそんひく", "たばさ", options=AT_TABLE), (0, BUHIN))
    assert points(play(asked_one, (1, Judge(True)))) == (4, 0)
    assert play(asked_one, (1, Judge(False))).turns == asked_one.turns
    assert {"MABR-R11"} <= rules_told(asked_one, 1, Judge(False)) & rules_told(asked_one, 1, Judge(True))


def test_mabr_r7_a_void_abbreviation_may_be_declared_again() -> None:
    void = play(evolve(TURN, options=AT_TABLE), (0, Draw("ZZ")), (1, Judge(False)), (2, Judge(False)))
    again = play(void, (0, Draw("ZZ")), (1, Judge(True)), (2, Judge(True)))
    assert again.used == ("ZZ",)
