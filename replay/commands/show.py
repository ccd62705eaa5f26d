"""`replay show`: a match, step by step."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from ...core.errors import KifuError, MissingExtra
from ...core.game import AnyStep, RedactedCommand, Seat
from ...core.log import Finding, Reading
from ...core.text.texts import Line
from ...core.wire import plain as to_plain
from ...core.wire import wire_of
from ..call_errors import CallError, error_text
from ..logs.locations import Address, Location, location, logs_of
from ..logs.open_log import open_log
from ..options import AsOption, JsonOption, Lang, LangOption, LogsArgument, PlainOption, texts_for, viewer
from ..render.console import ConsoleWriter
from ..render.transcript import Transcript
from ..stepper import step_through
from ..stepper.shelf import Shelf

StepOption = Annotated[int | None, typer.Option("--step", metavar="N", help="One step only, with the table after it.")]
FromOption = Annotated[int | None, typer.Option("--from", metavar="N", help="The first step to show.")]
ToOption = Annotated[int | None, typer.Option("--to", metavar="M", help="The last step to show.")]
FollowOption = Annotated[bool, typer.Option("--follow", help="Step through a live log as it grows.")]
TablesOption = Annotated[bool, typer.Option("--tables", help="Draw the table at every trick and turn too.")]


def show(
    logs: LogsArgument,
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
    """Show a match step by step: what happened, by which rule, and what lay on the table.

    In a terminal it opens the full-screen stepper (`?` lists the keys). Piped, or with an option for text, it prints
    text.

    A bad log is shown up to its first error, then what is wrong with it; the exit code is then 1. Several logs are
    shown one after the other; in the stepper `<` and `>` go from match to match, `o` lists them.
    """
    found = _logs(logs)
    one_only = {"--json": json, "--follow": follow, "--step": step is not None, "--from": first is not None}
    given = next((option for option, there in {**one_only, "--to": last is not None}.items() if there), None)
    if len(found) > 1 and given is not None:
        english = "{option} is for one log: give one log, not {count}"
        raise CallError("show-several", english, option=given, count=len(found))
    as_text = json or plain or tables or step is not None or first is not None or last is not None
    if len(found) > 1 and not as_text and _in_terminal():
        try:
            return _step_through_all(found, seat, lang)
        except MissingExtra:
            pass  # each is shown as text, which says why
    code = 0
    for place, where in enumerate(found):
        if place:
            sys.stdout.write("\n")
        code = max(code, _show(where, seat, step, first, last, tables, follow, lang, json=json, plain=plain))
    return code


def _step_through_all(found: Sequence[Location], seat: str | None, lang: Lang | None) -> int:
    """Open the stepper on the first log that can be opened, the others a key away; raises the error if none can."""

    def seen_by(reading: Reading) -> Seat | None:
        assert reading.match is not None
        return viewer(seat, reading.match.header.seats)

    shelf, failure = Shelf(found, seen_by), None
    for shelf.at in range(len(found)):
        try:
            reading, seen = shelf.open(shelf.at)
        except KifuError as error:
            failure = failure or error
        else:
            return step_through(reading, seen, texts_for(lang).lang, shelf=shelf)
    assert failure is not None
    raise failure


def _logs(typed: list[str]) -> Sequence[Location]:
    """Return the logs of a call: one file, or all of several and of folders; raises `CallError` if there are none."""
    if len(typed) == 1 and not os.path.isdir(typed[0]):
        return [location(typed[0])]
    found = logs_of(typed)
    if not found:
        raise CallError("show-none", "no *.log in {folder}", folder=" ".join(typed))
    return found


def _show(
    where: Location,
    seat: str | None,
    step: int | None,
    first: int | None,
    last: int | None,
    tables: bool,
    follow: bool,
    lang: Lang | None,
    *,
    json: bool,
    plain: bool,
) -> int:
    """Show one log, and return the exit code."""
    reading = open_log(where)
    assert reading.match is not None
    seen_by = viewer(seat, reading.match.header.seats)
    texts = texts_for(lang)
    whole = step is None and first is None and last is None
    as_text = json or plain or tables or not whole or not _in_terminal()
    live = _followed(where, as_text=as_text) if follow else None
    if not as_text:
        try:
            return step_through(reading, seen_by, texts.lang, live=live)
        except MissingExtra as missing:
            sys.stderr.write(f"replay: {texts.format('show-as-text', why=Line(error_text(missing, texts)))}\n")
    writer = ConsoleWriter(plain=plain)
    transcript = Transcript(reading.match, seen_by, texts, width=writer.width, tables=tables)
    selected = _selected_steps(len(reading.match.events), step, first, last)
    if json:
        _print_json(writer, transcript, selected, reading.findings)
    else:
        _print(writer, transcript, selected, reading.findings, alone=step is not None, whole=whole)
    return 1 if reading.findings else 0


def _followed(where: Path | Address, *, as_text: bool) -> Path:
    """Return the file that --follow follows; raises `CallError` for an address, and where text is printed."""
    if as_text:
        raise CallError(
            "follow-as-text",
            "--follow is for the full screen: run it in a terminal, without a pipe or an option for text",
        )
    if isinstance(where, Address):
        raise CallError(
            "follow-address",
            "--follow {address}: only a file of this machine can be followed; give its path",
            address=where,
        )
    return where


def _in_terminal() -> bool:
    """Return True if both standard streams are a terminal with cursor control."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def _selected_steps(events: int, step: int | None, first: int | None, last: int | None) -> range:
    """Return the steps that --step, --from and --to select; raises `CallError` for options that select none.

    Without options all steps are selected, also of a match that has none.
    """
    if step is not None and (first is not None or last is not None):
        raise CallError(
            "step-or-several", "--step is one step, --from and --to are several: give the one or the others"
        )
    for option, number in (("--step", step), ("--from", first), ("--to", last)):
        if number is not None and not 0 <= number < events:
            if not events:
                raise CallError(
                    "no-steps", "{option} {asked}: there is no such step; the log has none", option=option, asked=number
                )
            raise CallError(
                "no-step",
                "{option} {asked}: there is no such step; give 0 to {last}",
                option=option,
                asked=number,
                last=events - 1,
            )
    if step is not None:
        return range(step, step + 1)
    selected = range(first or 0, events if last is None else last + 1)
    if events and not selected:
        raise CallError(
            "nothing-between",
            "--from {first} --to {last}: no steps; give the lower number first",
            first=first,
            last=last,
        )
    return selected


def _print(
    writer: ConsoleWriter, transcript: Transcript, selected: range, findings: list[Finding], *, alone: bool, whole: bool
) -> None:
    if alone:
        writer.print(*transcript.one(transcript.match.steps[selected.start]))
    else:
        writer.print(*transcript.head())
        for line in transcript.steps(selected):
            writer.print(line)
    if whole or findings:
        writer.print(*transcript.end(findings))


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
    tag, fields = (
        (observed.tag, dict(observed.fields))
        if isinstance(observed, RedactedCommand)
        else wire_of(game).encode(observed)
    )
    view = game.view(step.after, viewer)
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
            for note in step.notes_for(viewer)
        ],
        "view": to_plain(view),
        "scene": to_plain(game.scene(view)),
    }
