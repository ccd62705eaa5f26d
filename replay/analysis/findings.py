"""What an audit finds wrong with one log, as plain data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...core.env.reward import rewards
from ...core.errors import LogError
from ...core.log import Finding, Reading
from ...core.text.sanitize import sanitize
from ...core.text.texts import Texts
from ..logs.locations import Location, SentFile, reading_of


def message(finding: Finding, reading: Reading, words: Texts) -> str:
    """Say what a finding is about: for a refusal what the seat did, what the rule asks, and the facts.

    What is wrong with the bytes is said in English: a program shall know it again.
    """
    if finding.violation is None or reading.game is None:
        return sanitize(finding.message, 500)
    return words.violation(finding.violation, reading.game)


def detail(finding: Finding, reading: Reading, words: Texts) -> str:
    """Say the same to a person, all of it in the language of the words."""
    if finding.violation is None or reading.game is None:
        return sanitize(words.message(finding.message), 500)
    return words.violation(finding.violation, reading.game)


FindingText = Callable[[Finding, Reading, Texts], str]


def judgement(
    where: Location | SentFile, words: Texts, message: FindingText = message, reward: str | None = None
) -> dict[str, Any]:
    """Audit one log: the object that `replay audit --json` prints of it."""
    try:
        reading = reading_of(where, keep=False)
    except LogError as cause:
        reading = Reading(findings=[Finding("header", cause.message)])
    rewarded = {} if reward is None else {"rewards": _rewards(reading, reward)}
    return {"log": str(where), **verdict(reading, words, message), **rewarded}


def _rewards(reading: Reading, kind: str) -> list[float] | None:
    """Return the reward of each seat, 0.0 where the match has no result; None if nothing could be read."""
    return None if reading.header is None else list(rewards(reading.result, kind, len(reading.header.seats)))


def verdict(reading: Reading, words: Texts, message: FindingText = message) -> dict[str, Any]:
    """Say what a reading comes to, as plain data."""
    result = reading.result
    return {
        "game": reading.name,
        "rules": reading.rules,
        "events": reading.events,
        "ok": reading.ok,
        "finished": result is not None,
        "points": None if result is None else list(result.points),
        "winners": None if result is None else list(result.winners),
        "digests": reading.digests,
        "findings": [
            {
                "seq": finding.seq,
                "kind": finding.kind,
                "rule": finding.rule,
                "message": message(finding, reading, words),
            }
            for finding in reading.findings
        ],
    }
