"""What docs/change-a-rule.md tells is what happens."""

import re
import shlex
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


@pytest.mark.ci
def test_the_patch_of_the_story_is_found_as_the_page_tells(replay, engine, log: Path) -> None:
    (patch,) = (block for block in blocks() if block.startswith("def winner"))
    called = replay("diff", log, "--engine", engine(PATCHED.format(f"{patch}\nrules.winner = winner")))
    shown_text = "\n".join(called.out.splitlines()[2:])
    assert called.code == 1
    assert shown_text.startswith("step 54 differs")
    assert any(shown_text in block for block in blocks())


@pytest.mark.ci
def test_another_score_is_printed_as_on_the_page(replay, engine, log: Path) -> None:
    called = replay("diff", log, "--engine", engine(PATCHED.format(ONE_MORE)))
    shown_text = "\n".join(called.out.splitlines()[2:])
    assert any(shown_text in block for block in blocks()), shown_text


def test_the_questions_of_when_are_answered(replay, log: Path) -> None:
    calls = [line.partition("#")[0] for block in blocks() for line in block.splitlines() if "replay when" in line]
    assert len(calls) == 4
    for call in calls:
        verb, _, *args = shlex.split(call)[1:]
        called = replay(verb, log, *args)
        assert (called.code, called.err) == (0, ""), call
        assert called.out


@pytest.mark.long
def test_the_impact_and_the_shortest_are_as_the_page_tells(
    replay, engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (patch,) = (block for block in blocks() if block.startswith("def winner"))
    patched = engine(PATCHED.format(f"{patch}\nrules.winner = winner"))
    replay("simulate", "take_and_share", "--games", 1000, "--seed", "0" * 64, "-o", "logs")
    called = replay("impact", "logs/", "--engine", patched)
    assert called.code == 1
    output = [line for line in called.out.splitlines() if "that no log reaches" not in line]  # its source is the same
    assert "\n".join(output) in "\n\n".join(blocks())

    called = replay("shrink", "logs/00eaed844ecacfef.log", "--engine", patched, "-o", "short.log")
    assert called.out.strip("\n") in "\n\n".join(blocks())
    shown = replay("show", "short.log").out
    (shown_text,) = (block for block in blocks() if "seat 0 leads ♣9" in block)
    assert [line for line in shown_text.splitlines() if line.strip() and line in shown] == [
        line for line in shown_text.splitlines() if line.strip() and "replay show" not in line
    ]
