"""The reader of traces, of any engine: it returns the trace, or raises `TraceError` with the cause."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import frozen

from ..errors import Message, TraceError
from ..log.broken import BrokenObject
from ..log.format import CHAIN_BYTES
from ..log.framing import ObjectStream
from .shape import Shape, is_shape
from .write import FORMAT, SUM_BYTES, trace_sum


@frozen
class TracedNote:
    """A note as it stands in a trace: the rule is its number."""

    key: str
    rule: str | None
    values: dict[str, Any]


@frozen
class TracedStep:
    """The state after one event, and what an engine derived from it; step -1 is the start."""

    seq: int
    state: Any
    """The whole state as plain data: each class the array of its fields."""
    notes: tuple[TracedNote, ...]
    points: list[int] | None
    winners: list[int] | None
    legal: dict[int, bytes | None]
    """By seat the digest of its legal commands, None if there are too many; empty without conformance."""
    views: tuple[bytes, ...]
    """The digest of every seat's view, the spectator's last; empty without conformance."""


@frozen
class Refusal:
    """The event that an engine refused: the broken rule and the facts, or without a rule the cause as text."""

    seq: int
    seat: int | None
    rule: str | None
    facts: dict[str, Any]
    why: str | None


@frozen
class Trace:
    """The steps that one engine computed from one log."""

    game: str
    rules: int
    layout: int
    engine: str
    match: str
    seats: int
    log: bytes
    """The chain before the log's first event."""
    log_end: bytes
    """The last chain of the log."""
    shape: Shape
    view_shape: Shape
    steps: tuple[TracedStep, ...]
    refusal: Refusal | None

    @property
    def conformance(self) -> bool:
        """True if the trace has the digests of legal commands and views."""
        return self.view_shape is not None

    @property
    def last(self) -> TracedStep:
        """The last step."""
        return self.steps[-1]


def read_trace(data: bytes, path: str | None = None) -> Trace:
    """Return the trace in these bytes; raises `TraceError`, which names `path` if given."""
    try:
        return _Reader(data).read()
    except TraceError as cause:
        raise TraceError(cause.why, path) from None
    except RecursionError:
        raise TraceError(Message("nested", "it is nested too deeply"), path) from None


