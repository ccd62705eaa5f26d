"""The arguments of a usual call, parsed from the signature of its verb.

Typer reads the same signatures, but for one call it builds all verbs and imports a library of validation, which takes
longer than to show a match. It still parses every call that is not usual, and says what is wrong with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from inspect import Signature, signature
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

from attrs import field, frozen

WHOLE = re.compile(r"-?[0-9]{1,18}")
NUMBER = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,15})?")


class Unusual(Exception):  # noqa: N818 (no error: Typer parses the call)
    """A call that is left to Typer."""


@frozen
class Parameter:
    """A parameter of a verb: its name in the signature, its type, and whether it is required and a list."""

    name: str
    kind: Any
    info: Any
    required: bool
    many: bool
    typed: tuple[str, ...] = field()

    @typed.default
    def _typed(self) -> tuple[str, ...]:
        """Return an option's names as they are typed; an argument has none."""
        names = (self.info.default, *(self.info.param_decls or ()))
        return tuple(each for each in names if isinstance(each, str) and each.startswith("-"))


def usual_arguments(verb: Callable[..., Any], args: Sequence[str]) -> dict[str, Any] | None:
    """Return the arguments for the function of a verb; None for a call that is left to Typer."""
    known = list(_parameters(verb))
    options = {name: each for each in known for name in each.typed}
    try:
        found, others = _options(options, args)
        found |= _positional([each for each in known if not each.typed], others)
    except Unusual:
        return None
    missing = any(each.required and each.name not in found for each in known)
    return None if missing else found


def _parameters(verb: Callable[..., Any]) -> Iterator[Parameter]:
    hints, declared = get_type_hints(verb, include_extras=True), signature(verb).parameters
    for name, parameter in declared.items():
        annotated, info = get_args(hints[name])
        kind = next((each for each in get_args(annotated) if each is not NoneType), annotated)
        many = get_origin(annotated) is list or get_origin(kind) is list
        if many:
            kind = get_args(kind)[0] if get_args(kind) else kind
        yield Parameter(name, kind, info, parameter.default is Signature.empty, many)


def _options(options: dict[str, Parameter], args: Sequence[str]) -> tuple[dict[str, Any], list[str]]:
    """Return the values of the options by the names of the parameters, and the other arguments."""
    found: dict[str, Any] = {}
    others, rest = [], iter(args)
    for arg in rest:
        if not arg.startswith("-"):
            others.append(arg)
            continue
        name, equals, value = arg.partition("=")
        option = options.get(name)
        if option is None or (equals and (option.kind is bool or not name.startswith("--"))):
            raise Unusual
        if option.kind is not bool and not equals:
            value = next(rest, "-")
        given = True if option.kind is bool else _value(option, value)
        if option.many:
            found.setdefault(option.name, []).append(given)
        elif option.name in found:
            raise Unusual
        else:
            found[option.name] = given
    return found, others


def _positional(parameters: list[Parameter], args: list[str]) -> dict[str, Any]:
    """Return the values of the arguments in order; a list can only be the last, and takes the rest."""
    singles = [each for each in parameters if not each.many]
    rest = args[len(singles) :]
    found = {each.name: _value(each, arg) for each, arg in zip(singles, args, strict=False)}
    if rest:
        if len(singles) != len(parameters) - 1 or not parameters[-1].many:
            raise Unusual
        found[parameters[-1].name] = [_value(parameters[-1], arg) for arg in rest]
    return found


def _value(parameter: Parameter, typed: str) -> Any:
    """Return a value of the parameter's type; raises `Unusual` for any that may be wrong."""
    kind, info = parameter.kind, parameter.info
    if typed.startswith("-") or info.callback is not None or info.envvar:
        raise Unusual
    if kind is str:
        return typed
    if kind is Path:
        return Path(typed)
    if isinstance(kind, type) and issubclass(kind, Enum):
        for each in kind:
            if each.value == typed:
                return each
    shape = {int: WHOLE, float: NUMBER}.get(kind)
    if shape is None or not shape.fullmatch(typed):
        raise Unusual
    number = kind(typed)
    if (info.min is not None and number < info.min) or (info.max is not None and number > info.max):
        raise Unusual
    return number
