"""The verdict of the laws is the truth, where the truth can be listed: every deal and history of a tiny game."""

from functools import cache

import pytest
from kifu.core.game import TABLE, Card, TableRule
from kifu.core.testing import Case, game_laws
from kifu.core.testing.judging import Judge
from kifu.core.testing.mutants import mutants_of
from kifu.core.testing.samples import surveyed

from .broken_play import play_mutants
from .tiny_world import LISTED, is_broken, nodes
from .toys.tiny import DECK, GAME, Deal, Lay, Peek, Rule

START = GAME.start(GAME.options(), 2)
DEALT = GAME.apply(START, TABLE, Deal(DECK))
ASKED = GAME.apply(DEALT, 0, Peek(False))
OVER = GAME.apply(GAME.apply(ASKED, 0, Lay(Card(1))), 1, Lay(Card(3)))
CASES = [
    Case(TableRule.FORM, "four cards", START, TABLE, Deal(DECK[:4])),
    Case(TableRule.DEAL, "a card twice", START, TABLE, Deal((Card(1),) * 5)),
    Case(TableRule.TURN, "the other seat", ASKED, 1, Lay(Card(3))),
    Case(TableRule.OVER, "a card after the end", OVER, 0, Lay(Card(1))),
    Case(TableRule.ORDER, "a card before the peek", DEALT, 0, Lay(Card(1))),
    Case(Rule.T_2, "a second peek", ASKED, 0, Peek(True)),
    Case(Rule.T_3, "a card of the other hand", ASKED, 0, Lay(Card(3))),
]


class TestLaws(game_laws(GAME, cases=CASES, examples=5)):  # type: ignore[misc]
    """All laws but one: no process of its own finds a game that is part of a test."""

    test_6_whatever_the_hash_seed = None


@pytest.mark.ci
def test_the_good_game_is_whole() -> None:
    assert len(nodes()) == 1 + 60 * (1 + 2 + 4 + 4)
    assert not any(broken(GAME) for broken in LISTED)


PARTS = 12


@cache
def judge() -> Judge:
    return Judge(surveyed(GAME, cases=CASES))


@pytest.mark.ci
@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.long) for part in range(1, PARTS))])
def test_the_verdict_on_a_mutant_is_the_truth(part: int) -> None:
    mutants = [*mutants_of(judge().survey), *play_mutants(judge().survey)]
    assert len(mutants) > 90
    for mutant in mutants[part::PARTS]:
        verdict = judge().verdict(mutant)
        assert not verdict.survives, mutant
        assert (verdict.law is not None) is is_broken(mutant.game), (str(mutant), verdict.finding or verdict.same)
