"""Matches of random legal play, the same again from the same seed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import blake2b
from typing import Any

from attrs import frozen

from ... import __version__
from ...core.game import AnyGame, Result, Shuffler
from ...core.log import log_bytes
from ...core.match import AnyMatch, Match, registry
from ...core.match.header import SEED_BYTES, new_header
from ...core.match.random_play import choose
from ..logs.locations import Location, read_if_exists, write_file

NAMES = ("Aki", "Ren", "Mio", "Sou", "Yui", "Kai", "Nao", "Rei")
MAX_EVENTS = 10_000
"""A match that is not over after this many events is abandoned."""


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


def random_match(
    game: AnyGame, names: tuple[str, ...], options: Mapping[str, Any], run_seed: bytes, index: int
) -> AnyMatch:
    """Return match `index` of a run, played from its `match_seed`, whose first 16 hex digits are its id."""
    seed = match_seed(run_seed, index)
    header = new_header(
        game, names, dict(options), seed, match=seed.hex()[:16], started=None, engine=f"kifu {__version__}"
    )
    match: AnyMatch = Match(game, header)
    play_out(match, seed)
    return match


def matches(
    game: AnyGame, names: tuple[str, ...], options: Mapping[str, Any], run_seed: bytes, count: int
) -> Iterator[AnyMatch]:
    """Yield the first `count` matches of a run."""
    for index in range(count):
        yield random_match(game, names, options, run_seed, index)


@frozen
class RandomMatch:
    """A random match whose log was written; or not, because a log of its name `exists`."""

    log: str
    match: str
    events: int
    result: Result | None
    exists: bool = False


@frozen
class PlayRandom:
    """The work of the pool: play match `index` of a run and write its log, which must not exist.

    The log is not forced to the disk, which takes as long as the match and lets one process wait for the other: the
    seed makes it again.
    """

    game: str
    names: tuple[str, ...]
    options: Mapping[str, Any]
    seed: bytes
    folder: Location

    def __call__(self, index: int) -> RandomMatch:
        """Play the match and write its log."""
        name = match_seed(self.seed, index).hex()[:16]
        log = self.folder / f"{name}.log"
        if read_if_exists(log) is not None:
            return RandomMatch(str(log), name, 0, None, exists=True)
        match = random_match(registry.find(self.game), self.names, self.options, self.seed, index)
        write_file(log, log_bytes(match), durable=False)
        return RandomMatch(str(log), name, len(match.events), match.result)
