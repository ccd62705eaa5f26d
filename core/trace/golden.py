"""Golden logs: checked against the stored trace and audit that lie beside each, as `NAME.trace` and `NAME.json`."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from attrs import frozen

from ..errors import KifuError, Message, TraceError, os_error_message
from ..log import Reading, read_bytes
from ..log.files import require_regular
from ..log.findings import audit_record
from ..log.reader import Find
from ..match.registry import find as find_installed
from ..text.sanitize import sanitize
from . import Change, Comparison, compare, option_fields, read_trace, trace
from .presenter import ComparisonPresenter, layout_due, text_of
from .values import values_of, with_values
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
        return not self.problems and (self.comparison is None or self.comparison.change is Change.SAME)

    def lines(self, texts: Texts | None = None) -> Iterator[str]:
        """Yield what is wrong as lines of text; none if the log is as it was."""
        if self.comparison is not None and self.comparison.change is not Change.SAME:
            sides = text_of(Message("compare-stored", "stored"), texts), text_of(Message("compare-now", "now"), texts)
            presenter = ComparisonPresenter(self.reading.game, self.reading.match, texts, sides)
            now = partial(values_of, self.reading, self.comparison.a.log)
            yield from presenter.lines(with_values(self.comparison, None, now, every=False))
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


def check(path: Location, find: Find = find_installed) -> GoldenResult:
    """Check a log against the files beside it. Whatever is wrong becomes a problem of the result; nothing is raised."""
    try:
        if isinstance(path, Path):
            require_regular(path)
        content = path.read_bytes()
    except FileNotFoundError:
        why = _broken_link(path) if isinstance(path, Path) and path.is_symlink() else _without_log(path)
        return GoldenResult(path, Reading(), (why,))
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
    comparison, traced = None, b""
    try:
        assert reading.match is not None
        traced = trace(reading, log_chain(content))
        if stored is not None:
            comparison = compare(stored, read_trace(traced), option_fields(reading.match))
    except TraceError as cause:
        problems.append(Message("in-file", "{file}: {why}", file=_named(path.with_suffix(".trace")), why=cause.summary))
    except KifuError as cause:
        problems.append(Message("untraced", "{file} cannot be traced: {why}", file=_named(path), why=cause.summary))
    same_states = comparison is not None and comparison.change is Change.SAME
    if same_states and "findings" in changed and {each.kind for each in reading.findings} == {"digest"}:
        problems.append(layout_due(2 if reading.game is None else reading.game.past.layout + 1))
    return GoldenResult(path, reading, tuple(problems), comparison, traced, _broken(path, reading, audited, changed))


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


def _broken_link(path: Location) -> Message:
    return Message("broken-link", "{file} is a link to a file that is not there", file=_named(path))


def _unreadable(path: Location, cause: Exception) -> Message:
    return Message("file-unreadable", "{file} cannot be read: {why}", file=_named(path), why=os_error_message(cause))


def _stored_audit(path: Location) -> tuple[dict[str, Any] | None, list[Message]]:
    """Return the stored audit, or None and why there is none."""
    try:
        stored = json.loads(path.read_bytes())
        if not isinstance(stored, dict):
            raise ValueError(Message("no-object", "it is not an object"))
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


def files_of(result: GoldenResult, texts: Texts | None = None) -> tuple[bytes, bytes]:
    """Return what is stored beside the log: its trace, and what an audit says of it as JSON."""
    reading = result.reading
    record = audit_record(reading)
    for plain, finding in zip(record["findings"], reading.findings, strict=True):
        plain["message"] = sanitize(finding.message, 500)
        if finding.violation is not None and texts is not None and reading.game is not None:
            plain["message"] = texts.violation(finding.violation, reading.game)
    return result.traced, f"{json.dumps(record, ensure_ascii=False)}\n".encode()


def store(path: Path, result: GoldenResult, texts: Texts | None = None) -> None:
    """Store what a golden log gives now beside it."""
    for suffix, content in zip((".trace", ".json"), files_of(result, texts), strict=True):
        path.with_suffix(suffix).write_bytes(content)


def _broken(path: Location, reading: Reading, stored: Any, changed: Mapping[str, Message]) -> Message | None:
    """Return why an old log would be broken if today's audit became the expectation."""
    if not reading.ok and (stored is None or "findings" in changed):
        english = "{file} does not audit clean: {why}"
        return Message("log-broken", english, file=_named(path), why=reading.error().summary)
    if stored is not None and stored.get("finished") and changed.keys() & {"points", "winners", "finished"}:
        return Message("end-broken", "{file} has another end than the stored one", file=_named(path))
    return None


def _without_texts(findings: Any) -> Any:
    if not isinstance(findings, list):
        return findings
    return [{key: each[key] for key in each if key != "message"} for each in findings if isinstance(each, dict)]
