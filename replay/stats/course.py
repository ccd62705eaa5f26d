"""The course of one match: the scores over time, and how many cards each viewer could see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from attrs import frozen

from ...core.game import TABLE, Face, Scene, Seat
from ...core.match import AnyMatch


@frozen
class Course:
    """A match at the start and after each event; all tuples but `names` have that many items."""

    names: tuple[str, ...]
    scores: tuple[tuple[int | None, ...], ...]
    """The score of each seat, as the table shows it."""
    cards: tuple[int, ...]
    """The number of cards whose face the table sees."""
    seen: tuple[tuple[int, ...], ...]
    """How many of those each seat and, last, a spectator sees."""


def course_of(match: AnyMatch) -> Course:
    """Return the course of a match, taken from its scenes."""
    seats = len(match.header.seats)
    viewers: list[Seat | None] = [*map(Seat, range(seats)), None]
    scores, cards, seen = [], [], []
    for state in match.states:
        whole = match.game.scene(match.game.view(state, TABLE))
        open_cards = _faces(whole)
        scores.append(tuple(place.score for place in whole.places))
        cards.append(sum(map(Counter.total, open_cards.values())))
        seen.append(
            tuple(_seen_cards(open_cards, match.game.scene(match.game.view(state, viewer))) for viewer in viewers)
        )
    return Course(match.header.seats, tuple(scores), tuple(cards), tuple(seen))


def _seen_cards(open_cards: dict[Any, Counter[Face]], scene: Scene) -> int:
    """Count the cards whose face a viewer sees in the same zone as the table; another face of a card does not count."""
    return sum((open_cards.get(zone, Counter()) & faces).total() for zone, faces in _faces(scene).items())


def _faces(scene: Scene) -> dict[Any, Counter[Face]]:
    """Return the visible faces of each zone, with their numbers."""
    return {zone: Counter(face for thing in things for face in thing.faces) for zone, things in _zones(scene)}


def _zones(scene: Scene) -> Iterator[tuple[Any, Any]]:
    for place in scene.all_places:
        for zone in place.zones:
            yield (place.seat, zone.label), zone.things
