"""Golden logs: checked against the stored trace and audit that lie beside each, as `NAME.trace` and `NAME.json`."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from attrs import frozen

from ..errors import KifuError, Message, TraceError, os_error_message
from ..log import Reading, read_bytes
from ..log.findings import audit_record
from ..log.reader import Find
from ..log.regular_file import require_regular
from ..match.registry import find as find_installed
from ..text.sanitize import sanitize
from . import Change, Comparison, Trace, compare, option_fields, read_trace, trace
from .presenter import ComparisonPresenter, text_of
from .write import log_chain

if TYPE_CHECKING:
    from ..text.texts import Texts


class Location(Protocol):
    """The place of a log, with other files beside it: a path, or anything that is read like one."""

    @property
    def name(self) -> str:
        """The file's name, without its folder."""

    def with_suffix(self, suffix: str, /) -> Location:
        """Return the place beside this one with another suffix."""

    def read_bytes(self) -> bytes:
        """Return the content; raises `OSError`."""


@frozen
class GoldenResult:
    """The check of one golden log: the problems found, and the trace that today's engine makes."""

    path: Location
    reading: Reading
    problems: tuple[str, ...] = ()
    comparison: Comparison | None = None
    """The stored trace compared with today's; None if either is missing."""
    traced: bytes = b""
    """Today's trace."""
    broken: Message | None = None
    """Why this is an old log broken, if today's audit finds what the stored one did not, or gives it another end."""

    @property
    def ok(self) -> bool:
        """True if there is no problem and no step differs."""
        return not self.problems and (self.comparison is None or self.comparison.change is Change.NONE)

    def lines(self, texts: Texts | None = None) -> Iterator[str]:
        """Yield what is wrong as lines of text; none if the log is as it was."""
        if self.comparison is not None and self.comparison.steps:
            sides = text_of(Message("compare-stored", "stored"), texts), text_of(Message("compare-now", "now"), texts)
            presenter = ComparisonPresenter(self.reading.game, self.reading.match, texts, sides)
            yield from presenter.lines(self.comparison)
        yield from self.problems if texts is None else map(texts.message, self.problems)


def golden_logs(folder: Path) -> list[Path]:
    """Return the logs of a folder and its subfolders, in byte order of their paths.

    A log that is missing is listed too, where a trace or an end of it lies: `check` then says that it is missing.
    """
    found = {*folder.rglob("*.log"), *(each.with_suffix(".log") for each in folder.rglob("*.trace"))}
    ends = (each for each in folder.rglob("*.json") if each.with_suffix(".log") not in found)
    return sorted(found | {each.with_suffix(".log") for each in ends if _is_end(each)}, key=os.fsencode)


def _is_end(path: Path) -> bool:
    """Return True if a file is the end of a golden log, and no other JSON that lies in the folder."""
    try:
        content = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(content, dict) and {"events", "finished", "findings"} <= content.keys()


def check(path: Location, find: Find = find_installed, *, conformance: bool = False) -> GoldenResult:
    """Check a log against the files beside it. Whatever is wrong becomes a problem of the result; nothing is raised.

    Today's trace has the digests of conformance if the stored one has them, or if `conformance` is True.
    """
    try:
        if isinstance(path, Path):
            require_regular(path)
        content = path.read_bytes()
    except FileNotFoundError:
        return GoldenResult(path, Reading(), (_without_log(path),))
    except OSError as cause:
        return GoldenResult(path, Reading(), (_unreadable(path, cause),))
    reading = read_bytes(content, find)
    problem = reading.problem(_named(path))
    if problem is not None and reading.match is None:
        return GoldenResult(path, reading, (problem.summary,))
    audited, lacking = _stored_audit(path.with_suffix(".json"))
    changed = dict(_audit_changes(audited, reading)) if audited is not None else {}
    problems: list[str] = [*lacking, *changed.values()]
    try:
        stored = _stored(path.with_suffix(".trace"))
    except TraceError as cause:
        stored = None
        problems.append(cause.summary)
    conformance = conformance or (stored is not None and stored.conformance)
    comparison, traced = None, b""
    try:
        traced = trace(reading, log_chain(content), conformance=conformance)
        comparison = _compared(stored, traced, reading) if stored is not None else None
    except TraceError as cause:
        problems.append(Message("in-file", "{file}: {why}", file=_named(path.with_suffix(".trace")), why=cause.summary))
    except KifuError as cause:
        problems.append(Message("untraced", "{file} cannot be traced: {why}", file=_named(path), why=cause.summary))
    same_states = comparison is not None and comparison.change is Change.NONE
    if same_states and "findings" in changed and {each.kind for each in reading.findings} == {"digest"}:
        problems.append(_layout_due(reading))
    return GoldenResult(path, reading, tuple(problems), comparison, traced, _broken(path, reading, audited, changed))


