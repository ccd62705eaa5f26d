"""Messages for calls that Typer refuses, in the language of the call.

Typer raises exceptions of its own, with English texts. They are recognized here by their names, which are stable across
the libraries that Typer has been built on.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from enum import Enum
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

from .call_errors import UserMessage
from .options import LANG, Lang

COMPLETION = "_REPLAY_COMPLETE"
"""The environment variable that a shell sets to get completions from Typer."""

Verbs = Mapping[str, Callable[..., int]]


def lang_of(args: Sequence[str]) -> Lang | None:
    """Return the value of `--lang`, wherever it stands: errors need it before the call is parsed."""
    for place, arg in enumerate(args):
        if arg == "--":
            break
        name, equals, value = arg.partition("=")
        if name == LANG:
            value = value if equals else "".join(args[place + 1 : place + 2])
            return next((lang for lang in Lang if lang.value == value), None)
    return None


def verb_of(args: Sequence[str]) -> str:
    """Return the verb of a call, or "": the first argument that is neither an option nor the value of `--lang`."""
    pairs = zip(("", *args), args, strict=False)
    return next((arg for before, arg in pairs if not arg.startswith("-") and before != LANG), "")


def asks_for_help(args: Sequence[str], verbs: Collection[str]) -> bool:
    """Return True if a call has `-h` or `--help`, or no arguments; False if a shell asks for completions."""
    if not args:
        return COMPLETION not in os.environ
    before = args[: args.index("--")] if "--" in args else args
    return any(arg in ("-h", "--help") for arg in before) and verb_of(args) in ("", *verbs)


def usage_error(error: Exception, args: Sequence[str], verbs: Verbs) -> UserMessage:
    """Return the message for an exception of Typer, with the `--help` call that explains more."""
    verb = verb_of(args)
    command = f"replay {verb}" if verb in verbs else "replay"
    return UserMessage("usage", "{why} (see {command} --help)", why=_reason(error, args, verb, verbs), command=command)


def _reason(error: Any, args: Sequence[str], verb: str, verbs: Verbs) -> UserMessage | str:
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
            if any(arg.startswith(f"{error.option_name}=") for arg in args):
                return UserMessage("option-without", "{option}: it takes no value", option=error.option_name)
            return UserMessage("option-needs", "{option}: its value is missing", option=error.option_name)
        case "MissingParameter":
            return UserMessage("missing", "{what} is missing", what=_typed_name(error.param))
        case "BadParameter" if error.param is not None and (kind := _accepted(verbs.get(verb), error.param.name)):
            return UserMessage("bad-value", "{what}: give {kind}", what=_typed_name(error.param), kind=kind)
        case "UsageError" if verb not in verbs:
            return UserMessage(
                "no-verb", "{verb}: there is no such verb; there are: {known}", verb=repr(verb), known=", ".join(verbs)
            )
        case "UsageError" if extra := _extra(error, args[args.index(verb) + 1 :]):
            return UserMessage("too-much", "{extra}: too many arguments", extra=" ".join(extra))
    return str(error.format_message()).rstrip(".")


def _extra(error: Any, args: Sequence[str]) -> list[str]:
    """Return the arguments that no parameter of the verb takes."""
    _, extra, _ = error.ctx.command.make_parser(error.ctx).parse_args(args=list(args))
    return [*extra]


def _typed_name(param: Any) -> str:
    """Return an option as it is typed, or an argument as the help page shows it."""
    name = str(param.opts[0])
    return name if name.startswith("-") else str(param.metavar or name.upper())


def _accepted(verb: Callable[..., int] | None, name: str) -> UserMessage | None:
    """Return what a parameter accepts, by its annotation in the verb's signature; None if it accepts any text."""
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
