"""The laws are right about games of other kinds: a board without a deal, heaps, dice.

The correct ones are green, whatever the matches; broken ones are red.
"""

from collections.abc import Callable
from typing import Any

import attrs
import pytest
from kifu.core.game import Game, Result, mapping, options
from kifu.core.testing import game_laws
from kifu.core.testing.judging import Judge
from kifu.core.testing.laws_of_play import somebody_can_act
from kifu.core.testing.laws_of_record import every_option_counts
from kifu.core.testing.laws_of_scenes import parts_are_ones_own
from kifu.core.testing.mutants import mutants_of
from kifu.core.testing.play import played
from kifu.core.testing.samples import surveyed
from reversi import GAME as reversi_game

from .judging import nothing_to_judge
from .toys import dice, heap, pits, race


def changed(game: Game[Any, Any, Any], **functions: Any) -> Game[Any, Any, Any]:
    return game.altered(**functions)


def test_a_loss_of_all_is_a_result() -> None:
    def lost(state: Any) -> Result | None:
        ended = pits.result(state)
        return None if ended is None else Result(ended.points, ())

    game = changed(pits.GAME, result=lost)
    somebody_can_act(played(game, 2, game.options(), 0))


@pytest.mark.parametrize("game", [heap.GAME, dice.GAME, reversi_game], ids=repr)
def test_an_option_that_is_ignored_is_named(game: Game[Any, Any, Any]) -> None:
    game_laws(game)().test_7_every_option_counts()
    ignores = changed(game, start=lambda options, seats: game.start(game.options(), seats))
    with pytest.raises(AssertionError, match="changes nothing: `start` makes the same state"):
        game_laws(ignores)().test_7_every_option_counts()


def test_options_may_be_maps_and_states_without_a_hash() -> None:
    @options
    class Options:
        worth: tuple[tuple[str, int], ...] = mapping(())

    sets = [Options((("a", each),)) for each in range(2)]
    game = changed(pits.GAME, options=Options, check_options=lambda *_: None)
    every_option_counts(changed(game, start=lambda options, _: dict(options.worth)), sets, ())
    with pytest.raises(AssertionError, match="the option worth changes nothing"):
        every_option_counts(changed(game, start=lambda *_: {}), sets, ())


def test_half_a_team_does_not_win() -> None:
    def of_one_team(state: Any) -> Result | None:
        ended = pits.result(state)
        return None if ended is None else Result(ended.points, (0,), (0, 0))

    game = changed(pits.GAME, result=of_one_team)
    with pytest.raises(AssertionError, match="a team wins or loses whole"):
        somebody_can_act(played(game, 2, game.options(), 0))


def test_all_missing_words_are_named_at_once() -> None:
    game = changed(pits.GAME, catalogues=("kifu.games.cake",))
    with pytest.raises(AssertionError, match=r"no message command-sow; .*no message note-sown; .*no message zone-pits"):
        game_laws(game)().test_8_everything_has_its_words()


@pytest.mark.ci
def test_a_game_that_fails_itself_is_told_once_and_no_mutant_is_judged() -> None:
    game = changed(pits.GAME, parts=lambda command: ())
    with pytest.raises(AssertionError, match="the game itself fails") as told:
        game_laws(game)().test_10_every_mutant_is_caught()
    assert "SURVIVES" not in str(told.value)


def leaves_out_a_rare_command(state: Any, seat: int) -> Any:
    """Forget the last space of a seat that has hardly a disc left."""
    listed = list(reversi_game.legal(state, seat))
    is_rare = len(listed) > 1 and state.discs.count(seat) <= 2 < len(state.discs) - state.discs.count(None)
    return iter(listed[:-1] if is_rare else listed)


def test_directed_play_finds_a_command_that_is_missing_in_a_rare_state() -> None:
    game = changed(reversi_game, legal=leaves_out_a_rare_command)
    laws = game_laws(game, options={"size": 4}, examples=60)
    with pytest.raises(AssertionError, match="legal does not yield it"):
        laws().test_2_legal_and_apply_agree_in_rare_states()


def leaves_out_what_is_at_3(state: Any, seat: int) -> Any:
    """Forget to move from space 3, unless nothing is listed before it."""
    return (run for at, run in enumerate(race.GAME.legal(state, seat)) if at == 0 or run.space != 3)


def test_a_command_that_no_list_near_it_has_is_found_by_its_values(fails: Callable[..., None]) -> None:
    game = changed(race.GAME, legal=leaves_out_what_is_at_3)
    fails("test_2_legal_and_apply_agree_in_rare_states", game, "legal does not yield it")


def names_houses_of_seat_0(command: Any) -> Any:
    """Number the houses from each seat's own side: seat 1 would have to click those of seat 0."""
    return (("pit", command.pit % 2),)


def test_a_seat_that_has_to_click_anothers_things_is_found() -> None:
    game = changed(pits.GAME, parts=names_houses_of_seat_0)
    with pytest.raises(AssertionError, match="seat 1 names lie before others"):
        game_laws(game, examples=20)().test_9_whole_matches_can_be_shown()


def test_what_lies_in_the_middle_too_is_not_only_anothers() -> None:
    """A card of a row that all may take is named by its kind, and others have bought the like."""

    def scene(view: Any) -> Any:
        laid = pits.GAME.scene(view)
        zones = [zone for place in laid.places for zone in place.zones]
        return attrs.evolve(laid, table=attrs.evolve(laid.table, zones=tuple(zones)))

    game = changed(pits.GAME, parts=names_houses_of_seat_0, scene=scene)
    for number in range(4):
        parts_are_ones_own(played(game, 2, game.options(), number))


@pytest.mark.parametrize(
    ("law", "nothing"),
    [
        ("5_draws_vary", "nothing is hidden from anybody"),
        ("5_form_is_public", "nothing is hidden from anybody"),
        ("5_deals_are_told", "this game has no deal"),
        ("5_hints_hold", "this game has no hints for bots"),
        ("9_golden_logs_are_shown", "no golden logs are given"),
    ],
)
def test_a_law_that_has_nothing_to_judge_says_so(law: str, nothing: str) -> None:
    assert nothing_to_judge(reversi_game, f"test_{law}", options={"size": 4}, examples=2) == nothing


def test_cards_that_yield_nothing_are_no_proof() -> None:
    game = changed(pits.GAME, cards=lambda state: iter(()))
    assert nothing_to_judge(game, "test_4_no_card_is_lost", examples=2).startswith("`cards` of this game")


def test_a_match_that_cannot_be_played_says_what_legal_yields() -> None:
    game = changed(pits.GAME, legal=lambda state, seat: iter([pits.Sow(99)] if seat in pits.to_act(state) else []))
    with pytest.raises(AssertionError, match=r"legal yields Sow\(pit=99\) to seat 0, but apply refuses it"):
        played(game, 2, game.options(), 0)


@pytest.mark.parametrize("game", [pits.GAME, heap.GAME], ids=repr)
def test_a_draw_that_contradicts_the_view_is_tried_where_no_cards_can_be_swapped(game: Game[Any, Any, Any]) -> None:
    seen = surveyed(game, examples=2)
    contradicts = next(each for each in mutants_of(seen) if each.how == "a draw contradicts the view")
    assert Judge(seen).verdict(contradicts).law == "5 nothing leaks"
