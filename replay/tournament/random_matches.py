"""Matches of random legal play, the same again from the same seed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import blake2b
from typing import Any

from ... import __version__
from ...core.game import AnyGame, Shuffler
from ...core.match import AnyMatch, Match
from ...core.match.header import SEED_BYTES, Header, new_header
from ...core.match.random_play import choose

NAMES = ("Aki", "Ren", "Mio", "Sou", "Yui", "Kai", "Nao", "Rei")
ID_BYTES = 8
MAX_EVENTS = 10_000
"""A match that is not over after this many events is abandoned."""


def seat_names(count: int) -> tuple[str, ...]:
    """Return the names of so many seats."""
    return tuple(NAMES[seat] if seat < len(NAMES) else f"Seat {seat}" for seat in range(count))


def match_seed(run_seed: bytes, index: int) -> bytes:
    """Return the seed of match `index` (0, 1, …), derived from the run's seed: stable for ever.

    BLAKE2b-256 with the run's seed as its key, over the index as eight big-endian bytes.
    """
    return blake2b(index.to_bytes(8, "big"), digest_size=SEED_BYTES, key=run_seed).digest()


def play_out(match: AnyMatch, seed: bytes, most: int = MAX_EVENTS) -> None:
    """Play random legal commands until the match is over, or abandon it after `most` events: stable for ever.

    The choices are those of `choose`, from one `Shuffler` over BLAKE2b-256 of "kifu random play" with the seed as its
    key. They reveal nothing about the deals from that seed.
    """
    shuffler = Shuffler(blake2b(b"kifu random play", digest_size=SEED_BYTES, key=seed).digest())
    match.deal()
    while len(match.events) < most:
        chosen = choose(match.position, shuffler)
        if chosen is None:
            break
        match.play(*chosen)
    match.abandon()


def header_of(
    game: AnyGame, names: tuple[str, ...], options: Mapping[str, Any], seed: bytes, named: bytes | None = None
) -> Header:
    """Return the header of a match of a run; its id is derived from the game and its `match_seed`: stable for ever.

    The id is BLAKE2b-64 of the game's name with that seed as its key. `named` is the match's seed if its deals are
    those of another.
    """
    named = seed if named is None else named
    match = blake2b(game.name.encode(), digest_size=ID_BYTES, key=named).hexdigest()
    return new_header(game, names, dict(options), seed, match=match, started=None, engine=f"kifu {__version__}")


def matches(
    game: AnyGame, names: tuple[str, ...], options: Mapping[str, Any], run_seed: bytes, count: int
) -> Iterator[AnyMatch]:
    """Yield the first `count` matches of a run."""
    for index in range(count):
        seed = match_seed(run_seed, index)
        match: AnyMatch = Match(game, header_of(game, names, options, seed))
        play_out(match, seed)
        yield match
