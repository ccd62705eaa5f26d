"""The differences between two traces of one log: where they diverge, in which parts, of what kind, and at the end."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cached_property
from typing import Any

from attrs import frozen

from ..errors import Message, TraceError
from ..text.sanitize import sanitize
from ..wire import pack
from .change import (
    OPTION_FIELDS,
    Change,
    Difference,
    facet_differences,
    is_one_sided_option,
    trial_differences,
)
from .read import Refusal, Trace, TracedNote, TracedStep
from .shape import Shape, inner

ABSENT = "(absent)"
"""The value of a field on the side that does not have it."""


@frozen
class StepDifference:
    """A step that differs: the step of each side, and the parts that are not the same."""

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

    @property
    def change(self) -> Change:
        """The kind of the difference: of several the worst."""
        a, b = self.a, self.b
        if isinstance(a, Refusal) or isinstance(b, Refusal):
            return _change_of_refusals(a, b)
        kinds = [each.change for each in self.fields]
        return max([*kinds, Change.WORDS] if a.notes != b.notes or not kinds else kinds)

    @property
    def is_refusal(self) -> bool:
        """True if a side refuses the command, or fails at it."""
        return isinstance(self.a, Refusal) or isinstance(self.b, Refusal)

    @property
    def leaks(self) -> tuple[str, ...]:
        """The viewers that learn on side b what they could not know on side a."""
        return tuple(dict.fromkeys(each.leak for each in self.fields if each.leak is not None))


def _change_of_refusals(a: TracedStep | Refusal, b: TracedStep | Refusal) -> Change:
    if any(isinstance(each, Refusal) and each.failed for each in (a, b)):
        return Change.FAILED
    if not isinstance(a, Refusal):
        return Change.ILLEGAL
    return Change.WORDS if isinstance(b, Refusal) else Change.MORE


@frozen(slots=False)
class Comparison:
    """Two traces of one log, and the steps in which they differ."""

    a: Trace
    b: Trace
    steps: tuple[StepDifference, ...]
    layout_due: int | None = None
    """The layout that is due, where states are packed otherwise and the game does not say so; else None."""

    @property
    def first(self) -> StepDifference | None:
        """The first step that differs, or None."""
        return self.steps[0] if self.steps else None

    @cached_property
    def change(self) -> Change:
        """How the two differ: what becomes of the recorded commands, else the worst of all steps."""
        kinds = [each.change for each in self.steps]
        if kinds and self.steps[-1].is_refusal and kinds[-1] is not Change.WORDS:
            return kinds[-1]
        return max([*kinds, Change.SAME if self.layout_due is None else Change.LAYOUT])

    @property
    def worst(self) -> StepDifference | None:
        """The first step of the worst kind, or None."""
        of_kind = [each for each in self.steps if each.change is self.change]
        return next((each for each in of_kind if each.is_refusal), of_kind[0] if of_kind else None)

    @cached_property
    def leaks(self) -> tuple[str, ...]:
        """The viewers that learn on side b what they could not know on side a, in any step."""
        return tuple(sorted({viewer for each in self.steps for viewer in each.leaks}))

    @property
    def left_out(self) -> Message | None:
        """What was not compared, and why; None if all was."""
        if self.a.fast or self.b.fast:
            return Message("compare-fast", "--fast: results and refusals alone were compared, and nothing on the way")
        if min(self.a.format, self.b.format) < 2:
            english = "one is a trace of format 1: states, notes, results and legal commands were compared, no views"
            return Message("compare-old", english)
        return None


def compare(a: Trace, b: Trace, options: Collection[str] = OPTION_FIELDS, *, chosen: bool = False) -> Comparison:
    """Return the comparison of two traces; raises `TraceError` if they are not of the same log.

    An option that only one side has is no difference; `options` are the fields of a state that hold the options. With
    `chosen` options are no difference at all, nor are scenes, which may tell them: the sides play under other ones.
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
    if a.refusal is None and b.refusal is None and a.last.seq != b.last.seq:
        raise TraceError(Message("ends-before", "one of them ends before the log does, without a refusal"))
    try:
        steps = tuple(_differing(a, b, options, chosen=chosen))
    except (RecursionError, ValueError):  # what msgpack raises of it
        raise TraceError(Message("both-nested", "they are nested too deeply")) from None
    same_layout = a.layout == b.layout and a.rules == b.rules
    return Comparison(a, b, steps, b.layout + 1 if same_layout and not packed_alike(a.shape, b.shape) else None)


