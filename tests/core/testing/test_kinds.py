"""The laws are right about games of other kinds: a board, heaps, dice.

The correct ones are green, whatever the matches; broken ones are red.
"""

from collections.abc import Callable
from typing import Any

import attrs
import pytest
from kifu import games
from kifu.core.game import Game, Result, Thing, Zone, mapping, options
from kifu.core.testing import game_laws
from kifu.core.testing.judging import Judge
from kifu.core.testing.laws_of_play import somebody_can_act
from kifu.core.testing.laws_of_record import every_option_counts
from kifu.core.testing.laws_of_scenes import parts_are_ones_own, scores_come_first
from kifu.core.testing.laws_of_texts import needed_in
from kifu.core.testing.mutants import mutants_of, rebased
from kifu.core.testing.play import played
from kifu.core.testing.samples import surveyed
from reversi import GAME as reversi_game

from .judging import nothing_to_judge
from .toys import dice, heap, race

CAKE = games.find("cake")


@pytest.mark.parametrize("game", [heap.GAME, dice.GAME, reversi_game], ids=repr)
def test_an_option_that_is_ignored_is_named(game: Game[Any, Any, Any]) -> None:
    game_laws(game)().test_7_every_option_counts()
    ignores = game.altered(start=lambda options, seats: game.start(game.options(), seats))
    with pytest.raises(AssertionError, match="changes nothing: `start` makes the same state"):
        game_laws(ignores)().test_7_every_option_counts()


def test_options_may_be_maps_and_states_without_a_hash() -> None:
    @options
    class Options:
        worth: tuple[tuple[str, int], ...] = mapping(())

    sets = [Options((("a", each),)) for each in range(2)]
    game = heap.GAME.altered(options=Options, check_options=lambda *_: None)
    every_option_counts(game.altered(start=lambda options, _: dict(options.worth)), sets, ())
    with pytest.raises(AssertionError, match="the option worth changes nothing"):
        every_option_counts(game.altered(start=lambda *_: {}), sets, ())


def ended_with(*told: Any) -> Any:
    """Return the game with other winners, and teams, at its end."""
    return heap.GAME.altered(result=lambda state: heap.result(state) and Result(heap.scores(state), *told))


def test_a_loss_of_all_is_a_result_and_half_a_team_does_not_win() -> None:
    somebody_can_act(played(ended_with(()), 2, heap.Options(), 0))
    with pytest.raises(AssertionError, match="a team wins or loses whole"):
        somebody_can_act(played(ended_with((0,), (0, 0)), 2, heap.Options(), 0))


def test_all_missing_words_are_named_at_once() -> None:
    game = reversi_game.altered(catalogues=("kifu.games.cake",))
    with pytest.raises(AssertionError, match=r"no message command-place; .*message note-placed; .*message zone-board"):
        game_laws(game)().test_8_everything_has_its_words()


@pytest.mark.ci
def test_a_game_that_fails_itself_is_told_once_and_no_mutant_is_judged() -> None:
    game = heap.GAME.altered(parts=lambda command: ())
    with pytest.raises(AssertionError, match="the game itself fails") as told:
        game_laws(game)().test_10_every_mutant_is_caught()
    assert "SURVIVES" not in str(told.value)


def leaves_out_a_rare_command(state: Any, seat: int) -> Any:
    """Forget the last space of a seat that has hardly a disc left."""
    listed = list(reversi_game.legal(state, seat))
    is_rare = len(listed) > 1 and state.discs.count(seat) <= 2 < len(state.discs) - state.discs.count(None)
    return iter(listed[:-1] if is_rare else listed)


def test_directed_play_finds_a_command_that_is_missing_in_a_rare_state() -> None:
    game = reversi_game.altered(legal=leaves_out_a_rare_command)
    laws = game_laws(game, options={"size": 4}, examples=60)
    with pytest.raises(AssertionError, match="legal does not yield it"):
        laws().test_2_legal_and_apply_agree_in_rare_states()


def leaves_out_what_is_at_3(state: Any, seat: int) -> Any:
    """Forget to move from space 3, unless nothing is listed before it."""
    return (run for at, run in enumerate(race.GAME.legal(state, seat)) if at == 0 or run.space != 3)


def test_a_command_that_no_list_near_it_has_is_found_by_its_values(fails: Callable[..., None]) -> None:
    game = race.GAME.altered(legal=leaves_out_what_is_at_3)
    fails("test_2_legal_and_apply_agree_in_rare_states", game, "legal does not yield it")


