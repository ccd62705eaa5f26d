"""The help pages in a language that Typer does not have: one of the program, one of each verb.

The English texts stand where the verbs and their options are declared; the messages `manual-…` translate them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from inspect import Signature, signature
from types import NoneType
from typing import Any, get_args, get_type_hints

from attrs import frozen
from rich.text import Text

from ..core.text.texts import Line, Texts
from .render.typeset import block

INDENT = 2
HELP = "-h, --help"
MAX_INDENT = 28
"""Terminal cells before the description of a parameter."""
PROGRAM_OPTIONS = ("--version", "--install-completion", "--show-completion", HELP)


@frozen
class Parameter:
    """An argument or option of a verb."""

    name: str
    """As in the signature of the verb's function."""
    typed: str
    """As it is typed, e.g. `--seats N`."""
    english: str
    is_option: bool
    required: bool
    default: Any
    """The default to print; None if there is none, or none worth printing."""


def parameters(verb: Callable[..., int]) -> list[Parameter]:
    """Return the parameters of a verb, in the order of its signature."""
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
    """Return the placeholder of an option's value, e.g. `en|ja`; "" for a flag."""
    if isinstance(kind, type) and issubclass(kind, Enum):
        return "|".join(each.value for each in kind)
    return "" if kind is bool else metavar or "N"


def key_of(verb: str, parameter: Parameter, texts: Texts) -> str:
    """Return the key of a parameter's message: the verb's own if there is one, else the one for all verbs."""
    own = f"manual-{verb}-{parameter.name}"
    return own if texts.find(own) is not None else f"manual-any-{parameter.name}"


def program_page(verbs: Iterable[str], texts: Texts, width: int) -> Iterator[Text]:
    """Yield the lines of the program's help page, at most `width` cells wide."""
    yield Text(texts.format("manual-usage", call=Line(f"replay {texts.format('manual-verb')} …")))
    yield from _paragraphs("manual-replay", texts, width)
    options = {option: texts.format(f"manual-{option.rpartition('--')[2]}") for option in PROGRAM_OPTIONS}
    yield from _listed("manual-options", options, texts, width)
    yield from _listed("manual-verbs", {verb: texts.format(f"manual-{verb}-short") for verb in verbs}, texts, width)
    yield Text()
    yield from block(Text(), INDENT, Text(texts.format("manual-begin")), width)


def verb_page(name: str, verb: Callable[..., int], example: str, texts: Texts, width: int) -> Iterator[Text]:
    """Yield the lines of a verb's help page, at most `width` cells wide."""
    everything = parameters(verb)
    arguments = [each for each in everything if not each.is_option]
    call = " ".join(["replay", name, texts.format("manual-some-options"), *(each.typed for each in arguments)])
    yield Text(texts.format("manual-usage", call=Line(call)))
    yield from _paragraphs(f"manual-{name}", texts, width)
    for title, some in (
        ("manual-arguments", arguments),
        ("manual-options", [each for each in everything if each.is_option]),
    ):
        entries = {each.typed: _description(name, each, texts) for each in some}
        if title == "manual-options":
            entries[HELP] = texts.format("manual-help")
        yield from _listed(title, entries, texts, width) if entries else ()
    yield Text()
    yield Text(f"  {texts.format('manual-example', call=Line(example))}")


def _description(verb: str, parameter: Parameter, texts: Texts) -> str:
    text = texts.format(key_of(verb, parameter, texts))
    if parameter.is_option and parameter.required:
        return text + texts.format("manual-required")
    return text if parameter.default is None else text + texts.format("manual-default", value=parameter.default)


def _paragraphs(key: str, texts: Texts, width: int) -> Iterator[Text]:
    for paragraph in texts.format(key).split("\n\n"):
        yield Text()
        yield from block(Text(), INDENT, Text(paragraph), width)


def _listed(title: str, entries: Mapping[str, str], texts: Texts, width: int) -> Iterator[Text]:
    yield Text()
    yield Text(texts.format(title))
    indent = 2 * INDENT + min(max(map(len, entries)), MAX_INDENT)
    for typed, description in entries.items():
        yield from block(Text(f"{' ' * INDENT}{typed}"), indent, Text(description), width)
