"""The header of a match, fixed before its first event: game, options, seats and seed."""

from __future__ import annotations

from typing import Any

from attrs import evolve, frozen

from .errors import MatchError, Message
from .game import Game, Meta
from .wire import wire_of

FORMAT = 1
SEED_BYTES = 32

TRUST_KEYS = ("fair", "veil", "sign")
"""Header keys that hold for the bytes of one log and unlock their secrets: no other log may have them."""

SIGN = "sign"
"""The key of an event's meta that holds for the bytes of one log."""


@frozen
class Fork:
    """The origin of a forked match: the id of the other match, and the last event that both share (-1: none)."""

    match: str
    seq: int


@frozen
class Header:
    """The header of a match's log (`docs/log-format.md`).

    `options` is an instance of the game's options class, `started` milliseconds since the Unix epoch.
    """

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
    """Pairs of key and value that other programs wrote, kept as they are."""


def without_trust(header: Header) -> Header:
    """Return the header without `fair`, `veil` and `sign`: for a log of other bytes than those they hold for."""
    return evolve(header, more=tuple(pair for pair in header.more if pair[0] not in TRUST_KEYS))


def unsigned(meta: Meta | None) -> Meta | None:
    """Return the meta without `sign`; None if nothing else is in it."""
    if meta is None:
        return None
    kept = evolve(meta, more=tuple(pair for pair in meta.more if pair[0] != SIGN))
    return None if kept == Meta() else kept


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
    """Return the header of a new match, of the game's current rules version.

    Raises `MatchError` for a wrong number of seats or a seed that is not 32 bytes, `OptionError` for a wrong option.
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
    """Raise `MatchError` unless the game can be played with this number of seats."""
    if number not in game.seats:
        least, most = game.seats[0], game.seats[-1]
        takes = Message("from-to", "{least} to {most}", least=least, most=most) if most > least else str(least)
        english = "{game} takes {takes} seats, not {count}"
        raise MatchError(Message("other-seats", english, game=game.name, takes=takes, count=number))
