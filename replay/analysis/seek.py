"""The search for a match in which two engines part: random play, and play that goes on from what was seldom seen."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from typing import Any

import attrs
import msgpack
from attrs import field, frozen, mutable

from ...core.errors import OptionError
from ...core.game import AnyGame, Note, RuleViolation, Shuffler
from ...core.log import log_bytes
from ...core.log.format import pack_plain
from ...core.match import AnyMatch, Match
from ...core.match.header import Header
from ...core.match.legal import first_by_kind
from ...core.trace import Change, Comparison
from ...core.trace.write import read_log
from ..option_parsing import option_values
from ..tournament.random_matches import NAMES, header_of, match_seed
from .what_if import Alternative, EngineFailed

MAX_EVENTS = 2000
"""A match that is not over after so many events is compared as it is."""

MOST_BACK = 6
"""Play goes on from up to two to the power of this many events before what was seldom seen, less most of the time."""

LIKINGS = (1, 4, 16)
"""How often a kind of command is drawn in a match: each match has its own likings, and comes to something else."""


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


def seek(game: AnyGame, headers: Iterator[Header], other: Alternative, tries: int | None, seconds: float) -> SeekResult:
    """Play until the engines part, `tries` matches are played or the seconds are over.

    Every other match goes on from before a step that showed what few matches have shown: a note, or a value in it. So
    play comes to what is rare, and stays near it. The first is compared without its options too: another engine may
    have other defaults.
    """
    deadline, seen = time.monotonic() + seconds, _Seen()
    for played, header in enumerate(headers):
        if played == tries or time.monotonic() > deadline:
            return SeekResult(None, played, "tries" if played == tries else "seconds", frozenset(seen.rules))
        assert header.seed is not None
        match: AnyMatch = seen.begun(game, header) if played % 2 else Match(game, header)
        logs = [] if played else [(_without_options(log_bytes(match)), Match(game, header))]
        _play_out(match, Shuffler(match_seed(header.seed, played)))
        for log, of_log in [*logs, (log_bytes(match, digests=False, ended=match.result is not None), match)]:
            if (found := _parted(log, of_log, other, played)) is not None:
                return SeekResult(found, played + 1, "parted", frozenset(seen.rules))
        seen.add(match)
    raise AssertionError("the headers never end")


def _play_out(match: AnyMatch, luck: Shuffler) -> None:
    """Play random legal commands to the end, or long enough; each match likes some kinds of them more than others."""
    likings: dict[type, int] = defaultdict(lambda: LIKINGS[luck.below(len(LIKINGS))])
    match.deal()
    while len(match.events) < MAX_EVENTS:
        kinds = [(seat, kind) for seat in sorted(match.to_act) for kind in first_by_kind(match.game, match.state, seat)]
        drawn = [(seat, kind) for seat, kind in kinds if kind for _ in range(likings[type(kind[0])])]
        if not drawn:
            break
        seat, kind = drawn[luck.below(len(drawn))]
        match.play(seat, kind[luck.below(len(kind))])


def _parted(log: bytes, match: AnyMatch, other: Alternative, number: int) -> EnginesDiffer | None:
    """Compare what is quickly made of every step, each match with another viewer of it; if that differs, all."""
    reading, looks = read_log(log), {seq: number + seq + 1 for seq in range(-1, len(match.events))}
    try:
        comparison = other.sketched(log, reading, looks)
        if comparison.change is Change.SAME:
            return None
        whole = other.compared(log, reading)
        return EnginesDiffer(log, match, comparison if whole.change is Change.SAME else whole)  # it came by chance
    except EngineFailed as cause:
        return EnginesDiffer(log, match, None, cause.why)


def _without_options(log: bytes) -> bytes:
    """Return the log of a match that has not begun, with the options that each engine takes by itself."""
    return pack_plain({**msgpack.unpackb(log), "options": {}})


Sight = tuple[Any, ...]
"""What a step showed: the key of a note, or a value of a note."""


@mutable
class _Seen:
    """What the matches have shown, how often, and where each was seen last."""

    rules: set[str] = field(factory=set)
    _times: tuple[Counter[Sight], Counter[Sight]] = field(factory=lambda: (Counter(), Counter()))
    """Of keys, and of values."""
    _places: dict[Sight, tuple[AnyMatch, int]] = field(factory=dict)

    def add(self, match: AnyMatch) -> None:
        """Note what a match has shown."""
        notes = [(note, step.seq) for step in match.steps for note in step.notes]
        for sight, seq in {sight: seq for note, seq in notes for sight in _sights(note)}.items():
            self._times[len(sight) > 1][sight] += 1
            self._places[sight] = match, seq
        self.rules.update(note.rule.number for note, _ in notes if note.rule is not None)

    def begun(self, game: AnyGame, header: Header) -> AnyMatch:
        """Return a match that has come to before what is rarest, or to it under the options of the header.

        The header says how it is drawn. Another reading of an option may show only in what is rare.
        """
        assert header.seed is not None
        luck = Shuffler(header.seed)
        times = self._times[luck.below(2)] or self._times[0]
        if not times:
            return Match(game, header)
        rarest = min(times, key=times.__getitem__)
        times[rarest] += 1
        before, seq = self._places[rarest]
        match: AnyMatch = Match(game, attrs.evolve(before.header, match=header.match))
        events = max(seq - luck.below(1 << luck.below(MOST_BACK + 1)), 0)
        if luck.below(2) and header.options != before.header.options:
            with suppress(OptionError):  # not with so many seats
                game.check_options(header.options, len(before.header.seats))
                match, events = Match(game, attrs.evolve(match.header, options=header.options)), seq + 1
        with suppress(RuleViolation):  # under other options: play goes on from there
            for event in before.events[:events]:
                match.apply(event.seat, event.command)
        return match


def _sights(note: Note) -> Iterator[Sight]:
    """Yield what a note showed; of a list its length and its largest number count."""
    yield (note.key,)
    for name, value in note.values:
        if isinstance(value, tuple):
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
