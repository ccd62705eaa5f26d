"""What docs/change-a-rule.md tells is what happens."""

import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "change-a-rule.md").read_text("utf-8")
LOG = "7b08b8eeaafe2399.log"

PATCHED = """
import kifu.games.take_and_share.rules as rules
from kifu.games.take_and_share.rules import followed, number
{}
from kifu.core.trace.__main__ import main; main()
"""
ONE_MORE = "score = rules.score\nrules.score = lambda piles: (score(piles)[0] + 1, *score(piles)[1:])"


def blocks() -> list[str]:
    """The indented blocks of the page, without their indent."""
    found = re.findall(r"(?:^    .*\n|^\n(?=    ))+", PAGE, re.MULTILINE)
    return [re.sub(r"^    ", "", block, flags=re.MULTILINE).strip("\n") for block in found]


@pytest.fixture
def log(replay, tmp_path: Path) -> Path:
    assert replay("simulate", "take_and_share", "--games", 8, "--seed", "0" * 64, "-o", tmp_path).code == 0
    return tmp_path / LOG


def test_the_patch_of_the_story_is_found_as_the_page_tells(replay, engine, log: Path) -> None:
    (patch,) = (block for block in blocks() if block.startswith("def winner"))
    called = replay("diff", log, "--engine", engine(PATCHED.format(f"{patch}\nrules.winner = winner")))
    told = "\n".join(called.out.splitlines()[2:])
    assert called.code == 1
    assert told.startswith("step 54 differs")
    assert any(told in block for block in blocks())


def test_another_score_is_told_as_the_page_tells(replay, engine, log: Path) -> None:
    called = replay("diff", log, "--engine", engine(PATCHED.format(ONE_MORE)))
    told = "\n".join(called.out.splitlines()[2:])
    assert any(told in block for block in blocks()), told
