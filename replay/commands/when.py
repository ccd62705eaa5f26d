"""`replay when`: at which steps a value changed or a condition came true, by whom and by which rule."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import typer
from rich.text import Text

from ...core.game import RedactedCommand
from ...core.match import Match
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
from ..render.transcript import INDENT, RULE_WIDTH, AnyStep, Transcript
from ..render.typeset import block

AnyMatch = Match[Any, Any, Any]

ExpressionArgument = Annotated[
    str, typer.Argument(metavar="EXPR", help="A path such as 'hands[0]', or a condition such as 'totals[1] > 20'.")
]
FirstOption = Annotated[bool, typer.Option("--first", help="Only the first time.")]
LastOption = Annotated[bool, typer.Option("--last", help="Only the last time: why it is as it is.")]
FromOption = Annotated[int | None, typer.Option("--from", metavar="N", help="The first step to look at.")]
ToOption = Annotated[int | None, typer.Option("--to", metavar="M", help="The last step to look at.")]


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
    """Tell at which steps a value changed or a condition came true, by whose command and by which rule.

    EXPR is over the fields of the state (with --as, of that seat's view), `to_act`, `points` and `winners`: paths such
    as hands[0] or palaces[1][0].cards, whole numbers, 'texts' (a card as it looks), true, false, none, == != < <= > >=,
    in, not in, and, or, not, len(…). A bad log is looked at as far as it is good; the exit code is then 1.
    """
    if first and last:
        raise CallError(
            "first-or-last", "--first and --last are one time each: give one of them, or neither for every time"
        )
    reading = open_log(location(log))
    match = reading.match
    assert match is not None
    watch = ValueWatch(match, expression, viewer(seat, len(match.header.seats)))
    found = list(watch.changes(_span(len(match.events), begin, end)))
    if first:
        found = [each for each in found if watch.is_condition or each.step is not None]
    if watch.is_condition and (first or last):
        found = [each for each in found if each.after]
    found = found[:1] if first else found[-1:] if last else found
    writer = ConsoleWriter(plain=plain)
    telling = _Telling(watch, Transcript(match, watch.viewer, texts_for(lang), width=writer.width))
    for each in found:
        if json:
            writer.json(telling.data(each))
        else:
            writer.print(*telling.lines(each))
    if not json:
        if not found:
            writer.print(telling.transcript.texts.format("when-never", expression=expression))
        writer.print(*telling.transcript.end(reading.findings) if reading.findings else ())
    return 1 if reading.findings else 0


def _span(events: int, begin: int | None, end: int | None) -> range:
    """Give the steps to look at; -1 is the start."""
    for option, asked in (("--from", begin), ("--to", end)):
        if asked is not None and not 0 <= asked < events:
            raise CallError(
                "no-step-of",
                "{option} {asked}: there is no such step; the log has {events}, from 0",
                option=option,
                asked=asked,
                events=events,
            )
    return range(-1 if begin is None else begin, events if end is None else end + 1)


class _Telling:
    """What is told of each change."""

    def __init__(self, watch: ValueWatch, transcript: Transcript) -> None:
        self.watch = watch
        self.transcript = transcript

    def lines(self, change: ValueChange) -> Iterator[Text]:
        """Tell a change: the step, the command and its rules; below, the value before and after."""
        transcript, width = self.transcript, self.transcript.width
        if change.step is None:
            yield from block(Text("      "), INDENT, Text(transcript.texts.format("when-start"), style="dim"), width)
        else:
            who = transcript.texts.seat(change.step.seat, transcript.names)
            said = Text.assemble((who, "bold"), f": {transcript.doing(change.step)}")
            rules = Text(", ".join(self._rules(change.step)), style="cyan")
            right = max(RULE_WIDTH, len(rules) + 2)
            yield from block(Text(f"{change.seq:>4}", style="dim"), INDENT, said, width, rules, right)
        yield from block(Text(), INDENT + 2, self._value(change), width)

    def data(self, change: ValueChange) -> dict[str, Any]:
        """Give a change as plain data, with nothing in it that the viewer did not see."""
        step, viewer = change.step, self.watch.viewer
        said: dict[str, Any] = {"seq": change.seq, "seat": None, "tag": None, "fields": None, "rules": []}
        if step is not None:
            seen, wire = step.command_for(viewer), wire_of(self.watch.match.game)
            tag, fields = (seen.tag, dict(seen.fields)) if isinstance(seen, RedactedCommand) else wire.encode(seen)
            said.update(seat=step.seat, tag=tag, fields=as_data(fields), rules=self._rules(step))
        return {**said, "before": _data(change.before), "after": _data(change.after)}

    def _rules(self, step: AnyStep) -> list[str]:
        told = (note.rule for note in step.notes_for(self.watch.viewer))
        return list(dict.fromkeys(rule.number for rule in told if rule is not None))

    def _value(self, change: ValueChange) -> Text:
        if self.watch.is_condition:
            return Text(self.transcript.texts.format("when-true" if change.after else "when-false"))
        after = self._said(change.after)
        if change.step is None:
            return Text(after)
        return Text.assemble(self._said(change.before), (" → ", "dim"), (after, "bold"))

    def _said(self, value: Any) -> str:
        if value is ABSENT:
            return self.transcript.texts.format("when-absent")
        return format_state_value(value, self.watch.kind, self.watch.match.game)


def _data(value: Any) -> Any:
    return None if value is ABSENT else as_data(value)
