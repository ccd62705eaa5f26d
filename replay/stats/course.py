"""The course of one match: the score over time, and how much of the table lay open to whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from attrs import frozen

from ...core.game import TABLE, Seat
from ...core.match import Match
from ...core.scene import Face, Scene

AnyMatch = Match[Any, Any, Any]


@frozen
class Course:
    """What a match was like at the start and after each event."""

    names: tuple[str, ...]
    scores: tuple[tuple[int | None, ...], ...]
    """Of each seat, as the table shows it."""
    cards: tuple[int, ...]
    """How many cards lie open to the table, which sees all."""
    seen: tuple[tuple[int, ...], ...]
    """How many of those lie open to each seat and, last, to a spectator."""


def course_of(match: AnyMatch) -> Course:
    """Follow a match from scene to scene."""
    seats = len(match.header.seats)
    viewers: list[Seat | None] = [*map(Seat, range(seats)), None]
    scores, cards, seen = [], [], []
    for state in match.states:
        whole = match.game.scene(match.game.view(state, TABLE))
        open_cards = _faces(whole)
        scores.append(tuple(place.score for place in whole.places))
        cards.append(sum(map(Counter.total, open_cards.values())))
        seen.append(tuple(_seen(open_cards, match.game.scene(match.game.view(state, viewer))) for viewer in viewers))
    return Course(match.header.seats, tuple(scores), tuple(cards), tuple(seen))


def _seen(open_cards: dict[Any, Counter[Face]], scene: Scene) -> int:
    """Count the cards whose face a viewer sees where the table sees it: a card's other side tells nothing."""
    return sum((open_cards.get(zone, Counter()) & faces).total() for zone, faces in _faces(scene).items())


def _faces(scene: Scene) -> dict[Any, Counter[Face]]:
    """Count the faces that show in each zone."""
    return {zone: Counter(face for thing in things for face in thing.faces) for zone, things in _zones(scene)}


def _zones(scene: Scene) -> Iterator[tuple[Any, Any]]:
    for place in (scene.table, *scene.places):
        for zone in place.zones:
            yield (place.seat, zone.label), zone.things
