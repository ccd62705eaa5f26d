"""How a call is parsed, and what it loads; `test_cli.py` has the calls that are wrong."""

import os
import subprocess
import sys

import pytest
from click.shell_completion import ShellComplete
from kifu.replay.app import COMPLETION, program

PROGRAM = [sys.executable, "-c", "import sys; sys.argv[0] = 'replay'; from kifu.replay import main; main()"]


def test_a_seed_is_a_number_or_64_hex_digits(replay, refused, tmp_path) -> None:
    played = []
    for seed in ("42", f"{42:064x}", "43"):
        assert replay("simulate", "cake", "-o", tmp_path / seed, "--seed", seed).code == 0
        played += [log.read_bytes() for log in (tmp_path / seed).iterdir()]
    assert played[0] == played[1] != played[2]


def test_only_the_option_is_the_language(replay) -> None:
    for call, word in (("show ja", "check the name"), ("show --lang ja x", "名前"), ("show x --lang=ja", "名前")):
        assert word in replay(*call.split()).err


@pytest.mark.parametrize(
    ("words", "expected"),
    [("sim", "simulate"), ("simulate tak", "take_and_share"), ("show --st", "--step"), ("store rot", "rotate-keys")],
)
def test_a_word_that_is_begun_goes_on_as_verb_option_or_game(words: str, expected: str) -> None:
    *typed, begun = words.split()
    found = ShellComplete(program, {}, "replay", COMPLETION).get_completions(typed, begun)
    assert [each.value for each in found] == [expected]


@pytest.mark.ci
@pytest.mark.parametrize(("asked", "expected"), [("bash_complete", "plain,simulate"), ("zsh_source", COMPLETION)])
def test_a_shell_that_asks_gets_words_and_a_script_for_it(asked: str, expected: str) -> None:
    env = {**os.environ, COMPLETION: asked, "COMP_WORDS": "replay sim", "COMP_CWORD": "1", "LC_ALL": "ja_JP.UTF-8"}
    done = subprocess.run(PROGRAM, env=env, capture_output=True, text=True, timeout=60)
    assert (done.returncode, expected in done.stdout) == (0, True), done.stderr


@pytest.mark.ci
def test_a_call_imports_no_library_that_it_does_not_use(replay, tmp_path) -> None:
    assert replay("simulate", "take_and_share", "-o", tmp_path, "--plain").code == 0
    (log,) = tmp_path.glob("*.log")
    code = (
        f"import sys; from kifu.replay.app import run; [run([verb, {str(log)!r}]) for verb in ('show', 'audit')];"
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
