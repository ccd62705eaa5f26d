"""`replay show`: a match from its log, step by step."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from ..core.errors import MissingExtra
from ..core.game import Hidden
from ..core.log import Finding
from ..core.texts import Line
from ..core.wire import plain, wire_of
from .locations import Address, location
from .logs.open_log import open_log
from .options import AsOption, JsonOption, LangOption, LogArgument, PlainOption, texts, viewer
from .paper import Paper
from .refusals import Unusable, say
from .stepper import step_through
from .story import AnyStep, Story

StepOption = Annotated[int | None, typer.Option("--step", metavar="N", help="One step only, with the table after it.")]
FromOption = Annotated[int | None, typer.Option("--from", metavar="N", help="The first step to tell.")]
ToOption = Annotated[int | None, typer.Option("--to", metavar="M", help="The last step to tell.")]
FollowOption = Annotated[bool, typer.Option("--follow", help="Step through a live log as it grows.")]
TablesOption = Annotated[bool, typer.Option("--tables", help="Draw the table at every trick and turn too.")]


def show(
    log: LogArgument,
    seat: AsOption = None,
    step: StepOption = None,
    first: FromOption = None,
    last: ToOption = None,
    tables: TablesOption = False,
    follow: FollowOption = False,
    lang: LangOption = None,
    json: JsonOption = False,
    plain: PlainOption = False,
) -> int:
    """Tell a match step by step: what happened, by which rule, and what lay on the table.

    In a terminal it is stepped through in the full screen (`?` lists the keys); piped, or with an option for text, it
    is told as text.

    A bad log is told as far as it is good, then what is wrong with it; the exit code is then 1.
    """
    where = location(log)
    reading = open_log(where)
    assert reading.match is not None
    seen_by = viewer(seat, len(reading.match.header.seats))
    words = texts(lang)
    as_text = json or plain or tables or any(each is not None for each in (step, first, last)) or not _in_terminal()
    if follow and as_text:
        raise Unusable(
            "follow-as-text",
            "--follow is for the full screen: give it in a terminal, without a pipe or an option for text",
        )
    if follow and isinstance(where, Address):
        raise Unusable(
            "follow-address",
            "--follow {address}: only a file of this machine can be followed; give its path",
            address=where,
        )
    if not as_text:
        try:
            live = where if follow and isinstance(where, Path) else None
            return step_through(reading, seen_by, words.lang, live=live)
        except MissingExtra as missing:
            sys.stderr.write(f"replay: {words.say('show-as-text', why=Line(say(missing, words)))}\n")
    paper = Paper(plain=plain)
    story = Story(reading.match, seen_by, words, width=paper.width, tables=tables)
    wanted = _wanted(len(reading.match.events), step, first, last)
    if json:
        _tell_json(paper, story, wanted, reading.findings)
    else:
        whole = step is None and first is None and last is None
        _tell(paper, story, wanted, reading.findings, alone=step is not None, whole=whole)
    return 1 if reading.findings else 0


def _in_terminal() -> bool:
    """Tell whether a person is at both ends."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def _wanted(events: int, step: int | None, first: int | None, last: int | None) -> range:
    """Turn --step, --from and --to into steps that are there."""
    if step is not None and (first is not None or last is not None):
        raise Unusable("step-or-several", "--step is one step, --from and --to are several: give the one or the others")
    for option, asked in (("--step", step), ("--from", first), ("--to", last)):
        if asked is not None and not 0 <= asked < events:
            if not events:
                raise Unusable(
                    "no-steps", "{option} {asked}: there is no such step; the log has none", option=option, asked=asked
                )
            raise Unusable(
                "no-step",
                "{option} {asked}: there is no such step; give 0 to {last}",
                option=option,
                asked=asked,
                last=events - 1,
            )
    if step is not None:
        return range(step, step + 1)
    wanted = range(first or 0, events if last is None else last + 1)
    if events and not wanted:
        raise Unusable(
            "nothing-between",
            "--from {first} --to {last}: nothing lies between; give the lower number first",
            first=first,
            last=last,
        )
    return wanted


def _tell(paper: Paper, story: Story, wanted: range, findings: list[Finding], *, alone: bool, whole: bool) -> None:
    if alone:
        paper.print(*story.one(story.match.steps[wanted.start]))
    else:
        paper.print(*story.head())
        for thing in story.steps(wanted):
            paper.print(thing)
    if whole or findings:
        paper.print(*story.end(findings))


def _tell_json(paper: Paper, story: Story, wanted: range, findings: list[Finding]) -> None:
    for seq in wanted:
        paper.json(_step(story, story.match.steps[seq]))
    for finding in findings:
        rule = {"seq": finding.seq, "kind": finding.kind, "rule": finding.rule, "message": story.finding(finding)}
        paper.json({"finding": rule})


def _step(story: Story, step: AnyStep) -> dict[str, Any]:
    """Give one step as plain data: nothing in it but what the viewer saw."""
    game, viewer = story.match.game, story.viewer
    sighting = step.sighting(viewer)
    tag, fields = (
        (sighting.tag, dict(sighting.fields)) if isinstance(sighting, Hidden) else wire_of(game).encode(sighting)
    )
    view = game.view(step.after, viewer)
    return {
        "seq": step.seq,
        "seat": step.seat,
        "tag": tag,
        "fields": plain(fields),
        "hidden": isinstance(sighting, Hidden),
        "notes": [
            {
                "key": note.key,
                "rule": note.rule.number if note.rule is not None else None,
                "begins": note.begins.value if note.begins is not None else None,
                "values": plain(dict(note.values)),
                "text": story.texts.note(note, game, story.names),
            }
            for note in step.told(viewer)
        ],
        "view": plain(view),
        "scene": plain(game.scene(view)),
    }
