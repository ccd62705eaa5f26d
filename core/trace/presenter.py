"""A comparison of two traces as lines of text and as plain data: where they diverge, and how they end.

The command line and the pytest plugin show the same lines. With `texts` notes are formatted in their language; without,
notes are keys and values, and messages are English.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any

from attrs import evolve

from ..errors import KifuError, Message
from ..game import AnyGame, Event, Note, RuleViolation
from ..match import AnyMatch
from ..text.sanitize import sanitize, width
from ..wire import pack, plain, wire_of
from .change import DIGEST, Change, Difference
from .read import Refusal, Trace, TracedNote, TracedStep
from .shape import inner
from .trace_diff import ABSENT, Comparison, StepDifference
from .trials import ACCEPTED, Trials
from .values import format_value

if TYPE_CHECKING:
    from ..text.texts import Texts

MAX_FIELDS = 24
"""The most fields of a step that are shown as text; JSON has them all."""

VALUE_CELLS = 60
"""The greatest width of a text or number in text, in terminal cells."""

CONTEXT = 3
"""So many steps that are alike are shown before one that differs."""

COLLECTION_CELLS = 1 << 16
"""The greatest width of an array in text: a real one is never cut, a hostile one is."""


def text_of(message: Message, texts: Texts | None) -> str:
    """Format a message in the language of the texts; without texts, in English."""
    return str(message) if texts is None else texts.message(message)


def layout_due(layout: int) -> Message:
    """Return the message that states are packed otherwise, and what to do."""
    english = "the states are the same, packed differently: set Past(layout={layout}) (docs/change-a-rule.md)"
    return Message("layout-due", english, layout=layout)


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
        self._chain = b""

    def lines(self, comparison: Comparison, *, every: bool = False) -> Iterator[str]:
        """Yield lines of text: the first step that differs, or with `every` each of them, then the outcome."""
        self._chain = comparison.a.log
        if comparison.change is Change.SAME:
            same = Message("compare-same", "no difference: {steps} steps", steps=len(comparison.a.steps) - 1)
            part = Message("compare-same-part", "no difference in what was compared")
            yield self._format(same if comparison.left_out is None else part)
        chosen, last = {each.seq for each in (comparison.first, comparison.worst) if each is not None}, -1
        for differing in comparison.steps:
            if every or differing.seq in chosen:
                yield from self._context(comparison, max(last + 1, differing.seq - CONTEXT), differing.seq)
                yield from self.step(differing)
                last = differing.seq
        if comparison.steps:
            yield self.outcome(comparison)
        if comparison.leaks:
            yield self._leak(comparison.leaks)
        if comparison.layout_due is not None:
            yield self._format(layout_due(comparison.layout_due))
        if comparison.left_out is not None:
            yield self._format(comparison.left_out)

    def _leak(self, viewers: Iterable[str]) -> str:
        english = "a leak: what {viewers} could not know before is shown now"
        named = [self._viewer(each) for each in viewers]
        return self._format(Message("compare-leak", english, viewers=reduce(self._and, named)))

    def _viewer(self, viewer: str) -> str:
        if viewer == "spectator":
            return self._format(Message("compare-spectator", "a spectator"))
        return self._seat(int(viewer)) if viewer.isdecimal() else self._format(Message("compare-a-seat", "a seat"))

    def _context(self, comparison: Comparison, begin: int, end: int) -> Iterator[str]:
        """Yield a line for each of these steps that is alike on both sides: its command, or without it the notes."""
        differ = {each.seq for each in comparison.steps}
        for step in comparison.a.steps:
            if begin <= step.seq < end and step.seq not in differ:
                event = self._event(step.seq)
                what = "; ".join(map(self.note, step.notes))
                if event is not None and self.game is not None:
                    what = f"{self._seat(event.seat)}, {self._doing(event.command)}"
                yield f"  {self._format(Message('compare-before', 'step {step}: {what}', step=step.seq, what=what))}"

    def step(self, differing: StepDifference) -> Iterator[str]:
        """Yield lines of text for one step that differs: its command, its fields, and each side's notes or refusal."""
        yield self._title(differing.seq)
        fields = _together(differing.fields)
        shown = fields[:MAX_FIELDS]
        indent = max((width(field.path) for field in shown), default=0)
        for field in shown:
            padding = " " * (indent - width(field.path) + 2)
            yield f"  {field.path}{padding}{self._part(field, differing.seq)}"
        if len(fields) > len(shown):
            more = Message("compare-more", "… and {count} fields more", count=len(fields) - len(shown))
            yield f"  {self._format(more)}"
        sides = (differing.a, differing.b)
        reasons = [self.refusal(each) for each in sides if isinstance(each, Refusal)]
        said = [[self.note(note) for note in notes] for notes in differing.notes]
        for name, side, notes in zip(self.sides, sides, differing.notes, strict=True):
            if isinstance(side, Refusal):
                alike = len(reasons) == 2 and reasons[0] == reasons[1]  # then the facts differ
                why = self._plain(f"seat {side.seat}", side.facts) if alike and side.facts else self.refusal(side)
                yield f"  {self._refuses(name, side, why)}"
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
        """Format the kind of change, how the two traces continue after the first difference, and how they end."""
        a, b, change = comparison.a, comparison.b, comparison.change
        kind = self._format(change.value)
        two = self._two(self._end(a), self._end(b))
        if change < Change.RESULT:
            two = self._format(Message("compare-both", "both {end}", end=self._end(a)))
        elif change is Change.RESULT:
            winner = Message("compare-winner", "another winner: {two}", two=two)
            score = Message("compare-score", "the same winner, another score: {two}", two=two)
            two = self._format(score if a.last.winners == b.last.winners else winner)
        after = len(a.steps) - 2 - comparison.steps[0].seq
        if after <= 0 or change > Change.RESULT:
            return self._format(Message("compare-kind", "{kind}; {what}", kind=kind, what=two))
        english = "{kind}; {count} of the {after} steps that follow differ; {what}"
        count = len(comparison.steps) - 1
        return self._format(Message("compare-kind-later", english, kind=kind, count=count, after=after, what=two))

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
        details = ", ".join(f"{name} {format_value(value, None, self.game)}" for name, value in values.items())
        return sanitize(f"{key} ({details})" if details else key, 300)

    def _format(self, message: Message) -> str:
        return text_of(message, self.texts)

    def _refuses(self, side: str, refusal: Refusal, why: str) -> str:
        if refusal.failed:
            return self._format(Message("compare-fails", "{side} fails: {why}", side=side, why=why))
        if refusal.rule is None:
            return self._format(Message("compare-refuses", "{side} refuses it: {why}", side=side, why=why))
        english = "{side} refuses it by {rule}: {why}"
        rule = sanitize(refusal.rule, 20)
        return self._format(Message("compare-refuses-by", english, side=side, rule=rule, why=why))

    def _noted(self, side: str, note: TracedNote, text: str) -> str:
        if note.rule is None:
            return self._format(Message("compare-note", "{side}: {note}", side=side, note=text))
        rule = sanitize(note.rule, 20)
        return self._format(Message("compare-note-by", "{side} by {rule}: {note}", side=side, rule=rule, note=text))

    def _title(self, seq: int) -> str:
        event = self._event(seq)
        if event is None or self.game is None:
            return self._format(Message("compare-step", "step {step} differs", step=seq))
        english = "step {step} differs: {seat}, {doing}"
        seat, doing = self._seat(event.seat), self._doing(event.command)
        return self._format(Message("compare-step-doing", english, step=seq, seat=seat, doing=doing))

    def _doing(self, command: Any) -> str:
        assert self.game is not None
        if self.texts is not None:
            return self.texts.command(command, self.game, self.names)
        tag, fields = wire_of(self.game).encode(command)
        return self._plain(tag, fields)

    def _event(self, seq: int) -> Event[Any] | None:
        events = self.match.events if self.match is not None else []
        return events[seq] if 0 <= seq < len(events) else None

    def _two(self, a: str, b: str, between: str = "; ") -> str:
        return f"{self.sides[0]} {a}{between}{self.sides[1]} {b}"

    def _end(self, trace: Trace) -> str:
        if trace.refusal is not None:
            return self._end_refused(trace.refusal)
        if trace.last.points is None or trace.last.winners is None:
            return self._format(Message("compare-end-open", "without a result yet"))
        points = " ".join(map(str, trace.last.points))
        if not trace.last.winners:
            return self._format(Message("compare-end-nobody", "won by nobody with {points}", points=points))
        if 1 < len(trace.last.winners) == len(trace.last.points):  # a draw, or a victory of all
            return self._format(Message("compare-end-shared", "shared by all with {points}", points=points))
        english = "won by {winners} with {points}"
        winners = reduce(self._and, map(self._seat, trace.last.winners))
        return self._format(Message("compare-end-won", english, winners=winners, points=points))

    def _end_refused(self, refusal: Refusal) -> str:
        seq, why = refusal.seq, self.refusal(refusal)
        if refusal.failed:
            return self._format(Message("compare-end-fails", "fails at event {seq}: {why}", seq=seq, why=why))
        if refusal.rule is None:
            return self._format(Message("compare-end-refuses", "refuses event {seq}: {why}", seq=seq, why=why))
        english = "refuses event {seq} by {rule}: {why}"
        rule = sanitize(refusal.rule, 20)
        return self._format(Message("compare-end-refuses-by", english, seq=seq, rule=rule, why=why))

    def _and(self, one: str, other: str) -> str:
        return self._format(Message("compare-and", "{one} and {other}", one=one, other=other))

    def _seat(self, seat: int) -> str:
        return f"seat {seat}" if self.texts is None else self.texts.seat(seat, self.names)

    def _part(self, field: Difference, seq: int) -> str:
        """Format the two sides of a part: values of the state, or what is known of what a trace has as digests."""
        kind, _, place = field.path.partition(")")[0].partition("(")
        if kind == "trial":
            return self._trial(seq, int(place), field)
        if field.shape == DIGEST and kind == "legal":
            return self._two(self._commands(field.a), self._commands(field.b), "  ")
        return self._difference(field)

    def _commands(self, legal: Any) -> str:
        if not legal or legal[0] is None:
            return self._format(Message("compare-many", "commands without number"))
        digest = format_value(legal[1:], DIGEST, None)
        return self._format(Message("compare-commands", "{count} commands ({digest})", count=legal[0], digest=digest))

    def _trial(self, seq: int, place: int, field: Difference) -> str:
        """Format a command that nobody gave, and what each side makes of it."""
        tried = (
            []
            if self.match is None
            else Trials(self.match.game, self.match.events, len(self.match.header.seats), self._chain).after(seq)
        )
        doing = ""
        if place < len(tried) and self.game is not None:
            seat, command = tried[place]
            doing = f"{self._seat(seat)}, {self._doing(command)}: "
        sides = [self._verdict(name, rule) for name, rule in zip(self.sides, (field.a, field.b), strict=True)]
        return doing + "; ".join(sides)

    def _verdict(self, side: str, rule: str) -> str:
        if rule == ACCEPTED:
            return self._format(Message("compare-accepts", "{side} accepts it", side=side))
        english = "{side} refuses it by {rule}"
        return self._format(Message("compare-refuses-rule", english, side=side, rule=sanitize(rule, 20)))

    def _difference(self, field: Difference) -> str:
        """Format the two values of a field; of two arrays what only one has, or their orders."""
        if field.shape == DIGEST or not (isinstance(field.a, list) and isinstance(field.b, list)):
            a, b = (self._value(each, field) for each in (field.a, field.b))
            return self._two(a, b, "  ") if a != b else self._two(repr(field.a), repr(field.b), "  ")
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
                shown.append(format_value(item, inner(field.shape, place), self.game))
        return sanitize(" ".join(shown), COLLECTION_CELLS)

    def _value(self, value: Any, field: Difference) -> str:
        most = COLLECTION_CELLS if isinstance(value, list) else VALUE_CELLS
        return sanitize(format_value(value, field.shape, self.game), most)

    def step_json(self, differing: StepDifference) -> dict[str, Any]:
        """Return one step that differs as plain data for JSON.

        The keys are `step`, `differs`, `rules`, `notes` and `refused`; with a match also `seat`, `tag` and `fields`.
        """
        event = self._event(differing.seq)
        step: dict[str, Any] = {"step": differing.seq}
        if event is not None and self.game is not None:
            tag, fields = wire_of(self.game).encode(event.command)
            step |= {"seat": event.seat, "tag": tag, "fields": plain(fields)}
        differs = [{"path": each.path, "kind": each.change.value, **_sides(each)} for each in differing.fields]
        notes = {
            name: [self._note_data(each) for each in notes] for name, notes in zip("ab", differing.notes, strict=True)
        }
        refused = {"a": self._refused(differing.a), "b": self._refused(differing.b)}
        rules = {name: list(rules) for name, rules in zip("ab", differing.rules, strict=True)}
        step |= {"kind": differing.change.value, "leaks": list(differing.leaks)}
        return {**step, "differs": differs, "rules": rules, "notes": notes, "refused": refused}

    def summary(self, comparison: Comparison) -> dict[str, Any]:
        """Return a comparison as plain data for JSON: `change`, `steps`, `differ`, `first`, and both traces' ends."""
        first = comparison.first
        return {
            "kind": comparison.change.value,
            "leaks": list(comparison.leaks),
            "steps": len(comparison.a.steps) - 1,
            "differ": len(comparison.steps),
            "first": None if first is None else first.seq,
            "left_out": comparison.left_out,
            "a": _trace_data(comparison.a),
            "b": _trace_data(comparison.b),
        }

    def _note_data(self, note: TracedNote) -> dict[str, Any]:
        return {"key": note.key, "rule": note.rule, "values": plain(note.values), "text": self.note(note)}

    def _refused(self, side: TracedStep | Refusal) -> dict[str, Any] | None:
        if isinstance(side, TracedStep):
            return None
        return {
            "seat": side.seat,
            "rule": side.rule,
            "failed": side.failed,
            "facts": plain(side.facts),
            "message": self.refusal(side),
        }


def _together(fields: Sequence[Difference]) -> list[Difference]:
    """Return the fields, one that differs in the views of several viewers once."""
    together: dict[str, Difference] = {}
    for each in fields:
        viewer, _, name = each.path.partition(").")
        key = f"view.{name}" if viewer.startswith("view(") else each.path
        together[key] = evolve(each, path=key) if key in together else each
    return list(together.values())


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
    english = "{side}: {engine}, {game} rules {rules}, {source}"
    about = {"engine": sanitize(trace.engine, 80), "game": sanitize(trace.game, 40), "source": sanitize(source, 200)}
    return text_of(Message("compare-side", english, side=name, rules=trace.rules, **about), texts)
