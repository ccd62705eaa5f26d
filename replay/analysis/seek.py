"""The search for a match in which two engines part: random play, and play that goes on from what was seldom seen."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import attrs
import msgpack
from attrs import field, frozen, mutable

from ...core.errors import OptionError
from ...core.game import AnyGame, Shuffler
from ...core.log import log_bytes
from ...core.log.format import pack_plain
from ...core.match import AnyMatch, Match
from ...core.match.header import Header
from ...core.trace import Change, Comparison, Trace, TracedStep
from ..option_parsing import option_values
from ..tournament.random_matches import NAMES, header_of, match_seed, play_out
from .what_if import EngineFailed

Compare = Callable[[bytes, AnyMatch], Comparison]
"""Compares what the two engines make of a log, of this match; raises `EngineFailed` where one crashes or hangs."""

MAX_EVENTS = 2000
"""A match that is not over after so many events is compared as it is."""

MOST_BACK = 6
"""Play goes on from up to two to the power of this many events before what was seldom seen, less most of the time."""


@frozen
class EnginesDiffer:
    """A match in which two engines part: their comparison, or why one of them failed."""

    log: bytes
    """What was compared: the match, or its start without the options."""
    match: AnyMatch
    comparison: Comparison | None
    failed: str | None = None


@frozen
class SeekResult:
    """The result of a search: the match in which the engines part, if any, and the number of matches played."""

    found: EnginesDiffer | None
    matches: int
    why: str
    """`parted`, or what ran out: `tries` or `seconds`."""
    reached: frozenset[str]
    """The rules that were at work in any match."""


def seek(game: AnyGame, headers: Iterator[Header], compared: Compare, tries: int, seconds: float) -> SeekResult:
    """Play until the engines part, `tries` matches are played or the seconds are over.

    Every other match goes on from before a step that showed what few matches have shown: a note, a value in it, or a
    rule that refuses. So play comes to what is rare, and stays near it. The first is compared without its options too:
    another engine may have other defaults.
    """
    deadline, seen = time.monotonic() + seconds, _Seen()
    for played, header in enumerate(headers):
        if played >= tries or time.monotonic() > deadline:
            return SeekResult(None, played, "tries" if played >= tries else "seconds", frozenset(seen.rules))
        assert header.seed is not None
        match: AnyMatch = seen.begun(game, header) if played % 2 else Match(game, header)
        logs = [] if played else [(_without_options(log_bytes(match)), Match(game, header))]
        play_out(match, header.seed, MAX_EVENTS)
        for log, of_log in [*logs, (log_bytes(match, digests=False, ended=match.result is not None), match)]:
            if (found := _parted(log, of_log, compared, seen)) is not None:
                return SeekResult(found, played + 1, "parted", frozenset(seen.rules))
    raise AssertionError("the headers never end")


def _parted(log: bytes, match: AnyMatch, compared: Compare, seen: _Seen) -> EnginesDiffer | None:
    try:
        comparison = compared(log, match)
    except EngineFailed as cause:
        return EnginesDiffer(log, match, None, cause.why)
    seen.add(match, comparison.a)
    return None if comparison.change is Change.SAME else EnginesDiffer(log, match, comparison)


def _without_options(log: bytes) -> bytes:
    """Return the log of a match that has not begun, with the options that each engine takes by itself."""
    return pack_plain({**msgpack.unpackb(log), "options": {}})


Sight = tuple[Any, ...]
"""What a step showed: the key of a note or a rule that refuses, or a value of a note."""


@mutable
class _Seen:
    """What the matches have shown, how often, and where each was seen last."""

    rules: set[str] = field(factory=set)
    _times: tuple[Counter[Sight], Counter[Sight]] = field(factory=lambda: (Counter(), Counter()))
    """Of keys and rules, and of values."""
    _places: dict[Sight, tuple[AnyMatch, int]] = field(factory=dict)

    def add(self, match: AnyMatch, trace: Trace) -> None:
        """Note what a match has shown."""
        shown = {sight: step.seq for step in trace.steps for sight in _sights(step)}
        for sight, seq in shown.items():
            self._times[len(sight) > 1][sight] += 1
            self._places[sight] = match, seq
        self.rules.update(note.rule for step in trace.steps for note in step.notes if note.rule is not None)

    def begun(self, game: AnyGame, header: Header) -> AnyMatch:
        """Return a match that has come to before what is rarest, of which the header says how it is drawn."""
        assert header.seed is not None
        luck = Shuffler(header.seed)
        times = self._times[luck.below(2)] or self._times[0]
        if not times:
            return Match(game, header)
        rarest = min(times, key=times.__getitem__)
        times[rarest] += 1
        before, seq = self._places[rarest]
        match: AnyMatch = Match(game, attrs.evolve(before.header, match=header.match))
        for event in before.events[: max(seq - luck.below(1 << luck.below(MOST_BACK + 1)), 0)]:
            match.apply(event.seat, event.command)
        return match


def _sights(step: TracedStep) -> Iterator[Sight]:
    """Yield what a step showed; of a list its length and its largest number count."""
    for rule in step.trials[:-2]:
        yield (rule,)
    for note in step.notes:
        yield (note.key,)
        for name, value in note.values.items():
            if isinstance(value, list):
                numbers = [each for each in value if isinstance(each, int)]
                yield note.key, name, len(value), max(numbers, default=0)
            else:
                yield note.key, name, str(value)


def headers_of(game: AnyGame, seats: int | None, options: dict[str, Any], run_seed: bytes) -> Iterator[Header]:
    """Yield headers for ever: each number of seats in turn, and every third match with other options."""
    numbers = list(game.seats) if seats is None else [seats]
    others = {name: values for name, values in option_values(game) if name not in options}
    for index in count():
        names = NAMES[: numbers[index % len(numbers)]]
        seed, wanted, place = match_seed(run_seed, index), dict(options), index // 3 + 1
        for name, values in others.items() if index % 3 == 2 else ():
            place, at = divmod(place, len(values))  # by and by all of them together
            wanted[name] = values[at]
        try:
            yield header_of(game, names, wanted, seed)
        except OptionError:  # not together, or not with so many seats
            yield header_of(game, names, options, seed)
