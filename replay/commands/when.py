"""`replay when`: the steps at which a value changed or a condition became true, by whom and by which rule."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click
from rich.text import Text

from ...core.text.sanitize import sanitize
from ...core.trace.presenter import COLLECTION_CELLS
from ...core.trace.values import format_value
from ...core.trace.write import as_data
from ...core.wire import plain, wire_of
from ..analysis.expression import ABSENT
from ..analysis.findings import rules_of
from ..analysis.watch import ValueChange, ValueWatch
from ..call_errors import CallError
from ..command import verb
from ..logs.locations import location, open_log
from ..options import as_option, check_steps, log_argument, output_options, viewer
from ..render.console import Output
from ..render.transcript import INDENT, RULE_WIDTH, Transcript
from ..render.typeset import block


@verb("replay when game.log 'totals[1] > 20' --first")
@log_argument
@click.argument(
    "expression", metavar="EXPR", help="A path such as 'hands[0]', or a condition such as 'totals[1] > 20'."
)
@as_option
@click.option("--first", is_flag=True, help="Only the first time.")
@click.option("--last", is_flag=True, help="Only the last time: why the value is what it is.")
@click.option("--from", "begin", type=int, metavar="N", help="The first step to check.")
@click.option("--to", "end", type=int, metavar="M", help="The last step to check.")
@output_options
def when(
    log: str,
    expression: str,
    seat: str | None,
    first: bool,
    last: bool,
    begin: int | None,
    end: int | None,
    output: Output,
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
    reading, match = open_log(location(log))
    watch = ValueWatch(match, expression, viewer(seat, match.header.seats))
    changes = list(watch.changes(_span(len(match.events), begin, end)))
    if first:
        changes = [each for each in changes if watch.is_condition or each.step is not None]
    if watch.is_condition and (first or last):
        changes = [each for each in changes if each.after]
    changes = changes[:1] if first else changes[-1:] if last else changes
    writer = output.writer
    presenter = _ChangePresenter(watch, Transcript(match, watch.viewer, output.texts, width=writer.width))
    for each in changes:
        if output.json:
            writer.json(presenter.data(each))
        else:
            writer.print(*presenter.lines(each))
    if not output.json:
        if not changes:
            writer.print(output.texts.format("when-never", expression=expression))
        writer.print(*presenter.transcript.end(reading.findings) if reading.findings else ())
    return 1 if reading.findings else 0


def _span(events: int, begin: int | None, end: int | None) -> range:
    """Return the steps to check; -1 is the start."""
    check_steps(events, {"--from": begin, "--to": end})
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
            command = transcript.doing(change.step.seat, transcript.command_text(change.step))
            rules = Text(transcript.texts.comma.join(rules_of(change.step.notes_for(self.watch.viewer))), style="cyan")
            right = max(RULE_WIDTH, len(rules) + 2)
            yield from block(Text(f"{change.seq:>4}", style="dim"), INDENT, command, width, rules, right)
        yield from block(Text(), INDENT + 2, self._value(change), width)

    def data(self, change: ValueChange) -> dict[str, Any]:
        """Return a change as plain data, with nothing but what the viewer saw."""
        step, viewer = change.step, self.watch.viewer
        data: dict[str, Any] = {"seq": change.seq, "seat": None, "tag": None, "fields": None, "rules": []}
        if step is not None:
            tag, fields = wire_of(self.watch.match.game).observed(step.command_for(viewer))
            data.update(seat=step.seat, tag=tag, fields=plain(fields), rules=rules_of(step.notes_for(viewer)))
        return {**data, "before": _data(change.before), "after": _data(change.after)}

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
        return sanitize(format_value(as_data(value), self.watch.shape, self.watch.match.game), COLLECTION_CELLS)


def _data(value: Any) -> Any:
    return None if value is ABSENT else plain(value)
