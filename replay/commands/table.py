"""`replay table`: the events of many logs as a table for DuckDB, polars or pandas, and a table of their matches."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from ...core.text.sanitize import sanitize
from ..analysis.event_rows import EVENT_COLUMNS, MATCH_COLUMNS, MatchRows, RowsOf, SkippedLog
from ..analysis.table_files import TableFile
from ..call_errors import CallError
from ..logs.locations import require_logs
from ..logs.worker_pool import WorkerPool
from ..options import ClusterOption, JobsOption, JsonOption, LangOption, LogsArgument, PlainOption, texts_for
from ..render.console import ConsoleWriter

FINE, FOUND, UNUSABLE = 0, 1, 2
MAX_SKIPPED = 10

FileOption = Annotated[
    Path,
    typer.Option(
        "-o",
        metavar="FILE",
        help="The table of events: FILE.parquet, FILE.csv or FILE.ndjson. An existing file is never replaced.",
    ),
]
MatchesOption = Annotated[
    Path | None,
    typer.Option("--matches", metavar="FILE", help="The table of matches; default: FILE.matches, with the same ending."),
]


def table(
    logs: LogsArgument,
    file: FileOption,
    matches: MatchesOption = None,
    jobs: JobsOption = None,
    cluster: ClusterOption = None,
    lang: LangOption = None,
    json: JsonOption = False,
    plain: PlainOption = False,
) -> int:
    """Write the events of many logs as a table, and their matches as another, for DuckDB, polars or pandas.

    A row of the events has the match, game, options, number, seat, actor, time, tag, fields, rules and the points after
    it. Everyone's cards are in it. A log with anything wrong in it is reported and left out. Exit code 0: all were
    written; 1: a log was left out; 2: a file is no log or cannot be read.
    """
    pool, locations = WorkerPool(jobs, cluster), require_logs(logs)
    writer, texts = ConsoleWriter(plain=plain), texts_for(lang)
    beside = matches if matches is not None else file.with_name(f"{file.stem}.matches{file.suffix}")
    events_file, matches_file = TableFile(file, EVENT_COLUMNS), TableFile(beside, MATCH_COLUMNS)
    for each in (file, beside):
        if each.exists():
            raise CallError("file-there", "{file}: it exists already; give another name", file=each)
    if file.absolute() == beside.absolute():
        raise CallError("same-file", "{file}: give two names, one for each table", file=file)
    rows = events = 0
    skipped: list[SkippedLog] = []
    left_out = 0
    worst = FINE
    work = RowsOf(events_file.format.encode)
    with events_file, matches_file:
        for one in pool.map(work, locations, "table", shown=not (plain or (json and writer.is_terminal))):
            if isinstance(one, MatchRows):
                events_file.write(one.events)
                matches_file.write_rows([one.match])
                rows, events = rows + 1, events + one.count
                continue
            left_out += 1
            worst = max(worst, UNUSABLE if one.unusable else FOUND)
            if len(skipped) < MAX_SKIPPED:
                skipped.append(one)
    if json:
        left = [{"log": each.log, "why": str(each.why)} for each in skipped]
        writer.json(
            {"events": events, "matches": rows, "files": [str(file), str(beside)], "left_out": left_out, "first": left}
        )
        return worst
    writer.print(
        texts.format("table-events", file=sanitize(str(file), 300), count=events),
        texts.format("table-matches", file=sanitize(str(beside), 300), count=rows),
    )
    for each in skipped:
        why = f"{sanitize(each.log, 300)}: {sanitize(texts.message(each.why), 300)}"
        writer.print(Text(f"{texts.format('stats-left')}: {why}", style="red"))
    if left_out > len(skipped):
        writer.print(Text(texts.format("stats-left-more", count=left_out - len(skipped)), style="red"))
    return worst
