"""Law 5: what lies open only until the table deals is told.

After a command that ends a deal the table deals at once, in one breath: nobody ever looks at the views between the two.
So whatever they lay open must be in the words of that step's notes, place by place, unless the views before or after
show it too, or the command does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

import attrs

from ..game import TABLE, AnyGame, AnyStep, Face, Note, RedactedCommand, Seat
from ..match import Match
from .laws_of_play import seats_of
from .laws_of_texts import catalogues_of
from .messages import Catalogue, given_of

Cards = Counter[str]
"""The texts of some faces, without small raised numbers, which do not say which card it is."""
Zones = dict[tuple[Seat | None, str], Cards]
"""The cards that lie open, by seat (None: the middle of the table) and label of the zone."""
RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"


def passing_views_are_told(match: Match[Any, Any, Any]) -> None:
    """Law 5: what a view lays open that nobody looks at, as the table deals at once, is in the notes of its step."""
    catalogues = catalogues_of(match.game) if _passing(match) else {}
    for step, after in _passing(match):
        for viewer in (None, *seats_of(match)):
            _is_told(step, after, viewer, catalogues)


def _passing(match: Match[Any, Any, Any]) -> list[tuple[AnyStep, AnyStep]]:
    """Return the steps after which the table acts at once, each with that of the table."""
    return [pair for pair in pairwise(match.steps) if pair[1].seat == TABLE and pair[1].seq == pair[0].seq + 1]


def _is_told(step: AnyStep, after: AnyStep, viewer: Seat | None, catalogues: dict[str, Catalogue]) -> None:
    game, shown = step.game, _open(step.game, step.after, viewer)
    known = _all_of(_open(game, step.before, viewer)) + _of_command(step, viewer)
    later = _open(game, after.after, viewer)
    notes, seats = step.notes_for(viewer), len(game.scene(game.view(step.after, viewer)).places)
    for (seat, label), faces in shown.items():
        new = faces - known - later.get((seat, label), Counter())
        for lang, catalogue in catalogues.items() if new else ():
            told = any(not new - cards for cards in _told(game, notes, catalogue, seat, seats))
            whose = "the middle of the table" if seat is None else f"seat {seat}"
            assert told, (
                f"after {step.command!r} of seat {step.seat} the table deals at once, and no note in {lang}.ftl tells "
                f"{'a spectator' if viewer is None else f'seat {viewer}'} what lay open until then in {label} of "
                f"{whose}: {[*new.elements()]}"
            )


def _open(game: AnyGame, state: Any, viewer: Seat | None) -> Zones:
    """Return what lies open to a viewer, by place."""
    scene = game.scene(game.view(state, viewer))
    return {
        (None if place.seat is None else Seat(place.seat), zone.label): Counter(
            _text(face) for thing in zone.things for face in thing.faces
        )
        for place in scene.all_places
        for zone in place.zones
    }


def _all_of(zones: Zones) -> Cards:
    together: Cards = Counter()
    for faces in zones.values():
        together += faces
    return together


def _of_command(step: AnyStep, viewer: Seat | None) -> Cards:
    """Return the cards that the viewer sees in the command."""
    command = step.command_for(viewer)
    fields = dict(command.fields) if isinstance(command, RedactedCommand) else attrs.asdict(command, recurse=False)
    return Counter(_faces(step.game, fields.values()))


def _told(game: AnyGame, notes: Iterable[Note], catalogue: Catalogue, seat: Seat | None, seats: int) -> Iterator[Cards]:
    """Yield for each note that says whose cards they are those that its words print.

    It names the seat, or lists one card of every seat, as they were laid.
    """
    for note in notes:
        message = catalogue.get(f"note-{note.key}")
        printed = message.used(given_of(dict(note.values))) if message is not None else set()
        said = [value for name, value in note.values if name in printed]
        if seat is None or seat in said or any(isinstance(each, tuple) and len(each) == seats for each in said):
            yield Counter(_faces(game, said))


def _faces(game: AnyGame, values: Iterable[Any]) -> Iterator[str]:
    """Yield the face of every card among some values; a number that is no card of the game has none."""
    for value in values:
        if isinstance(value, list | tuple):
            yield from _faces(game, value)
        elif isinstance(value, int | str) and not isinstance(value, bool) and value in game.vocabulary:
            yield _text(game.face(value))


def _text(face: Face) -> str:
    return face.text.rstrip(RAISED)
