"""What a call got wrong before its verb began, said as everything else that is wrong with it.

Typer tells it in exceptions of its own, in English; they are known here by their names, which have stayed the same
whatever library Typer stood on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

from .call_errors import UserMessage
from .options import LANG, Lang

Verbs = Mapping[str, Callable[..., int]]


def asked_lang(args: Sequence[str]) -> Lang | None:
    """Find what `--lang` says, wherever it stands: what is wrong with a call is said before it is read whole."""
    for place, arg in enumerate(args):
        if arg == "--":
            break
        name, equals, said = arg.partition("=")
        if name == LANG:
            said = said if equals else "".join(args[place + 1 : place + 2])
            return next((lang for lang in Lang if lang.value == said), None)
    return None


def verb_of(args: Sequence[str]) -> str:
    """Find the verb of a call: the first word that is no option, nor the language."""
    pairs = zip(("", *args), args, strict=False)
    return next((arg for before, arg in pairs if not arg.startswith("-") and before != LANG), "")


def wrong_usage(error: Exception, args: Sequence[str], verbs: Verbs) -> UserMessage:
    """Find the phrase for what Typer refused, with the call that tells more."""
    verb = verb_of(args)
    command = f"replay {verb}" if verb in verbs else "replay"
    return UserMessage(
        "usage", "{why} ({command} --help tells how)", why=_why(error, args, verb, verbs), command=command
    )


def _why(error: Any, args: Sequence[str], verb: str, verbs: Verbs) -> UserMessage | str:
    match type(error).__name__:
        case "NoSuchOption" if error.possibilities:
            known = ", ".join(sorted(error.possibilities))
            return UserMessage(
                "option-near",
                "{option}: there is no such option; perhaps one of: {known}",
                option=error.option_name,
                known=known,
            )
        case "NoSuchOption":
            return UserMessage("option-none", "{option}: there is no such option", option=error.option_name)
        case "BadOptionUsage":
            takes_none = any(arg.startswith(f"{error.option_name}=") for arg in args)
            if takes_none:
                return UserMessage("option-without", "{option}: it takes no value", option=error.option_name)
            return UserMessage("option-needs", "{option}: its value is missing", option=error.option_name)
        case "MissingParameter":
            return UserMessage("missing", "{what} is missing", what=_called(error.param))
        case "BadParameter" if error.param is not None and (kind := _kind(verbs.get(verb), error.param.name)):
            return UserMessage("bad-value", "{what}: give {kind}", what=_called(error.param), kind=kind)
        case "UsageError" if verb not in verbs:
            return UserMessage(
                "no-verb", "{verb}: there is no such verb; there are: {known}", verb=repr(verb), known=", ".join(verbs)
            )
        case "UsageError" if extra := _extra(error, args[args.index(verb) + 1 :]):
            return UserMessage("too-much", "{extra}: this is more than the verb takes", extra=" ".join(extra))
    return str(error.format_message()).rstrip(".")


def _extra(error: Any, args: Sequence[str]) -> list[str]:
    """Return the arguments that no parameter of the verb takes."""
    _, extra, _ = error.ctx.command.make_parser(error.ctx).parse_args(args=list(args))
    return [*extra]


def _called(param: Any) -> str:
    """Name an option as it is typed, an argument as the help shows it."""
    name = str(param.opts[0])
    return name if name.startswith("-") else str(param.metavar or name.upper())


def _kind(verb: Callable[..., int] | None, name: str) -> UserMessage | None:
    """Say what a parameter takes, by the annotation of the verb's own; None where anything will do."""
    hint = get_type_hints(verb, include_extras=True).get(name) if verb is not None else None
    if hint is None:
        return None
    annotated, info = get_args(hint)
    kind = next((each for each in get_args(annotated) if each is not NoneType), annotated)
    kind = get_args(kind)[0] if get_origin(kind) is list else kind
    if isinstance(kind, type) and issubclass(kind, Enum):
        return UserMessage("one-of", "one of: {known}", known=", ".join(each.value for each in kind))
    if kind is Path:
        return UserMessage("a-file-name", "a file name")
    if kind not in (int, float):
        return None
    if info.max is not None:
        if kind is int:
            return UserMessage(
                "whole-number-between", "a whole number from {least} to {most}", least=info.min, most=info.max
            )
        return UserMessage(
            "number-between", "a number from {least} to {most}", least=f"{info.min:g}", most=f"{info.max:.0f}"
        )
    if kind is int:
        return (
            UserMessage("whole-number", "a whole number")
            if info.min is None
            else UserMessage("whole-number-from", "a whole number, {least} or more", least=info.min)
        )
    return (
        UserMessage("number", "a number")
        if info.min is None
        else UserMessage("number-from", "a number, {least} or more", least=info.min)
    )
