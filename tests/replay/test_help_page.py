"""`--help` in Japanese says all that the English one says."""

import os
import re
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest
import typer
from fluent.syntax import FluentParser
from fluent.syntax.ast import Message
from kifu.core.text.texts import Texts
from kifu.replay.app import program
from kifu.replay.help_page import key_of, parameters
from kifu.replay.verbs import VERBS, VerbFunctions
from rich.cells import cell_len

JAPANESE = Texts("ja", "kifu.replay")
FRAME = {
    *["usage", "verb", "some-options", "arguments", "options", "verbs", "required", "default", "example", "begin"],
    *["replay", "version", "install-completion", "show-completion", "help"],
}


def test_each_module_of_commands_is_a_verb() -> None:
    modules = {path.stem for path in Path(str(files("kifu.replay"))).joinpath("commands").glob("[a-z]*.py")}
    assert modules == {verb.replace("-", "_") for verb in VERBS}


def messages() -> set[str]:
    source = files("kifu.replay").joinpath("texts", "ja.ftl").read_text(encoding="utf-8")
    found = (each.id.name for each in FluentParser().parse(source).body if isinstance(each, Message))
    return {name for name in found if name.startswith("manual-")}


@pytest.mark.ci
def test_every_verb_and_parameter_has_its_message_and_no_message_is_idle() -> None:
    keys = {f"manual-{name}" for name in FRAME}
    keys |= {key for verb in VERBS for key in (f"manual-{verb}", f"manual-{verb}-short")}
    keys |= {key_of(name, each, JAPANESE) for name, verb in VerbFunctions().items() for each in parameters(verb)}
    assert keys == messages()


def test_one_message_stands_for_one_english_text() -> None:
    english: dict[str, set[str]] = {}
    for name, verb in VerbFunctions().items():
        for each in parameters(verb):
            english.setdefault(key_of(name, each, JAPANESE), set()).add(each.english)
    assert [(key, texts) for key, texts in english.items() if len(texts) > 1] == []


@pytest.mark.parametrize("verb", VERBS)
def test_it_tells_of_what_typer_takes(verb: str) -> None:
    command = typer.main.get_command(program(VERBS)).commands[verb]  # type: ignore[attr-defined]
    ours = parameters(VERBS[verb].load())
    assert [each.name for each in ours] == [each.name for each in command.params]
    for mine, typers in zip(ours, command.params, strict=True):
        assert (mine.required, mine.english) == (typers.required, typers.help)
        assert mine.typed.split()[0] == (typers.opts[0] if mine.is_option else typers.metavar)


@pytest.mark.parametrize("verb", ["", *VERBS])
def test_it_speaks_japanese_in_lines_that_fit(replay, verb: str) -> None:
    called = replay(*verb.split(), "--help", "--lang", "ja")
    assert (called.code, called.err) == (0, "")
    assert called.out.startswith(f"使い方：replay {verb or 'コマンド'} ")
    prose = re.sub("使い方：.*|例：.*|まずは：.*", "", called.out)
    assert re.search("[a-z]{2,} [a-z]{2,} [a-z]{2,}", prose) is None
    assert max(map(cell_len, called.out.splitlines())) <= 80


def test_a_verb_that_there_is_not_has_no_help(replay) -> None:
    assert "そのコマンドはない" in replay("walk", "--help", "--lang", "ja").err


def test_a_call_for_nothing_is_one_for_help(replay, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "ja_JP.UTF-8")
    assert replay().out == replay("-h").out == replay("--help", "--lang", "ja").out
    assert replay("show", "-h", "--lang", "en").out.startswith("Usage: ")


@pytest.mark.ci
def test_a_shell_that_asks_how_a_word_goes_on_gets_words() -> None:
    variables = {
        "_REPLAY_COMPLETE": "complete_bash",
        "COMP_WORDS": "replay sim",
        "COMP_CWORD": "1",
        "LC_ALL": "ja_JP.UTF-8",
    }
    program = [sys.executable, "-c", "import sys; sys.argv[0] = 'replay'; from kifu.replay import main; main()"]
    done = subprocess.run(program, env={**os.environ, **variables}, capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "simulate", done.stderr


def test_a_verb_without_its_arguments_is_no_call_for_help(replay) -> None:
    assert replay("show", "--lang", "ja").code == 2
    assert replay("when", "a.log", "--lang", "ja", "--", "--help").code == 2


@pytest.mark.parametrize("verb", VERBS)
def test_the_example_is_that_of_the_english_help(replay, verb: str) -> None:
    assert VERBS[verb].example in replay(verb, "--help", "--lang", "ja").out
