"""Correct games of all kinds are green, whatever the seed: boards, bids, dice, hands, draws, teams, co-operation …

Under one seed in `.ci/run`, under twenty with `-m long`; and no mutant of a toy survives. `.ci/games` judges packages.
"""

import runpy
from pathlib import Path
from typing import Any

import nim
import pytest
import wolves
from goofspiel import GAME as GOOFSPIEL
from hypothesis import core
from kifu import games
from kifu.core.game import TABLE, TableRule
from kifu.core.testing import Case, game_laws
from kifu.core.testing.judging import Judge
from kifu.core.testing.laws_of_chance import determinizations_vary
from kifu.core.testing.laws_of_play import no_card_is_lost
from kifu.core.testing.laws_of_scenes import scores_come_first
from kifu.core.testing.mutants import mutants_of, rebased
from kifu.core.testing.play import played
from kifu.core.testing.samples import surveyed
from kifu.core.text.texts import Texts

from .broken_play import play_mutants
from .judging import failures, nothing_to_judge
from .test_broken_texts import LEXICON
from .toys import dice, heap, market, race

ROOT = Path(__file__).parents[3]
ALONE = str(ROOT / "docs" / "examples" / "high_card.py")
HIGH_CARD_ALONE = runpy.run_path(ALONE, run_name="high_card_in_one_file")["GAME"]
GAMES: dict[str, tuple[Any, dict[str, Any]]] = {
    "dice": (dice.GAME, {"dice": 1}),
    "wolves": (wolves.GAME, {"wolves": 1}),
    "race": (race.GAME, {}),
    "market": (market.GAME, {}),
    **{f"heap {kind}": (heap.GAME, {"kind": kind}) for kind in heap.KINDS},
    "high card in one file": (HIGH_CARD_ALONE, {}),
    "nim": (nim.GAME, {}),
}
NOT_HERE = ("test_6_whatever_the_hash_seed", "test_7_", "test_10_")
"""A process of its own finds no game of a test; rules that random play seldom meets have golden logs elsewhere."""


SEEDS = [
    pytest.param(0, marks=pytest.mark.ci),
    *(pytest.param(number, marks=pytest.mark.long) for number in range(1, 20)),
]


@pytest.mark.parametrize("number", SEEDS)
@pytest.mark.parametrize("name", GAMES)
def test_it_is_green_under_every_seed(name: str, number: int) -> None:
    game, options = GAMES[name]
    core.global_force_seed = number
    try:
        assert [*failures(game, without=NOT_HERE, options=options, examples=4)] == []
    finally:
        core.global_force_seed = None


START = heap.start(heap.Options(), 2)
HEAP_CASES = [
    Case(TableRule.FORM, "three", START, 0, heap.Take(3)),
    Case(TableRule.TURN, "out of turn", START, 1, heap.Take(1)),
    Case("H-2", "back, where nothing goes back", START, 0, heap.Take(-1)),
]

ROLLED = dice.apply(dice.start(dice.Options(), 2), TABLE, dice.Roll((1, 2, 3, 4)))
BID = dice.apply(ROLLED, 0, dice.Bid(2, 3))
DICE_CASES = [
    Case(TableRule.FORM, "a face that there is not", ROLLED, 0, dice.Bid(1, 7)),
    Case(TableRule.FORM, "too many dice", dice.start(dice.Options(), 2), TABLE, dice.Roll((1,) * 5)),
    Case(TableRule.TURN, "a bid of another", ROLLED, 1, dice.Bid(1, 1)),
    Case(TableRule.TURN, "a second roll", ROLLED, TABLE, dice.Roll((1,) * 4)),
    Case("DICE-2", "a lower bid", BID, 1, dice.Bid(2, 2)),
    Case("DICE-2", "more than there are", BID, 1, dice.Bid(5, 2)),
    Case("DICE-2", "no dice", ROLLED, 0, dice.Bid(0, 2)),
    Case("DICE-3", "a call without a bid", ROLLED, 0, dice.Call()),
]

JUDGED: dict[str, tuple[Any, dict[str, Any], list[Case]]] = {
    "dice": (dice.GAME, {}, DICE_CASES),
    **{f"heap {kind}": (heap.GAME, {"kind": kind}, HEAP_CASES) for kind in heap.KINDS},
    "high card in one file": (HIGH_CARD_ALONE, {}, []),
    "nim": (nim.GAME, {}, []),
}
"""Some of them are derived but for their rules, and no case is written for two."""


MANY_MUTANTS = {"dice", "high card in one file", *(f"heap {kind}" for kind in heap.KINDS[1:])}


@pytest.mark.ci
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] if name in MANY_MUTANTS else []) for name in JUDGED]
)
def test_no_mutant_survives_and_every_case_is_refused(name: str) -> None:
    game, options, cases = JUDGED[name]
    laws = game_laws(game, options=options, cases=cases, examples=8)()
    for case in cases:
        laws.test_7_case(case)
    laws.test_10_every_mutant_is_caught()
    seen = surveyed(game, options=options, examples=6)
    assert [each.mutant for each in Judge(seen).verdicts(play_mutants(seen)) if each.survives] == []


def test_a_short_run_breaks_what_is_written_by_hand_and_a_long_one_all() -> None:
    seen = surveyed(nim.GAME, examples=2)
    assert {each.broken for each in mutants_of(seen, by_hand=True)} == {"apply"}
    assert {each.broken for each in mutants_of(seen)} > {"apply", "view"}


@pytest.mark.long
@pytest.mark.parametrize("name", games.names())
def test_whatever_judges_counts_or_lays_out_wrongly_is_caught(name: str) -> None:
    golden = ROOT / "fixtures" / name
    seen = surveyed(games.find(name), options=LEXICON.get(name), golden=golden, examples=6)
    assert [each.mutant for each in Judge(seen).verdicts(play_mutants(seen)) if each.survives] == []


@pytest.mark.ci
@pytest.mark.parametrize("game", [heap.GAME, wolves.GAME, pytest.param(GOOFSPIEL, marks=pytest.mark.long)], ids=repr)
def test_no_seed_makes_a_false_alarm(game: Any) -> None:
    for number in range(12):
        for part in (0.01, 1):  # once dealt, the only wolf knows all
            determinizations_vary(played(game, min(game.seats), game.options(), number, part))


def test_where_nothing_stays_the_fourth_law_says_that_it_has_nothing_to_judge() -> None:
    assert nothing_to_judge(dice.GAME, "test_4_no_card_is_lost") == "this game has no cards that stay"
    none = dice.GAME.altered(cards=lambda state: (), has_cards=True)
    with pytest.raises(AssertionError, match="or leave it out"):
        no_card_is_lost(played(none, 2, none.options(), 0))


def test_one_message_serves_all_numbers_of_a_part() -> None:
    texts = Texts("en")
    assert [texts.label(f"part-bid-count-{number}", dice.GAME) for number in (1, 15)] == ["count 1", "count 15"]
    assert texts.label("part-do-call", dice.GAME) == "call it a lie"
    assert texts.command(dice.Bid(3, 6), dice.GAME) == "bid 3 dice of 6"


def test_who_is_shown_as_out_is_not_asked() -> None:
    match = played(heap.GAME, 3, heap.Options("out"), 0)
    scores_come_first(match)
    asks_all = heap.GAME.altered(to_act=lambda state: heap.to_act(state) and frozenset(range(3)))
    with pytest.raises(AssertionError, match="is shown as out"):
        scores_come_first(rebased(match, asks_all))
