"""A game whose commands have a field of every kind that a log can hold: a module by itself, for a wheel."""

from enum import Enum, IntEnum
from types import SimpleNamespace
from typing import Any, Literal

from attrs import frozen
from kifu.core.game import Card, Game, Result, Seat, command, options, state


class Way(Enum):
    UP = "up"
    DOWN = 1


class Number(IntEnum):
    ONE = 1


@frozen
class Inner:
    way: Way
    points: int | None = None


KINDS: list[Any] = [
    *[int, str, bool, Way, Number, Inner, Card, Seat, int | None, str | None, Way | None, Inner | None],
    *[Literal["a", 1], Literal[None, True], tuple[()], tuple[int, ...], tuple[int, str], tuple[Inner, ...]],
    *[tuple[tuple[str, ...], ...], tuple[int | None, ...], tuple[tuple[int, bool], ...], int | str],
]


@options
class Options:
    pass


@state
class State:
    options: Options
    played: int = 0


def play_of(number: int, kind: Any) -> type:
    """Return the command with a field of this kind."""

    @command(f"play-{number}")
    class Play:
        value: kind

    return Play


RULES = SimpleNamespace(
    start=lambda options, seats: State(options),
    to_act=lambda state: frozenset({0}),
    legal=lambda state, seat: [],
    apply=lambda state, seat, play: State(state.options, state.played + 1),
    result=lambda state: Result((0, 0), (Seat(0),)) if state.played else None,
)
PLAYS = tuple(play_of(number, kind) for number, kind in enumerate(KINDS))
GAME = Game("every_field", range(2, 3), State, PLAYS, RULES, Options)
