"""A sketch of what an engine makes of a log: a check sum of each step, and of all that it shows after some of them.

`impact` compares sketches, and then the traces of those steps alone that differ. Which steps are looked at is drawn by
the log's chain, the same for each engine, and more often where something happens that is rare in the log.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from hashlib import shake_256
from itertools import chain as joined
from typing import Any
from zlib import crc32

from ..errors import GameError
from ..game import TABLE, AnyStep, Note, RedactedCommand
from ..log import Reading
from ..match import AnyMatch
from ..match.fold import call_game
from ..wire import pack
from .change import option_fields
from .facets import fields_of, getter_of, legal_commands, legal_count, packed, plain_note
from .read import Trace
from .shape import Shape
from .trace_diff import Comparison, compare, packed_alike, verdict
from .trials import Trials, unworded, verdicts
from .write import WHOLE, Part, explain, failure, outcome, result_of

FIRST, LATER = 32, 8
"""Of 256 steps that are the first of their kind in a log, so many are looked at; of later ones the share falls to the
second number. A kind of step has notes with the same keys."""

LISTED = 50
"""The most legal commands of a seat that are looked at."""

COUNTS = 4
"""With each such look they are counted."""

COUNTED = 1000
"""So far they are counted."""

SCENES = 11
"""With each such look the scene is made. The number has no factor in common with the usual numbers of viewers."""

MOST = 3
"""So many steps are compared in full, of those that were looked at and differ."""

Looks = dict[int, int]
"""The steps that are looked at, each with a number: viewers take turns by it."""


def choose(match: AnyMatch, chain: bytes) -> tuple[Looks, frozenset[str]]:
    """Return the steps to look at, and the rules that the notes of all steps name."""
    kinds: Counter[Any] = Counter()
    reached: set[str] = set()
    looks: Looks = {}
    first, *luck = shake_256(chain).digest(1 + len(match.states))
    for seq, step in enumerate(joined([None], match.steps), -1):
        try:
            notes = _notes(step)
        except GameError:  # the sketch shall fail there, too
            looks[seq] = first
            break
        reached.update([note.rule.number for note in notes if note.rule is not None])
        kind = tuple([note.key for note in notes])
        kinds[kind] += 1
        if luck[seq + 1] < max(LATER, FIRST // kinds[kind]):
            looks[seq] = first + len(looks)
    return looks or {first % len(match.states) - 1: first}, frozenset(reached)


def _notes(step: AnyStep | None) -> tuple[Note, ...]:
    return () if step is None else call_game(step.game, explain, step)


def sketch(reading: Reading, chain: bytes, looks: Looks, *, scenes: bool = True) -> bytes:
    """Return the sketch of a log that was read, as a trace that has its outcome and, in its head, the check sums."""
    match = reading.match
    assert match is not None
    made, stopped, seq = _Sketcher(match, chain, looks, scenes=scenes), None, -1
    try:
        for seq, state in enumerate(match.states, -1):
            made.add(seq, state)
    except GameError as cause:
        stopped = failure(seq, cause)
    return outcome(reading, chain, {"sketch": made.data()}, stopped)


class _Sketcher:
    """The sketch of a match, step by step."""

    def __init__(self, match: AnyMatch, chain: bytes, looks: Looks, *, scenes: bool) -> None:
        self._match, self._game, self._chosen, self._scenes = match, match.game, looks, scenes
        self._options = option_fields(match)
        self._viewers: tuple[int | None, ...] = (*range(len(match.header.seats)), None)
        self._trials = Trials(match.game, match.events, len(match.header.seats), chain)
        self._states: list[int] = []
        self._acts: list[int] = []
        self._looks: list[list[int]] = []

    def add(self, seq: int, state: Any) -> None:
        """Add a step; raises `GameError` where the game fails."""
        game = self._game
        acts = sorted(call_game(game, game.to_act, state))
        self._acts.append(crc32(pack((acts, result_of(call_game(game, game.result, state))))))
        self._states.append(crc32(pack(self._without_options(state))))
        if seq in self._chosen:
            self._looks.append([seq, *self._look(seq, state, acts, self._chosen[seq])])

    def _without_options(self, value: Any) -> Any:
        return getter_of(value.__class__, self._options)(value)

    def _look(self, seq: int, state: Any, acts: list[int], number: int) -> list[int]:
        """Return the check sums of what one viewer is shown, and of how commands that nobody gave are refused."""
        game, viewer = self._game, self._viewers[number % len(self._viewers)]
        seats = [seat for seat in acts if seat != TABLE]
        parts: list[Any] = [legal_commands(game, state, seat, LISTED) for seat in seats]
        if number % COUNTS == 0:
            parts.append([legal_count(game, state, seat, COUNTED) for seat in seats])
        if game.scores is not None:
            parts.append(call_game(game, game.scores, state))
        view = call_game(game, game.view, state, viewer)
        parts.append(self._without_options(view))
        if self._scenes and number % SCENES == 0:
            parts.append(call_game(game, game.scene, view))
        if seq >= 0:
            step = self._match.steps[seq]
            parts.append([(*plain_note(note), note.momentary) for note in _notes(step)])
            parts.append([plain_note(note) for note in call_game(game, step.notes_for, viewer)])
            seen = call_game(game, step.command_for, viewer)
            parts.append((seen.tag, seen.fields) if isinstance(seen, RedactedCommand) else ())
        tried = verdicts(game, state, self._trials.after(seq))
        told = repr([(rule, unworded(facts)) for rule, facts in tried])
        return [crc32(b"".join(map(packed, parts))), crc32(told.encode())]

    def data(self) -> dict[str, Any]:
        """Return the sketch as plain data."""
        start = self._match.states[0]
        options = [value for name, value in zip(*fields_of(start), strict=True) if name in self._options]
        return {"states": self._states, "acts": self._acts, "looks": self._looks, "options": crc32(packed(options))}


def compare_sketches(
    sketches: tuple[Trace, Trace],
    traced: Callable[[Part], tuple[Trace, Trace]],
    options: Collection[str],
    *,
    chosen: bool = False,
) -> Comparison:
    """Compare two sketches, and of the steps that differ the traces; of all steps where states are packed otherwise."""
    a, b = sketches
    part = differing(a, b, options, chosen=chosen)
    if part.steps is not None and not part.steps:
        return compare(a, b, options, chosen=chosen)
    one, other = traced(part)
    return compare(one, other, options, chosen=chosen)


def differing(a: Trace, b: Trace, options: Collection[str], *, chosen: bool) -> Part:
    """Return the part of the traces in which two sketches differ; all steps if states are packed otherwise.

    Of states the first step that differs tells the kind; of what was looked at some may tell others.
    """
    ours, theirs = a.sketch, b.sketch
    if ours is None or theirs is None:
        return WHOLE
    if not packed_alike(*(_without(each.shape, options) for each in (a, b))):
        return Part(looks=[seq for seq, *_ in ours.looks])
    if any(each.refusal is not None and each.refusal.failed for each in (a, b)):
        return Part(())
    alike = verdict(a.refusal) == verdict(b.refusal)
    width = 2 if alike else 1  # else other commands were tried
    states, acts = _places(ours.states, theirs.states), _places(ours.acts, theirs.acts)[:1]
    known = {seq: sums for seq, *sums in ours.looks}
    looks = [seq for seq, *sums in theirs.looks if sums[:width] != known.get(seq, sums)[:width]]
    ends = [each.refusal.seq for each in (a, b) if each.refusal is not None and not alike]
    if (a.last.points, a.last.winners) != (b.last.points, b.last.winners):
        ends.append(len(ours.states) - 2)
    start = () if chosen or ours.options == theirs.options else (-1,)
    shown = {*looks[:: len(looks) // MOST + 1]}.difference(states, ends)
    return Part({*shown, *acts, *states[:1], *ends, *start}, shown)


def _places(ours: list[int], theirs: list[int]) -> list[int]:
    """Return the numbers of the steps in which check sums differ."""
    if ours == theirs:
        return []
    return [seq for seq, (one, other) in enumerate(zip(ours, theirs, strict=False), -1) if one != other]


def _without(shape: Shape, options: Collection[str]) -> Shape:
    """Return the shape of a state without its options."""
    return {name: inside for name, inside in shape.items() if name not in options} if isinstance(shape, dict) else shape
