"""A verdict of `replay audit` or `replay verify` in words, for the terminal and for pages."""

from __future__ import annotations

from collections import Counter
from typing import Any

from attrs import frozen

from ...core.text.sanitize import sanitize
from ...core.text.texts import Texts
from .findings import stand_in_lines


@frozen
class VerdictWords:
    """The verdict, what it is about, each finding and where it is, the proof against a host, and what else is told."""

    ok: bool
    verdict: str
    summary: str
    findings: list[tuple[str, str]]
    proof: str | None
    left: list[str]
    """What others played, and what was not checked."""
    facts: list[str]
    """How it was dealt, who has signed the log, the host's key, the code of the last moment."""
    partial: bool = False
    """Whether nothing is wrong, and something was not checked, or not told."""


def audit_words(data: dict[str, Any], texts: Texts) -> VerdictWords:
    """Say what `replay audit --json` has of a log."""
    left = [texts.format("audit-left-out", what=each) for each in data.get("unchecked", [])]
    return VerdictWords(
        data["ok"],
        _verdict(data, "audit-fine", texts),
        _audit_summary(data, texts),
        _findings(data, texts),
        None,
        [*stand_in_lines(data.get("played_for", []), texts), *left],
        _dealt(data, texts) if "fair" in data else [],
    )


def verify_words(data: dict[str, Any], texts: Texts, host: str | None = None) -> VerdictWords:
    """Say what `replay verify --json` has of a record; `host` is the name by which its key is known, if it is.

    Without `against` in the data the record was held against something.
    """
    left = [texts.format("verify-gap", first=first, last=last) for first, last in data["gaps"]]
    left += [texts.format("verify-unchecked", what=each) for each in data["unchecked"]]
    partial = data["ok"] and data["partial"]
    return VerdictWords(
        data["ok"],
        _verdict(data, "verify-partial" if partial else "verify-fine", texts),
        _verify_summary(data, texts),
        _findings(data, texts),
        _proof(data, texts, host),
        [*stand_in_lines(data["played_for"], texts), *left],
        _facts(data, texts, host),
        partial,
    )


def _verdict(data: dict[str, Any], fine: str, texts: Texts) -> str:
    if _is_unread(data):
        return texts.format("audit-unread")
    return texts.format(fine if data["ok"] else "audit-wrong")


def _is_unread(data: dict[str, Any]) -> bool:
    """Return True for a file that could not be read at all: nothing is wrong with it, as far as anybody knows."""
    return any(each["kind"] == "file" for each in data["findings"])


def _findings(data: dict[str, Any], texts: Texts) -> list[tuple[str, str]]:
    return [(_place(each, texts), each["message"]) for each in data["findings"]]


def _place(finding: dict[str, Any], texts: Texts) -> str:
    what: str = finding["rule"] or texts.format(f"finding-{finding['kind']}")
    return what if finding["seq"] is None else texts.format("audit-at-event", seq=finding["seq"], what=what)


def _audit_summary(data: dict[str, Any], texts: Texts) -> str:
    if data["game"] is None:
        return "" if _is_unread(data) else texts.format("audit-no-log")
    parts = [sanitize(data["game"], 40), texts.format("audit-events", events=data["events"])]
    if data["finished"]:
        parts.append(texts.format("audit-points", points=" ".join(map(str, data["points"]))))
        shared = 1 < len(data["winners"]) == len(data["points"])  # a draw, or a victory of all
        parts.append(texts.format("audit-shared" if shared else "audit-won", seats=data["winners"]))
    else:
        parts.append(texts.format("audit-unfinished"))
    if data.get("rewards"):
        parts.append(texts.format("audit-rewards", rewards=" ".join(f"{each:g}" for each in data["rewards"])))
    if data["digests"] == "unchecked":
        parts.append(texts.format("audit-unchecked"))
    if data.get("fair"):
        parts.append(texts.format("audit-fair"))
    if data.get("fingerprint"):
        parts.append(texts.format("audit-host-key", key=data["fingerprint"]))
    return texts.comma.join(parts)


def _verify_summary(data: dict[str, Any], texts: Texts) -> str:
    parts = [sanitize(str(data["match"]), 40)]
    seat = data["seat"]
    if seat is not None:
        parts.append(texts.format("seat", number=seat))
    elif data.get("against", "") is None:
        parts.append(texts.format("spectator"))
    if data["first"] is not None:
        parts.append(texts.format("verify-covers", first=data["first"], last=data["last"]))
    if data["ended"] is not None:
        parts.append(texts.format(f"verify-{data['ended'].replace(' ', '-')}"))
    if data["code"] is not None:  # else it is no record: a fork and its parent
        parts.append(texts.format("verify-signed" if data["signed"] else "verify-unsigned"))
    return texts.comma.join(parts)


def _proof(data: dict[str, Any], texts: Texts, host: str | None) -> str | None:
    if data["by"] in ("owner", "seat"):
        return texts.format(f"verify-by-{data['by']}")
    if not data["proof"]:
        return None
    key = "verify-proof-unknown" if host is None else "verify-proof"
    return texts.format(key, host=sanitize(host or "", 60), key=data["fingerprint"])


def _dealt(data: dict[str, Any], texts: Texts) -> list[str]:
    """Say at which attempt it was dealt, and who is said to have refused before."""
    if not data["refused"]:
        return []
    refused = Counter(seat for each in data["refused"] for seat in each)
    seats = [texts.format("verify-refused", seat=seat, times=times) for seat, times in sorted(refused.items())]
    return [texts.format("verify-attempt", attempt=data["attempt"], seats=texts.comma.join(seats))]


def _facts(data: dict[str, Any], texts: Texts, host: str | None) -> list[str]:
    lines = _dealt(data, texts)
    if data["log_signed"] is not None:
        lines.append(texts.format("verify-log-signed" if data["log_signed"] else "verify-log-unsigned"))
    if data["fingerprint"] is not None:
        key = "verify-key-unknown" if host is None else "verify-key"
        lines.append(texts.format(key, key=data["fingerprint"], host=sanitize(host or "", 60)))
    if data["code"] is not None:
        lines.append(texts.format("verify-code", code=data["code"]))
    return lines
