"""A comparison of two traces as lines of text and as plain data: where they diverge, and how they end.

The command line and the pytest plugin show the same lines. With `texts` notes are formatted in their language; without,
notes are keys and values, and messages are English.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import reduce
from typing import TYPE_CHECKING, Any

from ..errors import KifuError, Message
from ..game import AnyGame, Event, Note, RuleViolation
from ..match import AnyMatch
from ..text.sanitize import sanitize, width
from ..wire import plain, wire_of
from ..wire.packing import pack
from .read import Refusal, Trace, TracedNote, TracedStep
from .shape import Shape, inner
from .trace_diff import ABSENT, Change, Comparison, Difference, StepDifference

if TYPE_CHECKING:
    from ..text.texts import Texts

MAX_FIELDS = 24
"""The most fields of a step that are shown as text; JSON has them all."""

VALUE_CELLS = 60
"""The greatest width of a text or number in text, in terminal cells."""

COLLECTION_CELLS = 1 << 16
"""The greatest width of an array in text: a real one is never cut, a hostile one is."""


def text_of(message: Message, texts: Texts | None) -> str:
    """Format a message in the language of the texts; without texts, in English."""
    return str(message) if texts is None else texts.message(message)


class ComparisonPresenter:
    """Turns comparisons of one log's traces into text or JSON.

    The match gives commands and the seats' names, the game the faces of cards; `sides` names the two traces.
    """

    def __init__(
        self,
        game: AnyGame | None,
        match: AnyMatch | None = None,
        texts: Texts | None = None,
        sides: tuple[str, str] = ("A", "B"),
    ) -> None:
        self.game = game
        self.match = match
        self.texts = texts
        self.sides = sides
        self.names = match.header.seats if match is not None else None

    def lines(self, comparison: Comparison, *, every: bool = False) -> Iterator[str]:
        """Yield lines of text: the first step that differs, or with `every` each of them, then the outcome."""
        first = comparison.first
        if first is None:
            same = Message("compare-same", "no difference: {steps} steps", steps=len(comparison.a.steps) - 1)
            yield self._format(same)
            yield from self._not_compared(comparison)
            return
        for differing in comparison.steps if every else (first,):
            yield from self.step(differing)
        yield self.outcome(comparison)
        yield from self._not_compared(comparison)

    def _not_compared(self, comparison: Comparison) -> Iterator[str]:
        if not comparison.views_compared:
            english = "views not compared: the two sides have other options; compare with the log in place of a trace"
            yield self._format(Message("compare-views", english))

    def step(self, differing: StepDifference) -> Iterator[str]:
        """Yield lines of text for one step that differs: its command, its fields, and each side's notes or refusal."""
        yield self._title(differing.seq)
        shown = differing.fields[:MAX_FIELDS]
        indent = max((width(field.path) for field in shown), default=0)
        for field in shown:
            padding = " " * (indent - width(field.path) + 2)
            yield f"  {field.path}{padding}{self._difference(field)}"
        if len(differing.fields) > len(shown):
            more = Message("compare-more", "… and {count} fields more", count=len(differing.fields) - len(shown))
            yield f"  {self._format(more)}"
        sides = (differing.a, differing.b)
        said = [[self.note(note) for note in notes] for notes in differing.notes]
        for name, side, notes in zip(self.sides, sides, differing.notes, strict=True):
            if isinstance(side, Refusal):
                yield f"  {self._refuses(name, side)}"
            elif any(isinstance(each, Refusal) for each in sides):
                accepts = Message("compare-accepts", "{side} accepts it", side=name)
                yield f"  {self._format(accepts)}"
            for note in notes:  # two that read alike differ in a value that their text leaves out
                text = self._plain(note.key, note.values) if said[0] == said[1] else self.note(note)
                yield f"  {self._noted(name, note, text)}"
        if not any(isinstance(each, Refusal) for each in sides) and not any(differing.notes):
            yield from self._rules_at_work(differing)

    def _rules_at_work(self, differing: StepDifference) -> Iterator[str]:
        """Yield a line with the step's rules: its notes are the same on both sides."""
        if rules := differing.rules[0]:
            listed = " ".join(sanitize(rule, 20) for rule in rules)
            yield f"  {self._format(Message('compare-rules', 'at work on both sides: {rules}', rules=listed))}"

    def outcome(self, comparison: Comparison) -> str:
        """Format how the two traces continue after the first difference, and how they end."""
        a, b = comparison.a, comparison.b
        if comparison.change is Change.LEGALITY:
            return self._format(Message("compare-then", "then: {what}", what=self._two(self._end(a), self._end(b))))
        if comparison.change is Change.NOISE:
            what = self._format(Message("compare-noise", "only noise: both {end}", end=self._end(a)))
        else:
            two = self._two(self._end(a), self._end(b))
            what = self._format(
                Message("compare-winner", "another winner: {two}", two=two)
                if comparison.change is Change.WINNER
                else Message("compare-score", "the same winner, another score: {two}", two=two)
            )
        after = len(a.steps) - 2 - comparison.steps[0].seq
        if not after:
            return self._format(Message("compare-then", "then: {what}", what=what))
        return self._format(
            Message(
                "compare-then-later",
                "then: {count} of the {after} steps that follow differ; {what}",
                count=len(comparison.steps) - 1,
                after=after,
                what=what,
            )
        )

    def note(self, note: TracedNote) -> str:
        """Format a note; without texts by its key and values."""
        if self.texts is not None and self.game is not None:
            return self.texts.note(Note(note.key, None, tuple(note.values.items())), self.game, self.names)
        return self._plain(note.key, note.values)

    def refusal(self, refusal: Refusal) -> str:
        """Format why a command is refused."""
        if refusal.rule is None:
            return sanitize(refusal.why or "malformed", 300)
        try:
            if self.texts is not None and self.game is not None:
                broken = RuleViolation(self.game.rule(refusal.rule), refusal.seat, **refusal.facts)
                return self.texts.violation(broken, self.game, self.names)
        except KifuError:  # a rule that the game here does not have
            pass
        return self._plain(f"seat {refusal.seat}", refusal.facts)

    def _plain(self, key: str, values: dict[str, Any]) -> str:
        details = ", ".join(f"{name} {self._format_value(value, None)}" for name, value in values.items())
        return sanitize(f"{key} ({details})" if details else key, 300)

    def _format(self, message: Message) -> str:
        return text_of(message, self.texts)

    def _refuses(self, side: str, refusal: Refusal) -> str:
        why = self.refusal(refusal)
        if refusal.rule is None:
            return self._format(Message("compare-refuses", "{side} refuses it: {why}", side=side, why=why))
        return self._format(
            Message(
                "compare-refuses-by",
                "{side} refuses it by {rule}: {why}",
                side=side,
                rule=sanitize(refusal.rule, 20),
                why=why,
            )
        )

    def _noted(self, side: str, note: TracedNote, text: str) -> str:
        if note.rule is None:
            return self._format(Message("compare-note", "{side}: {note}", side=side, note=text))
        return self._format(
            Message("compare-note-by", "{side} by {rule}: {note}", side=side, rule=sanitize(note.rule, 20), note=text)
        )

    def _title(self, seq: int) -> str:
        event = self._event(seq)
        if event is None or self.game is None:
            return self._format(Message("compare-step", "step {step} differs", step=seq))
        if self.texts is not None:
            doing = self.texts.command(event.command, self.game, self.names)
        else:
            tag, fields = wire_of(self.game).encode(event.command)
            doing = self._plain(tag, fields)
        return self._format(
            Message(
                "compare-step-doing",
                "step {step} differs: {seat}, {doing}",
                step=seq,
                seat=self._seat(event.seat),
                doing=doing,
            )
        )

    def _event(self, seq: int) -> Event[Any] | None:
        events = self.match.events if self.match is not None else []
        return events[seq] if 0 <= seq < len(events) else None

    def _two(self, a: str, b: str, between: str = "; ") -> str:
        return f"{self.sides[0]} {a}{between}{self.sides[1]} {b}"

    def _end(self, trace: Trace) -> str:
        if trace.refusal is not None:
            refusal = trace.refusal
            why = self.refusal(refusal)
            if refusal.rule is None:
                return self._format(
                    Message("compare-end-refuses", "refuses event {seq}: {why}", seq=refusal.seq, why=why)
                )
            rule = sanitize(refusal.rule, 20)
            return self._format(
                Message(
                    "compare-end-refuses-by",
                    "refuses event {seq} by {rule}: {why}",
                    seq=refusal.seq,
                    rule=rule,
                    why=why,
                )
            )
        if trace.last.points is None or trace.last.winners is None:
            return self._format(Message("compare-end-open", "without a result yet"))
        points = " ".join(map(str, trace.last.points))
        if not trace.last.winners:
            return self._format(Message("compare-end-nobody", "won by nobody with {points}", points=points))
        if 1 < len(trace.last.winners) == len(trace.last.points):  # a draw, or a victory of all
            return self._format(Message("compare-end-shared", "shared by all with {points}", points=points))
        winners = reduce(self._and, map(self._seat, trace.last.winners))
        return self._format(
            Message("compare-end-won", "won by {winners} with {points}", winners=winners, points=points)
        )

    def _and(self, one: str, other: str) -> str:
        return self._format(Message("compare-and", "{one} and {other}", one=one, other=other))

    def _seat(self, seat: int) -> str:
        return f"seat {seat}" if self.texts is None else self.texts.seat(seat, self.names)

    def _difference(self, field: Difference) -> str:
        """Format the two values of a field; of two arrays what only one has, or their orders."""
        if not (isinstance(field.a, list) and isinstance(field.b, list)):
            return self._two(self._value(field.a, field), self._value(field.b, field), "  ")
        only = [self._items(*pair, field) for pair in ((field.a, field.b), (field.b, field.a))]
        if not any(only):
            order = self._format(Message("compare-order", "the same items in another order"))
            two = self._two(self._value(field.a, field), self._value(field.b, field), "  ")
            return f"{order}{': ' if self.texts is None else self.texts.colon}{two}"
        return "  ".join(
            self._format(Message("compare-only", "only {side} has {items}", side=side, items=items))
            for side, items in zip(self.sides, only, strict=True)
            if items
        )

    def _items(self, items: list[Any], others: list[Any], field: Difference) -> str:
        """Format the items that the other array does not have, or has less often."""
        left = Counter(map(pack, others))
        shown = []
        for place, item in enumerate(items):
            if left[pack(item)]:
                left[pack(item)] -= 1
            else:
                shown.append(self._format_value(item, inner(field.shape, place)))
        return sanitize(" ".join(shown), COLLECTION_CELLS)

    def _value(self, value: Any, field: Difference) -> str:
        most = COLLECTION_CELLS if isinstance(value, list) else VALUE_CELLS
        return sanitize(self._format_value(value, field.shape), most)

    def _format_value(self, value: Any, shape: Shape) -> str:
        """Format a value: cards by their faces, a list in brackets, a class with the names of its fields."""
        if isinstance(value, list):
            parts = [self._format_value(each, inner(shape, place)) for place, each in enumerate(value)]
            if isinstance(shape, dict) and len(shape) == len(value):
                parts = [f"{name}={part}" for name, part in zip(shape, parts, strict=True)]
            return f"[{' '.join(parts)}]"
        if shape == "card" and isinstance(value, int):
            return self._face(value)
        if value is None or isinstance(value, bool):
            return {None: "none", True: "true", False: "false"}[value]
        return value.hex() if isinstance(value, bytes) else str(value)

    def _face(self, card: int) -> str:
        try:
            return str(self.game.face(card).text) if self.game is not None else str(card)
        except Exception:  # a card that the game here does not have
            return str(card)

    def step_json(self, differing: StepDifference) -> dict[str, Any]:
        """Return one step that differs as plain data for JSON.

        The keys are `step`, `differs`, `rules`, `notes` and `refused`; with a match also `seat`, `tag` and `fields`.
        """
        event = self._event(differing.seq)
        step: dict[str, Any] = {"step": differing.seq}
        if event is not None and self.game is not None:
            tag, fields = wire_of(self.game).encode(event.command)
            step |= {"seat": event.seat, "tag": tag, "fields": plain(fields)}
        differs = [{"path": each.path, **_sides(each)} for each in differing.fields]
        notes = {
            name: [self._note_data(each) for each in notes] for name, notes in zip("ab", differing.notes, strict=True)
        }
        refused = {"a": self._refused(differing.a), "b": self._refused(differing.b)}
        rules = {name: list(rules) for name, rules in zip("ab", differing.rules, strict=True)}
        return {**step, "differs": differs, "rules": rules, "notes": notes, "refused": refused}

    def summary(self, comparison: Comparison) -> dict[str, Any]:
        """Return a comparison as plain data for JSON: `change`, `steps`, `differ`, `first`, and both traces' ends."""
        first = comparison.first
        return {
            "change": comparison.change.value,
            "steps": len(comparison.a.steps) - 1,
            "differ": len(comparison.steps),
            "first": None if first is None else first.seq,
            "a": _trace_data(comparison.a),
            "b": _trace_data(comparison.b),
        }

    def _note_data(self, note: TracedNote) -> dict[str, Any]:
        return {"key": note.key, "rule": note.rule, "values": plain(note.values), "text": self.note(note)}

    def _refused(self, side: TracedStep | Refusal) -> dict[str, Any] | None:
        if isinstance(side, TracedStep):
            return None
        return {"seat": side.seat, "rule": side.rule, "facts": plain(side.facts), "message": self.refusal(side)}


def _sides(field: Difference) -> dict[str, Any]:
    """Return the value of each side that has the field."""
    return {name: plain(value) for name, value in (("a", field.a), ("b", field.b)) if value is not ABSENT}


def _trace_data(trace: Trace) -> dict[str, Any]:
    return {
        "engine": trace.engine,
        "game": trace.game,
        "rules": trace.rules,
        "points": trace.last.points,
        "winners": trace.last.winners,
        "refused": None if trace.refusal is None else {"seq": trace.refusal.seq, "rule": trace.refusal.rule},
    }


def legend(name: str, trace: Trace, source: str, texts: Texts | None = None) -> str:
    """Format a side in one line: its engine, its game and rules version, and its source."""
    engine, game = sanitize(trace.engine, 40), sanitize(trace.game, 40)
    return text_of(
        Message(
            "compare-side",
            "{side}: {engine}, {game} rules {rules}, {source}",
            side=name,
            engine=engine,
            game=game,
            rules=trace.rules,
            source=sanitize(source, 200),
        ),
        texts,
    )
