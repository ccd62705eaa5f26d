"""`replay anonymize`: the same match without names, times and ids."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ...core.log import Reading, read_bytes
from ...core.log.writer import replace_file
from ...core.text.sanitize import sanitize
from ..logs.anonymized import anonymized
from ..logs.locations import Location, location, read_content, reading_of
from ..options import JsonOption, LangOption, LogArgument, PlainOption, texts_for
from ..render.console import ConsoleWriter

FileOption = Annotated[
    Path, typer.Option("-o", metavar="FILE", help="The new log; an existing file is never replaced.")
]


def anonymize(
    log: LogArgument, file: FileOption, lang: LangOption = None, json: JsonOption = False, plain: PlainOption = False
) -> int:
    """Write the same match without names, times and ids, e.g. to turn the log of a bug report into a golden one.

    Seats become "seat 0" and so on. Dropped are the match's id, start and engine, the match it was forked from, the
    time, id and actor of every event, and all unknown keys. Kept are rules version, options, seed, commands, digests
    and end. The new log ends with the first refused command, so that it shows just that violation. Other damage (a torn
    tail, a broken chain) is left out and reported.
    """
    where = location(log)
    reading = _read(where)
    data = anonymized(read_content(where)[: reading.size], reading)
    replace_file(file, data, new=True)
    writer, now = ConsoleWriter(plain=plain), read_bytes(data)
    found = [{"seq": each.seq, "kind": each.kind, "rule": each.rule} for each in now.findings]
    shown = {(each.seq, each.kind) for each in now.findings}
    left = list(dict.fromkeys(each.kind for each in reading.findings if (each.seq, each.kind) not in shown))
    if json:
        writer.json({"log": str(log), "anonymized": str(file), "events": now.events, "findings": found, "left": left})
        return 0
    texts = texts_for(lang)
    shows = texts.comma.join(f"{each.rule or each.kind}" for each in now.findings)
    key = "anonymized-shows" if found else "anonymized"
    writer.print(f"{sanitize(str(file), 300)}{texts.colon}{texts.format(key, events=now.events, shows=shows)}")
    if left:
        writer.print(texts.format("anonymized-left", what=texts.comma.join(left)))
    return 0


def _read(where: Location) -> Reading:
    reading = reading_of(where, keep_states=False)
    if reading.header is None:
        raise reading.error(str(where))
    return reading
