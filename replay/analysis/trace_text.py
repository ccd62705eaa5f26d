"""A trace as text, a line for each thing that changed: what `git diff` compares."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ...core.trace import Refusal, Trace, TracedNote, TracedStep


def trace_text(trace: Trace) -> str:
    """Return a trace as text: the head, then of each step the notes, the fields that changed, and the result.

    Digests are left out, and the engine's name: they say nothing to a reader.
    """
    return "".join(f"{line}\n" for line in _lines(trace))


def _lines(trace: Trace) -> Iterator[str]:
    yield f"game {trace.game}, rules {trace.rules}, layout {trace.layout}, seats {trace.seats}, match {trace.match}"
    before: dict[str, Any] = {}
    for step in trace.steps:
        yield ""
        yield "start" if step.seq < 0 else f"step {step.seq}"
        yield from map(_note, step.notes)
        now = _fields(trace.shape, step)
        yield from (f"  {name}: {_plain(value)}" for name, value in now.items() if before.get(name, ...) != value)
        if step.points is not None:
            yield f"  result: points {_plain(step.points)}, winners {_plain(step.winners)}"
        before = now
    if trace.refusal is not None:
        yield from ("", *_refused(trace.refusal))


def _fields(shape: Any, step: TracedStep) -> dict[str, Any]:
    """Return the fields of a state by name."""
    if isinstance(shape, dict) and isinstance(step.state, list) and len(shape) == len(step.state):
        return dict(zip(shape, step.state, strict=True))
    return {"state": step.state}


def _note(note: TracedNote) -> str:
    values = "".join(f" {name}={_plain(value)}" for name, value in note.values.items())
    return f"  * {note.key}{values}{f' ({note.rule})' if note.rule else ''}"


def _refused(refusal: Refusal) -> Iterator[str]:
    yield f"refused step {refusal.seq}: {refusal.rule or json.dumps(refusal.why, ensure_ascii=False)}"
    yield from (f"  {name}: {_plain(value)}" for name, value in refusal.facts.items())


def _plain(value: Any) -> str:
    """Return a value of a trace on one line; bytes in hex."""
    return json.dumps(
        value, ensure_ascii=False, default=lambda each: each.hex() if isinstance(each, bytes) else str(each)
    )
