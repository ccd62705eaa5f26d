"""The differences between two traces of one log: where they diverge, in which fields, and at the end."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from enum import Enum
from typing import Any

from attrs import frozen

from ..errors import Message, TraceError
from ..text.sanitize import sanitize
from ..wire.packing import pack
from .options import OPTION_FIELDS, is_one_sided_option, without_one_sided
from .read import Refusal, Trace, TracedNote, TracedStep
from .shape import Shape, inner


class Change(Enum):
    """How far two traces of the same log differ, from nothing to the worst."""

    NONE = "untouched"
    NOISE = "noise"
    """Other states, notes or views on the way, but the same result."""
    SCORE = "score"
    WINNER = "winner"
    LEGALITY = "legality"
    """One side rejects a command that the other accepts, or rejects it by another rule."""


ABSENT = "(absent)"
"""The value of a field on the side that does not have it."""


@frozen
class Difference:
    """A field that differs: its path, e.g. `hands[2][3]`, the value of each side, and the shape of such a value."""

    path: str
    a: Any
    b: Any
    shape: Shape = None


@frozen
class StepDifference:
    """A step that differs: the step of each side, and the fields that are not the same."""

    seq: int
    a: TracedStep | Refusal
    b: TracedStep | Refusal
    fields: tuple[Difference, ...]

    @property
    def notes(self) -> tuple[tuple[TracedNote, ...], tuple[TracedNote, ...]]:
        """The notes that only side a has, and those that only side b has."""
        a, b = _notes(self.a), _notes(self.b)
        return tuple(each for each in a if each not in b), tuple(each for each in b if each not in a)

    @property
    def rules(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The rules at work in the step on each side: those of its notes, or the one that refuses the command."""
        return _rules(self.a), _rules(self.b)


@frozen
class Comparison:
    """Two traces of one log, and the steps in which they differ."""

    a: Trace
    b: Trace
    steps: tuple[StepDifference, ...]
    views_compared: bool = True
    """False if the digests of views could not be compared: one side's options lack some of the other's."""

    @property
    def first(self) -> StepDifference | None:
        """The first step that differs; None if none does."""
        return self.steps[0] if self.steps else None

    @property
    def change(self) -> Change:
        """The worst kind of difference."""
        if not self.steps:
            return Change.NONE
        if _verdict(self.a.refusal) != _verdict(self.b.refusal):
            return Change.LEGALITY
        if self.a.last.winners != self.b.last.winners:
            return Change.WINNER
        return Change.SCORE if self.a.last.points != self.b.last.points else Change.NOISE


def compare(a: Trace, b: Trace, options: Collection[str] = OPTION_FIELDS) -> Comparison:
    """Return the comparison of two traces; raises `TraceError` if they are not of the same log.

    An option that only one side has is no difference; `options` are the fields of a state that hold the options.
    """
    if a.log != b.log:
        if a.match == b.match:
            english = "they are traces of two logs of the match {match}: it was written anew"
            raise TraceError(Message("anew-logs", english, match=sanitize(a.match)))
        english = "they are traces of two logs, of the matches {one} and {other}"
        raise TraceError(Message("two-logs", english, one=sanitize(a.match), other=sanitize(b.match)))
    if a.log_end != b.log_end:
        raise TraceError(
            Message("alike-logs", "they are traces of two logs that begin alike: one was changed, or has grown since")
        )
    if a.refusal is None and b.refusal is None and len(a.steps) != len(b.steps):
        raise TraceError(Message("ends-before", "one of them ends before the log does, without a refusal"))
    try:
        return Comparison(a, b, tuple(_differing(a, b, options)), _has_same_views(a, b, options))
    except (RecursionError, ValueError):  # what msgpack raises of it
        raise TraceError(Message("both-nested", "they are nested too deeply")) from None


def _has_same_views(a: Trace, b: Trace, options: Collection[str]) -> bool:
    """Return False if the views of two traces differ in shape by one-sided options alone: their digests must differ."""
    one, other = a.view_shape, b.view_shape
    if not (a.conformance and b.conformance) or one == other:
        return True
    return without_one_sided(one, other, options) != without_one_sided(other, one, options)


