"""The laws are right about games of other kinds: a board without a deal, and bids at the same time.

The correct ones are green, whatever the matches; broken ones are red.
"""

from collections.abc import Callable, Mapping
from itertools import count
from typing import Any

import attrs
import pytest
from kifu.core.game import Game, GameError, Result, Seat
from kifu.core.testing import Case, game_laws
from kifu.core.testing.judge import Judge, mutants_of
from kifu.core.testing.laws_of_information import determinizations_vary
from kifu.core.testing.laws_of_options import every_option_counts
from kifu.core.testing.laws_of_play import somebody_can_act
from kifu.core.testing.mutation_report import surveyed
from kifu.core.testing.play import played
from kifu.core.testing.strategies import matches
from reversi import GAME as reversi_game
from reversi import rules as reversi

from . import bids, dice, heap, mole, pits, race

GAMES = {"pits": pits, "bids": bids, "mole": mole}


def cases(module: Any) -> list[Case]:
    return [Case(rule, "no", state, seat, command) for rule, state, seat, command in module.BROKEN_RULES]


@pytest.mark.ci
class TestPits(game_laws(pits.GAME, cases=cases(pits), examples=8)):  # type: ignore[misc]
    """All laws but one: no process of its own finds a game that is part of a test."""

    test_6_whatever_the_hash_seed = None


@pytest.mark.ci
class TestBids(game_laws(bids.GAME, cases=cases(bids), examples=8)):  # type: ignore[misc]
    """All laws but one: no process of its own finds a game that is part of a test."""

    test_6_whatever_the_hash_seed = None


@pytest.mark.ci
@pytest.mark.parametrize("name", GAMES)
def test_no_seed_makes_a_false_alarm(name: str) -> None:
    game = GAMES[name].GAME
    for number in range(60):
        determinizations_vary(played(game, min(game.seats), game.options(), number))


def loses_a_seed(state: Any, seat: Seat, command: Any) -> Any:
    after = pits.apply(state, seat, command)
    return attrs.evolve(after, pits=(max(0, after.pits[0] - 1), *after.pits[1:])) if after.moves == 3 else after


def loses_what_is_taken(state: Any, seat: Seat, command: Any) -> Any:
    return attrs.evolve(pits.apply(state, seat, command), stores=state.stores)


def forgets_a_late_move(state: Any, seat: Seat) -> Any:
    listed = list(pits.legal(state, seat))
    return iter(listed[:-1] if len(listed) > 1 and state.moves >= 7 else listed)


def counts_one_too_many(state: Any) -> Result | None:
    ended = pits.result(state)
    return None if ended is None else Result((ended.points[0] + 1, *ended.points[1:]), ended.winners)


def counts_its_calls(calls: Any) -> Callable[..., Any]:
    def apply(state: Any, seat: Seat, command: Any) -> Any:
        after = pits.apply(state, seat, command)
        return attrs.evolve(after, stores=after.stores[::-1]) if next(calls) % 5 == 4 else after

    return apply


def sees_as_seat_0(state: Any, viewer: Seat | None) -> Any:
    return pits.view(state, Seat(0))


def remembers(view: Any, shuffler: Any) -> Any:
    """Draw always the same hidden cards: the ascending ones."""
    return bids.determinize(view, Still())


class Still:
    """A shuffler that does not shuffle."""

    def shuffle(self, things: Any) -> Any:
        return tuple(things)


def changed(game: Game[Any, Any, Any], **functions: Any) -> Game[Any, Any, Any]:
    return attrs.evolve(game, **functions)


BROKEN = {
    "seeds are lost": ("test_4_no_card_is_lost", changed(pits.GAME, apply=loses_a_seed)),
    "what is taken is lost": ("test_4_no_card_is_lost", changed(pits.GAME, apply=loses_what_is_taken)),
    "a late move is missing": ("test_2_legal_and_apply_agree", changed(pits.GAME, legal=forgets_a_late_move)),
    "a point too many": ("test_9_a_frontend_can_show_and_play_it", changed(pits.GAME, result=counts_one_too_many)),
    "a point too many, in the end": (
        "test_9_whole_matches_can_be_shown",
        changed(pits.GAME, result=counts_one_too_many),
    ),
    "it is impure": ("test_1_apply_is_pure", changed(pits.GAME, apply=counts_its_calls(count()))),
    "all see as seat 0": ("test_9_a_frontend_can_show_and_play_it", changed(pits.GAME, view=sees_as_seat_0)),
    "the draw is always the same": ("test_5_draws_vary", changed(bids.GAME, determinize=remembers)),
}


