"""`replay table`: the events of many logs as a table for DuckDB, polars or pandas, and a table of their matches."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from ...core.text.sanitize import sanitize
from ..analysis.event_rows import EVENT_COLUMNS, MATCH_COLUMNS, RowsOf
from ..call_errors import CallError
from ..command import verb
from ..logs.locations import MAX_SKIPPED, SkippedLog, kept, require_logs
from ..logs.worker_pool import WorkerPool
from ..options import check_unused, logs_argument, output_options, pool_options
from ..render.console import Output
from ..render.verdict import left_out_code, left_out_lines


@verb("replay table logs/ -o events.parquet")
@logs_argument
@click.option(
    "-o",
    "file",
    type=Path,
    required=True,
    metavar="FILE",
    help="The table of events, in Parquet. An existing file is never replaced.",
)
@pool_options
@output_options
def table(logs: tuple[str, ...], file: Path, pool: WorkerPool, output: Output) -> int:
    """Write the events of many logs as a table, and their matches as FILE.matches.parquet: for DuckDB, polars, pandas.

    A row of the events has the match, game, options, number, seat, actor, time, tag, fields, rules and the points after
    it. Everyone's cards are in it. A log with anything wrong in it is reported and left out. Exit code 0: all were
    written; 1: a log was left out; 2: a file is not a log or cannot be read, or nothing could be written.
    """
    from ..analysis.table_files import encode, table_file  # here, since the library takes a while to load

    locations, writer, texts = require_logs(logs), output.writer, output.texts
    beside = file.parent / f"{file.stem}.matches{file.suffix}"
    if file.suffix != ".parquet":
        raise CallError("no-table", "{file}: give a name that ends in .parquet", file=file)
    for path in (file, beside):
        check_unused(path)
    counts, skipped, work = Counter[str](), list[SkippedLog](), RowsOf(encode)
    with table_file(file, EVENT_COLUMNS) as events_file, table_file(beside, MATCH_COLUMNS) as matches_file:
        for each in kept(pool.map(work, locations, "table", shown=output.shows_bar), skipped):
            events_file.write(each.events)
            matches_file.write(each.match)
            counts.update(events=each.count, matches=1)
        if not counts["matches"]:
            first = skipped[0]
            raise CallError(
                "nothing-to-write", "nothing could be written: {log}: {why}", log=first.log, why=first.said(texts)
            )
    if output.json:
        first_left = [{"log": each.log, "why": str(each.why)} for each in skipped[:MAX_SKIPPED]]
        files = [str(file), str(beside)]
        writer.json({**counts, "files": files, "left_out": len(skipped), "first": first_left})
    else:
        for key, path in (("events", file), ("matches", beside)):
            writer.print(texts.format(f"table-{key}", file=sanitize(str(path), 300), count=counts[key]))
        writer.print(*left_out_lines(skipped, len(skipped), texts))
    return left_out_code(skipped)
