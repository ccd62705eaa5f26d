"""The search for a match in which two engines part: directed play, each match compared with everything a trace has."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

from attrs import frozen

from ... import __version__
from ...core.errors import OptionError
from ...core.game import AnyGame, Shuffler
from ...core.log import log_bytes
from ...core.match import AnyMatch
from ...core.match.header import Header, new_header
from ...core.trace import Comparison, Trace, compare, option_fields
from ...core.wire import wire_of
from ..tournament.random_matches import NAMES, match_seed
from .directed import DirectedPlay

Tracer = Callable[[bytes], Trace]
"""Traces a log, given as bytes, with the digests of conformance."""

MAX_EVENTS = 2000
"""A match that is not over after so many events is compared as it is."""


@frozen
class EnginesDiffer:
    """A match in which two engines part, and their comparison."""

    match: AnyMatch
    comparison: Comparison


@frozen
class SeekResult:
    """The result of a search: the match in which the engines part, if any, and the number of matches played."""

    found: EnginesDiffer | None
    matches: int
    why: str
    """`parted`, or what ran out: `tries` or `seconds`."""


def seek(
    director: DirectedPlay, headers: Iterator[Header], tracers: tuple[Tracer, Tracer], tries: int, seconds: float
) -> SeekResult:
    """Play directed matches until the engines part, `tries` matches are played or the seconds are over."""
    deadline = time.monotonic() + seconds
    for played, header in enumerate(headers):
        if played >= tries:
            return SeekResult(None, played, "tries")
        if time.monotonic() > deadline:
            return SeekResult(None, played, "seconds")
        assert header.seed is not None
        match = director.play(header, Shuffler(header.seed, 1 << 31), MAX_EVENTS)
        log = log_bytes(match, digests=False, ended=match.result is not None)
        one, other = (trace(log) for trace in tracers)
        comparison = compare(one, other, option_fields(match))
        if comparison.first is not None:
            return SeekResult(EnginesDiffer(match, comparison), played + 1, "parted")
    raise AssertionError("the headers never end")


def headers_of(game: AnyGame, seats: int | None, options: dict[str, Any], run_seed: bytes) -> Iterator[Header]:
    """Yield headers for ever: each number of seats in turn, and every third match with one more option changed."""
    numbers = list(game.seats) if seats is None else [seats]
    changes = list(_changes(game, options))
    for index in count():
        names = NAMES[: numbers[index % len(numbers)]]
        wanted = options
        if changes and index % 3 == 2:
            wanted = {**options, **changes[index // 3 % len(changes)]}
        seed = match_seed(run_seed, index)
        try:
            yield _header(game, names, wanted, seed)
        except OptionError:  # not with so many seats
            yield _header(game, names, options, seed)


def _header(game: AnyGame, names: tuple[str, ...], options: dict[str, Any], seed: bytes) -> Header:
    return new_header(game, names, options, seed, match=seed.hex()[:16], started=None, engine=f"kifu {__version__}")


def _changes(game: AnyGame, options: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield another value of each bool option that the caller leaves open."""
    default = game.options()
    for name, value in wire_of(game).plain_options(default).items():
        if isinstance(value, bool) and name not in options:
            yield {name: not value}
