"""`replay show`: a match, step by step."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import click
from attrs import frozen
from rich.text import Text

from ...core.errors import LogError, MissingExtra
from ...core.game import AnyStep, RedactedCommand
from ...core.log import Finding, Reading
from ...core.match.header import SEED_BYTES
from ...core.text.texts import Line
from ...core.wire import plain as to_plain
from ...core.wire import wire_of
from ..call_errors import CallError, UserMessage, error_text
from ..command import verb
from ..logs.locations import Location, open_log, require_logs
from ..options import as_option, check_steps, logs_argument, output_options, viewer
from ..render.console import ConsoleWriter, Output
from ..render.output import check_overwritable
from ..render.transcript import Transcript
from ..render.verdict import left_out_line
from ..stepper import step_through, step_through_several

MAX_PAIRS = 100_000
PAIRS = 40
"""The determinizations to compare on."""


@verb("replay show game.log --step 12 --as 2")
@logs_argument
@as_option
@click.option("--step", type=int, metavar="N", help="One step only, with the table after it.")
@click.option("--from", "first", type=int, metavar="N", help="The first step to show.")
@click.option("--to", "last", type=int, metavar="M", help="The last step to show.")
@click.option("--analyse", is_flag=True, help="Print what each decision cost instead, and the turning points.")
@click.option(
    "--analysis", type=Path, metavar="FILE", help="Also write it as JSON lines; only an earlier analysis is replaced."
)
@click.option(
    "--pairs",
    type=click.IntRange(2, MAX_PAIRS),
    default=PAIRS,
    metavar="N",
    help="With --analyse: on how many determinizations to compare.",
)
@output_options
def show(
    logs: tuple[str, ...],
    seat: str | None,
    step: int | None,
    first: int | None,
    last: int | None,
    analyse: bool,
    analysis: Path | None,
    pairs: int,
    output: Output,
) -> int:
    """Show a match step by step: what happened, by which rule, and what lay on the table.

    In a terminal it opens the full-screen stepper (`?` lists the keys). Piped, or with an option for text, it prints
    text.

    A bad log is shown up to its first error, then what is wrong with it; the exit code is then 1. Several logs are
    shown one after the other; in a terminal as a list, from which each is opened.

    With --analyse it prints what each decision cost, and the turning points. It compares the command that was played
    with the best one that its seat could know of. Both are played out on the same determinizations: states that agree
    with all that the seat had seen. You see their chances to win, and a 95 % interval of the difference. The same call
    gives the same bytes.
    """
    found, asked = require_logs(logs), _Asked(seat, step, first, last)
    analyse = analyse or analysis is not None
    if analyse and asked != _Asked():
        raise CallError("analyse-alone", "--analyse goes with --analysis, --pairs, --lang, --json and --plain alone")
    one_only = {"--analyse": analyse, "--json": output.json}
    one_only |= {"--step": step is not None, "--from": first is not None, "--to": last is not None}
    given = next((option for option, there in one_only.items() if there), None)
    if len(found) > 1 and given is not None:
        english = "{option} is for one log: give one log, not {count}"
        raise CallError("show-several", english, option=given, count=len(found))
    if analyse:
        return _analyse(found[0], analysis, pairs, output)
    full_screen = asked.whole and not (output.json or output.plain) and _in_terminal()
    if len(found) > 1 and full_screen:
        try:
            return step_through_several(found, asked.viewer, output.texts.lang)
        except MissingExtra:
            pass  # each is shown as text, which says why
    code, left = 0, list[Text]()
    for place, where in enumerate(found):
        if place > len(left):
            sys.stdout.write("\n")
        try:
            code = max(code, _show(where, asked, output, full_screen=full_screen))
        except LogError as cause:
            if place == len(left) == len(found) - 1:  # nothing is shown
                raise
            left.append(left_out_line(where, cause.message, output.texts))
    output.writer.print(*left)
    return 2 if left else code


@frozen
class _Asked:
    """Who looks, and which steps are asked for."""

    seat: str | None = None
    step: int | None = None
    first: int | None = None
    last: int | None = None

    @property
    def whole(self) -> bool:
        """True if no steps are asked for in particular."""
        return (self.step, self.first, self.last) == (None, None, None)

    def viewer(self, reading: Reading) -> int | None:
        """Return who looks at a log; raises `CallError` for a seat that it has not."""
        assert reading.match is not None
        return viewer(self.seat, reading.match.header.seats)

    def steps(self, events: int) -> range:
        """Return the steps that --step, --from and --to select; raises `CallError` for options that select none.

        Without options all steps are selected, also of a match that has none.
        """
        step, first, last = self.step, self.first, self.last
        if step is not None and (first is not None or last is not None):
            english = "--step is one step, --from and --to are several: give the one or the others"
            raise CallError("step-or-several", english)
        check_steps(events, {"--step": step, "--from": first, "--to": last})
        if step is not None:
            return range(step, step + 1)
        selected = range(first or 0, events if last is None else last + 1)
        if events and not selected:
            english = "--from {first} --to {last}: no steps; give the lower number first"
            raise CallError("nothing-between", english, first=first, last=last)
        return selected


def _analyse(where: Location, file: Path | None, pairs: int, output: Output) -> int:
    """Print what each decision of a match cost, and return the exit code."""
    from ..analysis.analysis_file import Analysis, is_analysis  # here, as other calls need no search
    from ..render.analysis_report import print_analysis

    if file is not None:
        check_overwritable(file, is_analysis, UserMessage("an-analysis", "analysis"))
    reading, match = open_log(where)
    print_analysis(reading, Analysis.of(match, bytes(SEED_BYTES), pairs), file, output)
    return 1 if reading.findings else 0


def _show(where: Location, asked: _Asked, output: Output, *, full_screen: bool) -> int:
    """Show one log, and return the exit code."""
    reading, match = open_log(where)
    seen_by, texts, writer = asked.viewer(reading), output.texts, output.writer
    if full_screen:
        try:
            return step_through(reading, seen_by, texts.lang)
        except MissingExtra as missing:
            sys.stderr.write(f"replay: {texts.format('show-as-text', why=Line(error_text(missing, texts)))}\n")
    transcript = Transcript(match, seen_by, texts, width=writer.width)
    selected = asked.steps(len(match.events))
    if output.json:
        _print_json(writer, transcript, selected, reading.findings)
        return 1 if reading.findings else 0
    if asked.step is not None:
        writer.print(*transcript.one(match.steps[asked.step]))
    else:
        writer.print(*transcript.head())
        for line in transcript.steps(selected):
            writer.print(line)
    if asked.whole or reading.findings:
        writer.print(*transcript.end(reading.findings))
    return 1 if reading.findings else 0


def _in_terminal() -> bool:
    """Return True if both standard streams are a terminal with cursor control."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def _print_json(writer: ConsoleWriter, transcript: Transcript, selected: range, findings: list[Finding]) -> None:
    for seq in selected:
        writer.json(_step(transcript, transcript.match.steps[seq]))
    for finding in findings:
        data = {
            "seq": finding.seq,
            "kind": finding.kind,
            "rule": finding.rule,
            "message": transcript.finding_text(finding),
        }
        writer.json({"finding": data})


def _step(transcript: Transcript, step: AnyStep) -> dict[str, Any]:
    """Return one step as plain data, with nothing but what the viewer saw."""
    game, viewer = transcript.match.game, transcript.viewer
    observed = step.command_for(viewer)
    tag, fields = wire_of(game).observed(observed)
    view = game.view(transcript.match.shown(step.seq, viewer), viewer)
    return {
        "seq": step.seq,
        "seat": step.seat,
        "tag": tag,
        "fields": to_plain(fields),
        "redacted": isinstance(observed, RedactedCommand),
        "notes": [
            {
                "key": note.key,
                "rule": note.rule.number if note.rule is not None else None,
                "begins": note.begins.value if note.begins is not None else None,
                "values": to_plain(dict(note.values)),
                "text": transcript.texts.note(note, game, transcript.names),
            }
            for note in transcript.match.notes(step.seq, viewer)
        ],
        "view": to_plain(view),
        "scene": to_plain(game.scene(view)),
    }
