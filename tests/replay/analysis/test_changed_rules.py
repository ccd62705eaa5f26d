"""The rules that a change concerns are read from the source of the game."""

import pytest
from kifu import games
from kifu.core.trace.sources import game_sources
from kifu.replay.analysis.changed_rules import rules_between, rules_of_options

GAME = games.find("take_and_share")
RULES = "kifu.games.take_and_share.rules"
MODEL = "kifu.games.take_and_share.model"


def concerned(module: str, before: str, after: str) -> set[str]:
    sources = game_sources(GAME)
    assert before in sources[module]
    return set(rules_between(GAME, sources, {**sources, module: sources[module].replace(before, after)}))


@pytest.mark.parametrize("game", games.names())
def test_the_source_of_a_game_is_all_its_own_modules(game: str) -> None:
    sources = game_sources(games.find(game))
    assert {f"kifu.games.{game}.{name}" for name in ("rules", "model", "explain", "view", "scene")} <= set(sources)
    assert all(name.startswith(f"kifu.games.{game}.") for name in sources)


def test_a_changed_function_concerns_the_rules_of_its_docstring() -> None:
    assert concerned(RULES, "min(", "max(") >= {"TS-4", "TS-5", "TS-6"}


def test_a_changed_constant_concerns_the_rules_of_what_uses_it() -> None:
    assert "TS-14" in concerned(RULES, "LONG_GOAL = {3: 30", "LONG_GOAL = {3: 31")
    assert "TS-2" not in concerned(RULES, "LONG_GOAL = {3: 30", "LONG_GOAL = {3: 31")


def test_comments_and_docstrings_concern_nothing() -> None:
    assert concerned(RULES, "Set the table before the first deal.", "Set it.") == set()


def test_what_cannot_be_parsed_differs_and_raises_nothing() -> None:
    sources = game_sources(GAME)
    assert rules_between(GAME, sources, {**sources, RULES: "def ("}) >= {"TS-2", "TS-6", "TS-8"}


def test_an_option_concerns_the_rules_of_the_code_that_reads_it() -> None:
    assert rules_of_options(GAME, game_sources(GAME), ["first"]) == {"TS-R2"}
    assert "TS-14" in rules_of_options(GAME, game_sources(GAME), ["long"])
    assert rules_of_options(GAME, game_sources(GAME), ["hands"]) == frozenset()
