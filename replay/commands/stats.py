"""`replay stats`: results, lengths, scores and rules of many logs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from ...core.text.sanitize import sanitize
from ..call_errors import CallError
from ..command import verb
from ..logs.locations import SkippedLog, kept, require_logs
from ..logs.worker_pool import WorkerPool
from ..options import logs_argument, output_options, pool_options
from ..render.console import ConsoleWriter, Output
from ..render.output import STDOUT, write_output
from ..render.verdict import left_out_code, left_out_lines
from ..stats.figures import Group, figures, group_data, grouped
from ..stats.tables import report


@verb("replay stats logs/ -o stats.html")
@logs_argument
@click.option(
    "-o",
    "file",
    type=Path,
    metavar="FILE",
    help="Also write charts, a page FILE.html; its menus save pictures. Only charts are ever replaced.",
)
@pool_options
@output_options
def stats(logs: tuple[str, ...], file: Path | None, pool: WorkerPool, output: Output) -> int:
    """Summarize many matches by game and number of seats.

    Prints who wins from which seat, the scores, the lengths, and how often each rule decided.
    A log with anything wrong in it is reported and left out. Exit code 0: all were counted; 1: a log was left out; 2: a
    file is not a log or cannot be read, or nothing could be counted.
    """
    locations, writer, texts = require_logs(logs), output.writer, output.texts
    if file is not None:
        from ..stats import charts  # here, since the library takes a while to load

        charts.check_page(file)
    skipped: list[SkippedLog] = []
    groups = grouped(kept(pool.map(figures, locations, "stats", shown=not output.plain), skipped))
    if not groups:
        first = skipped[0]
        raise CallError(
            "nothing-counted", "nothing could be counted: {log}: {why}", log=first.log, why=first.said(texts)
        )
    if file is not None:
        write_output(file, charts.page(groups, texts))
    if file != STDOUT:
        if output.json:
            _print_json(writer, groups, skipped)
        else:
            writer.print(*report(groups, texts, writer.width), *([""] if skipped else []))
            writer.print(*left_out_lines(skipped, len(skipped), texts))
            if file is not None:
                writer.print("", texts.format("stats-charts", file=sanitize(str(file), 400)))
    return left_out_code(skipped)


def _print_json(writer: ConsoleWriter, groups: Sequence[Group], skipped: Sequence[SkippedLog]) -> None:
    for group in groups:
        writer.json(group_data(group))
    for each in skipped:
        writer.json({"log": each.log, "left_out": str(each.why)})
    writer.json({"counted": sum(group.logs for group in groups), "left_out": len(skipped)})