def before_each_seat(view: Any) -> Any:
    """Lay two things before each seat, one for each number of pebbles that it may take."""
    laid = heap.GAME.scene(view)
    things = [[Thing(part=("pebbles", 2 * place.seat + count)) for count in (1, 2)] for place in laid.places]
    zones = [Zone("zone-pebbles", tuple(each)) for each in things]
    places = [attrs.evolve(place, zones=(zone,)) for place, zone in zip(laid.places, zones, strict=True)]
    return attrs.evolve(laid, places=tuple(places))


def in_the_middle_too(view: Any) -> Any:
    """A card of a row that all may take is named by its kind, and others have bought the like."""
    laid = before_each_seat(view)
    zones = [zone for place in laid.places for zone in place.zones]
    return attrs.evolve(laid, table=attrs.evolve(laid.table, zones=tuple(zones)))


def test_a_seat_that_has_to_click_anothers_things_is_found() -> None:
    """The parts are numbered from each seat's own side: seat 1 would have to click those of seat 0."""
    named_as_by_seat_0 = heap.GAME.altered(parts=lambda command: (("pebbles", command.count),))
    wrong = played(named_as_by_seat_0.altered(scene=before_each_seat), 2, heap.Options("again"), 2)
    with pytest.raises(AssertionError, match="seat 1 names lie before others"):
        parts_are_ones_own(wrong)
    parts_are_ones_own(rebased(wrong, named_as_by_seat_0.altered(scene=in_the_middle_too)))


def of_one_at_most(view: Any) -> Any:
    """Whoever adds an option that lets a brother eat three cards is told that the scene still says "of 2"."""
    laid = CAKE.scene(view)
    facts = [(place.facts[0], attrs.evolve(place.facts[1], of=1)) for place in laid.places]
    places = (attrs.evolve(place, facts=less) for place, less in zip(laid.places, facts, strict=True))
    return attrs.evolve(laid, places=tuple(places))


def a_tuple_among_things(view: Any) -> Any:
    """Whoever forgets that `card_bundle` gives a tuple, and puts that among the things, is told so."""
    laid = CAKE.scene(view)
    first, *rest = (attrs.evolve(zone, things=(zone.things, *zone.things)) for zone in laid.table.zones)
    return attrs.evolve(laid, table=attrs.evolve(laid.table, zones=(first, *rest)))


def words_are_found(match: Any) -> None:
    needed_in(match.game, [match], ())


NO_THING = r"the things of zone-[a-z-]+ are `Thing`s, one after the other, and not "
SCENES: dict[str, tuple[dict[str, Any], Callable[[Any], None], str]] = {
    "other scores": ({"scores": lambda state: (9,) * len(state.eaten)}, scores_come_first, "`scores` counts"),
    "a fact above the greatest possible": ({"scene": of_one_at_most}, scores_come_first, "fact-eaten is 2 of 1"),
    "what is no thing": ({"scene": a_tuple_among_things}, scores_come_first, NO_THING),
    "what is no thing, to law 8": ({"scene": a_tuple_among_things}, words_are_found, NO_THING),
}


@pytest.mark.parametrize(("changes", "law", "says"), SCENES.values(), ids=SCENES)
def test_what_no_frontend_can_draw_is_named(changes: dict[str, Any], law: Callable[[Any], None], says: str) -> None:
    match = played(CAKE.altered(**changes), 3, CAKE.options(), 1)
    with pytest.raises(AssertionError, match=says):
        law(match)


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
    game = heap.GAME.altered(cards=lambda state: iter(()))
    assert nothing_to_judge(game, "test_4_no_card_is_lost", examples=2).startswith("`cards` of this game")


def test_a_match_that_cannot_be_played_says_what_legal_yields() -> None:
    game = heap.GAME.altered(legal=lambda state, seat: [heap.Take(99)])
    with pytest.raises(AssertionError, match=r"legal yields Take\(count=99\) to seat 0, but apply refuses it"):
        played(game, 2, game.options(), 0)


def test_a_draw_that_contradicts_the_view_is_tried_where_no_cards_can_be_swapped() -> None:
    seen = surveyed(heap.GAME, examples=2)
    contradicts = next(each for each in mutants_of(seen) if each.how == "a draw contradicts the view")
    assert Judge(seen).verdict(contradicts).law == "5 nothing leaks"