def _differing(a: Trace, b: Trace, options: Collection[str]) -> Iterator[StepDifference]:
    views = _has_same_views(a, b, options)
    for one, other in zip(a.steps, b.steps, strict=False):
        fields = tuple(
            each
            for each in _step_differences(one, other, a, b, views=views)
            if not (ABSENT in (each.a, each.b) and is_one_sided_option(each.path, options))
        )
        if fields or one.notes != other.notes:
            yield StepDifference(one.seq, one, other, fields)
    if _verdict(a.refusal) == _verdict(b.refusal):
        return
    seq = min(trace.refusal.seq for trace in (a, b) if trace.refusal is not None)
    yield StepDifference(seq, _at(a, seq), _at(b, seq), ())


def _at(trace: Trace, seq: int) -> TracedStep | Refusal:
    if trace.refusal is not None and trace.refusal.seq == seq:
        return trace.refusal
    if len(trace.steps) <= seq + 1:
        raise TraceError(Message("ends-before", "one of them ends before the log does, without a refusal"))
    return trace.steps[seq + 1]


def _verdict(refusal: Refusal | None) -> tuple[Any, ...] | None:
    """Return the part of a refusal that must be the same in both traces: all but the text."""
    return None if refusal is None else (refusal.seq, refusal.seat, refusal.rule, pack(refusal.facts))


def _step_differences(one: TracedStep, other: TracedStep, a: Trace, b: Trace, *, views: bool) -> Iterator[Difference]:
    if a.shape != b.shape or not same(one.state, other.state):
        yield from differences(one.state, other.state, a.shape, b.shape)
    yield from differences(one.points, other.points, None, None, "points")
    yield from differences(one.winners, other.winners, ["seat"], ["seat"], "winners")
    if not (a.conformance and b.conformance):
        return
    for seat in sorted({*one.legal, *other.legal}):
        theirs = (one.legal.get(seat, ABSENT), other.legal.get(seat, ABSENT))
        if theirs[0] != theirs[1]:
            yield Difference(f"legal({seat})", *theirs)
    for viewer, digests in enumerate(zip(one.views, other.views, strict=False) if views else ()):
        if digests[0] != digests[1]:
            yield Difference(f"view({viewer if viewer < a.seats else 'spectator'})", *digests)


def differences(a: Any, b: Any, shape_a: Shape, shape_b: Shape, path: str = "") -> Iterator[Difference]:
    """Yield the fields that differ, by name where the shapes have names; arrays of two lengths differ as a whole."""
    if _is_of(a, shape_a) and _is_of(b, shape_b):
        ours, theirs = _fields(a, shape_a), _fields(b, shape_b)
        for name in dict.fromkeys((*ours, *theirs)):
            left, right = ours.get(name, (ABSENT, None)), theirs.get(name, (ABSENT, None))
            yield from differences(left[0], right[0], left[1], right[1], f"{path}.{name}" if path else name)
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for place, (left, right) in enumerate(zip(a, b, strict=True)):
            yield from differences(left, right, inner(shape_a, place), inner(shape_b, place), f"{path}[{place}]")
    elif not same(a, b):
        yield Difference(path, a, b, shape_a if shape_a is not None else shape_b)


def same(a: Any, b: Any) -> bool:
    """Return True if two values are packed to the same bytes; True is not 1 there."""
    return pack(a) == pack(b)


def _is_of(value: Any, shape: Shape) -> bool:
    return isinstance(shape, dict) and isinstance(value, list) and len(value) == len(shape)


def _fields(value: Any, shape: Any) -> dict[str, tuple[Any, Shape]]:
    return dict(zip(shape, zip(value, shape.values(), strict=True), strict=True))


def _notes(side: TracedStep | Refusal) -> tuple[TracedNote, ...]:
    return side.notes if isinstance(side, TracedStep) else ()


def _rules(side: TracedStep | Refusal) -> tuple[str, ...]:
    named = [note.rule for note in side.notes] if isinstance(side, TracedStep) else [side.rule]
    return tuple(dict.fromkeys(each for each in named if each is not None))
