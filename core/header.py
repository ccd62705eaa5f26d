"""What is settled before the first event of a match: its game, options, seats and seed."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from .errors import MatchError, Message
from .game import Game
from .wire import wire_of

FORMAT = 1
SEED_BYTES = 32


@frozen
class Fork:
    """Where a match was forked from: the match's id, and the last event that both share (-1: none)."""

    match: str
    seq: int


@frozen
class Header:
    """The head of a match's log (`docs/log-format.md`); `options` is an instance of the game's options class."""

    game: str
    rules: int
    seats: tuple[str, ...]
    options: Any
    seed: bytes | None
    match: str
    started: int | None
    engine: str
    layout: int = 1
    fork: Fork | None = None
    more: tuple[tuple[str, Any], ...] = ()
    """Keys of other programs, kept as they are."""


def new_header(
    game: Game[Any, Any, Any],
    seats: tuple[str, ...],
    options: dict[str, Any],
    seed: bytes | None,
    *,
    match: str,
    started: int | None,
    engine: str,
    fork: Fork | None = None,
) -> Header:
    """Make the header of a new match.

    Raises `MatchError` for a wrong number of seats or a seed that is not 32 bytes, `OptionError` for an option.
    """
    check_seats(game, len(seats))
    if seed is not None and (not isinstance(seed, bytes) or len(seed) != SEED_BYTES):
        raise MatchError(
            Message("no-such-seed", "a seed is {count} bytes, not {given}", count=SEED_BYTES, given=repr(seed))
        )
    chosen = wire_of(game).options(options)
    game.check_options(chosen, len(seats))
    return Header(game.name, game.rules, tuple(seats), chosen, seed, match, started, engine, game.layout, fork)


def check_seats(game: Game[Any, Any, Any], number: int) -> None:
    """Raise `MatchError` unless the game can be played with so many seats."""
    if number not in game.seats:
        least, most = game.seats[0], game.seats[-1]
        takes = Message("from-to", "{least} to {most}", least=least, most=most) if most > least else str(least)
        english = "{game} takes {takes} seats, not {count}"
        raise MatchError(Message("other-seats", english, game=game.name, takes=takes, count=number))
