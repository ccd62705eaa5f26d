"""The writer of traces: what this engine computes from a log (`docs/trace-format.md`)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache
from hashlib import blake2b
from importlib.metadata import version
from typing import Any

import msgpack
from attrs import frozen

from ..errors import GameError, LogError, Message
from ..game import AnyStep, Note, Result
from ..log import Finding, Reading, read_bytes
from ..log.format import first_chain
from ..log.framing import object_end
from ..log.reader import Find
from ..match import AnyMatch
from ..match.engine import engine_of
from ..match.fold import call_game
from ..match.registry import find as find_installed
from ..wire import pack
from .facets import Facets, Standing, changed, shown
from .shape import Shape, shape_of
from .trials import Trials, outcomes

FORMAT = 2
SUM_BYTES = 16


@frozen
class Part:
    """A part of a trace: the steps that it has (None: all), and those with digests; the last step is there always."""

    steps: Collection[int] | None = None
    looks: Collection[int] | None = None


WHOLE = Part()
LIGHT = Part(looks=())
"""States, who is to act, notes and results alone."""


def trace_log(log: bytes, find: Find = find_installed, *, named: bool = False) -> bytes:
    """Return the trace of a log; raises `LogError` if there is no match in it."""
    return trace(read_log(log, find), log_chain(log), named=named)


def read_log(log: bytes, find: Find = find_installed) -> Reading:
    """Read a log to be traced; raises `LogError` if there is no match in it."""
    reading = read_bytes(log, find, digests=False)
    if reading.match is None:
        raise reading.error()
    return reading


def log_chain(log: bytes) -> bytes:
    """Return the chain before the first event of a log, by which its traces are identified; raises `LogError`."""
    try:
        return first_chain(log[: object_end(log, 0)])
    except ValueError:
        raise LogError("header", Message("no-log", "this is not a log")) from None


def trace(reading: Reading, chain: bytes, part: Part = WHOLE, *, named: bool = False) -> bytes:
    """Return the trace of a log that was read; `chain` is the one before its first event.

    With `named` it has the digest of the engine's sources in its name, which a trace that is kept has not: there it
    would change with every comment.
    """
    match = reading.match
    assert match is not None
    head = _head(reading, chain, named=named) | ({} if part.steps is None else {"part": True})
    parts, stopped, steps = [pack(head)], refusal_in(reading), _Steps(match, chain, part)
    try:
        for step in steps:
            parts.append(pack(step))  # noqa: PERF401 (what was traced before a failure stays)
    except GameError as cause:
        stopped = failure(steps.seq, cause)
    if stopped is not None:
        parts.append(pack(stopped))
    return _ended(parts, steps.seq if stopped is None else stopped["refused"], reading)


def outcome_log(log: bytes, find: Find = find_installed) -> bytes:
    """Return the outcome of a log as a trace of one step that has the result alone; raises `LogError`."""
    reading = read_bytes(log, find, keep_states=False, digests=False)
    if reading.game is None:
        raise reading.error()
    return outcome(reading, log_chain(log))


def outcome(
    reading: Reading, chain: bytes, more: dict[str, Any] | None = None, failed: dict[str, Any] | None = None
) -> bytes:
    """Return the outcome of a log that was read, with its states or without, with `more` in its head."""
    stopped = failed or refusal_in(reading)
    step = [-1, [], [], result_of(reading.result)]
    head: Any = {**_head(reading, chain, named=True), "fast": True, **(more or {})}
    parts = [head, step, *([] if stopped is None else [stopped])]
    return _ended(list(map(pack, parts)), 0, reading)


def _head(reading: Reading, chain: bytes, *, named: bool) -> dict[str, Any]:
    game, header = reading.game, reading.header
    assert game is not None
    assert header is not None
    kind: Any = game.state if reading.match is None else type(reading.match.states[0])
    return {
        "trace": FORMAT,
        "game": game.name,
        "rules": game.version,
        "layout": game.past.layout,
        "engine": _engine_of(game) if named else f"kifu {_version('kifu')}",
        "match": header.match,
        "seats": len(header.seats),
        "log": chain,
        "state": _state_shape(kind),
    }


_engine_of, _version = cache(engine_of), cache(version)


@cache
def _state_shape(kind: Any) -> Shape:
    return shape_of(kind)


def _ended(parts: list[bytes], events: int, reading: Reading) -> bytes:
    """Return the bytes of a trace, with its end."""
    end = pack({"end": events, "log": reading.chain, "sum": bytes(SUM_BYTES)})
    body = b"".join([*parts, end[:-SUM_BYTES]])
    return body + trace_sum(body)


def trace_sum(body: bytes) -> bytes:
    """Return the 16-byte sum that ends a trace: the hash of all bytes before it."""
    return blake2b(body, digest_size=SUM_BYTES).digest()


def as_data(value: Any) -> Any:
    """Return a value of a game as a trace has it: lists, dicts, ints, texts, bools, bytes and None."""
    return msgpack.unpackb(pack(value), strict_map_key=False)


class _Steps:
    """The steps of a match as a trace has them: the start as step -1, then every step with what it changed."""

    def __init__(self, match: AnyMatch, chain: bytes, part: Part) -> None:
        self._match, self._part = match, part
        self.seq = -1
        """The step that is being made, or the number of events once all are."""
        self._standing = Standing(match.game, len(match.header.seats))
        self._trials = Trials(match.game, match.events, len(match.header.seats), chain)
        self._heads, self._names = _Known(), _Known()

    def __iter__(self) -> Iterator[list[Any]]:
        match, game, viewers = self._match, self._match.game, self._standing.viewers
        before: Any = None
        stood: Facets = {}
        last = len(match.states) - 2
        steps, looks = self._part.steps, self._part.looks
        for self.seq, state in enumerate(match.states, -1):
            seq = self.seq
            if not (steps is None or seq in steps or seq == last):
                continue
            after = as_data(state)
            notes: tuple[Note, ...] = call_game(game, explain, match.steps[seq]) if seq >= 0 else ()
            result = result_of(call_game(game, game.result, state))
            if looks is None or seq in looks:
                stands, seen, tried = self._more(seq, state, notes)
            else:
                stands, seen, tried = self._standing.acting(state), {}, [0, 0]
            yield [
                seq,
                list(changes(before, after)),
                [self._note(note) for note in notes],
                result,
                self._pairs(changed(stood, stands, viewers)),
                self._pairs(seen.items()),
                [*map(self._names.short, tried[:-2]), *tried[-2:]],
            ]
            before, stood = after, stands
        self.seq += 1

    def _more(self, seq: int, state: Any, notes: tuple[Note, ...]) -> tuple[Facets, Facets, list[Any]]:
        match, viewers = self._match, self._standing.viewers
        seen = shown(match.steps[seq], notes, viewers) if seq >= 0 else {}
        return self._standing.of(seq, state), seen, outcomes(match.game, state, self._trials.after(seq))

    def _note(self, note: Note) -> list[Any]:
        """Return a note as its head, or the number of a head written before, and its values."""
        rule = note.rule.number if note.rule is not None else None
        head = [note.key, rule, note.begins, [name for name, _ in note.values]]
        return [self._heads.short(head), *(value for _, value in note.values)]

    def _pairs(self, pairs: Any) -> list[Any]:
        return [each for name, value in pairs for each in (self._names.short(name), value)]


class _Known:
    """What was written so far, each thing once."""

    def __init__(self) -> None:
        self._known: dict[bytes, int] = {}

    def short(self, value: Any) -> Any:
        """Return the value the first time, and from then on its number."""
        packed = pack(value)
        if packed in self._known:
            return self._known[packed]
        self._known[packed] = len(self._known)
        return value


def explain(step: AnyStep) -> tuple[Note, ...]:
    """Return all notes of a step."""
    return step.notes


def changes(before: Any, after: Any, path: tuple[int, ...] = ()) -> Iterator[list[Any]]:
    """Yield the places where two packed states differ: the path of each, and the new value there.

    Only arrays of arrays are compared item by item: a hand is one value, the hands of all seats are several.
    """
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        places = [place for place in range(len(after)) if pack(before[place]) != pack(after[place])]
        if not path or all(isinstance(before[each], list) and isinstance(after[each], list) for each in places):
            for place in places:
                yield from changes(before[place], after[place], (*path, place))
            return
    yield [path, after]


def result_of(result: Result | None) -> list[Any] | None:
    """Return a result as a trace has it."""
    return None if result is None else [result.points, result.winners]


def _stops(finding: Finding) -> bool:
    return finding.kind in ("rule", "form", "game")


_NO_REFUSAL: dict[str, Any] = {"refused": 0, "seat": None, "rule": None, "facts": {}, "why": None, "failed": False}


def failure(seq: int, cause: GameError) -> dict[str, Any]:
    """Return what stands in place of a step in which the game fails."""
    return {**_NO_REFUSAL, "refused": seq, "why": str(cause.why), "failed": True}


def refusal_in(reading: Reading) -> dict[str, Any] | None:
    """Return the refusal at which the fold of a log stopped, or None."""
    return next((_refusal(each) for each in reading.findings if each.seq is not None and _stops(each)), None)


def _refusal(finding: Finding) -> dict[str, Any]:
    """Return the refusal that stopped the fold: the rule and the facts, or what is wrong with the event as text."""
    violation, told = finding.violation, {**_NO_REFUSAL, "refused": finding.seq}
    if violation is not None:
        return {**told, "seat": violation.seat, "rule": violation.rule.number, "facts": violation.facts}
    failed, why = finding.kind == "game", finding.message
    if failed and isinstance(why, Message):
        why = why.values["why"]  # without the name of the game
    return {**told, "why": why, "failed": failed}
