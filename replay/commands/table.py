"""`replay table`: the events of many logs as a table for DuckDB, polars or pandas, and a table of their matches."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from attrs import field, mutable
from rich.text import Text

from ...core.text.sanitize import sanitize
from ...core.text.texts import Texts
from ..analysis.event_rows import EVENT_COLUMNS, MATCH_COLUMNS, MatchRows, RowsOf
from ..analysis.table_files import TableFile
from ..call_errors import CallError
from ..logs.locations import SkippedLog, require_logs
from ..logs.worker_pool import WorkerPool
from ..options import ClusterOption, JobsOption, JsonOption, LangOption, LogsArgument, PlainOption, texts_for
from ..render.console import ConsoleWriter
from ..render.left_out import left_out_line

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
    typer.Option("--matches", metavar="FILE", help="The table of matches; default: FILE.matches, same ending."),
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
    written; 1: a log was left out; 2: a file is no log or cannot be read, or nothing could be written.
    """
    pool, locations = WorkerPool(jobs, cluster), require_logs(logs)
    writer, texts = ConsoleWriter(plain=plain), texts_for(lang)
    beside = matches if matches is not None else file.parent / f"{file.stem}.matches{file.suffix}"
    events_file, matches_file = _files(file, beside)
    tally, work = _Tally(), RowsOf(events_file.format.encode)
    with events_file, matches_file:
        for each in pool.map(work, locations, "table", shown=not (plain or (json and writer.is_terminal))):
            tally.add(each)
            if isinstance(each, MatchRows):
                events_file.write(each.events)
                matches_file.write(each.match)
        if not tally.matches:
            first = tally.skipped[0]
            raise CallError("nothing-to-write", "nothing could be written: {log}: {why}", log=first.log, why=first.why)
    if json:
        writer.json(tally.data([str(file), str(beside)]))
    else:
        for key, path, count in (("events", file, tally.events), ("matches", beside, tally.matches)):
            writer.print(texts.format(f"table-{key}", file=sanitize(str(path), 300), count=count))
        writer.print(*tally.lines(texts))
    return tally.worst


def _files(events: Path, matches: Path) -> tuple[TableFile, TableFile]:
    """Return the two files to write; raises `CallError` if one exists, or both are one, or an ending is unknown."""
    files = TableFile(events, EVENT_COLUMNS), TableFile(matches, MATCH_COLUMNS)
    if events.suffix != matches.suffix:
        raise CallError("two-endings", "{one}, {other}: give both the same ending", one=events, other=matches)
    if events.absolute() == matches.absolute():
        raise CallError("same-file", "{file}: give two names, one for each table", file=events)
    for each in (events, matches):
        if each.exists():
            raise CallError("file-there", "{file}: it exists already; give another name", file=each)
    return files


@mutable
class _Tally:
    """What was written, and what was left out."""

    events: int = 0
    matches: int = 0
    left_out: int = 0
    worst: int = FINE
    skipped: list[SkippedLog] = field(factory=list)
    """The first few, at most `MAX_SKIPPED`."""

    def add(self, each: MatchRows | SkippedLog) -> None:
        """Count the result of one log."""
        if isinstance(each, MatchRows):
            self.events += each.count
            self.matches += 1
            return
        self.left_out += 1
        self.worst = max(self.worst, UNUSABLE if each.unusable else FOUND)
        if len(self.skipped) < MAX_SKIPPED:
            self.skipped.append(each)

    def data(self, files: list[str]) -> dict[str, Any]:
        """Return what `--json` prints."""
        first = [{"log": each.log, "why": str(each.why)} for each in self.skipped]
        counts = {"events": self.events, "matches": self.matches}
        return {**counts, "files": files, "left_out": self.left_out, "first": first}

    def lines(self, texts: Texts) -> Iterator[Text]:
        """Yield a line for each of the first logs that are left out, and the number of the others."""
        for each in self.skipped:
            yield left_out_line(each.log, each.why, texts)
        if self.left_out > len(self.skipped):
            yield Text(texts.format("stats-left-more", count=self.left_out - len(self.skipped)), style="red")
