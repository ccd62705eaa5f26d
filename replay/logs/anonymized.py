"""A log without names, times and ids."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

from ...core.log import Reading
from ...core.log.format import CHAIN_BYTES, first_chain, linked_end, linked_event, pack_plain
from ...core.log.framing import ObjectStream
from ...core.log.validation import end_error
from ...core.match.header import FORMAT
from ...core.match.witness import VIEW, WITNESS, WITNESSES
from ...core.wire import RULES

ENGINE = "replay anonymize"


def anonymized(data: bytes, reading: Reading) -> bytes:
    """Return the bytes of the same log without anything about who played, when and where.

    The match's id is a hash of the rest, so that the same match always gets the same id.
    """
    head, *objects = [value for value, _, _ in ObjectStream(data)]
    events = [each for each in objects if isinstance(each, list)][: _kept(reading)]
    ends = [each for each in objects if isinstance(each, dict) and "end" in each]
    whole = len(events) == reading.events and ends and end_error(ends[0], len(head["seats"])) is None
    rest = (events, ends[0] if whole else None)
    match = blake2b(_log(_head(head, ""), *rest), digest_size=8).hexdigest()
    return _log(_head(head, match), *rest)


def _kept(reading: Reading) -> int:
    """Return the number of events to keep: those that were applied, and the one that the rules refused."""
    for finding in reading.findings:
        if finding.kind in ("rule", "form") and finding.seq is not None:
            return finding.seq + (finding.violation is not None)
    return reading.events


def _head(head: dict[str, Any], match: str) -> dict[str, Any]:
    clean: dict[str, Any] = {
        "kifu": FORMAT,
        **{key: head[key] for key in ("game", "rules")},
        "seats": [f"seat {seat}" for seat in range(len(head["seats"]))],
        **{key: head[key] for key in ("options", "seed")},
        "match": match,
        "started": None,
        "engine": ENGINE,
    }
    return {**clean, **({"layout": head["layout"]} if "layout" in head else {})}


def _log(head: dict[str, Any], events: list[list[Any]], end: dict[str, Any] | None) -> bytes:
    parts = [pack_plain(head)]
    chain = first_chain(parts[0])
    witnesses = (VIEW, WITNESS, WITNESSES) if any(event[3] == RULES for event in events) else ()
    for seq, seat, meta, tag, fields, digest, _ in events:
        kept = {key: meta[key] for key in witnesses if isinstance(meta, dict) and key in meta}
        parts.append(linked_event([seq, seat, kept or None, tag, fields, digest], chain))
        chain = parts[-1][-CHAIN_BYTES:]
    if end is not None:
        parts.append(linked_end({key: end[key] for key in ("end", "events", "points", "winners")}, chain))
    return b"".join(parts)
