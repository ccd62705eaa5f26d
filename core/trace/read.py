"""The reader of traces, of any engine: it returns the trace, or raises `TraceError` with the cause."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from attrs import frozen

from ..errors import Message, TraceError
from ..log.broken import BrokenObject
from ..log.format import CHAIN_BYTES
from ..log.framing import ObjectStream
from .facets import Facets, put
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
    facets: Facets
    """All else that the engine made of it, in digests (`facets.py`); of an old trace the legal commands at most."""
    trials: tuple[Any, ...] = ()
    """The rules that refuse the commands that were tried, a digest of the facts, and how many are secret."""


@frozen
class Refusal:
    """The event that an engine refused: the broken rule and the facts, or without a rule the cause as text.

    `failed`: it did not refuse it; its game raised an exception there.
    """

    seq: int
    seat: int | None
    rule: str | None
    facts: dict[str, Any]
    why: str | None
    failed: bool = False


@frozen
class Sketch:
    """The check sums of a log's steps: see `sketch.py`."""

    states: list[int]
    acts: list[int]
    """Of who is to act, and of the result."""
    looks: list[list[int]]
    """A step that was looked at, and the sums of all that a viewer is shown after it, and of the refusals."""
    options: int


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
    steps: tuple[TracedStep, ...]
    refusal: Refusal | None
    format: int = FORMAT
    """The version of the trace format: before 2 it had states, notes and results, and perhaps the legal commands."""
    fast: bool = False
    """True if it has the outcome alone: one step with the result, and the refusal."""
    sketch: Sketch | None = None
    """Of an outcome, the digests of all steps, if it has them."""

    @property
    def last(self) -> TracedStep:
        """The last step; one without anything if the engine failed at the start."""
        return self.steps[-1] if self.steps else TracedStep(-1, None, (), None, None, {})


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
        self.names: list[str] = []
        self.facets: Facets = {}

    def read(self) -> Trace:
        """Go through all objects and return the trace."""
        objects = ObjectStream(self.data)
        head: dict[str, Any] | None = None
        for value, _, end in objects:
            if head is None:
                head = _head(value)
            elif value.__class__ is dict and "end" in value:
                self._end(value, head, self.data[:end])
                if end < len(self.data):
                    raise TraceError(Message("follows-trace", "something follows the end of the trace"))
                return self._trace(head, value["log"])
            else:
                self._step(value, head)
        if head is None:
            raise TraceError(Message("no-trace", "this is not a trace"))
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
            steps=tuple(self.steps),
            refusal=self.refusal,
            format=head["trace"],
            fast="fast" in head,
            sketch=_sketch(head["sketch"]) if "sketch" in head else None,
        )

    def _step(self, value: Any, head: dict[str, Any]) -> None:
        seq = self.steps[-1].seq + 1 if self.steps else -1
        if self.refusal is not None:
            raise TraceError(Message("follows-refusal", "something follows the refusal"))
        if value.__class__ is dict:
            self.refusal = _refusal(value, None if head.keys() & {"fast", "part"} else seq)
            return
        if "part" in head and value.__class__ is list:
            seq = max(seq, *value[:1])
        lengths = (4, 6) if head["trace"] == 1 else (4,) if "fast" in head else (7,)
        if value.__class__ is not list or len(value) not in lengths or value[0].__class__ is not int or value[0] != seq:
            raise TraceError(Message("no-step", "what stands for step {seq} is not a step", seq=seq))
        try:
            for path, new in value[1]:
                self.state = _put(self.state, path, new)
            notes = tuple([self._note(*each) for each in value[2]])
            points, winners = (None, None) if value[3] is None else map(_ints, value[3])
            facets, trials = self._facets(value[4:], head["seats"]) if len(value) == 7 else (_legal(value), ())
        except (TypeError, ValueError, LookupError, AttributeError):
            raise TraceError(Message("step-malformed", "step {seq} is malformed", seq=seq)) from None
        self.steps.append(TracedStep(seq, self.state, notes, points, winners, facets, trials))

    def _facets(self, parts: list[Any], seats: int) -> tuple[Facets, tuple[Any, ...]]:
        """Return what stands after a step and what was shown of it, and the commands tried."""
        standing, seen, (*rules, digest, unknown) = parts
        viewers = (*range(seats), None)
        self.facets = dict(self.facets)
        for name, value in self._pairs(standing):
            put(self.facets, name, value, viewers)
        more = dict(self._pairs(seen))
        tried = [self._name(each) for each in rules]
        return (self.facets | more if more else self.facets), (*tried, _natural(digest), _natural(unknown))

    def _pairs(self, flat: Any) -> Iterator[tuple[str, Any]]:
        if flat.__class__ is not list:
            raise TypeError
        for name, value in zip(flat[::2], flat[1::2], strict=True):
            known = self._name(name)
            if value is not None and not _fits(known, value):
                raise TypeError
            yield known, value

    def _name(self, value: Any) -> str:
        if value.__class__ is not str:
            return self.names[_natural(value)]
        self.names.append(value)
        return str(value)

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

    def _end(self, value: dict[Any, Any], head: dict[str, Any], raw: bytes) -> None:
        """Check the number of steps and the sum of the end record."""
        if set(value) != {"end", "log", "sum"} or not _is_chain(value["log"]):
            raise TraceError(Message("trace-end-malformed", "its end is malformed"))
        steps = self.steps[-1].seq + 1 if self.steps else -1
        if self.refusal is not None and "part" in head:
            steps = self.refusal.seq  # some steps before it are not here
        if not (self.steps or self.refusal) or value["end"] != steps:
            english = "the end counts {counted} steps, there are {steps}"
            raise TraceError(Message("steps-count", english, counted=ascii(value["end"])[:20], steps=steps))
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
}


