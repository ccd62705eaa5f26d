"""What docs/change-a-rule.md tells is what happens: its patches make the engines, and its output is theirs."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from attrs import frozen

from .analysis.fresh_engines import Edit, FreshEngine, edits_in

PAGE = (Path(__file__).parents[2] / "docs" / "change-a-rule.md").read_text("utf-8")
GAME = "take_and_share"
SEED = "0" * 64
PATCHED = "../patched/bin/"
CALLS = ("replay ", f"{PATCHED}replay ")
BY_THE_PATCHED = """
import sys
sys.path.insert(0, {folder!r})
from kifu.replay.app import run
sys.exit(run(sys.argv[1:]))
"""


@frozen
class Part:
    """A section of the page: its patch, if it has one, and its calls, each with what it prints."""

    patches: tuple[Edit, ...]
    calls: tuple[tuple[list[str], list[str]], ...]


def parts() -> dict[str, Part]:
    """Return the sections of the page by the first words of their titles."""
    sections = re.split(r"^## (.*)\n", PAGE, flags=re.MULTILINE)[1:]
    return {title.partition(":")[0]: part_of(text) for title, text in zip(sections[::2], sections[1::2], strict=True)}


def part_of(text: str) -> Part:
    patches, calls = [], []
    for block in blocks(text):
        first, *rest = block.splitlines()
        if first.endswith(".py"):
            patches.extend(edits_in([first, *rest]))
        called = [line for line in (first, *rest) if line.startswith(CALLS)]
        calls.extend((shlex.split(line, comments=True), []) for line in called)
        if calls and not called and not first.endswith(".py"):
            calls[-1][1].append(block)
    return Part(tuple(patches), tuple(calls))


def blocks(text: str) -> list[str]:
    """Return the indented blocks, without their indent."""
    found = re.findall(r"(?:^    .*\n)+", text, re.MULTILINE)
    return [re.sub(r"^    ", "", block, flags=re.MULTILINE).strip("\n") for block in found]


@pytest.fixture
def here(replay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the story: the hundred logs, and some that are golden."""
    monkeypatch.chdir(tmp_path)
    assert replay("simulate", GAME, "--games", 100, "--seed", SEED, "-o", "logs").code == 0
    Path("golden").mkdir()
    for log in sorted(Path("logs").iterdir())[:3]:
        (Path("golden") / log.name).write_bytes(log.read_bytes())
    replay("golden", "golden", "--bless")
    return tmp_path


@pytest.mark.long
@pytest.mark.parametrize("hour", ["One o'clock", "Two o'clock", "Three o'clock", "Four o'clock", "Five o'clock"])
def test_each_patch_is_noticed_as_the_page_tells(replay, here: Path, hour: str) -> None:
    part = parts()[hour]
    engine = FreshEngine(hour, GAME, (), part.patches).write(here / "patched")
    assert part.calls
    for (program, *args), printed in part.calls:
        if program == "replay":
            out = replay(*(engine if each == f"{PATCHED}python" else each for each in args)).out
        else:
            code = BY_THE_PATCHED.format(folder=str(engine.parent))
            out = subprocess.run([sys.executable, "-c", code, *args], capture_output=True, text=True).stdout
        shown = "\n".join(line for line in out.splitlines() if str(here) not in line)
        assert all(block in shown for block in printed), shown


def test_the_questions_of_when_are_answered(replay, tmp_path: Path) -> None:
    assert replay("simulate", GAME, "--games", 4, "--seed", SEED, "-o", tmp_path).code == 0
    log = tmp_path / "f58a6b6dcc36eeb9.log"
    calls = [args for args, _ in parts()["When did a value change"].calls]
    assert len(calls) == 4
    for _, verb, _, *args in calls:
        called = replay(verb, log, *args)
        assert (called.code, called.err) == (0, ""), args
        assert called.out
