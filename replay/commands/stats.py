"""`replay stats`: results, lengths, scores, rules and times of many logs, and the course of one match."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from ...core.text.sanitize import sanitize
from ...core.text.texts import Texts
from ..call_errors import CallError
from ..logs.locations import Location, SentFile, SkippedLog, reading_of, require_logs
from ..logs.worker_pool import WorkerPool
from ..options import ClusterOption, JobsOption, JsonOption, LangOption, LogsArgument, PlainOption, texts_for
from ..render.console import ConsoleWriter
from ..render.left_out import left_out_line
from ..render.output import write_output
from ..stats.course import Course, course_of
from ..stats.data import course_data, group_data
from ..stats.figures import Group, Groups, figures
from ..stats.tables import report

FINE, FOUND, UNUSABLE = 0, 1, 2
MAX_SKIPPED = 10

FileOption = Annotated[
    Path | None,
    typer.Option(
        "-o",
        metavar="FILE",
        help="Also write charts: a page FILE.html, or a picture FILE.svg or FILE.png. Only charts are ever replaced.",
    ),
]


def stats(
    logs: LogsArgument,
    file: FileOption = None,
    jobs: JobsOption = None,
    cluster: ClusterOption = None,
    lang: LangOption = None,
    json: JsonOption = False,
    plain: PlainOption = False,
) -> int:
    """Summarize many matches by game and number of seats.

    Prints who wins from which seat, the scores, the lengths, how often each rule decided, and how long the moves took;
    for a single match also its course. A log with anything wrong in it is reported and left out. Exit code 0: all were
    counted; 1: a log was left out; 2: a file is no log or cannot be read, or nothing could be counted.
    """
    pool, locations = WorkerPool(jobs, cluster), require_logs(logs)
    writer, texts = ConsoleWriter(plain=plain), texts_for(lang)
    draw = _chart_writer(file)
    groups, skipped = Groups(), list[SkippedLog]()
    for each in pool.map(figures, locations, "stats", shown=not plain):
        if isinstance(each, SkippedLog):
            skipped.append(each)
        else:
            groups.add(each)
    if not len(groups):
        first = skipped[0]
        raise CallError("nothing-counted", "nothing could be counted: {log}: {why}", log=first.log, why=first.why)
    course = _course(locations[0]) if len(locations) == 1 else None
    if draw is not None and file is not None:
        write_output(file, draw(list(groups), course, texts))
    if json:
        _print_json(writer, groups, skipped, course)
    else:
        writer.print(*_lines(groups, skipped, course, texts, writer.width))
    if file is not None and not json:
        writer.print("", texts.format("stats-charts", file=sanitize(str(file), 400)))
    return UNUSABLE if any(each.unusable for each in skipped) else FOUND if skipped else FINE


def _chart_writer(file: Path | None) -> Callable[[list[Group], Course | None, Texts], bytes] | None:
    """Return what draws a file of this name; raises before anything is counted if it cannot be drawn."""
    if file is None:
        return None
    from ..stats.pictures import chart_writer

    return chart_writer(file)


def _course(where: Location | SentFile) -> Course:
    match = reading_of(where).match
    assert match is not None
    return course_of(match)


def _lines(
    groups: Groups, skipped: list[SkippedLog], course: Course | None, texts: Texts, width: int
) -> Iterator[Text | str]:
    yield from report(list(groups), course, texts, width)
    if skipped:
        yield ""
    for each in skipped[:MAX_SKIPPED]:
        yield left_out_line(each.log, each.why, texts)
    if len(skipped) > MAX_SKIPPED:
        yield Text(texts.format("stats-left-more", count=len(skipped) - MAX_SKIPPED), style="red")


def _print_json(writer: ConsoleWriter, groups: Groups, skipped: list[SkippedLog], course: Course | None) -> None:
    for group in groups:
        writer.json(group_data(group))
    if course is not None:
        writer.json(course_data(course))
    for each in skipped:
        writer.json({"log": each.log, "left_out": str(each.why)})
    writer.json({"counted": sum(group.logs for group in groups), "left_out": len(skipped)})
