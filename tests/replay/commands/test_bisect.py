"""`replay bisect`: the first commit whose engine differs, in a history that also has merges and broken commits."""

import json
import os
import subprocess
from pathlib import Path

import kifu
import pytest

pytestmark = pytest.mark.ci

REAL = Path(next(iter(kifu.__path__)))

HEAD = f"""
import pathlib
__path__ = [{str(REAL)!r}]
exec(pathlib.Path(__path__[0], "__init__.py").read_text())
"""
"""A package `kifu` of a repository: the real one, which a commit may change."""

LATEST = """
from kifu.games.take_and_share import rules
def winner(trick):
    numbers = [rules.number(card) for card in trick]
    if rules.followed(trick):
        return numbers.index(max(numbers))
    return len(numbers) - 1 - numbers[::-1].index(min(numbers))
rules.winner = winner
"""
"""The planted change: of equal lowest numbers the latest wins, not the earliest (TS-6)."""


class History:
    """A git repository in the making."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.git("init", "-q", "-b", "trunk")

    def git(self, *args: str) -> str:
        names = {
            f"GIT_{who}_{what}": f"{who}@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
        }
        dates = {"GIT_AUTHOR_DATE": "2026-01-02T03:04:05", "GIT_COMMITTER_DATE": "2026-01-02T03:04:05"}
        call = ["git", "-C", str(self.folder), *args]
        return subprocess.run(
            call, check=True, capture_output=True, text=True, env={**os.environ, **names, **dates}
        ).stdout

    def commit(self, subject: str, code: str = "") -> str:
        (self.folder / "kifu").mkdir(exist_ok=True)
        (self.folder / "kifu" / "__init__.py").write_text(f"{HEAD}{code}")
        (self.folder / "NOTES").write_text(subject)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", subject)
        return self.git("rev-parse", "HEAD").strip()


@pytest.fixture
def history(tmp_path: Path) -> History:
    (tmp_path / "repo").mkdir()
    return History(tmp_path / "repo")


@pytest.fixture(scope="module")
def tied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match in which at some trick the lowest are equal."""
    from kifu import games
    from kifu.replay.tournament.random_matches import matches

    path = tmp_path_factory.mktemp("tied") / "tied.log"
    for match in matches(games.find("take_and_share"), ("Aki", "Ren", "Mio", "Sou"), {}, bytes(32), 20):
        if any(note.rule.number == "TS-6" for step in match.steps for note in step.notes):
            match.save(path)
            return path
    raise AssertionError("none of them has a tie")


def test_the_first_commit_that_differs_is_found_and_broken_ones_are_passed_over(
    replay, history: History, tied: Path
) -> None:
    good = history.commit("one")
    history.commit("two")
    broken = history.commit("three", "raise SystemExit(3)")
    guilty = history.commit("four: the patch\x1b[31m", LATEST)
    history.commit("five", LATEST)
    last = history.commit("six", LATEST)
    status = history.git("status", "--porcelain", "--branch")
    call = ("bisect", tied, "--repo", history.folder, "--good", good)
    called = replay(*call)
    assert (called.code, called.err) == (1, "")
    lines = called.out.splitlines()
    assert lines[0].startswith(f"{guilty[:12]} of 2026-01-02 is the first that differs: four: the patch")
    assert "\x1b" not in called.out
    assert any(line.startswith("  B by TS-6: ") for line in lines)
    (whole,) = map(json.loads, replay(*call, "--bad", last, "--json").out.splitlines())
    assert (whole["commit"], whole["good"], whole["bad"]) == (guilty, good, last)
    assert set(whole["skipped"]) <= {broken}
    assert whole["tried"] < 6
    assert history.git("status", "--porcelain", "--branch") == status


def test_within_a_merge_the_commit_of_its_branch_is_found(replay, history: History, tied: Path) -> None:
    good = history.commit("one")
    history.git("checkout", "-q", "-b", "branch")
    history.commit("two, on the branch")
    guilty = history.commit("three, on the branch", LATEST)
    history.git("checkout", "-q", "trunk")
    (history.folder / "OTHER").write_text("other")
    history.git("add", "-A")
    history.git("commit", "-q", "-m", "four")
    history.git("merge", "-q", "--no-ff", "-m", "merge", "branch")
    called = replay("bisect", tied, "--repo", history.folder, "--good", good, "--json")
    assert json.loads(called.out)["commit"] == guilty


def test_the_same_engine_throughout_is_no_difference(replay, history: History, tied: Path) -> None:
    good = history.commit("one")
    history.commit("two")
    called = replay("bisect", tied, "--repo", history.folder, "--good", good)
    assert (called.code, called.out) == (0, "good and bad make the same of this log\n")
    assert json.loads(replay("bisect", tied, "--repo", history.folder, "--good", good, "--json").out)["commit"] is None


def test_what_cannot_be_searched_is_one_line(replay, history: History, tied: Path, tmp_path: Path) -> None:
    good = history.commit("one")
    broken = history.commit("two", "raise SystemExit(3)")
    repo = ("--repo", history.folder)
    for call, expected in (
        ((tied, *repo), "--good"),
        ((tied, *repo, "--good", "nothing"), "nothing"),
        ((tied, *repo, "--good", "--output=x"), "fatal"),
        ((tied, "--repo", tmp_path, "--good", good), "not a git repository"),
        ((tied, *repo, "--good", good), f"the engine of {broken[:12]} cannot be run"),
        ((tied, *repo, "--good", broken, "--bad", good), "ended with exit code 3"),
        ((tied, *repo, "--good", good, "--python", tmp_path / "none"), "cannot be started"),
        ((tmp_path / "none.log", *repo, "--good", good), "cannot be read"),
    ):
        called = replay("bisect", *call)
        assert (called.code, called.out, called.err.count("\n")) == (2, "", 1), (call, called)
        assert expected in called.err, called.err
