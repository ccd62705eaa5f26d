"""`replay when`: what a value was at each step, asked in a language that can do nothing else."""

import json
from contextlib import suppress

import attrs
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from kifu.core.game import TABLE, Card, Seat, Takeback
from kifu.core.trace.presenter import format_value
from kifu.core.trace.write import as_data
from kifu.core.wire import plain
from kifu.replay.analysis.expression import MAX_LETTERS, WORDS, parse
from kifu.replay.analysis.watch import ValueWatch
from kifu.replay.call_errors import CallError

from ..conftest import played


def test_every_change_of_a_path_is_reported_and_nothing_else(replay, log, match) -> None:
    changes = replay("when", log, "hands[0]", "--json").lines
    hands = [state.hands[0] for state in match.states]
    expected = [seq for seq in range(len(match.events)) if hands[seq] != hands[seq + 1]]
    assert [change["seq"] for change in changes] == [-1, *expected]
    for change in changes[1:]:
        assert change["before"] == list(hands[change["seq"]])
        assert change["after"] == list(hands[change["seq"] + 1])
        assert change["seat"] == match.events[change["seq"]].seat
        assert change["rules"] == list(dict.fromkeys(note.rule.number for note in match.steps[change["seq"]].notes))


def test_a_condition_is_reported_where_it_changes(replay, log, match) -> None:
    changes = replay("when", log, "len(hands[0]) < 10 and len(trick) == 2", "--json").lines
    truth = [len(state.hands[0]) < 10 and len(state.trick) == 2 for state in match.states]
    assert [(change["seq"], change["after"]) for change in changes] == [
        (seq, truth[seq + 1]) for seq in range(len(match.events)) if truth[seq] != truth[seq + 1]
    ]


def test_first_and_last(replay, log) -> None:
    every = replay("when", log, "trick", "--json").lines
    assert replay("when", log, "trick", "--first", "--json").lines == [every[1]]
    assert replay("when", log, "trick", "--last", "--json").lines == [every[-1]]
    turns = replay("when", log, "len(trick) == 2", "--json").lines
    true = [each for each in turns if each["after"]]
    assert replay("when", log, "len(trick) == 2", "--first", "--json").lines == [true[0]]
    assert replay("when", log, "len(trick) == 2", "--last", "--json").lines == [true[-1]]


