"""`replay stats`: results, lengths, scores, rules and times over many logs, and the course of one match."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from ...core.text.sanitize import sanitize
from ...core.text.texts import Texts
from ..call_errors import CallError
from ..logs.locations import Location, SentFile, reading_of, require_logs
from ..logs.worker_pool import WorkerPool
from ..options import ClusterOption, JobsOption, JsonOption, LangOption, LogsArgument, PlainOption, texts_for
from ..render.console import ConsoleWriter
from ..render.output import write_output
from ..stats.course import Course, course
from ..stats.data import course_data, group_data
from ..stats.figures import Group, Groups, SkippedLog, figures
from ..stats.tables import report

FINE, FOUND, UNUSABLE = 0, 1, 2
MAX_LEFT = 10

FileOption = Annotated[
    Path | None,
    typer.Option(
        "-o",
        metavar="FILE",
        help="Charts too: a page FILE.html, or a picture FILE.svg or FILE.png. Only earlier charts are replaced.",
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
    """Count what became of many matches, by game and number of seats: who wins from which seat, the scores, the
    lengths, how often each rule decided, and how long the moves took. Of one match, also its course.

    A log with anything wrong in it is told and left out. Exit code 0: all were counted; 1: a log was left out; 2: a
    file is no log or cannot be read, or nothing could be counted.
    """
    pool, locations, writer, texts = WorkerPool(jobs, cluster), require_logs(logs), ConsoleWriter(plain=plain), texts_for(lang)
    artist = _artist(file)
    groups, left = Groups(), list[SkippedLog]()
    for each in pool.map(figures, locations, "stats", shown=not (plain or (json and writer.is_terminal))):
        if isinstance(each, SkippedLog):
            left.append(each)
        else:
            groups.add(each)
    if not len(groups):
        raise CallError("nothing-counted", "nothing could be counted: {log}: {why}", log=left[0].log, why=left[0].why)
    alone = _course(locations[0]) if len(locations) == 1 else None
    if artist is not None and file is not None:
        write_output(file, artist(list(groups), alone, texts))
    if json:
        _tell_json(writer, groups, left, alone)
    else:
        writer.print(*_told(groups, left, alone, texts, writer.width))
    if file is not None and not json:
        writer.print("", texts.format("stats-charts", file=sanitize(str(file), 400)))
    return UNUSABLE if any(each.unusable for each in left) else FOUND if left else FINE


def _artist(file: Path | None) -> Callable[[list[Group], Course | None, Texts], bytes] | None:
    """Find who draws a file of this name; what is missing for it is told before anything is counted in vain."""
    if file is None:
        return None
    from ..stats.pictures import artist

    return artist(file)


def _course(where: Location | SentFile) -> Course:
    match = reading_of(where).match
    assert match is not None
    return course(match)


def _told(
    groups: Groups, left: list[SkippedLog], alone: Course | None, texts: Texts, width: int
) -> Iterator[Text | str]:
    yield from report(list(groups), alone, texts, width)
    if left:
        yield ""
    for each in left[:MAX_LEFT]:
        why = f"{sanitize(each.log, 300)}: {sanitize(texts.message(each.why), 300)}"
        yield Text(f"{texts.format('stats-left')}: {why}", style="red")
    if len(left) > MAX_LEFT:
        yield Text(texts.format("stats-left-more", count=len(left) - MAX_LEFT), style="red")


def _tell_json(writer: ConsoleWriter, groups: Groups, left: list[SkippedLog], alone: Course | None) -> None:
    for group in groups:
        writer.json(group_data(group))
    if alone is not None:
        writer.json(course_data(alone))
    for each in left:
        writer.json({"log": each.log, "left_out": str(each.why)})
    writer.json({"counted": sum(group.logs for group in groups), "left_out": len(left)})
