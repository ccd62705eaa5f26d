"""`replay stats`: results, lengths, scores, rules and times over many logs, and the course of one match."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from ...core.legible import legible
from ...core.texts import Texts
from ..crew import Crew
from ..locations import Location, Parcel, reading_of, some_logs
from ..options import ClusterOption, JobsOption, JsonOption, LangOption, LogsArgument, PlainOption, texts
from ..outlet import put_out
from ..paper import Paper
from ..refusals import Unusable
from .course import Course, course
from .data import course_data, group_data
from .figures import Group, Groups, Left, figures
from .tables import told

FINE, FOUND, UNUSABLE = 0, 1, 2
MOST_LEFT = 10

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
    crew, locations, paper, words = Crew(jobs, cluster), some_logs(logs), Paper(plain=plain), texts(lang)
    artist = _artist(file)
    groups, left = Groups(), list[Left]()
    for each in crew.each(figures, locations, "stats", shown=not (plain or (json and paper.is_terminal))):
        if isinstance(each, Left):
            left.append(each)
        else:
            groups.add(each)
    if not len(groups):
        raise Unusable("nothing-counted", "nothing could be counted: {log}: {why}", log=left[0].log, why=left[0].why)
    alone = _course(locations[0]) if len(locations) == 1 else None
    if artist is not None and file is not None:
        put_out(file, artist(list(groups), alone, words))
    if json:
        _tell_json(paper, groups, left, alone)
    else:
        paper.print(*_told(groups, left, alone, words, paper.width))
    if file is not None and not json:
        paper.print("", words.say("stats-charts", file=legible(str(file), 400)))
    return UNUSABLE if any(each.unusable for each in left) else FOUND if left else FINE


def _artist(file: Path | None) -> Callable[[list[Group], Course | None, Texts], bytes] | None:
    """Find who draws a file of this name; what is missing for it is told before anything is counted in vain."""
    if file is None:
        return None
    from .pictures import artist

    return artist(file)


def _course(where: Location | Parcel) -> Course:
    match = reading_of(where).match
    assert match is not None
    return course(match)


def _told(groups: Groups, left: list[Left], alone: Course | None, words: Texts, width: int) -> Iterator[Text | str]:
    yield from told(list(groups), alone, words, width)
    if left:
        yield ""
    for each in left[:MOST_LEFT]:
        why = f"{legible(each.log, 300)}: {legible(words.why(each.why), 300)}"
        yield Text(f"{words.say('stats-left')}: {why}", style="red")
    if len(left) > MOST_LEFT:
        yield Text(words.say("stats-left-more", count=len(left) - MOST_LEFT), style="red")


def _tell_json(paper: Paper, groups: Groups, left: list[Left], alone: Course | None) -> None:
    for group in groups:
        paper.json(group_data(group))
    if alone is not None:
        paper.json(course_data(alone))
    for each in left:
        paper.json({"log": each.log, "left_out": str(each.why)})
    paper.json({"counted": sum(group.logs for group in groups), "left_out": len(left)})
