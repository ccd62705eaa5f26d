"""Commands of one class, told apart place by place: the actions of each need not be listed for that."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter, itemgetter
from typing import Any

from ..game import MadeOnAccess
from .memo import Memo

Place = tuple[Callable[[Any], Any], Callable[[Any], int]]
"""What returns a row's value at a place, and the action of such a value."""


class Alike:
    """Some commands of one class, a row for each: its token at each place tells it from the others."""

    __slots__ = ("_commands", "places", "rows")

    def __init__(self, places: Sequence[Place] | Mapping[int, Place], rows: Sequence[Any], commands: Sequence[Any]):
        self.places, self.rows, self._commands = places, rows, commands

    def command(self, row: Any) -> Any:
        """Return the command of one of its rows."""
        return row if self._commands is self.rows else self._commands[self.rows.index(row)]


Sorter = Callable[[Sequence[Any]], Alike]
"""Returns commands of one class with what tells them apart."""


def by_field(names: Sequence[str], numbers: Sequence[Callable[[Any], int]]) -> Sorter:
    """Tell commands apart whose fields are one token each: a row is the command, a place is a field."""
    places = [*zip(map(attrgetter, names), numbers, strict=True)]

    def alike(commands: Sequence[Any]) -> Alike:
        rows = [*commands]
        return Alike(places, rows, rows)

    return alike


def by_item(kind: type, name: str, turn: Callable[[Any], Any] | None, number: Callable[[Any], int]) -> Sorter:
    """Tell commands apart that are one list of ints: a row is that list, and its end if they are not equally long."""
    places, get = Memo(lambda place: (itemgetter(place), number)), attrgetter(name)

    def alike(commands: Sequence[Any]) -> Alike:
        if isinstance(commands, MadeOnAccess) and commands.make is kind:  # then none of them is made
            rows: Sequence[Any] = commands.values
        else:
            rows = [*map(get, commands)]
        if turn is not None:
            rows = [*map(turn, rows)]
        return Alike(places, rows if len({*map(len, rows)}) == 1 else [(*row, None) for row in rows], commands)

    return alike


def by_token(fields: Callable[[Any], Any], actions: Callable[[Any], tuple[int, ...]]) -> Sorter:
    """Tell other commands apart: a row is the actions of the command, after its tag."""
    places = Memo(lambda place: (itemgetter(place + 1), int))
    return lambda commands: Alike(places, [*map(actions, map(fields, commands))], commands)
