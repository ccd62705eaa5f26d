"""The findings of an audit of one log, as plain data; and the rules that notes name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ...core.errors import LogError
from ...core.game import Note
from ...core.log import Finding, Reading
from ...core.log.findings import audit_record
from ...core.text.sanitize import sanitize
from ...core.text.texts import Texts
from ..logs.locations import Location, SentFile, read_content, reading_of

if TYPE_CHECKING:
    from ...core.trust.audit import Audit


def finding_text(finding: Finding, reading: Reading, texts: Texts, *, as_program: bool = False) -> str:
    """Format a finding: for a refused command what the seat did, what the rule asks, and the facts.

    `as_program`: errors of the format are always in English, so that a program can recognize them.
    """
    if finding.violation is None or reading.game is None:
        return sanitize(said(finding.message, texts, as_program=as_program), 500)
    return texts.violation(finding.violation, reading.game)


def said(message: str, texts: Texts, *, as_program: bool) -> str:
    """Return a message in English for a program, else in the language of `texts`."""
    return str(message) if as_program else texts.message(message)


def judgement(
    where: Location | SentFile, texts: Texts, *, as_program: bool = True, reward: str | None = None
) -> dict[str, Any]:
    """Audit one log, and return the object that `replay audit --json` prints for it."""
    trust: dict[str, Any] = {}
    try:
        reading = reading_of(where, keep_states=False)
        if reading.trusted:
            from ...core.trust.audit import complete  # here, since most logs need none of it

            whole = reading.size + len(reading.tail)  # it may have grown meanwhile
            trust = trust_of(complete(reading, read_content(where)[:whole]), texts, as_program=as_program)
    except LogError as cause:
        reading = Reading(findings=[Finding("file", cause.message)])
    rewarded = {} if reward is None else {"rewards": _rewards(reading, reward)}
    return {"log": str(where), **verdict(reading, texts, as_program=as_program), **trust, **rewarded}


def trust_of(audited: Audit, texts: Texts, *, as_program: bool) -> dict[str, Any]:
    """Return the keys of `replay audit --json` for a log whose header has `fair`, `veil` or `sign`."""
    from ...core.trust.formulas import fingerprint  # here, since most logs need none of it

    return {
        "signatures": "checked" if "sign" in audited.log.header else "absent",
        "fair": "fair" in audited.log.header and audited.ok,
        "attempt": len(audited.refused) + 1 if "fair" in audited.log.header else 0,
        "refused": [list(each) for each in audited.refused],
        "log_signed": audited.log_signed,
        "fingerprint": None if audited.host_key is None else fingerprint(audited.host_key),
        "played_for": played_for(audited.played_for),
        "unchecked": [said(each, texts, as_program=as_program) for each in audited.unchecked],
    }


def played_for(counts: Mapping[int, Mapping[str, int]]) -> list[dict[str, Any]]:
    """Return as plain data how many commands others gave for seats with a key."""
    return [{"seat": seat, "by": by, "count": count} for seat in counts for by, count in counts[seat].items()]


def stand_in_lines(listed: list[dict[str, Any]], texts: Texts) -> list[str]:
    """Say of each seat with a key who gave commands for it, and how many."""
    return [
        texts.format("audit-played-for", seat=each["seat"], by=sanitize(each["by"], 40), count=each["count"])
        for each in listed
    ]


def _rewards(reading: Reading, kind: str) -> list[float] | None:
    """Return the reward of each seat, 0.0 where the match has no result; None if nothing could be read."""
    from ...core.env.reward import rewards  # here, since few calls ask for it and all would wait

    return None if reading.header is None else list(rewards(reading.result, kind, len(reading.header.seats)))


def verdict(reading: Reading, texts: Texts, *, as_program: bool = True) -> dict[str, Any]:
    """Return the result of an audit: the keys of `replay audit --json`, without `log`."""
    record = audit_record(reading)
    for plain, finding in zip(record["findings"], reading.findings, strict=True):
        plain["message"] = finding_text(finding, reading, texts, as_program=as_program)
    return record


def rules_of(notes: Iterable[Note]) -> list[str]:
    """Return the numbers of the rules that notes name, each once, in the order of the notes."""
    return list(dict.fromkeys(note.rule.number for note in notes if note.rule is not None))
