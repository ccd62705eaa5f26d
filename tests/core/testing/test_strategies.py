"""The strategies draw what they say, and shrink to little."""

import subprocess
import sys
from enum import Enum
from itertools import product
from typing import Literal

import pytest
from high_card import GAME, Options
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st
from kifu.core.game import TABLE, mapping
from kifu.core.game import options as declared_options
from kifu.core.testing import matches, option_sets, positions
from kifu.core.testing.samples import surveyed
from kifu.core.wire import wire_of

QUIET = settings(database=None, derandomize=True, max_examples=100)


@given(match=matches(GAME))
def test_a_match_is_legal_play_of_any_number_of_seats_and_can_be_played_on(match):
    assert len(match.header.seats) in GAME.seats
    assert [step.after for step in match.steps] == list(match.states[1:])
    for seat in match.to_act - {TABLE}:
        match.play(seat, match.legal(seat)[0])


@given(match=matches(GAME, 3, {"hand": 1}, whole=True))
def test_seats_and_options_can_be_settled_and_a_whole_match_is_over(match):
    assert (len(match.header.seats), match.header.options.hand) == (3, 1)
    assert match.result is not None


@pytest.mark.parametrize("stands", ["at its start", "in the middle", "at its end"])
def test_matches_stand_anywhere(stands):
    def holds(match):
        return stands == ("at its start" if not match.events else "in the middle" if match.to_act else "at its end")

    find(matches(GAME), holds, settings=settings(QUIET, phases=[Phase.generate]))  # one is enough: it need not be small


def test_the_matches_of_a_survey_take_turns_in_the_number_of_seats_and_differ_in_options():
    looked_at = [(len(each.header.seats), each.header.options.hand) for each in surveyed(GAME, examples=12).matches]
    assert [seats for seats, _ in looked_at] == [3, 4, 5, 2] * 3
    assert {*looked_at} == {*product(GAME.seats, (1, 3, 5))}


@pytest.mark.ci
def test_matches_shrink_to_few_events():
    match = find(matches(GAME), lambda match: len(match.events) > 3, settings=QUIET)
    assert (len(match.events), len(match.header.seats)) == (4, 2)


def test_every_choice_of_an_option_is_drawn_and_no_other_value():
    drawn = set()
    QUIET(given(option_sets(GAME))(lambda options: drawn.add(options)))()
    assert drawn == {Options(1), Options(3), Options(5)}


@given(options=option_sets(GAME, 2, {"hand": st.sampled_from([1, 5])}))
def test_an_option_can_have_a_strategy_of_its_own(options):
    assert options.hand in (1, 5)


class Suit(Enum):
    RED = "red"
    BLACK = "black"


@declared_options
class ManyOptions:
    order: tuple[int, ...] = ()
    pair: tuple[Suit, bool] = (Suit.RED, False)
    start: tuple[tuple[int, Literal["x", "y"]], ...] = mapping(())
    names: tuple[str, ...] = ("a",)


MANY = GAME.altered(options=ManyOptions)


@pytest.mark.parametrize(
    "holds",
    [
        lambda options: len(options.order) > 1,
        lambda options: options.pair == (Suit.BLACK, True),
        lambda options: [way for _, way in options.start] == ["x", "y"],
    ],
    ids=["a tuple", "a pair", "a map"],
)
def test_options_that_are_tuples_and_maps_are_drawn(holds):
    find(option_sets(MANY, 3), holds, settings=settings(QUIET, phases=[Phase.generate]))


@given(options=option_sets(MANY, 3))
def test_drawn_tuples_and_maps_are_small_and_come_back_from_the_wire(options):
    assert options.names == ("a",)
    assert {*options.order, *dict(options.start)} <= {0, 1, 2}
    wire = wire_of(MANY)
    assert wire.options(wire.plain_options(options)) == options


@given(position=positions(GAME))
def test_a_position_answers(position):
    assert (position.result is None) is bool(position.to_act)


@pytest.mark.ci
@pytest.mark.parametrize("library", ["pytest", "hypothesis"])
def test_without_its_libraries_the_room_names_the_extra(library):
    code = f"import sys; sys.modules[{library!r}] = None; import kifu.core.testing"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "pip install 'kifu[test]'" in said.stderr.splitlines()[-1]