@pytest.mark.parametrize(("law", "game"), BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_one_is_red(law: str, game: Game[Any, Any, Any]) -> None:
    with pytest.raises(AssertionError):
        getattr(game_laws(game, examples=20)(), law)()


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


def test_options_may_be_maps_which_have_no_hash() -> None:
    @attrs.frozen
    class Options:
        worth: Mapping[str, int] = attrs.field(factory=dict)

    sets = [Options({"a": each}) for each in range(2)]
    game = changed(pits.GAME, options=Options, check_options=lambda *_: None)
    every_option_counts(changed(game, start=lambda options, _: dict(options.worth)), sets)
    with pytest.raises(AssertionError, match="the option worth changes nothing"):
        every_option_counts(changed(game, start=lambda *_: {}), sets)


def test_half_a_team_does_not_win() -> None:
    def of_one_team(state: Any) -> Result | None:
        ended = pits.result(state)
        return None if ended is None else Result(ended.points, (Seat(0),), (0, 0))

    game = changed(pits.GAME, result=of_one_team)
    with pytest.raises(AssertionError, match="a team wins or loses whole"):
        somebody_can_act(played(game, 2, game.options(), 0))


def test_all_missing_words_are_named_at_once() -> None:
    game = changed(pits.GAME, texts=bids.__name__)
    with pytest.raises(AssertionError, match=r"no message command-sow; .*no message note-sown; .*no message zone-pits"):
        game_laws(game)().test_8_everything_has_its_words()


@pytest.mark.ci
def test_a_game_that_fails_itself_is_told_once_and_no_mutant_is_judged() -> None:
    game = changed(pits.GAME, wire={pits.Sow: "scatter"})
    with pytest.raises(AssertionError, match="the game itself fails") as told:
        game_laws(game)().test_10_every_mutant_is_caught()
    assert "SURVIVES" not in str(told.value)


@pytest.mark.ci
@pytest.mark.parametrize("name", [*GAMES, "mabr"])
def test_every_other_match_stands_at_its_end(name: str) -> None:
    from hypothesis import given, settings
    from kifu import games

    game = GAMES[name].GAME if name in GAMES else games.find(name)
    ended: list[bool] = []

    @settings(max_examples=60, derandomize=True, database=None, deadline=None)
    @given(match=matches(game, options={"lexicon": "kifu-ja-1"} if name == "mabr" else None))
    def draw(match: Any) -> None:
        ended.append(match.result is not None)

    draw()
    assert sum(ended) >= 0.4 * len(ended)


def leaves_out_a_rare_command(state: Any, seat: Seat) -> Any:
    """Forget the last space of a seat that has hardly a disc left."""
    listed = list(reversi.legal(state, seat))
    is_rare = len(listed) > 1 and state.discs.count(seat) <= 2 < len(state.discs) - state.discs.count(None)
    return iter(listed[:-1] if is_rare else listed)


def test_directed_play_finds_a_command_that_is_missing_in_a_rare_state() -> None:
    game = changed(reversi_game, legal=leaves_out_a_rare_command)
    laws = game_laws(game, options={"size": 4}, examples=60)
    with pytest.raises(AssertionError, match="legal does not yield it"):
        laws().test_2_legal_and_apply_agree_in_rare_states()


def leaves_out_what_is_at_3(state: Any, seat: Seat) -> Any:
    """Forget to move from space 3, unless nothing is listed before it."""
    return (run for at, run in enumerate(race.legal(state, seat)) if at == 0 or run.space != 3)


def test_a_command_that_no_list_near_it_has_is_found_by_its_values(fails: Callable[..., None]) -> None:
    game = changed(race.GAME, legal=leaves_out_what_is_at_3)
    fails("test_2_legal_and_apply_agree_in_rare_states", game, "legal does not yield it")


def names_houses_of_seat_0(command: Any) -> Any:
    """Number the houses from each seat's own side: seat 1 would have to click those of seat 0."""
    return (("pit", command.pit % 2 + 1),)


def test_a_seat_that_has_to_click_anothers_things_is_found() -> None:
    game = changed(pits.GAME, parts=names_houses_of_seat_0)
    with pytest.raises(AssertionError, match="seat 1 names lie before others"):
        game_laws(game, examples=20)().test_9_whole_matches_can_be_shown()


def test_a_law_that_has_nothing_to_judge_says_so() -> None:
    laws = game_laws(reversi_game, options={"size": 4}, examples=2)
    for name in ("test_5_draws_vary", "test_5_form_is_public"):
        with pytest.raises(pytest.skip.Exception, match="nothing to judge: nothing is hidden"):
            getattr(laws(), name)()
    no_deals = ("test_5_deals_tell_all", "test_5_deals_tell_no_more")
    for name in (*no_deals, "test_5_hints_hold", "test_9_golden_logs_are_shown"):
        marks = [mark for mark in getattr(laws, name).pytestmark if mark.name == "skipif" and mark.args[0]]
        assert [mark.kwargs["reason"].partition(":")[0] for mark in marks] == ["nothing to judge"], name


def test_cards_that_yield_nothing_are_no_proof() -> None:
    law = game_laws(changed(pits.GAME, cards=lambda state: iter(())), examples=2)().test_4_no_card_is_lost
    with pytest.raises(pytest.skip.Exception, match="nothing to judge: `cards` of this game"):
        law()


@pytest.mark.parametrize("name", ["cards", "deal", "legal", "explain"])
def test_what_is_no_function_of_a_game_is_named_when_it_is_made(name: str) -> None:
    with pytest.raises(
        GameError, match=f"'pits': `{name}` is a function, not None; what a game need not have, it leaves"
    ):
        changed(pits.GAME, **{name: None})


def test_a_match_that_cannot_be_played_says_what_legal_yields() -> None:
    game = changed(pits.GAME, legal=lambda state, seat: iter([pits.Sow(99)] if seat in pits.to_act(state) else []))
    with pytest.raises(AssertionError, match=r"legal yields Sow\(pit=99\) to seat 0, but apply refuses it"):
        played(game, 2, game.options(), 0)


@pytest.mark.parametrize("game", [pits.GAME, heap.GAME], ids=repr)
def test_a_draw_that_contradicts_the_view_is_tried_where_no_cards_can_be_swapped(game: Game[Any, Any, Any]) -> None:
    seen = surveyed(game, examples=2)
    contradicts = next(each for each in mutants_of(seen) if each.how == "a draw contradicts the view")
    assert Judge(seen).verdict(contradicts).law == "5 nothing leaks"