class _Reader:
    """One pass over the objects of a trace."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.heads: list[tuple[str, str | None, list[str]]] = []
        self.steps: list[TracedStep] = []
        self.state: Any = None
        self.refusal: Refusal | None = None

    def read(self) -> Trace:
        """Go through all objects and return the trace."""
        objects = ObjectStream(self.data)
        head: dict[str, Any] | None = None
        for value, _, end in objects:
            if head is None:
                head = _head(value)
            elif value.__class__ is dict and "end" in value:
                self._end(value, self.data[:end])
                if end < len(self.data):
                    raise TraceError(Message("follows-trace", "something follows the end of the trace"))
                return self._trace(head, value["log"])
            else:
                self._step(value, head)
        if head is None:
            raise TraceError(Message("no-trace", "this is no trace"))
        after = Message("before-first", "before the first step")
        if len(self.steps) > 1:
            after = Message("after-step", "after step {seq}", seq=len(self.steps) - 2)
        if objects.noise is not None:
            raise TraceError(Message("noise-at", "{place}: {why}", place=after, why=objects.noise))
        raise TraceError(Message("cut-short", "the trace is cut short {after}", after=after))

    def _trace(self, head: dict[str, Any], log_end: bytes) -> Trace:
        keys = ("game", "rules", "layout", "engine", "match", "seats", "log")
        return Trace(
            **{key: head[key] for key in keys},
            log_end=log_end,
            shape=head["state"],
            view_shape=head["view"],
            steps=tuple(self.steps),
            refusal=self.refusal,
        )

    def _step(self, value: Any, head: dict[str, Any]) -> None:
        seq = len(self.steps) - 1
        if self.refusal is not None:
            raise TraceError(Message("follows-refusal", "something follows the refusal"))
        if value.__class__ is dict:
            self.refusal = _refusal(value, seq)
            return
        length = 4 if head["view"] is None else 6
        if value.__class__ is not list or len(value) != length or value[0].__class__ is not int or value[0] != seq:
            raise TraceError(Message("no-step", "what should be step {seq} is none", seq=seq))
        try:
            for path, new in value[1]:
                self.state = _put(self.state, path, new)
            notes = tuple([self._note(*each) for each in value[2]])
            points, winners = (None, None) if value[3] is None else map(_ints, value[3])
            legal, views = _conformance(value, head["seats"]) if length == 6 else ({}, ())
        except (TypeError, ValueError, LookupError):
            raise TraceError(Message("step-malformed", "step {seq} is malformed", seq=seq)) from None
        self.steps.append(TracedStep(seq, self.state, notes, points, winners, legal, views))

    def _note(self, head: Any, *values: Any) -> TracedNote:
        if head.__class__ is list:
            key, rule, begins, names = head
            if not all(each is None or each.__class__ is str for each in (rule, begins)):
                raise TypeError
            if not all(each.__class__ is str for each in (key, *names)):
                raise TypeError
            self.heads.append((key, rule, names))
            head = len(self.heads) - 1
        key, rule, names = self.heads[_natural(head)]
        return TracedNote(key, rule, dict(zip(names, values, strict=True)))

    def _end(self, value: dict[Any, Any], raw: bytes) -> None:
        """Check the number of steps and the sum of the end record."""
        if set(value) != {"end", "log", "sum"} or not _is_chain(value["log"]):
            raise TraceError(Message("trace-end-malformed", "its end is malformed"))
        if not self.steps or value["end"] != len(self.steps) - 1:
            english = "the end counts {counted} steps, there are {steps}"
            raise TraceError(
                Message("steps-count", english, counted=ascii(value["end"])[:20], steps=len(self.steps) - 1)
            )
        if value["sum"] != trace_sum(raw[:-SUM_BYTES]) or not raw.endswith(value["sum"]):
            raise TraceError(Message("wrong-sum", "its sum is wrong: bytes were changed"))


def _is_chain(value: Any) -> bool:
    return value.__class__ is bytes and len(value) == CHAIN_BYTES


def _is(kind: type) -> Callable[[Any], bool]:
    return lambda value: value.__class__ is kind


_HEAD: dict[str, Callable[[Any], bool]] = {
    "trace": _is(int),
    "game": _is(str),
    "rules": _is(int),
    "layout": _is(int),
    "engine": _is(str),
    "match": _is(str),
    "seats": _is(int),
    "log": _is_chain,
    "state": is_shape,
    "view": is_shape,
}


def _head(value: Any) -> dict[str, Any]:
    if isinstance(value, BrokenObject) or value.__class__ is not dict or "trace" not in value:
        raise TraceError(Message("no-trace", "this is no trace"))
    if value["trace"] != FORMAT:
        english = "a trace of format {given}; this program reads format {known}"
        raise TraceError(Message("trace-format", english, given=ascii(value["trace"])[:20], known=FORMAT))
    for key, fits in _HEAD.items():
        if key not in value or not fits(value[key]):
            raise TraceError(Message("head-malformed", "{key} of its head is missing or malformed", key=repr(key)))
    head: dict[str, Any] = value
    return head


def _refusal(value: dict[Any, Any], seq: int) -> Refusal:
    kinds = {"refused": int, "seat": int | None, "rule": str | None, "facts": dict, "why": str | None}
    if set(value) != set(kinds) or not all(isinstance(value[key], kind) for key, kind in kinds.items()):
        raise TraceError(Message("malformed-refusal", "its refusal is malformed"))
    if value["refused"] != seq:
        english = "it refuses event {refused}, but event {seq} is next"
        raise TraceError(Message("refuses-other", english, refused=value["refused"], seq=seq))
    return Refusal(seq, value["seat"], value["rule"], value["facts"], value["why"])


def _put(state: Any, path: list[int], new: Any) -> Any:
    """Return the state with a new value at a path; all else is shared with the state before."""
    if not path:
        return new
    changed = list(state) if state.__class__ is list else []
    place = _natural(path[0])
    changed[place] = _put(changed[place], path[1:], new)
    return changed


def _natural(value: Any) -> int:
    if value.__class__ is not int or value < 0:
        raise TypeError
    number: int = value
    return number


def _ints(value: Any) -> list[int]:
    if value.__class__ is not list or not all(each.__class__ is int for each in value):
        raise TypeError
    ints: list[int] = value
    return ints


def _conformance(value: list[Any], seats: int) -> tuple[dict[int, bytes | None], tuple[bytes, ...]]:
    legal = {_natural(seat): digest for seat, digest in value[4]}
    if not all(digest is None or digest.__class__ is bytes for digest in legal.values()):
        raise TypeError
    if len(value[5]) != seats + 1 or not all(digest.__class__ is bytes for digest in value[5]):
        raise ValueError
    return legal, tuple(value[5])
