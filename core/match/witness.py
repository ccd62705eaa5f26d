"""Witnesses: hashes of what every viewer has after an event, by which a later rules version is held to it.

A host makes them behind the matches that are played, and the `.rules` of a log has those of the events before it
(`docs/log-format.md`): of each event a hash for each viewer over all that it has, and one for each part of that over
all viewers. Where two witnesses differ, the one says whose, and the other says what.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from hashlib import blake2b
from operator import attrgetter
from typing import Any

import attrs
from attrs import evolve, frozen

from ..errors import MatchError, Message
from ..game import TABLE, AnyGame, AnyStep, Event, Meta, Note, RedactedCommand, Seat
from ..wire import pack
from .fold import call_game

WITNESSES = "witnesses"
"""The key of the meta of a `.rules` that has the witnesses of the events before it."""
WITNESS = "witness"
"""The key of an event's meta that has its witness, in logs of an older kifu."""
VIEW = "view"
"""The key of meta that has the names of the view's fields, for this witness and those that follow."""
HASH_BYTES = 3
MAX_BYTES = 255
"""The most bytes of a witness."""
PARTS = ("command", "notes", "to_act")
"""What each viewer has besides its view; `to_act` holds the result too."""
ABSENT = object()
"""Stands for a field that a view does not have."""
ABSENT_BYTE = b"\xc1"
"""How it is packed: no value is packed so."""
CommandAndNotes = tuple[Any, tuple[Note, ...]]
"""A command as a viewer sees it, and the notes for that viewer."""


@frozen
class Difference:
    """The first difference between what the viewers had and what they would have."""

    event: int
    seat: int | None
    """The viewer: -1 the table, None a spectator."""
    field: str
    """`command`, `notes`, `to_act`, or `view.` and the name of a field of the view."""

    @property
    def why(self) -> Message:
        """The difference in words."""
        if self.seat == TABLE:
            english = "after event {event} the table had another {field}"
            return Message("table-had-other", english, event=self.event, field=self.field)
        if self.seat is None:
            english = "after event {event} a spectator had another {field}"
            return Message("spectator-had-other", english, event=self.event, field=self.field)
        english = "after event {event} seat {seat} had another {field}"
        return Message("seat-had-other", english, event=self.event, seat=self.seat, field=self.field)


@frozen
class Witnessed:
    """The witnesses of some events that follow each other."""

    first: int
    """The number of the first of these events."""
    view: tuple[str, ...]
    """The names of the view's fields."""
    hashes: bytes
    """The witnesses, one after the other."""

    def end(self, seats: int) -> int:
        """Return the number of the event that follows the last of these."""
        return self.first + len(self.hashes) // _size(seats, self.view)

    @property
    def plain(self) -> list[Any]:
        """What the meta of a `.rules` has of them."""
        return [self.first, list(self.view), self.hashes]


def viewers_of(seats: int) -> list[int | None]:
    """Return the viewers in the order of a witness: the table, a spectator, the seats."""
    return [TABLE, None, *map(Seat, range(seats))]


def view_names(game: AnyGame, state: Any) -> list[str]:
    """Return the names of the view's fields, without that of the options: an upcast may add to them."""
    return [name for name, value in _fields(game.view(state, TABLE)).items() if value.__class__ is not game.options]


def witness_of(step: AnyStep, seats: int, names: Sequence[str], seen: Sequence[CommandAndNotes] | None = None) -> bytes:
    """Return the witness of a step: what `seats` seats, the table and a spectator have, with these fields of the view.

    `seen` is what `seen_by` returns for these viewers, where it is known. Raises whatever the game raises, and for what
    cannot be packed.
    """
    viewers, game, after = viewers_of(seats), step.game, step.after
    seen = seen_by(step, viewers) if seen is None else seen
    standing, chosen = [sorted(game.to_act(after)), game.result(after)], tuple(names)
    rows = [
        (_shown(command), _plain_notes(notes), standing, *_values(game.view(after, viewer), chosen))
        for viewer, (command, notes) in zip(viewers, seen, strict=True)
    ]
    columns = list(map(_cells, zip(*rows, strict=True)))
    return b"".join([_hash(cells) for cells in (*zip(*columns, strict=True), *columns)])


def seen_by(step: AnyStep, viewers: Iterable[int | None]) -> list[CommandAndNotes]:
    """Return what each viewer sees of the command of a step, and its notes."""
    return [(step.command_for(viewer), step.notes_for(viewer)) for viewer in viewers]


def difference(step: AnyStep, seats: int, names: Sequence[str], recorded: bytes) -> Difference | None:
    """Return how a step differs from its recorded witness; None if it does not.

    Names the first viewer and the first part that differ.
    """
    found = witness_of(step, seats, names)
    if found == recorded:
        return None
    viewers = viewers_of(seats)
    parts = [*PARTS, *(f"view.{name}" for name in names)]
    places = range(0, len(found), HASH_BYTES)
    apart = [found[at : at + HASH_BYTES] != recorded[at : at + HASH_BYTES] for at in places]
    whose, what = apart[: len(viewers)], apart[len(viewers) :]
    viewer = viewers[whose.index(True)] if True in whose else TABLE
    return Difference(step.seq, viewer, parts[what.index(True)] if True in what else "view")


