"""A fork held against the log of its parent: its shared events, the keys of its seats, and the consents to it."""

from __future__ import annotations

from typing import Any

from .codec import Misfit, canonical
from .commands import are_signatures, holds
from .log import Found, Log, Unfit


def audit_fork(child: Log, old: Log) -> Found:
    """Find what is wrong, as far as it needs no rules; where they have changed, only which events there are."""
    origin = child.header.get("fork")
    if not isinstance(origin, dict) or origin.get("match") != old.header.get("match"):
        return {("head", None)}
    shared = range(min(child.forked_at + 1, len(child.events)))
    found: Found = {("head", seq) for seq in shared if not _is_shared(child, old, seq)}
    try:
        if child.keys()[1] != old.keys()[1]:
            found.add(("head", None))
    except Unfit:
        pass
    return found if _is_agreed(child, old) else found | {("signature", None)}


def _is_shared(child: Log, old: Log, seq: int) -> bool:
    if seq >= len(old.events):
        return False
    names = ("by",) if child.header.get("rules") != old.header.get("rules") else ("by", *range(4))
    return _parts(child, seq, names) == _parts(old, seq, names) is not None


def _parts(log: Log, seq: int, names: tuple[Any, ...]) -> bytes | None:
    """Return the bytes of these parts of an event: who gave it, or by their places all but the meta."""
    event = log.events[seq]
    try:
        return canonical([event.of_meta("by") if name == "by" else event[name] for name in names if name != 1])
    except Misfit:
        return None


def _is_agreed(child: Log, old: Log) -> bool:
    """Whether all seats with a key have signed the fork, at one moment; after the end nobody needs to."""
    try:
        _, keys = old.keys()
    except Unfit:
        return False
    if "veil" in old.header and not old.marks:
        return False
    sign = child.header.get("sign")
    given = sign.get("agreed", []) if isinstance(sign, dict) else []
    if not are_signatures(given):
        return False
    have = {seat for seat, _ in given} | {event.seat for event in old.events if event.of_meta("by") == "new key"}
    if old.end is None and any(key is not None and seat not in have for seat, key in enumerate(keys)):
        return False
    moments = range(min(len(old.marks), len(old.events) + 1))
    return not given or any(all(_signed(child, old, keys, moment, *each) for each in given) for moment in moments)


def _signed(child: Log, old: Log, keys: list[Any], moment: int, seat: int, signature: bytes) -> bool:
    name = ["kifu wish 1", old.header.get("match"), seat, moment, old.marks[moment], "fork", child.forked_at + 1]
    return seat < len(keys) and holds(keys[seat], signature, name)
