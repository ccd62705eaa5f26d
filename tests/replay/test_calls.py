"""How a call is parsed: what is wrong with it is one line that says what, where, and what to do."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = [sys.executable, "-c", "import sys; sys.argv[0] = 'replay'; from kifu.replay import main; main()"]


def test_a_seed_is_a_number_or_64_hex_digits(replay, refused, tmp_path: Path) -> None:
    played = []
    for seed in ("42", f"{42:064x}", "43"):
        assert replay("simulate", "cake", "-o", tmp_path / seed, "--seed", seed).code == 0
        played += [log.read_bytes() for log in (tmp_path / seed).iterdir()]
    assert played[0] == played[1] != played[2]


def test_only_the_option_is_the_language(replay) -> None:
    for call, word in (("show ja", "check the name"), ("show --lang ja x", "名前"), ("show x --lang=ja", "名前")):
        assert word in replay(*call.split()).err


@pytest.mark.ci
@pytest.mark.parametrize(
    ("words", "expected"),
    [("sim", "simulate"), ("simulate tak", "take_and_share"), ("show --st", "--step"), ("store rot", "rotate-keys")],
)
def test_a_shell_that_asks_how_a_word_goes_on_gets_words(words: str, expected: str) -> None:
    asked = {"COMP_WORDS": f"replay {words}", "COMP_CWORD": str(len(words.split()))}
    env = {**os.environ, **asked, "_REPLAY_COMPLETE": "bash_complete", "LC_ALL": "ja_JP.UTF-8"}
    done = subprocess.run(PROGRAM, env=env, capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == f"plain,{expected}", done.stderr


@pytest.mark.ci
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_gets_a_script_for_it(shell: str) -> None:
    env = {**os.environ, "_REPLAY_COMPLETE": f"{shell}_source"}
    done = subprocess.run(PROGRAM, env=env, capture_output=True, text=True, timeout=60)
    assert (done.returncode, "_REPLAY_COMPLETE" in done.stdout) == (0, True)


@pytest.mark.ci
def test_a_call_imports_no_library_that_it_does_not_use(replay, tmp_path: Path) -> None:
    assert replay("simulate", "take_and_share", "-o", tmp_path, "--plain").code == 0
    (log,) = tmp_path.glob("*.log")
    for verb in ("show", "audit"):
        code = (
            f"import sys; from kifu.replay.app import run; run([{verb!r}, {str(log)!r}]);"
            " unused = {'pydantic', 'cryptography', 'multiprocessing.pool', 'concurrent.futures.process', 'textual',"
            " 'rich.progress', 'kifu.core.env', 'kifu.replay.help_page', 'kifu.replay.stats'};"
            " assert not unused & {*sys.modules}, unused & {*sys.modules}"
        )
        subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)


@pytest.mark.ci
def test_the_help_page_loads_no_catalogue_no_verb_and_nothing_of_trust() -> None:
    code = (
        "import sys; from kifu.replay.app import run; run(['--help']);"
        " slow = ('fluent', 'babel', 'rich', 'kifu.core.trust.', 'kifu.games.', 'kifu.replay.commands.');"
        " unused = {name for name in sys.modules if name.startswith(slow)};"
        " assert not unused, unused"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)