def _head(value: Any) -> dict[str, Any]:
    if isinstance(value, BrokenObject) or value.__class__ is not dict or "trace" not in value:
        raise TraceError(Message("no-trace", "this is not a trace"))
    if value["trace"] not in range(1, FORMAT + 1) or value["trace"].__class__ is not int:
        english = "a trace of format {given}; this program reads formats 1 to {known}"
        raise TraceError(Message("trace-format", english, given=ascii(value["trace"])[:20], known=FORMAT))
    for key, fits in _HEAD.items():
        if key not in value or not fits(value[key]):
            raise TraceError(Message("head-malformed", "{key} of its head is missing or malformed", key=repr(key)))
    head: dict[str, Any] = value
    return head


def _sketch(value: Any) -> Sketch:
    try:
        made = Sketch(**value)
        lists = all(each.__class__ is list for each in (made.states, made.acts, *made.looks))
        if lists and all(len(each) == 3 for each in made.looks):
            return made
    except TypeError:
        pass
    raise TraceError(Message("sketch-malformed", "the sketch in its head is malformed"))


def _refusal(value: dict[Any, Any], seq: int | None) -> Refusal:
    kinds = {"refused": int, "seat": int | None, "rule": str | None, "facts": dict, "why": str | None, "failed": bool}
    value.setdefault("failed", False)  # in an old trace
    if set(value) != set(kinds) or not all(isinstance(value[key], kind) for key, kind in kinds.items()):
        raise TraceError(Message("malformed-refusal", "its refusal is malformed"))
    if seq is not None and value["refused"] != seq:
        english = "it refuses event {refused}, but event {seq} is next"
        raise TraceError(Message("refuses-other", english, refused=value["refused"], seq=seq))
    return Refusal(value["refused"], value["seat"], value["rule"], value["facts"], value["why"], value["failed"])


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


def _fits(name: str, value: Any) -> bool:
    """Return True if a facet of this name can have the value."""
    kind = name.partition("(")[0].partition(".")[0]
    lengths = {"legal": (0, 3), "command": (2,), "notes": (2,)}
    if kind in lengths or kind in ("to_act", "hidden", "scores", "momentary"):
        is_list = value.__class__ is list and all(each.__class__ is int for each in value)
        return is_list and (kind not in lengths or len(value) in lengths[kind])
    return value.__class__ is int


def _legal(value: list[Any]) -> Facets:
    """Return the legal commands of a step of format 1 as facets of today: digests alone, without their number."""
    facets: Facets = {}
    for seat, digest in value[4] if len(value) == 6 else ():
        if digest is not None and digest.__class__ is not bytes:
            raise TypeError
        facets[f"legal({_natural(seat)})"] = [] if digest is None else [None, int.from_bytes(digest[:4], "big"), None]
    return facets
