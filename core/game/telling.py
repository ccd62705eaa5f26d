"""Notes derived from a game's data: what a step changed in a viewer's view, by the rule of the command.

They say neither more nor less than the views: the command as the viewer sees it, where each card came to lie, and the
new value of everything else. A card is told once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import zip_longest
from typing import Any

import attrs

from .board import Board
from .declarations import rule_of, tag_of
from .events import Note, RedactedCommand, SectionKind
from .marks import Mark, mark_of, marks_of
from .rule_book import RuleBook, is_numbered
from .seats import TABLE
from .secrets import sizes_of
from .shapes import ROWS, depth_of, flat, types_of
from .violation import beside_seat

Explain = Callable[[Any, int | None], Iterator[Note]]


class Told:
    """A field of the state as notes tell it: its name, its rule, and whether it has a row for each seat."""

    def __init__(self, name: str, mark: Mark, kind: Any, rules: Mapping[str, RuleBook], *, by_seat: bool) -> None:
        self.name, self.by_seat = name, by_seat
        self.rule = rules.get(mark.rule or "")
        self.is_open = mark.sees == "everybody"
        self.board = mark.board
        depth = depth_of(kind)
        self.depth = depth if depth is None or not by_seat else depth - 1
        sized = sizes_of(name, mark, kind)
        self.sizes = None if sized is None else sized.name

    def rows(self, view: Any) -> list[tuple[int | None, Any]]:
        """List the rows of the field in a view, each with its seat; the whole field with None if it has no rows."""
        value = getattr(view, self.name)
        return list(enumerate(value)) if self.by_seat and value is not None else [(None, value)]

    def changed(self, before: Any, after: Any) -> Iterator[tuple[int | None, Any, Any]]:
        """Yield the rows that differ between two views: the seat, the old and the new value."""
        if getattr(before, self.name) == getattr(after, self.name):
            return
        for (seat, old), (_, new) in zip(self.rows(before), self.rows(after), strict=False):
            if old != new:
                yield seat, old, new


def explain_function(
    state: type,
    by_seat: frozenset[str],
    book: type[RuleBook],
    view: Callable[[Any, int | None], Any],
    redact: Callable[[Any, int | None], Any],
    result: Callable[[Any], Any],
) -> Explain:
    """Return the function that yields the notes of a step for a viewer."""
    rules = {rule.number: rule for rule in book}
    last = [rule for rule in book if not rule.ruling][-1:] if is_numbered(book) else []
    types = types_of(state)
    fields = [
        Told(each.name, mark_of(each) or Mark("everybody"), types[each.name], rules, by_seat=each.name in by_seat)
        for each in attrs.fields(state)
        if each.name != "options"
    ]

    def explain(step: Any, viewer: int | None) -> Iterator[Note]:
        command = redact(step, viewer)
        rule = rules.get(rule_of(type(step.command)) or "")
        yield _done(step, command, rule)
        before, after = view(step.before, viewer), view(step.after, viewer)
        named, named_to_all = _named_by(step, command)
        for field in fields:
            yield from _gained(field, before, after, named_to_all if field.is_open else named, rule, step.seat)
        for field in fields:
            yield from _other(field, before, after, rule)
        ended = result(step.after)
        if ended is not None:
            yield Note.of("won", last[0] if last else rule, seats=ended.winners, points=ended.points)

    return explain


def _done(step: Any, command: Any, rule: RuleBook | None) -> Note:
    """Return the note that the command was given: with its fields, as far as the viewer sees them."""
    tag = tag_of(type(step.command))
    begins = SectionKind.DEAL if step.seat == TABLE else SectionKind.TURN
    if step.seat != TABLE and isinstance(command, RedactedCommand):
        tag, values = f"{tag}-unseen", dict(command.fields)
    else:
        values = {name: getattr(step.command, name) for name in _told_fields(step)}
    told = [(beside_seat(name), value) for name, value in values.items()]
    return Note(tag, rule, (("seat", step.seat), *told), begins)


def _told_fields(step: Any) -> list[str]:
    """List the fields that the note of a whole command tells: of a deal those that everybody sees.

    What else a deal has is told place by place.
    """
    marks = marks_of(type(step.command))
    is_deal = step.seat == TABLE
    return [name for name, mark in marks.items() if not is_deal or mark is None or mark.sees == "everybody"]


def _named_by(step: Any, command: Any) -> tuple[Counter[Any], Counter[Any]]:
    """Return the cards that the command names to this viewer, and those that it names to everybody.

    An open place tells everybody the same, so it leaves out only what everybody has read.
    """
    kind = type(step.command)
    to_all = [name for name, mark in marks_of(kind).items() if mark is None or mark.sees == "everybody"]
    if step.seat == TABLE or command is step.command:
        return _named(step.command, _told_fields(step)), _named(step.command, to_all)
    named = _named(step.command, [name for name in to_all if name in dict(getattr(command, "fields", ()))])
    return named, named


def _named(command: Any, names: list[str]) -> Counter[Any]:
    """Return the cards that a command names in these fields."""
    kind: Any = type(command)
    types = types_of(kind)
    depths = {name: depth_of(types[name]) for name in names}
    rows = [flat(getattr(command, name), depth) for name, depth in depths.items() if depth is not None]
    return Counter(card for row in rows for card in row)


def _gained(
    field: Told, before: Any, after: Any, named: Counter[Any], rule: RuleBook | None, actor: int
) -> Iterator[Note]:
    """Yield where cards came to lie, but those that the command names; of hidden cards of others how many."""
    if field.depth is None:
        return
    if field.board is not None and not field.by_seat:
        yield from _on_board(field, field.board, before, after, rule)
        return
    for seat, old, new in field.changed(before, after):
        for number, was, now in _numbered_rows(field, old, new):
            told = _beyond(now, was, named)
            if _beyond(was, now, named):
                told = _beyond(now, (), named)  # what has left is not told: the whole row is
            if new is not None and told:
                row = {} if number is None else {"row": number}
                yield _note(f"{field.name}-gained", field.rule or rule, seat, cards=told, **row)
    if field.sizes is None or getattr(before, field.sizes) == getattr(after, field.sizes):
        return
    sizes = zip(_sizes(before, field), _sizes(after, field), field.rows(after), strict=False)
    for old, new, (seat, value) in sizes:
        if value is None and new > old and (seat is None or seat != actor):
            yield _note(f"{field.name}-more", field.rule or rule, seat, count=int(new) - int(old))


def _beyond(cards: Iterable[Any], others: Iterable[Any], named: Mapping[Any, int]) -> tuple[Any, ...]:
    """Return the cards that neither the others nor those named account for, in their order; of equal ones the last."""
    left = dict(named)
    for card in others:
        left[card] = left.get(card, 0) + 1
    beyond = []
    for card in cards:
        count = left.get(card, 0)
        if count:
            left[card] = count - 1
        else:
            beyond.append(card)
    return tuple(beyond)


def _on_board(field: Told, board: Board, before: Any, after: Any, rule: RuleBook | None) -> Iterator[Note]:
    """Yield what lies on each space of a board that looks otherwise than before, or that it is seen no more."""
    spaces = zip_longest(board.spaces, getattr(before, field.name) or (), getattr(after, field.name) or ())
    for space, was, now in spaces:
        if was != now and now is None:
            yield _note(f"{field.name}-unseen", field.rule or rule, None, space=space)
        elif was != now:
            yield _note(f"{field.name}-space", field.rule or rule, None, space=space, card=now)


def _numbered_rows(field: Told, old: Any, new: Any) -> Iterator[tuple[int | None, list[Any], list[Any]]]:
    """Yield the cards that lay and that lie in each row, with its number from 1; None for a place without rows."""
    if field.depth != ROWS:
        yield None, [*flat(old, field.depth or 0)], [*flat(new, field.depth or 0)]
        return
    for number, (was, now) in enumerate(zip_longest(old or (), new or ()), start=1):
        yield number, [*flat(was, 1)], [*flat(now, 1)]


def _sizes(view: Any, field: Told) -> Any:
    sizes = getattr(view, str(field.sizes))
    return sizes if isinstance(sizes, tuple) else (sizes,)


def _other(field: Told, before: Any, after: Any, rule: RuleBook | None) -> Iterator[Note]:
    """Yield the new value of what is no card."""
    if field.depth is None:
        for seat, _, new in field.changed(before, after):
            if new is not None:
                yield _note(f"{field.name}-now", field.rule or rule, seat, value=new)


def _note(key: str, rule: RuleBook | None, seat: int | None, **values: Any) -> Note:
    return Note.of(key, rule, **values) if seat is None else Note.of(key, rule, seat=seat, **values)
