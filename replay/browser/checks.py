"""What is judged of files: an audit, a library's row, a difference."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core.errors import LogError, TrustError
from ...core.log import Finding, Reading, read_bytes
from ...core.log.json_form import log_in
from ...core.match import plain_result
from ...core.page import page
from ...core.text.texts import FALLBACK, Texts
from ...core.trace import trace_log
from ...core.trust.audit import complete
from ...core.trust.raw_log import read_log
from ...core.trust.records import read_bytes as read_record
from ...core.wire.option_text import value_text
from ..analysis.findings import rules_of, trust_of, verdict
from ..analysis.log_diff import LogDiff
from ..analysis.verdict_words import VerdictWords, audit_words, verify_words
from ..analysis.verification import printed_code, verification
from ..analysis.verification import verdict as verdict_on
from ..call_errors import CallError
from ..logs.locations import SentFile
from .matches import checked_lang

if TYPE_CHECKING:
    from ..analysis.what_if import AlternativeOptions


def audit(log: bytes, lang: str = FALLBACK, as_program: bool = False) -> dict[str, Any]:
    """Replay a log under the rules; return the object of `replay audit --json`, without the name of a file.

    `as_program`: the messages are those for programs, always alike, and not those for people.
    """
    trust: dict[str, Any] = {}
    try:
        reading = read_bytes(log, keep_states=False)
        if reading.trusted:
            audited = complete(reading, log[: reading.size + len(reading.tail)])
            trust = trust_of(audited, _texts(lang), as_program=as_program)
    except LogError as cause:
        reading = Reading(findings=[Finding("header", cause.message)])
    return {**verdict(reading, _texts(lang), as_program=as_program), **trust}


def verify(
    record: bytes,
    against: bytes | None = None,
    lang: str = FALLBACK,
    as_program: bool = False,
    parent: bytes | None = None,
) -> Any:
    """Judge a seat record, alone, or against a log or another seat's record; return what `replay verify --json` prints.

    `parent` is the log of the match that the log forks; without `against` it is a fork's log, in place of the record,
    that is held against it. Without the names of files. Raises `TrustError` for what is no record.
    """
    parent = None if parent is None else log_in(parent)
    of_fork = parent is not None and against is None
    records, log = ([], log_in(record)) if of_fork else ([read_record(record)], None)
    if against is not None:
        try:
            records.append(read_record(against))
        except TrustError:
            log = log_in(against)
    found = verdict_on(records, log, parent)
    return verification(found, printed_code(records, found), _texts(lang), as_program=as_program)


def verdict_words(judged: dict[str, Any], host: str | None = None, lang: str = FALLBACK) -> VerdictWords:
    """Say what `audit` or `verify` has returned as the command does; `host` is the name by which its key is known."""
    texts = _texts(lang)
    return verify_words(judged, texts, host) if "proof" in judged else audit_words(judged, texts)


def is_fork_first(one: bytes, other: bytes, record: bytes | None = None) -> bool:
    """Return whether the first of two logs is the fork and the other its parent, which a fork names in its header.

    Where neither names the other, or each does, the fork is that of the record; without one the first, unless the
    other alone is a fork of something.
    """
    headers = [read_log(log_in(each)).header for each in (one, other)]
    matches = [header.get("match") for header in headers]
    forked = [fork.get("match") if (fork := header.get("fork")).__class__ is dict else None for header in headers]
    names = [origin is not None and origin == parent for origin, parent in zip(forked, reversed(matches), strict=True)]
    if names[0] != names[1]:
        return names[0]
    if record is not None:
        of = read_record(record).roster.match
        return matches[0] == of or matches[1] != of
    return forked[0] is not None or forked[1] is None


def trace(log: bytes) -> bytes:
    """Return the trace of a log, as `replay trace` writes it."""
    return trace_log(log)


def impact(logs: list[bytes], options: dict[str, Any]) -> dict[str, Any]:
    """Return what other values of options would change in logs, as `replay impact --json` prints it.

    `logs` there are the objects of the logs, each named by its place among those given.
    """
    from ..analysis.impacts import Impacts, Tally, data_of, unreached  # here, so that no page waits for it at its start

    work, tally = Impacts(_other_options(options)), Tally()
    files = {Path(str(at)): log for at, log in enumerate(logs)}
    compared = [work(SentFile(path, files)) for path in files]
    for each in compared:
        tally.add(each)
    said = list(map(data_of, compared))
    return {"logs": said, **tally.data(), "unreached": unreached(tally)}


def shrink(
    log: bytes, rule: str | None = None, options: dict[str, Any] | None = None, tries: int = 4000, seconds: float = 20
) -> bytes:
    """Return the shortest legal match that still shows a rule, or what other values of options change, as a log.

    It takes `tries` attempts or `seconds` at most. Raises `CallError` where the log does not show it.
    """
    from ..analysis.minimize import shrunk
    from ..analysis.what_if import Differs, at_work

    reading = _reading(log)
    if (rule is None) is not bool(options):
        raise CallError("rule-or-options", "give what to show: a rule, or other values of options")
    criterion = Differs.of(_other_options(options or {}), reading) if rule is None else at_work(rule, reading)
    return shrunk("log", reading, criterion, tries, seconds)[1]


def _other_options(options: dict[str, Any]) -> AlternativeOptions:
    from ..analysis.what_if import AlternativeOptions

    return AlternativeOptions([f"{name}={value_text(value)}" for name, value in options.items()])


def diff(a: bytes, b: bytes, lang: str = FALLBACK) -> list[Any]:
    """Return the differences between two logs, as `replay diff --json` prints them."""
    return list(LogDiff.of(_reading(a), _reading(b), _texts(lang)).data(every=True))


def step_through(log: bytes, lang: str | None = None) -> str:
    """Return a log as one page to step through, up to its first error, with what is wrong with it."""
    reading = _reading(log)
    assert reading.match is not None
    return page(reading.match, findings=reading.findings, lang=lang)


def row(log: bytes) -> dict[str, Any] | None:
    """Return what a library lists of a log: its game, seats, length, result and rules at work; None for no log."""
    reading = read_bytes(log)
    match = reading.match
    if match is None:
        return None
    first = None if reading.ok else reading.findings[0]
    return {
        "game": match.header.game,
        "seats": list(match.header.seats),
        "started": match.header.started,
        "events": len(match.events),
        **plain_result(match.result),
        "ended": match.end,
        "rules": sorted({number for step in match.steps for number in rules_of(step.notes)}),
        "finding": None if first is None else first.rule or first.kind,
    }


def _reading(log: bytes) -> Reading:
    """Read a log; raises `LogError` if it contains no match."""
    reading = read_bytes(log)
    if reading.match is None:
        raise reading.error("")
    return reading


def _texts(lang: str) -> Texts:
    return Texts(checked_lang(lang), "kifu.replay")