def _layout_due(reading: Reading) -> Message:
    """Return what is due where digests fail, and the stored trace has the same states."""
    english = (
        "the states are those of the stored trace, packed otherwise: due is layout={layout} (docs/change-a-rule.md)"
    )
    layout = reading.game.layout + 1 if reading.game is not None else 2
    return Message("layout-due", english, layout=layout)


def _compared(stored: Trace, traced: bytes, reading: Reading) -> Comparison:
    """Compare the stored trace with today's; what only an option of today adds to views is left out of them."""
    assert reading.match is not None
    today = read_trace(traced)
    if stored.conformance and stored.view_shape != today.view_shape:
        today = read_trace(trace(reading, today.log, conformance=True, views_as=stored.view_shape))
    return compare(stored, today, option_fields(reading.match))


def _named(path: Location) -> str:
    return sanitize(path.name, 200)


def _stored(path: Location) -> Any:
    try:
        return read_trace(path.read_bytes(), _named(path))
    except FileNotFoundError:
        raise TraceError(_missing(path)) from None
    except OSError as cause:
        raise TraceError(
            Message("unreadable", "cannot be read: {why}", why=os_error_message(cause)), _named(path)
        ) from None


def _missing(path: Location) -> Message:
    return Message("missing", "{file} is missing; replay golden --bless stores it", file=_named(path))


def _without_log(path: Location) -> Message:
    english = "{file} is missing, but its trace or end is there: put the log back, or remove what lies beside it"
    return Message("log-missing", english, file=_named(path))


def _unreadable(path: Location, cause: Exception) -> Message:
    return Message("file-unreadable", "{file} cannot be read: {why}", file=_named(path), why=os_error_message(cause))


def _stored_audit(path: Location) -> tuple[dict[str, Any] | None, list[Message]]:
    """Return the stored audit, or None and why there is none."""
    try:
        stored = json.loads(path.read_bytes())
        if not isinstance(stored, dict):
            raise ValueError(Message("no-object", "it is no object"))
    except FileNotFoundError:
        return None, [_missing(path)]
    except (OSError, ValueError, RecursionError) as cause:
        return None, [_unreadable(path, cause)]
    return stored, []


def _audit_changes(stored: dict[str, Any], reading: Reading) -> Iterator[tuple[str, Message]]:
    """Yield each key at which today's audit differs from the stored one, and the problem that it is."""
    for key, now in audit_record(reading).items():
        was = _without_texts(stored.get(key)) if key == "findings" else stored.get(key)
        if (key, was, now) == ("digests", "checked", "unchecked"):
            continue  # a new layout: the trace beside the log has the states themselves
        if was != now:
            then, today = (json.dumps(each, ensure_ascii=False) for each in (was, now))
            yield key, Message("stored-now", "{key}: stored {then}, now {today}", key=key, then=then, today=today)


def _broken(path: Location, reading: Reading, stored: Any, changed: Mapping[str, Message]) -> Message | None:
    """Return why an old log would be broken if today's audit became the expectation."""
    if not reading.ok and (stored is None or "findings" in changed):
        english = "{file} does not audit clean: {why}"
        return Message("log-broken", english, file=_named(path), why=reading.findings[0].message)
    if stored is not None and stored.get("finished") and changed.keys() & {"points", "winners", "finished"}:
        return Message("end-broken", "{file} has another end than the stored one", file=_named(path))
    return None


def _without_texts(findings: Any) -> Any:
    if not isinstance(findings, list):
        return findings
    return [{key: each[key] for key in each if key != "message"} for each in findings if isinstance(each, dict)]
