"""The real program in a real terminal, driven through tmux; skipped where that is missing."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from rich.cells import cell_len

from .conftest import played

TIMEOUT_S = 120
"""Seconds in which something must come about, on the slowest machine."""
REPLAY = f"{sys.executable} -c 'from kifu.replay import main; main()'"


class Terminal:
    """A program in a terminal of its own."""

    def __init__(self, socket: Path, command: str, width: int, height: int) -> None:
        self._tmux = ["tmux", "-f", "/dev/null", "-S", str(socket)]
        size = ["-x", str(width), "-y", str(height)]
        env = [f"-e{name}={value}" for name, value in {"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}.items()]
        self._call("-u", "new-session", "-d", *size, *env, f"{command}; echo EXIT $?; cat")

    def _call(self, *args: str) -> str:
        env = {**os.environ, "LC_ALL": "C.UTF-8"}
        return subprocess.run([*self._tmux, *args], capture_output=True, text=True, check=True, env=env).stdout

    def press(self, *keys: str) -> None:
        self._call("send-keys", *keys)

    def resize(self, width: int, height: int) -> None:
        self._call("resize-window", "-x", str(width), "-y", str(height))

    @property
    def screen(self) -> str:
        return self._call("capture-pane", "-p")

    def until(self, *words: str) -> str:
        """Wait until all these words are on the screen, and give it."""
        end = time.monotonic() + TIMEOUT_S
        while time.monotonic() < end:
            screen = self.screen
            if all(each in screen for each in words):
                return screen
            time.sleep(0.05)
        raise AssertionError(f"{words} never came on the screen:\n{self.screen}")

    def close(self) -> None:
        self._call("kill-server")


@pytest.fixture
def terminal(tmp_path: Path):
    if shutil.which("tmux") is None:
        pytest.skip("needs tmux")
    opened: list[Terminal] = []

    def open_one(call: str, width: int = 80, height: int = 24) -> Terminal:
        opened.append(Terminal(tmp_path / f"tmux{len(opened)}", f"{REPLAY} {call}", width, height))
        return opened[-1]

    yield open_one
    for each in opened:
        each.close()


@pytest.fixture
def match():
    return played("cake")


@pytest.fixture
def log(match, tmp_path: Path) -> Path:
    match.save(tmp_path / "whole.log")
    return tmp_path / "whole.log"


@pytest.mark.long
def test_a_match_is_stepped_through_searched_and_left(terminal, log: Path, match) -> None:
    one = terminal(f"show {log}")
    one.until("Marie's Cake", "Before the first step")
    one.press("Right", "Right")
    one.until("▌    1 ", f"1/{len(match.events) - 1}")
    one.press("PageDown")
    one.until("Round 2")
    one.press("/")
    one.until("Search in notes and commands")
    one.press("votes", "Enter")
    one.until("votes:")
    one.press("End")
    one.until("wins")
    one.resize(130, 40)
    screen = one.until("q quit")
    assert screen.count("\n") == 40
    one.press("q")
    one.until("EXIT 0")


@pytest.mark.long
def test_wide_characters_stand_right(terminal, log: Path) -> None:
    one = terminal(f"show {log} --lang ja --as 1")
    screen = one.until("マリーのケーキ", "◐")
    (edge,) = {cell_len(line.partition("│")[0]) for line in screen.splitlines() if "│" in line}
    assert edge == 40
    one.press("Right")
    one.until("▌    0 8枚の山札", "第1ラウンド")
    one.press("C-c")
    one.until("EXIT 130")


WITHOUT = """
import sys
sys.modules["textual"] = None
sys.stdin.isatty = sys.stdout.isatty = lambda: True
from kifu.replay.app import run
sys.exit(run(sys.argv[1:]))
"""


@pytest.mark.ci
def test_without_textual_it_prints_text_and_one_line_that_says_so(log: Path) -> None:
    env = {**os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8", "NO_COLOR": "1"}
    call = [sys.executable, "-c", WITHOUT, "show", str(log)]
    shown = subprocess.run(call, capture_output=True, text=True, env=env, check=True)
    needs = "replay: the full-screen stepper needs an extra: pip install 'kifu[replay]'; shown as text instead\n"
    assert shown.stderr == needs
    assert "Round 1" in shown.stdout
