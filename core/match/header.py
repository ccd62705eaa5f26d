"""The header of a match, fixed before its first event: game, options, seats and seed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import Any

from attrs import evolve, frozen

from ..errors import GameError, MatchError, Message
from ..game import AnyGame, Game, Meta
from ..wire import wire_of
from ..wire.exact import is_int, is_text

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
    game: AnyGame,
    seats: Iterable[str],
    options: Mapping[str, Any],
    seed: bytes | None,
    *,
    match: str,
    started: int | None,
    engine: str,
    fork: Fork | None = None,
) -> Header:
    """Return the header of a new match, of the game's current rules version.

    Raises `GameError` for what is no game; `MatchError` for a wrong number of seats, a seed that is not 32 bytes, or
    anything else that no log can hold; `OptionError` for a wrong option.
    """
    if not isinstance(game, Game):
        raise GameError(type(game).__name__, Message("no-game", "this is neither a game nor the name of one"))
    names: tuple[Any, ...] = tuple(seats) if _is_in_order(seats) else (None,) * game.seats[0]
    check_seats(game, len(names))
    for key, fits, shape in (
        ("seats", all(map(is_text, names)), Message("names", "a list of names")),
        ("match", is_text(match), Message("a-text", "a text")),
        ("started", started is None or (is_int(started) and started >= 0), Message("a-time", "milliseconds or nil")),
        ("engine", is_text(engine), Message("a-text", "a text")),
    ):
        if not fits:
            raise MatchError(Message("key-is-not", "{key} is not {shape}", key=repr(key), shape=shape))
    if seed is not None and (not isinstance(seed, bytes) or len(seed) != SEED_BYTES):
        raise MatchError(
            Message("no-such-seed", "a seed is {count} bytes, not {given}", count=SEED_BYTES, given=repr(seed))
        )
    chosen = wire_of(game).options(options)
    game.check_options(chosen, len(names))
    return Header(game.name, game.version, names, chosen, seed, match, started, engine, game.past.layout, fork)


def _is_in_order(seats: object) -> bool:
    """Return True for several values one after the other: no text, whose letters are no names, and no set or map."""
    return isinstance(seats, Iterable) and not isinstance(seats, str | bytes | Set | Mapping)


def check_seats(game: AnyGame, number: int) -> None:
    """Raise `MatchError` unless the game can be played with this number of seats."""
    if number not in game.seats:
        least, most = game.seats[0], game.seats[-1]
        takes = Message("from-to", "{least} to {most}", least=least, most=most) if most > least else str(least)
        english = "{game} takes {takes} seats, not {count}"
        raise MatchError(Message("other-seats", english, game=game.name, takes=takes, count=str(number)))
