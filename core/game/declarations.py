"""How the classes of a game are declared: `@options`, `@state`, `@command` and `@view_of` make attrs classes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeVar, dataclass_transform

from attrs import field, frozen

from ..errors import GameError, Message
from .marks import mapping, nobody, own, public, seat_option, secret, seen_by, told

T = TypeVar("T", bound=type)

TAG, RULE, KIND, STATE = "__kifu_tag__", "__kifu_rule__", "__kifu_kind__", "__kifu_state__"
NO_CLASS: Any = None
"""What a decorator gets that is written with brackets, and must not be."""


@dataclass_transform(frozen_default=True, field_specifiers=(field, mapping, seat_option))
def options(kind: T = NO_CLASS) -> T:
    """Declare the options of a game: every field has a default, and everybody knows them all."""
    _check_class(kind, "options")
    return _declared(kind, "options")


@dataclass_transform(
    frozen_default=True, field_specifiers=(field, mapping, nobody, own, public, seat_option, secret, seen_by, told)
)
def state(kind: T = NO_CLASS) -> T:
    """Declare the state of a game: the whole table."""
    _check_class(kind, "state")
    return _declared(kind, "state")


@dataclass_transform(
    frozen_default=True, field_specifiers=(field, mapping, nobody, own, public, seat_option, secret, seen_by, told)
)
def view_of(state: type) -> Callable[[T], T]:
    """Declare a view with a shape of its own, of states of this class.

    Each of its fields is `viewer`, a field of the state (shown as its mark says), the sizes of one, or `told(…)`.
    """

    def declare(kind: T) -> T:
        made = _declared(kind, "view")
        setattr(made, STATE, state)
        return made

    return declare


@dataclass_transform(
    frozen_default=True, field_specifiers=(field, mapping, nobody, own, public, seat_option, secret, seen_by, told)
)
def command(tag: str, *, rule: str | None = None) -> Callable[[T], T]:
    """Declare a command: `tag` is its name in the log, `rule` the number of the rule by which derived notes tell it."""
    given: Any = tag
    if isinstance(given, type):
        english = 'class {kind} is declared with `@command`: give it a tag, `@command("{tag}")`'
        values = {"kind": given.__name__, "tag": given.__name__.lower()}
        raise GameError(given.__module__, Message("command-without-tag", english, **values))

    def declare(kind: T) -> T:
        made = _declared(kind, "command")
        setattr(made, TAG, tag)
        setattr(made, RULE, rule)
        return made

    return declare


def _check_class(kind: Any, name: str) -> None:
    """Raise `GameError` for a decorator that is written with brackets."""
    if not isinstance(kind, type):
        module = str(sys._getframe(2).f_globals.get("__name__"))
        english = "`@{decorator}` is written without brackets, above a class"
        raise GameError(module, Message("decorator-brackets", english, decorator=name))


def _declared(kind: T, name: str) -> T:
    made: Any = frozen(slots=False)(kind)
    setattr(made, KIND, name)
    return made  # type: ignore[no-any-return]


def is_declared(kind: Any, name: str) -> bool:
    """Return True for a class that was declared by this decorator, and not only derives from one."""
    return isinstance(kind, type) and vars(kind).get(KIND) == name


def tag_of(kind: type) -> str:
    """Return the tag of a command class."""
    tag: str = vars(kind)[TAG]
    return tag


def rule_of(kind: type) -> str | None:
    """Return the number of the rule by which a command is told; None if it has none."""
    rule: str | None = vars(kind).get(RULE)
    return rule
