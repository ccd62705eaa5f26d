"""What of a match is assumed: values that its record did not have, filled in so that all that happened was legal.

A header says so by places (`docs/log-format.md`): `(0, "cards", 7)` is the eighth of the cards of event 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Any

from attrs import frozen

from ..game import AnyGame, Event, Note, is_deal
from ..game.shapes import depth_of, types_of
from ..wire import wire_of
from ..wire.exact import is_int, is_text

Place = tuple[int | str, ...]
"""Of what is assumed: the number of the event, a field, and numbers or keys within it. A shorter one is all of that."""

NOTE = "assumed"
"""The key of the note that tells of an event how much of it is assumed."""
NOTE_OF_CARDS = "assumed-cards"
"""The key of the note that also tells which cards these are."""


class Unknown:
    """Stands in the command of a record for whatever nobody knows."""

    def __repr__(self) -> str:
        return "UNKNOWN"

    def __reduce__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Any = Unknown()
"""Stands for a card, a field or a whole command that the record does not tell."""


@frozen
class Assumed:
    """How much of a match is assumed."""

    count: int
    """Of what the table dealt, so many values, each a card or a roll."""
    of: int
    """So many there are."""
    commands: int
    """The number of the seats' commands of which something is assumed."""
    what: str
    """What the table dealt: `cards` or `values`."""


def is_place(value: Any) -> bool:
    """Return True for a place as a header has it."""
    if value.__class__ not in (list, tuple):
        return False
    seq, field = (*value, *(0, "")[len(value) :])[:2]
    return is_int(seq) and seq >= 0 and is_text(field) and all(is_int(each) or is_text(each) for each in value[2:])


def leaves(value: Any, place: Place = ()) -> Iterator[tuple[Place, Any]]:
    """Yield the values within plain data, each behind its place."""
    if value.__class__ is dict:
        for key, each in value.items():
            yield from leaves(each, (*place, key))
    elif value.__class__ in (tuple, list):
        for number, each in enumerate(value):
            yield from leaves(each, (*place, number))
    else:
        yield place, value


def replaced(value: Any, values: Mapping[Place, Any], place: Place = ()) -> Any:
    """Return plain data with other values in these places."""
    if place in values:
        return values[place]
    if value.__class__ is dict:
        return {key: replaced(each, values, (*place, key)) for key, each in value.items()}
    if value.__class__ in (tuple, list):
        return tuple([replaced(each, values, (*place, number)) for number, each in enumerate(value)])
    return value


def unknown_places(told: Any) -> list[Place]:
    """List the places of what is `UNKNOWN` in plain data."""
    return [place for place, value in leaves(told) if value is UNKNOWN]


def by_event(places: Iterable[Place], events: int) -> dict[int, set[Place]]:
    """Return by the number of each event the places within it; an empty place is all of so many events."""
    found: dict[int, set[Place]] = {}
    for place in set(places):
        for seq in place[:1] or range(events):
            found.setdefault(int(seq), set()).add(place[1:])
    return found


def assumed_leaves(fields: dict[str, Any], assumed: Set[Place]) -> list[tuple[Place, Any]]:
    """Return the values of an event that are assumed; all of them for a place that it does not have."""
    found = list(leaves(fields)) or [((), None)]
    starts = {place[:length] for place, _ in found for length in range(len(place) + 1)}
    if not assumed <= starts:
        return found
    return [each for each in found if any(each[0][:length] in assumed for length in range(len(each[0]) + 1))]


def how_much(game: AnyGame, places: Sequence[Place], events: Sequence[Event[Any]]) -> Assumed | None:
    """Return how much of these events is assumed; None for a match that is no such record."""
    if not places:
        return None
    within = by_event(places, len(events))
    dealt = {event.seq: wire_of(game).encode(event.command)[1] for event in events if is_deal(event)}
    return Assumed(
        count=sum(len(assumed_leaves(dealt[seq], within[seq])) for seq in within.keys() & dealt.keys()),
        of=sum(len(list(leaves(fields))) for fields in dealt.values()),
        commands=sum(seq < len(events) and seq not in dealt for seq in within),
        what="cards" if game.has_cards else "values",
    )


def assumed_notes(
    game: AnyGame, places: Sequence[Place], events: Sequence[Event[Any]]
) -> Mapping[int, tuple[Note, Note]]:
    """Return by event the notes that tell the table, and everybody else, what of it is assumed.

    Only the table is told which cards these are.
    """
    notes: dict[int, tuple[Note, Note]] = {}
    for seq, assumed in by_event(places, len(events)).items() if places else ():
        if seq < len(events):
            tag, fields = wire_of(game).encode(events[seq].command)
            types = types_of(wire_of(game).tags[tag])
            found, of = assumed_leaves(fields, assumed), max(1, len(list(leaves(fields))))
            are_cards = all(place and depth_of(types[str(place[0])]) is not None for place, _ in found)
            what = "move" if not is_deal(events[seq]) else "cards" if are_cards else "values"
            note = whole = Note.of(NOTE, what=what, count=len(found), of=of)
            if what == "cards":
                whole = Note.of(NOTE_OF_CARDS, count=len(found), of=of, cards=tuple(each for _, each in found))
            notes[seq] = whole, note
    return notes


def says_what_was_done(notes: Sequence[Note]) -> bool:
    """Return False for a step without notes of its game: then its command is shown."""
    return bool(notes) and notes[0].key not in (NOTE, NOTE_OF_CARDS)