def first_difference(steps: Sequence[AnyStep], seats: int, written: Iterable[Witnessed] = ()) -> Difference | None:
    """Return the first difference of these steps, from the first of the match on, from what the viewers had.

    `written` are witnesses that do not stand in these events. Raises `MatchError` at an event without one, and
    `GameError` where the game fails.
    """
    known = witnesses_of([step.event for step in steps], seats, written)
    for step in steps:
        if step.seq not in known:
            raise MatchError(Message("no-witness", "nothing says what was seen after event {seq}", seq=step.seq))
        recorded, names = known[step.seq]
        found = call_game(step.game, difference, step, seats, names, recorded)
        if found is not None:
            return found  # type: ignore[no-any-return]
    return None


def witnesses_of(
    events: Iterable[Event[Any]], seats: int, written: Iterable[Witnessed] = ()
) -> dict[int, tuple[bytes, Sequence[str]]]:
    """Return by event the witness and the names of the view's fields: of those that these events have, and `written`.

    What has another form is none.
    """
    known: dict[int, tuple[bytes, Sequence[str]]] = {}
    names: Any = None
    for event in events:
        more = {} if event.meta is None else dict(event.meta.more)
        names, own = more.get(VIEW, names), more.get(WITNESS)
        if _are_names(names) and own.__class__ is bytes and len(own) == _size(seats, names):
            known[event.seq] = own, names
        if WITNESSES in more:
            written = (*witnesses_in(event), *written)
    for each in written:
        size = _size(seats, each.view)
        for seq in range(each.first, each.end(seats)):
            place = (seq - each.first) * size
            known.setdefault(seq, (each.hashes[place : place + size], each.view))
    return known


def witnesses_in(event: Event[Any]) -> list[Witnessed]:
    """Return the witnesses in the meta of a `.rules`; what has another form is left out."""
    value: Any = None if event.meta is None else dict(event.meta.more).get(WITNESSES)
    return [Witnessed(each[0], tuple(each[1]), each[2]) for each in value if _is_range(each)] if _is_list(value) else []


def _is_range(value: Any) -> bool:
    if not _is_list(value) or len(value) != 3:
        return False
    return value[0].__class__ is int and value[0] >= 0 and _are_names(value[1]) and value[2].__class__ is bytes


def _is_list(value: Any) -> bool:
    return value.__class__ in (list, tuple)


def _are_names(names: Any) -> bool:
    return _is_list(names) and all(each.__class__ is str for each in names)


def _size(seats: int, names: Sequence[str]) -> int:
    """Return the length in bytes of a witness for so many seats and these fields of the view."""
    return HASH_BYTES * (len(viewers_of(seats)) + len(PARTS) + len(names))


def with_witnesses(meta: Meta, written: Iterable[Witnessed]) -> Meta:
    """Return the meta of a `.rules` with these witnesses, if there are any."""
    plain = [each.plain for each in written]
    return evolve(meta, more=(*meta.more, (WITNESSES, plain))) if plain else meta


def _fields(view: Any) -> dict[str, Any]:
    """Return the fields of a view by name."""
    names = _names(view.__class__)
    return {VIEW: view} if names is None else {name: getattr(view, name) for name in names}


@cache
def _names(kind: Any) -> tuple[str, ...] | None:
    return tuple(each.name for each in attrs.fields(kind)) if attrs.has(kind) else None


def _values(view: Any, names: tuple[str, ...]) -> Iterable[Any]:
    """Return these fields of a view; `ABSENT` for one that it does not have."""
    get = _getter(view.__class__, names)
    return [_fields(view).get(name, ABSENT) for name in names] if get is None else get(view)


@cache
def _getter(kind: Any, names: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]] | None:
    """Return what gets these fields of a view; None where it lacks one, or fewer than two are wanted."""
    return attrgetter(*names) if len(names) > 1 and set(names) <= set(_names(kind) or ()) else None


def _shown(command: Any) -> list[Any] | None:
    """Return the values that a redacted command shows, not their names: an upcast may rename them.

    A whole command stands in the log itself.
    """
    return [value for _, value in command.fields] if isinstance(command, RedactedCommand) else None


def _plain_notes(notes: Iterable[Note]) -> list[Any]:
    return [
        [
            note.key,
            None if note.rule is None else note.rule.number,
            note.values,
            None if note.begins is None else note.begins.value,
        ]
        for note in notes
    ]


def _cells(column: Iterable[Any]) -> list[bytes]:
    """Return the packed values of a column; what several viewers see is mostly one object, and packed once."""
    cells, last, packed = [], ABSENT, ABSENT_BYTE
    for value in column:
        if value is not last:
            last, packed = value, ABSENT_BYTE if value is ABSENT else pack(value)
        cells.append(packed)
    return cells


def _hash(cells: Sequence[bytes]) -> bytes:
    return blake2b(b"".join(cells), digest_size=HASH_BYTES).digest()
