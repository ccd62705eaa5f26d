"""`--help` says in each language what a verb is for, all that it takes, and how a call looks."""

import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import click
import pytest
from fluent.syntax import FluentParser
from fluent.syntax.ast import Message
from kifu.core.text.texts import Texts
from kifu.replay.app import VERBS, program
from rich.cells import cell_len

JAPANESE = Texts("ja", "kifu.replay")
FRAME = ("usage", "some-options", "arguments", "options", "required", "default", "example")


def contexts(command: click.Command = program, parent: click.Context | None = None) -> Iterator[click.Context]:
    """Yield the context of the program, and that of each verb."""
    name = command.name if parent else "replay"
    ctx = click.Context(command, info_name=name, parent=parent, **command.context_settings)
    yield ctx
    if isinstance(command, click.Group):
        for name in command.list_commands(ctx):
            verb = command.get_command(ctx, name)
            assert verb is not None
            yield from contexts(verb, ctx)


CONTEXTS = {ctx.command_path.removeprefix("replay").strip(): ctx for ctx in contexts()}
"""By what is typed after `replay`."""


def test_each_verb_has_a_module() -> None:
    verbs = [verb for section in VERBS.values() for verb in section]
    modules = {path.stem for path in Path(str(files("kifu.replay"))).joinpath("commands").glob("[a-z]*.py")}
    assert modules == {verb.replace("-", "_") for verb in verbs}


def key_of(call: str, parameter: click.Parameter) -> str:
    """Return the key of a parameter's message: the verb's own if there is one, else the one for all verbs."""
    name = "help" if "--help" in parameter.opts else parameter.name
    own = "-".join(["manual", *call.split(), str(name)])
    return own if JAPANESE.find(own) is not None else f"manual-any-{name}"


def test_every_verb_and_parameter_has_its_message_and_no_message_is_idle() -> None:
    keys = {f"manual-{name}" for name in FRAME}
    for call, ctx in CONTEXTS.items():
        keys.add("-".join(["manual", *(call or "replay").split()]))
        keys |= {key_of(call, parameter) for parameter in ctx.command.get_params(ctx)}
        for title, verbs in getattr(ctx.command, "sections", {}).items():
            keys.add(f"manual-group-{title.lower().replace(' ', '-')}")
            keys |= {"-".join(["manual", *call.split(), verb, "short"]) for verb in verbs}
    source = files("kifu.replay").joinpath("texts", "ja.ftl").read_text(encoding="utf-8")
    found = (each.id.name for each in FluentParser().parse(source).body if isinstance(each, Message))
    assert keys == {name for name in found if name.startswith("manual-")}


def test_one_message_stands_for_one_english_text() -> None:
    english: dict[str, set[str | None]] = {}
    for call, ctx in CONTEXTS.items():
        for parameter in ctx.command.get_params(ctx):
            english.setdefault(key_of(call, parameter), set()).add(parameter.help)
    assert [(key, texts) for key, texts in english.items() if len(texts) > 1] == []


@pytest.mark.parametrize("call", CONTEXTS)
def test_it_lists_the_same_in_both_languages_with_an_example_and_is_japanese_when_asked(replay, call: str) -> None:
    english, japanese = (replay(*call.split(), "--help", "--lang", lang) for lang in ("en", "ja"))
    ctx = CONTEXTS[call]
    example = ctx.command.epilog
    assert example is not None
    assert example.startswith(f"replay {call} " if call else "replay ")
    for called in (english, japanese):
        assert (called.code, called.err) == (0, "")
        assert f"replay {call}".strip() in called.out.splitlines()[0]
        assert example in called.out
        assert "<" not in called.out.splitlines()[0]
        for parameter in ctx.command.get_params(ctx):
            record = parameter.get_help_record(ctx)
            assert record is not None
            assert f"  {record[0]}" in called.out
    assert japanese.out.startswith(f"使い方：{f'replay {call}'.strip()} [オプション]")
    prose = re.sub("使い方：.*|例：.*", "", japanese.out)
    assert re.search("[a-z]{2,} [a-z]{2,} [a-z]{2,}", prose) is None
    assert max(cell_len(line) for line in prose.splitlines()) <= 80


def test_the_verbs_stand_in_groups(replay) -> None:
    called = replay("--help").out
    headings = [line.rstrip(":") for line in called.splitlines() if line.endswith(":") and line[0] != " "]
    assert headings == ["Options", *VERBS]


def test_a_call_for_nothing_is_one_for_help(replay, monkeypatch: pytest.MonkeyPatch) -> None:
    assert replay().out == replay("-h").out == replay("--help").out
    monkeypatch.setenv("LC_ALL", "ja_JP.UTF-8")
    assert replay().out == replay("-h").out == replay("--help", "--lang", "ja").out == replay("--lang=ja", "-h").out
    assert replay("show", "-h", "--lang", "en").out.startswith("Usage: ")


def test_a_verb_without_its_arguments_is_no_call_for_help(replay) -> None:
    assert replay("show", "--lang", "ja").code == 2
    assert replay("when", "a.log", "--lang", "ja", "--", "--help").code == 2
