"""`replay when`: at which steps a value changed or a condition came true, by whom and by which rule."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, Any

import attrs
import typer
from attrs import frozen
from rich.text import Text

from ..core.game import TABLE, Hidden, Seat
from ..core.match import Match, Position
from ..core.wire import plain as as_data
from ..core.wire import wire_of
from .expression import ABSENT, CONDITIONS, Expression, Path, evaluate, names, parse
from .locations import location
from .options import AsOption, JsonOption, LangOption, LogArgument, PlainOption, texts, viewer
from .paper import Paper
from .refusals import Unusable
from .show import open_log
from .story import INDENT, RULE_WIDTH, AnyStep, Story
from .typeset import block
from .values import kind_at, say_value

AnyMatch = Match[Any, Any, Any]

ExpressionArgument = Annotated[
    str, typer.Argument(metavar="EXPR", help="A path such as 'hands[0]', or a condition such as 'totals[1] > 20'.")
]
FirstOption = Annotated[bool, typer.Option("--first", help="Only the first time.")]
LastOption = Annotated[bool, typer.Option("--last", help="Only the last time: why it is as it is.")]
FromOption = Annotated[int | None, typer.Option("--from", metavar="N", help="The first step to look at.")]
ToOption = Annotated[int | None, typer.Option("--to", metavar="M", help="The last step to look at.")]

ALSO: dict[str, Callable[[Position[Any, Any, Any]], Any]] = {
    "to_act": lambda position: position.to_act,
    "points": lambda position: position.result.points if position.result is not None else None,
    "winners": lambda position: position.result.winners if position.result is not None else None,
}
"""What can be asked beside the fields of the state."""


@frozen
class Change:
    """A value before and after a step; without a step, as it was at the start."""

    step: AnyStep | None
    before: Any
    after: Any

    @property
    def seq(self) -> int:
        return self.step.seq if self.step is not None else -1


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
        raise Unusable(
            "first-or-last", "--first and --last are one time each: give one of them, or neither for every time"
        )
    reading = open_log(location(log))
    match = reading.match
    assert match is not None
    watch = Watch(match, expression, viewer(seat, len(match.header.seats)))
    found = list(watch.changes(_span(len(match.events), begin, end)))
    if first:
        found = [each for each in found if watch.is_condition or each.step is not None]
    if watch.is_condition and (first or last):
        found = [each for each in found if each.after]
    found = found[:1] if first else found[-1:] if last else found
    paper = Paper(plain=plain)
    telling = _Telling(watch, Story(match, watch.viewer, texts(lang), width=paper.width))
    for each in found:
        if json:
            paper.json(telling.data(each))
        else:
            paper.print(*telling.lines(each))
    if not json:
        if not found:
            paper.print(telling.story.texts.say("when-never", expression=expression))
        paper.print(*telling.story.end(reading.findings) if reading.findings else ())
    return 1 if reading.findings else 0


def _span(events: int, begin: int | None, end: int | None) -> range:
    """Give the steps to look at; -1 is the start."""
    for option, asked in (("--from", begin), ("--to", end)):
        if asked is not None and not 0 <= asked < events:
            raise Unusable(
                "no-step-of",
                "{option} {asked}: there is no such step; the log has {events}, from 0",
                option=option,
                asked=asked,
                events=events,
            )
    return range(-1 if begin is None else begin, events if end is None else end + 1)


class Watch:
    """An expression watched over a match, as one viewer may see it."""

    def __init__(self, match: AnyMatch, text: str, viewer: Seat | None) -> None:
        self.match = match
        self.text = text
        self.viewer = viewer
        cards = {match.game.face(card).text: card for card in match.game.cards(match.state)}
        self.expression: Expression = parse(text, cards)
        self.is_condition = isinstance(self.expression, CONDITIONS)
        self._table = type(self._of(match.at(-1)))
        self._fields = {field.name for field in attrs.fields(self._table)}
        self._check_names()

    @property
    def kind(self) -> Any:
        """The annotated type of what a path leads to; None where nothing tells."""
        return kind_at(self._table, self.expression.steps) if isinstance(self.expression, Path) else None

    def changes(self, span: range) -> Iterator[Change]:
        """Go through the steps that change the value; first comes how it was at the start, if that is asked for.

        A condition that is false at the start did not come true there.
        """
        steps = self.match.steps
        value = self.value(self.match.at(max(span.start - 1, -1)))
        if span.start < 0 and (value or not self.is_condition):
            yield Change(None, ABSENT, value)
        for seq in range(max(span.start, 0), span.stop):
            before, value = value, self.value(self.match.at(seq))
            if before != value:
                yield Change(steps[seq], before, value)

    def value(self, position: Position[Any, Any, Any]) -> Any:
        """Give the value at one position."""
        table = self._of(position)

        def look_up(name: str) -> Any:
            return getattr(table, name) if name in self._fields else ALSO[name](position)

        return evaluate(self.expression, look_up)

    def _of(self, position: Position[Any, Any, Any]) -> Any:
        return position.state if self.viewer == TABLE else position.view(self.viewer)

    def _check_names(self) -> None:
        known = self._fields | ALSO.keys()
        for name in sorted(names(self.expression) - known):
            raise Unusable(
                "no-value",
                "{text}: there is no '{name}'; there are: {known}",
                text=self.text,
                name=name,
                known=", ".join(sorted(known)),
            )
        if not names(self.expression):
            raise Unusable(
                "always-the-same",
                "{text}: it is the same at every step; name one of: {known}",
                text=self.text,
                known=", ".join(sorted(known)),
            )


class _Telling:
    """What is told of each change."""

    def __init__(self, watch: Watch, story: Story) -> None:
        self.watch = watch
        self.story = story

    def lines(self, change: Change) -> Iterator[Text]:
        """Tell a change: the step, the command and its rules; below, the value before and after."""
        story, width = self.story, self.story.width
        if change.step is None:
            yield from block(Text("      "), INDENT, Text(story.texts.say("when-start"), style="dim"), width)
        else:
            who = story.texts.seat(change.step.seat, story.names)
            said = Text.assemble((who, "bold"), f": {story.doing(change.step)}")
            rules = Text(", ".join(self._rules(change.step)), style="cyan")
            right = max(RULE_WIDTH, len(rules) + 2)
            yield from block(Text(f"{change.seq:>4}", style="dim"), INDENT, said, width, rules, right)
        yield from block(Text(), INDENT + 2, self._value(change), width)

    def data(self, change: Change) -> dict[str, Any]:
        """Give a change as plain data, with nothing in it that the viewer did not see."""
        step, viewer = change.step, self.watch.viewer
        said: dict[str, Any] = {"seq": change.seq, "seat": None, "tag": None, "fields": None, "rules": []}
        if step is not None:
            seen, wire = step.sighting(viewer), wire_of(self.watch.match.game)
            tag, fields = (seen.tag, dict(seen.fields)) if isinstance(seen, Hidden) else wire.encode(seen)
            said.update(seat=step.seat, tag=tag, fields=as_data(fields), rules=self._rules(step))
        return {**said, "before": _data(change.before), "after": _data(change.after)}

    def _rules(self, step: AnyStep) -> list[str]:
        told = (note.rule for note in step.told(self.watch.viewer))
        return list(dict.fromkeys(rule.number for rule in told if rule is not None))

    def _value(self, change: Change) -> Text:
        if self.watch.is_condition:
            return Text(self.story.texts.say("when-true" if change.after else "when-false"))
        after = self._said(change.after)
        if change.step is None:
            return Text(after)
        return Text.assemble(self._said(change.before), (" → ", "dim"), (after, "bold"))

    def _said(self, value: Any) -> str:
        if value is ABSENT:
            return self.story.texts.say("when-absent")
        return say_value(value, self.watch.kind, self.watch.match.game)


def _data(value: Any) -> Any:
    return None if value is ABSENT else as_data(value)
