"""Notes derived from a game's data: what a step changed in a viewer's view, by the rule of the command.

They say neither more nor less than the views: the command as the viewer sees it, where each card came to lie, and the
new value of everything else. A card is told once. No view is made for them: what a step left alone, nobody is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from .declarations import rule_of, tag_of
from .events import Note, RedactedCommand, SectionKind
from .marks import MarkedField, marked_fields
from .rule_book import RuleBook, is_numbered
from .seats import TABLE
from .secrets import show_of, sizes_of
from .shapes import ROWS, depth_of, flat
from .violation import beside_seat

Explain = Callable[[Any, int | None], Iterator[Note]]
View = Callable[[Any, int | None], Any]
Seen = Sequence[tuple[int | None, Any, Any]]
"""Rows that a viewer sees differ: the seat (None: no row for each), the old and the new value."""
More = Sequence[tuple[int | None, int]]
"""Rows that the viewer does not see: the seat, and how many more lie there than before."""


class Told:
    """A field of the state as notes tell it: its name, its rule, and whether it has a row for each seat."""

    def __init__(self, field: MarkedField, rules: Mapping[str, RuleBook], *, by_seat: bool) -> None:
        mark = field.mark
        self.name, self.by_seat = field.name, by_seat
        self.rule = rules.get(mark.rule or "")
        self.is_open = mark.sees == "everybody"
        self.board = None if by_seat else mark.board
        depth = depth_of(field.kind)
        self.depth = depth if depth is None or not by_seat else depth - 1
        self._is_own, self._is_by_state = mark.sees == "owner", mark.sees == "some"
        self._show, self._sized = show_of(field), sizes_of(field)

    def change(self, before: Any, after: Any, viewer: int | None) -> tuple[Seen, More]:
        """Return what a viewer sees of the difference between two states, as the mark of the field says."""
        old, new = getattr(before, self.name), getattr(after, self.name)
        if old is new and not self._is_by_state:
            return (), ()
        if self._show is None or viewer == TABLE:
            return self._differing(old, new), ()
        if self._is_own:
            return self._of_owner(self._differing(old, new), viewer)
        sizes = (None, None) if self._sized is None else (self._sized.count(old), self._sized.count(new))
        return self._change(self._show(before, old, viewer), self._show(after, new, viewer), *sizes)

    def change_of_views(self, before: Any, after: Any, _: int | None) -> tuple[Seen, More]:
        """Return the difference between two views that do not follow from the marks alone."""
        sizes = (None, None) if self._sized is None else [getattr(view, self._sized.name) for view in (before, after)]
        return self._change(getattr(before, self.name), getattr(after, self.name), *sizes)

    def _of_owner(self, rows: Seen, viewer: int | None) -> tuple[Seen, More]:
        """Return the row of the viewer, and how many more lie in others."""
        seen = [row for row in rows if row[0] == viewer]
        if self._sized is None or len(seen) == len(rows):
            return seen, ()
        sizes = [(seat, *self._sized.count((was, now))) for seat, was, now in rows if seat != viewer]
        return seen, [(seat, has - had) for seat, had, has in sizes]

    def _change(self, old: Any, new: Any, old_size: Any, new_size: Any) -> tuple[Seen, More]:
        seen = self._differing(old, new)
        if old_size == new_size:
            return seen, ()
        if not isinstance(new_size, tuple):
            old_size, new_size = (old_size,), (new_size,)
        rows = enumerate(new) if self.by_seat and new is not None else [(None, new)]
        sizes = zip(old_size, new_size, rows, strict=False)
        return seen, [(seat, int(has) - int(had)) for had, has, (seat, value) in sizes if value is None]

    def _differing(self, old: Any, new: Any) -> Seen:
        if old == new:
            return ()
        if not self.by_seat or new is None:
            return [(None, old, new)]
        rows = zip(old if old is not None else (None,) * len(new), new, strict=False)
        return [(seat, was, now) for seat, (was, now) in enumerate(rows) if was != now]


class Done:
    """A class of commands as notes tell it: its tag and its rule, and the fields that are told of a whole one."""

    def __init__(self, kind: type, rules: Mapping[str, RuleBook]) -> None:
        self.tag, self.rule = tag_of(kind), rules.get(rule_of(kind) or "")
        fields = marked_fields(kind)
        self._all = [(each.name, depth_of(each.kind)) for each in fields]
        self._public = [(each.name, depth_of(each.kind)) for each in fields if each.mark.sees == "everybody"]

    def _told(self, seat: int) -> list[tuple[str, int | None]]:
        """List the fields that the note of a whole command tells, with their depth: of a deal what everybody sees.

        What else a deal has is told place by place.
        """
        return self._public if seat == TABLE else self._all

    def note(self, event: Any, command: Any) -> Note:
        """Return the note that the command was given: with its fields, as far as the viewer sees them."""
        seat, whole = event.seat, event.command
        if seat != TABLE and isinstance(command, RedactedCommand):
            told = [(beside_seat(name), value) for name, value in command.fields]
            return Note(f"{self.tag}-unseen", self.rule, (("seat", seat), *told), SectionKind.TURN)
        told = [(beside_seat(name), getattr(whole, name)) for name, _ in self._told(seat)]
        begins = SectionKind.DEAL if seat == TABLE else SectionKind.TURN
        return Note(self.tag, self.rule, (("seat", seat), *told), begins)

    def named(self, event: Any, command: Any, *, to_all: bool) -> dict[Any, int]:
        """Return the cards that the command names to this viewer, or that it names to everybody, with their number.

        An open place tells everybody the same, so it leaves out only what everybody has read.
        """
        names = self._public
        if event.seat != TABLE and command is not event.command:
            seen = dict(getattr(command, "fields", ()))
            names = [each for each in names if each[0] in seen]
        elif not to_all:
            names = self._told(event.seat)
        counts: dict[Any, int] = {}
        for name, depth in names:
            for card in () if depth is None else flat(getattr(event.command, name), depth):
                counts[card] = counts.get(card, 0) + 1
        return counts


def explain_function(
    state: type,
    commands: Iterable[type],
    by_seat: frozenset[str],
    book: type[RuleBook],
    view: View | None,
    redact: Callable[[Any, int | None], Any],
    result: Callable[[Any], Any],
) -> Explain:
    """Return the function that yields the notes of a step for a viewer; `view` is None where the marks say it all."""
    rules = {rule.number: rule for rule in book}
    last = [rule for rule in book if not rule.ruling][-1:] if is_numbered(book) else []
    kinds = {kind: Done(kind, rules) for kind in commands}
    held = [each for each in marked_fields(state) if each.name != "options"]
    fields = [Told(each, rules, by_seat=each.name in by_seat) for each in held]
    fields = sorted(fields, key=lambda field: field.depth is None)  # where cards lie is told first
    change = Told.change if view is None else Told.change_of_views

    def explain(step: Any, viewer: int | None) -> Iterator[Note]:
        event = step.event
        command, done = redact(step, viewer), kinds[event.command.__class__]
        notes = [done.note(event, command)]
        before, after = step.before, step.after
        if view is not None:
            before, after = view(before, viewer), view(after, viewer)
        for field in fields:
            seen, more = change(field, before, after, viewer)
            rule = field.rule or done.rule
            if field.depth is None:
                news = [(seat, new) for seat, _, new in seen if new is not None]
                notes += [_note(f"{field.name}-now", rule, seat, ("value", new)) for seat, new in news]
                continue
            if seen:
                notes += _gained(field, seen, done.named(event, command, to_all=field.is_open), rule)
            if field.board is None:
                counts = [(seat, count) for seat, count in more if count > 0 and seat != event.seat]
                notes += [_note(f"{field.name}-more", rule, seat, ("count", count)) for seat, count in counts]
        ended = result(step.after)
        if ended is not None:
            rule = last[0] if last else done.rule
            notes.append(Note("won", rule, (("seats", ended.winners), ("points", ended.points))))
        return iter(notes)

    return explain


def _gained(field: Told, seen: Seen, named: Mapping[Any, int], rule: RuleBook | None) -> list[Note]:
    """List where cards came to lie, but those that the command names."""
    if field.board is not None:
        return [note for _, old, new in seen for note in _on_board(field, old, new, rule)]
    notes = []
    for seat, old, new in seen:
        for number, was, now in _numbered_rows(field, old, new):
            if told := _told_of(was, now, named):
                row = () if number is None else (("row", number),)
                notes.append(_note(f"{field.name}-gained", rule, seat, ("cards", told), *row))
    return notes


def _told_of(was: tuple[Any, ...], now: tuple[Any, ...], named: Mapping[Any, int]) -> tuple[Any, ...]:
    """Return the cards that came to lie in a row; the whole row if one has left it that is not named."""
    if was == now[: len(was)]:
        return _beyond(now[len(was) :], named)
    left, gained = list(was), []
    for card in now:
        if card in left:
            left.remove(card)
        else:
            gained.append(card)
    return _beyond(now if left and _beyond(left, named) else gained, named)


def _beyond(cards: Sequence[Any], named: Mapping[Any, int]) -> tuple[Any, ...]:
    """Return the cards without those named, in their order; of equal ones the last."""
    if not named or not cards:
        return tuple(cards)
    left, beyond = dict(named), []
    for card in cards:
        if count := left.get(card, 0):
            left[card] = count - 1
        else:
            beyond.append(card)
    return tuple(beyond)


def _on_board(field: Told, old: Any, new: Any, rule: RuleBook | None) -> Iterator[Note]:
    """Yield what lies on each space of a board that looks otherwise than before, or that it is seen no more."""
    spaces = field.board.spaces if field.board is not None else ()
    for space, was, now in zip_longest(spaces, old or (), new or ()):
        if was != now and now is None:
            yield _note(f"{field.name}-unseen", rule, None, ("space", space))
        elif was != now:
            yield _note(f"{field.name}-space", rule, None, ("space", space), ("card", now))


def _numbered_rows(field: Told, old: Any, new: Any) -> Iterable[tuple[int | None, Any, Any]]:
    """Yield the cards that lay and that lie in each row, with its number from 1; None for a place without rows."""
    if field.depth != ROWS:
        return [(None, flat(old, field.depth or 0), flat(new, field.depth or 0))]
    rows = enumerate(zip_longest(old or (), new or ()), start=1)
    return [(number, flat(was, 1), flat(now, 1)) for number, (was, now) in rows]


def _note(key: str, rule: RuleBook | None, seat: int | None, *values: tuple[str, Any]) -> Note:
    return Note(key, rule, values if seat is None else (("seat", seat), *values))