def packed_alike(a: Shape, b: Shape) -> bool:
    """Return True if two shapes have the same names in the same order."""
    if isinstance(a, dict) and isinstance(b, dict):
        return list(a) == list(b) and all(map(packed_alike, a.values(), b.values()))
    if isinstance(a, list) and isinstance(b, list):
        return all(map(packed_alike, a, b))
    return not isinstance(a, dict) and not isinstance(b, dict)


def _differing(a: Trace, b: Trace, options: Collection[str], *, chosen: bool) -> Iterator[StepDifference]:
    alike = verdict(a.refusal) == verdict(b.refusal)  # else the commands to try are drawn from other events
    theirs = {each.seq: each for each in b.steps}
    for one, other in ((each, theirs[each.seq]) for each in a.steps if each.seq in theirs):
        fields = tuple(
            each
            for each in _step_differences(one, other, a, b, options, tried=alike)
            if not (ABSENT in (each.a, each.b) and is_one_sided_option(each.path, options))
            and not (chosen and each.path.partition(".")[0] in (*options, "scene"))
        )
        if fields or one.notes != other.notes:
            yield StepDifference(one.seq, one, other, fields)
    if alike:
        return
    seq = min(trace.refusal.seq for trace in (a, b) if trace.refusal is not None)
    yield StepDifference(seq, _at(a, seq), _at(b, seq), ())


def _at(trace: Trace, seq: int) -> TracedStep | Refusal:
    if trace.refusal is not None and trace.refusal.seq == seq:
        return trace.refusal
    found = trace.last if trace.fast else next((each for each in trace.steps if each.seq == seq), None)
    if found is None:
        raise TraceError(Message("ends-before", "one of them ends before the log does, without a refusal"))
    return found


def verdict(refusal: Refusal | None) -> tuple[Any, ...] | None:
    """Return the part of a refusal that must be the same in both traces: all but the text."""
    if refusal is None:
        return None
    facts = {name: value for name, value in refusal.facts.items() if name != "why"}  # it is a sentence
    return refusal.seq, refusal.seat, refusal.rule, pack(facts), refusal.failed


def _step_differences(
    one: TracedStep, other: TracedStep, a: Trace, b: Trace, options: Collection[str], *, tried: bool
) -> Iterator[Difference]:
    before = None
    if not a.fast and (a.shape != b.shape or not same(one.state, other.state)):
        for before in differences(one.state, other.state, a.shape, b.shape):
            yield before
    yield from differences(one.points, other.points, None, None, "points", Change.RESULT)
    yield from differences(one.winners, other.winners, ["seat"], ["seat"], "winners", Change.RESULT)
    if before is None or is_one_sided_option(before.path, options):
        yield from facet_differences(one, other, options)
        if tried:
            yield from trial_differences(one, other)


def differences(
    a: Any, b: Any, shape_a: Shape, shape_b: Shape, path: str = "", change: Change = Change.STATES
) -> Iterator[Difference]:
    """Yield the fields that differ, by name where the shapes have names; arrays of two lengths differ as a whole."""
    if _is_of(a, shape_a) and _is_of(b, shape_b):
        ours, theirs = _fields(a, shape_a), _fields(b, shape_b)
        for name in dict.fromkeys((*ours, *theirs)):
            left, right = ours.get(name, (ABSENT, None)), theirs.get(name, (ABSENT, None))
            inside = f"{path}.{name}" if path else name
            yield from differences(left[0], right[0], left[1], right[1], inside, change)
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for place, (left, right) in enumerate(zip(a, b, strict=True)):
            yield from differences(
                left, right, inner(shape_a, place), inner(shape_b, place), f"{path}[{place}]", change
            )
    elif not same(a, b):
        yield Difference(path, a, b, shape_a if shape_a is not None else shape_b, change)


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