def test_forwards_and_backwards_from_a_step(replay, log) -> None:
    every = [each["seq"] for each in replay("when", log, "hands[2]", "--json").lines]
    middle = every[len(every) // 2]
    (back,) = replay("when", log, "hands[2]", "--to", middle, "--last", "--json").lines
    (on,) = replay("when", log, "hands[2]", "--from", middle + 1, "--first", "--json").lines
    assert (back["seq"], on["seq"]) == (middle, every[len(every) // 2 + 1])


def test_what_never_changed_is_as_it_was_at_the_start(replay, log) -> None:
    (only,) = replay("when", log, "options.first", "--last", "--json").lines
    assert (only["seq"], only["seat"], only["after"]) == (-1, None, 0)
    assert "never: totals[0] > 1000" in replay("when", log, "totals[0] > 1000").out


def test_who_won_is_asked_by_name(replay, log, match) -> None:
    (_, won) = replay("when", log, "winners", "--json").lines
    assert (won["seq"], won["after"]) == (len(match.events) - 1, list(match.result.winners))


def test_the_words_name_the_command_the_rules_and_the_cards(replay, log, match) -> None:
    called = replay("when", log, "trick", "--to", 2, exits=0)
    face = match.game.face(match.events[1].command.card).text
    assert called.out.splitlines()[2].split()[-1] == "TS-2"
    assert f"play a card: {face}" in called.out
    assert f"[] → [{face}]" in called.out
    assert "開始時" in replay("when", log, "trick", "--lang", "ja").out


def test_a_card_is_written_as_its_face(replay, log, match) -> None:
    card = match.states[1].hands[0][0]
    by_face = replay("when", log, f"'{match.game.face(card).text}' in hands[0]", "--json").lines
    by_number = replay("when", log, f"{card} in hands[0]", "--json").lines
    assert by_face == by_number
    assert [each["after"] for each in by_face] == [True, False]


def test_a_takeback_is_a_change_like_any_other(replay, tmp_path) -> None:
    match = played("a", "b", "c", "d", most=6, goes_on=True)
    match.take_back(2)
    match.save(tmp_path / "back.log")
    changes = replay("when", tmp_path / "back.log", "trick", "--last", "--json").lines
    assert (changes[0]["tag"], changes[0]["seq"]) == (".takeback", 6)
    assert isinstance(match.events[6].command, Takeback)


def test_a_seat_is_shown_only_what_it_saw(replay, tmp_path) -> None:
    log, match = tmp_path / "short.log", played("a", "b", "c", "d", most=12)
    match.save(log)
    for viewer in (0, 2, None):
        viewer_option = "spectator" if viewer is None else viewer
        for path in (field.name for field in attrs.fields(type(match.view(viewer)))):
            for change in replay("when", log, path, "--as", viewer_option, "--json").lines:
                value = getattr(match.at(change["seq"]).view(viewer), path)
                value = tuple(sorted(value)) if isinstance(value, frozenset) else value
                assert change["after"] == json.loads(json.dumps(plain(value)))
                if change["tag"] == "deal":
                    assert change["fields"] == {}
    assert replay("when", log, "hands[1]", "--as", 0, "--first", "--json").lines == []


def test_a_bad_log_is_checked_up_to_its_first_error(replay, illegal) -> None:
    called = replay("when", illegal, "trick", exits=1)
    assert "against the rule" in called.out


NOT_UNDERSTOOD = "this is not understood here"


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("hand[0]", "there is no 'hand'; there are: "),
        ("hands[0", "at letter 6: this is never closed"),
        ("hands == 'x", "at letter 10: this is never closed"),
        ("totals[1] >", "at letter 12: a path, a number or a 'text' is expected here"),
        ("totals[1] = 3", "at letter 11: write == to compare"),
        ("totals[1] > 3 4", "at letter 15: this is not understood here"),
        ("__import__('os')", "at letter 1: this is not understood here"),
        ("'♠' in hands[0] + 1", "at letter 8: this is not understood here"),
        *[(text, NOT_UNDERSTOOD) for text in ("0 < lead < 3", "lead is 3", "[lead]", "lambda: lead")],
        *[
            (text, NOT_UNDERSTOOD)
            for text in ("len", "len.x", "len == 3", "len(lead, lead)", "len(*hands)", "max(lead)")
        ],
        *[(f"totals[{index}]", NOT_UNDERSTOOD) for index in ("-1", "True", "lead", "0:1", "'x'", "1.0", "9" * 16)],
        *[(text, NOT_UNDERSTOOD) for text in ("lead == True", "lead == 1.5", "1 > -lead", "lead == b'x'")],
        *[(text, NOT_UNDERSTOOD) for text in ("9**9**9", "'x' * 9999999", "f'{lead}'", "[lead for _ in 'xx']")],
        *[(text, NOT_UNDERSTOOD) for text in ("hands.__class__", "options.__class__", "(lead := 3)", "len(x=lead)")],
        ("options.cards", "there is no 'cards' in it"),
        ("hands.x", "hands.x: this cannot be asked of a list of 4"),
        ("1 < 2", "it is the same at every step"),
        ("trick > 3", "trick > 3: this cannot be asked of a list of 0"),
        ("lead < 'x'", "lead < 'x': this cannot be asked of 'x'"),
        ("totals[0] and true", "0 is not a condition"),
        ("len(lead)", "this cannot be asked of 0"),
        ("3 in lead", "this cannot be asked of 0"),
        ("lead[0]", "this cannot be asked of 0"),
        ("", "at letter 1: a path"),
        ("'\x1b[31m", "at letter 1: this is never closed"),
        ("(" * 199 + ")" * 199, NOT_UNDERSTOOD),
        ("lead == 0 or " * 60 + "true", f"at most {MAX_LETTERS} are allowed"),
    ],
)
def test_what_cannot_be_asked_is_reported_in_one_line(refused, log, expression: str, expected: str) -> None:
    assert expected in refused("when", log, expression)


def test_not_binds_closer_than_and_and_and_closer_than_or() -> None:
    values = {"a": True, "b": False, "c": True}
    for text in ("not b and a", "a or b and b", "not (a and b)", "b or not b", "not a or c", "b and b or c"):
        assert parse(text).evaluate(values.__getitem__) is eval(text, {}, values), text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("none == missing[3]", False),
        ("missing[3] < 2", False),
        ("2 >= missing[3]", False),
        ("not missing[0]", True),
        ("missing != 3", True),
        ("one == true", False),
        ("many[0] == one", True),
        ("one in many", True),
        ("9 not in many", True),
        ("-1 in many", True),
        ("len(many) == 3", True),
        ("len(missing) > 0", False),
        ("'x' == word", True),
        ('"x" < word', False),
        ("many[7] == many[8]", False),
        ("(many)[ 0 ] == (1)", True),
        ("word == '\\\\n'", False),
        ("not " * 90 + "true", True),
    ],
)
def test_what_is_not_there_equals_nothing_and_a_number_is_no_truth(text: str, value: bool) -> None:
    values = {"missing": None, "one": 1, "many": (1, 2, -1), "word": "x"}
    assert parse(text).evaluate(values.__getitem__) is value


