"""`replay scrub`: the same match without names, times and ids."""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path
from typing import Annotated, Any

import typer

from ..core.header import FORMAT
from ..core.legible import legible
from ..core.log import Reading, read_bytes
from ..core.log.format import CHAIN_BYTES, first_chain, linked_end, linked_event, packed
from ..core.log.objects import Objects
from ..core.log.shape import end_shape
from ..core.log.writer import write_whole
from .locations import Location, content_of, location, reading_of
from .options import JsonOption, LangOption, LogArgument, PlainOption, texts
from .paper import Paper

ENGINE = "replay scrub"

FileOption = Annotated[Path, typer.Option("-o", metavar="FILE", help="The new log; never one that is there already.")]


def scrub(
    log: LogArgument, file: FileOption, lang: LangOption = None, json: JsonOption = False, plain: PlainOption = False
) -> int:
    """Write the same match without names, times and ids: a bug report's log made fit to be a golden one.

    Seats become "seat 0" and so on; the match's id, its start, its engine, the match it was forked from, the time, id
    and actor of every event and all unknown keys are dropped. Rules version, options, seed, commands, digests and end
    are kept. What follows the first refused command is left off, so that the new log shows just that violation;
    other damage (a torn tail, a broken chain) is left off too, and told.
    """
    where = location(log)
    reading = _read(where)
    data = scrubbed(content_of(where)[: reading.size], reading)
    write_whole(file, data, new=True)
    paper, now = Paper(plain=plain), read_bytes(data)
    found = [{"seq": each.seq, "kind": each.kind, "rule": each.rule} for each in now.findings]
    shown = {(each.seq, each.kind) for each in now.findings}
    left = list(dict.fromkeys(each.kind for each in reading.findings if (each.seq, each.kind) not in shown))
    if json:
        paper.json({"log": str(log), "scrubbed": str(file), "events": now.events, "findings": found, "left": left})
        return 0
    shows = ", ".join(f"{each.rule or each.kind}" for each in now.findings)
    key = "scrubbed-shows" if found else "scrubbed"
    words = texts(lang)
    paper.print(f"{legible(str(file), 300)}: {words.say(key, events=now.events, shows=shows)}")
    if left:
        paper.print(words.say("scrubbed-left", what=", ".join(left)))
    return 0


def _read(where: Location) -> Reading:
    reading = reading_of(where, keep=False)
    if reading.header is None:
        raise reading.error(str(where))
    return reading


def scrubbed(data: bytes, reading: Reading) -> bytes:
    """Give the bytes of the same log without whatever could tell who played, when and where.

    The match's id is made of all the rest, so that the same match has the same id whoever scrubs it.
    """
    head, *objects = [value for value, _, _ in Objects(data)]
    events = [each for each in objects if isinstance(each, list)][: _kept(reading)]
    ends = [each for each in objects if isinstance(each, dict) and "end" in each]
    whole = len(events) == reading.events and ends and end_shape(ends[0], len(head["seats"])) is None
    rest = (events, ends[0] if whole else None)
    match = blake2b(_log(_head(head, ""), *rest), digest_size=8).hexdigest()
    return _log(_head(head, match), *rest)


def _kept(reading: Reading) -> int:
    """Count the events that were folded, and the one that the rules refused."""
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
    return {**clean, "layout": head["layout"]} if "layout" in head else clean


def _log(head: dict[str, Any], events: list[list[Any]], end: dict[str, Any] | None) -> bytes:
    parts = [packed(head)]
    chain = first_chain(parts[0])
    for seq, seat, _, tag, fields, digest, _ in events:
        parts.append(linked_event([seq, seat, None, tag, fields, digest], chain))
        chain = parts[-1][-CHAIN_BYTES:]
    if end is not None:
        parts.append(linked_end({key: end[key] for key in ("end", "events", "points", "winners")}, chain))
    return b"".join(parts)
