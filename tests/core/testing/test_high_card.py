"""The game that `replay new-game` writes keeps every law; a case may name its rule by number."""

import runpy

import pytest
from high_card import GAME, Rule
from kifu.core.errors import GameError
from kifu.core.testing import Case, game_laws, laws
from kifu.replay import starter

CASES = runpy.run_path(str(starter.TEMPLATE / "tests" / "test_laws.py"))["CASES"]

TestLaws = game_laws(GAME, cases=CASES)
pytest.mark.long(TestLaws.test_10_every_mutant_is_caught)  # `.ci/games` judges those of the package that is written


def test_a_case_takes_the_rule_or_its_number() -> None:
    by_number, by_rule = Case("HC-2", "x", None, 0, None), Case(Rule.HC_2, "x", None, 0, None)
    assert str(by_number) == str(by_rule) == "HC-2: x"


def test_a_number_that_no_rule_has_is_named_at_once() -> None:
    with pytest.raises(GameError, match="no rule HC-9"):
        game_laws(GAME, cases=[Case("HC-9", "x", None, 0, None)])


@pytest.mark.parametrize("examples", [None, 1, 100])
def test_law_10_surveys_as_many_matches_however_many_examples_the_others_have(monkeypatch, examples) -> None:
    def surveyed(game, *, examples, **given):
        raise LookupError(examples)

    monkeypatch.setattr(laws, "surveyed", surveyed)
    with pytest.raises(LookupError, match=f"^{laws.SURVEYED}$"):
        game_laws(GAME, cases=CASES, examples=examples)().test_10_every_mutant_is_caught()


def test_each_law_can_be_marked_as_other_tests_can() -> None:
    made = game_laws(GAME, cases=CASES)
    tests = [getattr(made, name) for name in dir(made) if name.startswith("test_")]
    assert [test for test in tests if not getattr(pytest.mark.long(test), "pytestmark", None)] == []