PIECES = (
    "hands totals options lead first long . [ ] ( ) 0 1 len not in and or == != < >= - '♠3' \"x\" true none _ ß ٣ \x00 "
    "1in \\d f'{lead}' ** 9**9**9 lambda: for if else := * , # \ud800 ... await is True 0x1f 1e9 ~ + __class__"
)


@pytest.mark.ci
@given(st.lists(st.sampled_from(PIECES.split(" ")), max_size=14).map(" ".join) | st.text(max_size=30))
@example("hands[0][1] == '♠3' or not (len(hands) < 3)")
@example("to_act[0] == 1 and len(to_act) < 9")
@example("not " * 99 + "lead")
@example("lead" + "[0]" * 130)
@example("lead" + ".x" * 195)
@example("len(" * 79 + "lead" + ")" * 79)
@example("(" * 199 + "lead" + ")" * 199)
@example("-" * 399 + "1")
@example("9" * 400)
def test_any_text_at_all_has_a_value_or_one_line_that_says_why_not(text: str) -> None:
    """Nothing but a `CallError` is raised, and nothing is warned of, however hostile the text."""
    state = played("a", "b", "c", most=8).state
    values = {field.name: getattr(state, field.name) for field in attrs.fields(type(state))}
    values["to_act"] = frozenset({Seat(2), Seat(1)})
    with suppress(CallError):
        expression = parse(text)
        if expression.names <= values.keys():
            expression.evaluate(values.__getitem__)
            assert expression.path is None or expression.path[0] in {*values, *WORDS}


def test_values_are_formatted_as_diff_formats_them(match) -> None:
    def formatted(path: str, value: object, viewer: Seat | None = TABLE) -> str:
        return format_value(as_data(value), ValueWatch(match, path, viewer).shape, match.game)

    assert formatted("hands", ((Card(3), Card(104)), ())) == "[[♠3 ♥4] []]"
    assert formatted("hands[0]", (Card(3),), Seat(0)) == "[♠3]"
    assert formatted("hands[0][3]", Card(3)) == "♠3"
    assert formatted("lead", Seat(1)) == "1"
    assert formatted("options", match.header.options) == "[first=0 long=false deals=1]"
    assert formatted("hands[0]", (999_999_999,)) == "[999999999]"
    assert formatted("len(hands)", 4) == "4"
    assert formatted("winners", (0, 1)) == "[0 1]"
