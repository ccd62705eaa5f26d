"""The verdict of the laws is the truth, where the truth can be listed: every deal and history of a tiny game."""

import pytest
from kifu.core.game import TABLE, Card, Seat, TableRule
from kifu.core.testing import Case, game_laws
from kifu.core.testing.judge import Judge, mutants_of
from kifu.core.testing.mutation_report import surveyed

from .tiny import DECK, GAME, Deal, Lay, Options, Peek, Rule
from .tiny_world import LISTED, is_broken, nodes

START = GAME.start(Options(), 2)
DEALT = GAME.apply(START, TABLE, Deal(DECK))
ASKED = GAME.apply(DEALT, Seat(0), Peek(False))
OVER = GAME.apply(GAME.apply(ASKED, Seat(0), Lay(Card(1))), Seat(1), Lay(Card(3)))
CASES = [
    Case(TableRule.FORM, "four cards", START, TABLE, Deal(DECK[:4])),
    Case(TableRule.DEAL, "a card twice", START, TABLE, Deal((Card(1),) * 5)),
    Case(TableRule.TURN, "the other seat", ASKED, Seat(1), Lay(Card(3))),
    Case(TableRule.OVER, "a card after the end", OVER, Seat(0), Lay(Card(1))),
    Case(TableRule.ORDER, "a card before the peek", DEALT, Seat(0), Lay(Card(1))),
    Case(Rule.T_2, "a second peek", ASKED, Seat(0), Peek(True)),
    Case(Rule.T_3, "a card of the other hand", ASKED, Seat(0), Lay(Card(3))),
]
SURVEY = surveyed(GAME, cases=CASES)
JUDGE = Judge(SURVEY)
MUTANTS = [mutant for mutant in mutants_of(SURVEY) if mutant.broken != "texts"]


class TestLaws(game_laws(GAME, cases=CASES, examples=5)):  # type: ignore[misc]
    """All laws but one: no process of its own finds a game that is part of a test."""

    test_6_whatever_the_hash_seed = None


def test_the_good_game_is_whole() -> None:
    assert len(nodes()) == 1 + 60 * (1 + 2 + 4 + 4)
    assert not any(broken(GAME) for broken in LISTED)


@pytest.mark.ci
@pytest.mark.parametrize(
    "mutant",
    [
        pytest.param(mutant, id=str(mutant), marks=() if n % 4 == 0 else pytest.mark.long)
        for n, mutant in enumerate(MUTANTS)
    ],
)
def test_the_verdict_on_a_mutant_is_the_truth(mutant) -> None:
    verdict = JUDGE.verdict(mutant)
    assert not verdict.survives
    assert (verdict.law is not None) is is_broken(mutant.game), verdict.finding or verdict.same
