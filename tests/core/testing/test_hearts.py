"""The example that was written from the docs alone keeps every law; its second version reads its first."""

import runpy
from pathlib import Path

import pytest
from hearts import GAME
from kifu.core.game import Card
from kifu.core.log import read
from kifu.core.testing import game_laws
from kifu.core.trace.golden import check, golden_logs

TESTS = Path(__file__).parents[3] / "docs" / "examples" / "hearts" / "tests"
CASES = runpy.run_path(str(TESTS / "test_laws.py"))["CASES"]
MADE = runpy.run_path(str(TESTS / "make_golden.py"))

TestLaws = pytest.mark.long(game_laws(GAME, cases=CASES, golden=TESTS / "golden", examples=6))
"""Long, as the package has them in its own tests, which `.ci/games` runs."""


@pytest.mark.parametrize("path", golden_logs(TESTS / "golden"), ids=lambda path: path.stem)
def test_its_golden_logs_are_as_they_were(path: Path) -> None:
    result = check(path, lambda _: GAME)
    assert result.ok, list(result.lines())


def test_a_log_of_version_1_keeps_its_first_trick() -> None:
    """The queen of spades in the first trick was legal then, and is no longer."""
    match = read(TESTS / "golden" / "version_1.log", lambda _: GAME).match
    assert (match.header.rules, match.header.options.first_points) == (1, True)
    assert Card(36) in [getattr(event.command, "card", None) for event in match.events[5:9]]


def test_who_takes_all_the_points_has_none() -> None:
    assert MADE["moon"]().result.points == (0, 26, 26, 26)
