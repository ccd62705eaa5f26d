"""Calls of `replay` as a shell makes them, and some logs to call it with."""

import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from attrs import evolve, frozen
from kifu import games
from kifu.core.log import log_bytes
from kifu.core.match import Match
from kifu.core.match.header import new_header
from kifu.replay.app import run
from kifu.replay.tournament.random_matches import matches, play_out

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "fixtures"
CASES = ROOT / "tests" / "cases"
SEED = bytes(range(32))
LATEST_WINS = """
import kifu.games.take_and_share.rules as rules
def winner(trick):
    numbers = [rules.number(card) for card in trick]
    if rules.followed(trick):
        return numbers.index(max(numbers))
    return len(numbers) - 1 - numbers[::-1].index(min(numbers))
rules.winner = winner
"""
"""A change that looks harmless: of equal lowest numbers the latest wins, not the earliest (TS-6)."""
END = b"\0"
SERVE = "\nfrom kifu.core.trace.__main__ import main; main()\n"
"""What the code of another engine ends with."""


@frozen
class Called:
    """What came of a call."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[Any]:
        """What was printed as JSON, an object a line."""
        return [json.loads(line) for line in self.out.splitlines()]


@pytest.fixture
def replay(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Called]:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG", "COLUMNS", "FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)

    def call(*args: object, exits: int | None = None) -> Called:
        """Make a call, which exits with this code if one is given: with 0 or 1 no error is told."""
        capsys.readouterr()
        called = Called(run([str(arg) for arg in args]), *capsys.readouterr())
        assert exits in (None, called.code), called
        assert exits not in (0, 1) or called.err == ""
        return called

    return call


@pytest.fixture
def at_terminal(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[int, str]]:
    """Make a call with some standard streams at a terminal; return its exit code, and what was written there."""
    pty = pytest.importorskip("pty", reason="a terminal of a POSIX system")

    def call(*args: object, streams: Sequence[str] = ("stdout", "stderr"), **environment: str) -> tuple[int, str]:
        controller, terminal = pty.openpty()
        written = bytearray()

        def read() -> None:
            while not written.endswith(END):
                written.extend(os.read(controller, 1 << 16))

        reader = Thread(target=read)
        reader.start()
        with monkeypatch.context() as changed, open(terminal, "w", encoding="utf-8") as stream:
            for name in ("COLUMNS", "NO_COLOR", "FORCE_COLOR", "LC_ALL", "LANG"):
                changed.delenv(name, raising=False)
            for name, value in {"TERM": "xterm-256color", **environment}.items():
                changed.setenv(name, value)
            for name in streams:
                changed.setattr(sys, name, stream)
            code = run([str(arg) for arg in args])
            stream.write(END.decode())  # its end never comes: a process that Python keeps may have it open
        reader.join()
        os.close(controller)
        return code, written.removesuffix(END).decode(errors="replace")

    return call


@pytest.fixture
def refused(replay: Callable[..., Called]) -> Callable[..., str]:
    """Make a call that cannot be carried out, and return the one line that says so."""

    def call(*args: object) -> str:
        called = replay(*args)
        assert (called.code, called.out, called.err[-1:]) == (2, "", "\n"), args
        assert called.err.startswith("replay: "), args
        assert called.err[:-1].isprintable(), args  # so it is one line, and nothing of a stranger's paints
        return called.err

    return call


def played(
    *names: str, most: int = 10_000, game: str = "take_and_share", goes_on: bool = False, **options: Any
) -> Match:
    """A random match, the same each time; after its `most` events it is abandoned, or goes on."""
    header = new_header(games.find(game), names, options, SEED, match="test", started=None, engine="kifu test")
    match: Match = Match(games.find(game), header)
    play_out(match, SEED, most)
    if goes_on:
        match.abandoned = False
    return match


@pytest.fixture(scope="session")
def match() -> Match:
    return played("Aki", "Ren", "Mio", "Sou")


@pytest.fixture(scope="session")
def log(match: Match, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole match of four."""
    path = tmp_path_factory.mktemp("logs") / "whole.log"
    match.save(path)
    return path


@pytest.fixture(scope="session")
def tied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole match in which a trick is won by the earliest of equals (TS-6)."""
    game, path = games.find("take_and_share"), tmp_path_factory.mktemp("tied") / "tied.log"
    some = matches(game, ("Aki", "Ren", "Mio", "Sou"), {"long": True, "first": 2}, bytes(32), 20)
    next(match for match in some if "TS-6" in rules_at_work(match)).save(path)
    return path


def rules_at_work(match: Match) -> set[str]:
    return {note.rule.number for step in match.steps for note in step.notes if note.rule is not None}


def runs(pid: int) -> bool:
    """Tell whether a process lives."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    return not status.exists() or status.read_text().split(") ")[1][0] not in "ZX"


@pytest.fixture(scope="session")
def illegal(match: Match, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log whose event 6 plays a card again that has been played."""
    path = tmp_path_factory.mktemp("logs") / "illegal.log"
    short = played("Aki", "Ren", "Mio", "Sou", most=6, goes_on=True)
    (leader,) = short.to_act
    again = evolve(short.events[1], seq=6, seat=leader)
    short.events.append(again)
    short._fold.states.append(short.state)
    path.write_bytes(log_bytes(short, digests=False))
    return path


@pytest.fixture
def engine(tmp_path: Path, of_source: str) -> Callable[[str], Path]:
    """Make a program that runs some code, to be given as another engine's Python; it may change kifu's rules."""

    def make(code: str) -> Path:
        path = tmp_path / "engine"
        path.write_text(f"#!{sys.executable}\n{of_source}\n{code}\n")
        path.chmod(0o755)
        return path

    return make
