"""Which steps of a match read an option: the others go the same way under any options, since rules are pure (law 1).

The rules are given options that look and compare as ever, and tell when an attribute of theirs is read. So the same
commands under other options need not be folded again from the first to the last.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import cache
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

import attrs
from attrs import mutable

from ...core.errors import KifuError
from ...core.game import AnyGame, Seat
from ...core.match import AnyMatch, registry

PLAIN = (int, bool, str, bytes, type(None), ...)


@mutable(eq=False)
class WatchedGame:
    """A game, and the same game with options that tell when they are read."""

    game: AnyGame
    watched: AnyGame
    has_read: bool = False
    """Whether an option was read since this was last set to False."""
    steps: list[bool] = attrs.field(factory=list)
    """For each command that the rules have accepted since the last start whether they read an option for it."""

    @classmethod
    def of(cls, game: AnyGame) -> WatchedGame:
        """Return a game to be watched; raises `TypeError` if its options' class cannot have a subclass."""
        watch = cls(game, game)
        kind = _watched_class(game.options, watch._tell)

        def start(options: Any, seats: int) -> Any:
            watch.steps = []
            return game.start(_copied(options, kind), seats)

        def apply(state: Any, seat: Seat, command: Any) -> Any:
            watch.has_read = False
            after = game.apply(state, seat, command)
            watch.steps.append(watch.has_read)
            return after

        watch.watched = attrs.evolve(game, start=start, apply=apply)
        return watch

    def _tell(self) -> None:
        self.has_read = True


class OptionReads:
    """The games of logs, watched. It knows of the match that was read last which of its steps read an option."""

    def __init__(self) -> None:
        self._games: dict[str, WatchedGame | None] = {}

    def find(self, name: str) -> AnyGame:
        """Return the watched game of this log name; raises `GameError` as `registry.find` does."""
        if name not in self._games:
            try:
                self._games[name] = WatchedGame.of(registry.find(name))
            except KifuError:
                raise
            except Exception:  # a class of options that is compiled, or final
                self._games[name] = None
        watch = self._games[name]
        return registry.find(name) if watch is None else watch.watched

    def of(self, match: AnyMatch) -> WatchedGame | None:
        """Return the watched game of a match, with a bool for each step; None if they are unknown.

        They are where the match is not the one read last, has a takeback or other command of the log format, and
        where options could lie deeper in a state than in a field of its own.
        """
        watch = self._games.get(match.game.name)
        if watch is None or watch.watched is not match.game or len(watch.steps) != len(match.events):
            return None
        kinds: set[Any] = {*map(type, match.states)}
        return None if any(fields_of_options(kind, watch.game.options) is None for kind in kinds) else watch


@cache
def fields_of_options(state: Any, options: Any) -> tuple[str, ...] | None:
    """Return the fields of a class of states that are the options; None if others could hold options, too."""
    if not attrs.has(state) or _could_hold(state, options, inside=None):
        return None
    return tuple(field.name for field in attrs.fields(state) if field.type is options)


def _could_hold(kind: Any, options: type, inside: tuple[Any, ...] | None = ()) -> bool:
    """Return True unless no value of this type holds options; of a state (`inside` None), beside its own fields."""
    kind = getattr(kind, "__supertype__", kind)  # of a `NewType`
    if kind in PLAIN or get_origin(kind) is Literal or kind in (inside or ()):
        return False
    if get_origin(kind) in (tuple, frozenset, Union, UnionType):
        return any(_could_hold(arg, options, inside) for arg in get_args(kind))
    if not isinstance(kind, type) or issubclass(options, kind):
        return True
    if issubclass(kind, Enum):
        return False
    try:
        types = [field.type for field in attrs.fields(attrs.resolve_types(kind))]  # type: ignore[type-var, arg-type]
    except (NameError, TypeError, attrs.exceptions.NotAnAttrsClassError):
        return True
    own = [each for each in types if inside is not None or each is not options]
    return any(_could_hold(each, options, (*(inside or ()), kind)) for each in own)


def _watched_class(kind: Any, tell: Callable[[], None]) -> type:
    """Return a subclass of a class of options that calls `tell` whenever an attribute is read."""

    class Watched(kind):  # type: ignore[misc]
        __slots__ = ()

        def __getattribute__(self, name: str) -> Any:
            tell()
            return kind if name == "__class__" else super().__getattribute__(name)

    return Watched


def _copied(options: Any, kind: type) -> Any:
    """Return options of this class with the same values."""
    copy: Any = object.__new__(kind)
    for field in attrs.fields(type(options)):
        object.__setattr__(copy, field.name, getattr(options, field.name))
    return copy
