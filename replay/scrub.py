"""`replay scrub`: the same match without names, times and ids."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..core.legible import legible
from ..core.log import Reading, read_bytes
from ..core.log.writer import write_whole
from .locations import Location, content_of, location, reading_of
from .logs.anonymized import scrubbed
from .options import JsonOption, LangOption, LogArgument, PlainOption, texts
from .paper import Paper

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
