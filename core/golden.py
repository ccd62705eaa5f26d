"""Golden logs: each still gives the trace and the end that lie beside it, as `NAME.trace` and `NAME.json`."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from attrs import frozen

from .catalogue import find as find_installed
from .errors import KifuError, TraceError
from .legible import legible
from .log import Reading, read_bytes
from .log.reader import Find
from .trace import Change, Comparison, compare, read_trace, trace
from .trace.telling import Telling
from .trace.words import say
from .trace.write import log_chain

if TYPE_CHECKING:
    from .texts import Texts


class Location(Protocol):
    """Where a log lies, and other files beside it: a path, or whatever can be read like one."""

    @property
    def name(self) -> str: ...
    def with_suffix(self, suffix: str, /) -> Location: ...
    def read_bytes(self) -> bytes: ...


@frozen
class Golden:
    """What became of one golden log: what is wrong, if anything, and what an engine of today makes of it."""

    path: Location
    reading: Reading
    problems: tuple[str, ...] = ()
    comparison: Comparison | None = None
    """The stored trace beside the one of today; None where either is missing."""
    traced: bytes = b""
    """The trace of today."""

    @property
    def ok(self) -> bool:
        return not self.problems and (self.comparison is None or self.comparison.change is Change.NONE)

    def lines(self, texts: Texts | None = None) -> Iterator[str]:
        """Tell what is wrong, a line each."""
        if self.comparison is not None and self.comparison.steps:
            sides = say(texts, "stored"), say(texts, "now")
            telling = Telling(self.reading.game, self.reading.match, texts, sides)
            yield from telling.lines(self.comparison)
        yield from self.problems


def golden_logs(folder: Path) -> list[Path]:
    """List the logs of a folder and of the folders in it, in byte order of their paths."""
    return sorted(folder.rglob("*.log"), key=os.fsencode)


def check(path: Location, find: Find = find_installed, *, conformance: bool = False) -> Golden:
    """Hold a log against what lies beside it; it is never an error what is wrong with them.

    The trace of today has the digests of conformance if the stored one has them, or if it is asked for.
    """
    try:
        content = path.read_bytes()
    except OSError as cause:
        return Golden(path, Reading(), (f"{_named(path)} cannot be read: {cause.strerror or cause}",))
    reading = read_bytes(content, find)
    if reading.match is None:
        return Golden(path, reading, (str(reading.problem(_named(path))),))
    problems = list(_ends(path.with_suffix(".json"), reading))
    try:
        stored = _stored(path.with_suffix(".trace"))
    except TraceError as cause:
        stored = None
        problems.append(str(cause))
    conformance = conformance or (stored is not None and stored.conformance)
    comparison, traced = None, b""
    try:
        traced = trace(reading, log_chain(content), conformance=conformance)
        comparison = compare(stored, read_trace(traced)) if stored is not None else None
    except TraceError as cause:
        problems.append(f"{_named(path.with_suffix('.trace'))}: {cause}")
    except KifuError as cause:
        problems.append(f"{_named(path)} cannot be traced: {cause}")
    return Golden(path, reading, tuple(problems), comparison, traced)


def _named(path: Location) -> str:
    return legible(path.name, 200)


def _stored(path: Location) -> Any:
    try:
        return read_trace(path.read_bytes(), _named(path))
    except FileNotFoundError:
        raise TraceError(f"{_named(path)} is missing; replay golden --bless stores it") from None
    except OSError as cause:
        raise TraceError(f"cannot be read: {cause.strerror or cause}", _named(path)) from None


def _ends(path: Location, reading: Reading) -> Iterator[str]:
    """Say where an audit of today differs from the one that was stored."""
    try:
        stored = json.loads(path.read_bytes())
        if not isinstance(stored, dict):
            raise ValueError("it is no object")
    except FileNotFoundError:
        yield f"{_named(path)} is missing; replay golden --bless stores it"
        return
    except (OSError, ValueError, RecursionError) as cause:
        yield f"{_named(path)} cannot be read: {getattr(cause, 'strerror', None) or cause}"
        return
    for key, now in audited(reading).items():
        was = _without_words(stored.get(key)) if key == "findings" else stored.get(key)
        if was != now:
            yield f"{key}: stored {json.dumps(was, ensure_ascii=False)}, now {json.dumps(now, ensure_ascii=False)}"


def audited(reading: Reading) -> dict[str, Any]:
    """Say of a log what `replay audit --json` says of it, except for the words."""
    result = reading.result
    return {
        "game": reading.name,
        "rules": reading.rules,
        "events": reading.events,
        "ok": reading.ok,
        "finished": result is not None,
        "points": list(result.points) if result else None,
        "winners": list(result.winners) if result else None,
        "digests": reading.digests,
        "findings": [{"seq": each.seq, "kind": each.kind, "rule": each.rule} for each in reading.findings],
    }


def _without_words(findings: Any) -> Any:
    if not isinstance(findings, list):
        return findings
    return [{key: each[key] for key in each if key != "message"} for each in findings if isinstance(each, dict)]
