"""`replay when`: the steps at which a value changed or a condition became true, by whom and by which rule."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import typer
from rich.text import Text

from ...core.game import AnyStep, RedactedCommand
from ...core.wire import plain as as_data
from ...core.wire import wire_of
from ..analysis.expression import ABSENT
from ..analysis.values import format_state_value
from ..analysis.watch import ValueChange, ValueWatch
from ..call_errors import CallError
from ..logs.locations import location
from ..logs.open_log import open_log
from ..options import AsOption, JsonOption, LangOption, LogArgument, PlainOption, texts_for, viewer
from ..render.console import ConsoleWriter
from ..render.transcript import INDENT, RULE_WIDTH, Transcript
from ..render.typeset import block

ExpressionArgument = Annotated[
    str, typer.Argument(metavar="EXPR", help="A path such as 'hands[0]', or a condition such as 'totals[1] > 20'.")
]
FirstOption = Annotated[bool, typer.Option("--first", help="Only the first time.")]
LastOption = Annotated[bool, typer.Option("--last", help="Only the last time: why the value is what it is.")]
FromOption = Annotated[int | None, typer.Option("--from", metavar="N", help="The first step to check.")]
ToOption = Annotated[int | None, typer.Option("--to", metavar="M", help="The last step to check.")]


def when(
    log: LogArgument,
    expression: ExpressionArgument,
    seat: AsOption = None,
    first: FirstOption = False,
    last: LastOption = False,
    begin: FromOption = None,
    end: ToOption = None,
    lang: LangOption = None,
    json: JsonOption = False,
    plain: PlainOption = False,
) -> int:
    """Show at which steps a value changed or a condition became true, by whose command and by which rule.

    EXPR uses the fields of the state (with --as, of that seat's view), `to_act`, `points` and `winners`: paths such as
    hands[0] or palaces[1][0].cards, whole numbers, 'texts' (a card as it is shown), true, false, none, == != < <= > >=,
    in, not in, and, or, not, len(…). A bad log is checked up to its first error; the exit code is then 1.
    """
    if first and last:
        raise CallError(
            "first-or-last", "--first and --last are one change each: give one of them, or neither for every change"
        )
    reading = open_log(location(log))
    match = reading.match
    assert match is not None
    watch = ValueWatch(match, expression, viewer(seat, match.header.seats))
    changes = list(watch.changes(_span(len(match.events), begin, end)))
    if first:
        changes = [each for each in changes if watch.is_condition or each.step is not None]
    if watch.is_condition and (first or last):
        changes = [each for each in changes if each.after]
    changes = changes[:1] if first else changes[-1:] if last else changes
    writer = ConsoleWriter(plain=plain)
    presenter = _ChangePresenter(watch, Transcript(match, watch.viewer, texts_for(lang), width=writer.width))
    for each in changes:
        if json:
            writer.json(presenter.data(each))
        else:
            writer.print(*presenter.lines(each))
    if not json:
        if not changes:
            writer.print(presenter.transcript.texts.format("when-never", expression=expression))
        writer.print(*presenter.transcript.end(reading.findings) if reading.findings else ())
    return 1 if reading.findings else 0


def _span(events: int, begin: int | None, end: int | None) -> range:
    """Return the steps to check; -1 is the start."""
    for option, number in (("--from", begin), ("--to", end)):
        if number is not None and not 0 <= number < events:
            raise CallError(
                "no-step-of",
                "{option} {asked}: there is no such step; the log has {events}, from 0",
                option=option,
                asked=number,
                events=events,
            )
    return range(-1 if begin is None else begin, events if end is None else end + 1)


class _ChangePresenter:
    """Changes as text for a person and as plain data for a program."""

    def __init__(self, watch: ValueWatch, transcript: Transcript) -> None:
        self.watch = watch
        self.transcript = transcript

    def lines(self, change: ValueChange) -> Iterator[Text]:
        """Yield the lines of a change: the step, the command and its rules; below, the value before and after."""
        transcript, width = self.transcript, self.transcript.width
        if change.step is None:
            yield from block(Text("      "), INDENT, Text(transcript.texts.format("when-start"), style="dim"), width)
        else:
            who = transcript.texts.seat(change.step.seat, transcript.names)
            command = Text.assemble((who, "bold"), transcript.texts.colon, transcript.command_text(change.step))
            rules = Text(transcript.texts.comma.join(self._rules(change.step)), style="cyan")
            right = max(RULE_WIDTH, len(rules) + 2)
            yield from block(Text(f"{change.seq:>4}", style="dim"), INDENT, command, width, rules, right)
        yield from block(Text(), INDENT + 2, self._value(change), width)

    def data(self, change: ValueChange) -> dict[str, Any]:
        """Return a change as plain data, with nothing but what the viewer saw."""
        step, viewer = change.step, self.watch.viewer
        data: dict[str, Any] = {"seq": change.seq, "seat": None, "tag": None, "fields": None, "rules": []}
        if step is not None:
            observed, wire = step.command_for(viewer), wire_of(self.watch.match.game)
            tag, fields = (
                (observed.tag, dict(observed.fields))
                if isinstance(observed, RedactedCommand)
                else wire.encode(observed)
            )
            data.update(seat=step.seat, tag=tag, fields=as_data(fields), rules=self._rules(step))
        return {**data, "before": _data(change.before), "after": _data(change.after)}

    def _rules(self, step: AnyStep) -> list[str]:
        rules = (note.rule for note in step.notes_for(self.watch.viewer))
        return list(dict.fromkeys(rule.number for rule in rules if rule is not None))

    def _value(self, change: ValueChange) -> Text:
        if self.watch.is_condition:
            return Text(self.transcript.texts.format("when-true" if change.after else "when-false"))
        after = self._value_text(change.after)
        if change.step is None:
            return Text(after)
        return Text.assemble(self._value_text(change.before), (" → ", "dim"), (after, "bold"))

    def _value_text(self, value: Any) -> str:
        if value is ABSENT:
            return self.transcript.texts.format("when-absent")
        return format_state_value(value, self.watch.kind, self.watch.match.game)


def _data(value: Any) -> Any:
    return None if value is ABSENT else as_data(value)
