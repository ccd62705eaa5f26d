"""What `--help` prints in a language that Typer does not speak: the program's page, or that of one verb.

The English stands where the verbs and their options are declared; the messages `manual-…` say the same.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from inspect import Signature, signature
from types import NoneType
from typing import Any, get_args, get_type_hints

from attrs import frozen
from rich.text import Text

from ..core.text.texts import Line, Texts
from .render.typeset import block
from .usage_errors import verb_of

INDENT = 2
HELP = "-h, --help"
COMPLETION = "_REPLAY_COMPLETE"
"""The variable by which a shell asks Typer."""
WIDEST = 28
"""The most cells before what is said of a parameter."""
PROGRAM_OPTIONS = ("--version", "--install-completion", "--show-completion", HELP)


def asks_for_help(args: Sequence[str], verbs: Collection[str]) -> bool:
    """Tell whether a call asks for help, or for nothing at all; a shell that asks how a word goes on does not."""
    if not args:
        return COMPLETION not in os.environ
    before = args[: args.index("--")] if "--" in args else args
    return any(arg in ("-h", "--help") for arg in before) and verb_of(args) in ("", *verbs)


@frozen
class Parameter:
    """An argument or option of a verb: its name there, how it is typed, and what Typer says of it."""

    name: str
    typed: str
    english: str
    is_option: bool
    required: bool
    default: Any
    """None where nothing stands in for it, or where that is not worth telling."""


def parameters(verb: Callable[..., int]) -> list[Parameter]:
    """List what a verb takes, in its order."""
    hints, declared = get_type_hints(verb, include_extras=True), signature(verb).parameters
    return [_parameter(name, get_args(hints[name]), declared[name].default) for name in declared]


def _parameter(name: str, annotated: tuple[Any, ...], default: Any) -> Parameter:
    hint, info = annotated
    kind = next((each for each in get_args(hint) if each is not NoneType), hint)
    option = next((each for each in (info.default, *(info.param_decls or ())) if isinstance(each, str)), "")
    required = default is Signature.empty
    shown = None if required or default is False or not info.show_default else default
    typed = f"{option} {_value(kind, info.metavar)}" if option else info.metavar
    return Parameter(name, typed.rstrip(), info.help, bool(option), required, shown)


def _value(kind: Any, metavar: str | None) -> str:
    """Say what stands behind an option."""
    if isinstance(kind, type) and issubclass(kind, Enum):
        return "|".join(each.value for each in kind)
    return "" if kind is bool else metavar or "N"


def key_of(verb: str, parameter: Parameter, words: Texts) -> str:
    """Name the message of a parameter: the verb's own, if there is one, else that of all verbs."""
    own = f"manual-{verb}-{parameter.name}"
    return own if words.find(own) is not None else f"manual-any-{parameter.name}"


def of_program(verbs: Iterable[str], words: Texts, width: int) -> Iterator[Text]:
    """Print what the program is for, and its verbs."""
    yield Text(words.format("manual-usage", call=Line(f"replay {words.format('manual-verb')} …")))
    yield from _paragraphs("manual-replay", words, width)
    options = {option: words.format(f"manual-{option.rpartition('--')[2]}") for option in PROGRAM_OPTIONS}
    yield from _listed("manual-options", options, words, width)
    yield from _listed("manual-verbs", {verb: words.format(f"manual-{verb}-short") for verb in verbs}, words, width)
    yield Text()
    yield from block(Text(), INDENT, Text(words.format("manual-begin")), width)


def of_verb(name: str, verb: Callable[..., int], example: str, words: Texts, width: int) -> Iterator[Text]:
    """Print what a verb does, and what it takes."""
    taken = parameters(verb)
    arguments = [each for each in taken if not each.is_option]
    call = " ".join(["replay", name, words.format("manual-some-options"), *(each.typed for each in arguments)])
    yield Text(words.format("manual-usage", call=Line(call)))
    yield from _paragraphs(f"manual-{name}", words, width)
    for title, some in (
        ("manual-arguments", arguments),
        ("manual-options", [each for each in taken if each.is_option]),
    ):
        said = {each.typed: _said(name, each, words) for each in some}
        if title == "manual-options":
            said[HELP] = words.format("manual-help")
        yield from _listed(title, said, words, width) if said else ()
    yield Text()
    yield Text(f"  {words.format('manual-example', call=Line(example))}")


def _said(verb: str, parameter: Parameter, words: Texts) -> str:
    said = words.format(key_of(verb, parameter, words))
    if parameter.is_option and parameter.required:
        return said + words.format("manual-required")
    return said if parameter.default is None else said + words.format("manual-default", value=parameter.default)


def _paragraphs(key: str, words: Texts, width: int) -> Iterator[Text]:
    for paragraph in words.format(key).split("\n\n"):
        yield Text()
        yield from block(Text(), INDENT, Text(paragraph), width)


def _listed(title: str, said: Mapping[str, str], words: Texts, width: int) -> Iterator[Text]:
    yield Text()
    yield Text(words.format(title))
    indent = 2 * INDENT + min(max(map(len, said)), WIDEST)
    for typed, told in said.items():
        yield from block(Text(f"{' ' * INDENT}{typed}"), indent, Text(told), width)
