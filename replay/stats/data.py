"""The figures as plain data, as `replay stats --json` prints them (`docs/cli.md`)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import attrs

from ...core.match import registry
from .course import Course
from .figures import Group, Spread


def group_data(group: Group) -> dict[str, Any]:
    """Return the sums of one game with one number of seats."""
    book = registry.find(group.game).book
    return {
        "game": group.game,
        "seats": group.seats,
        "logs": group.logs,
        "finished": group.finished,
        "abandoned": group.ends["abandoned"],
        "going_on": group.ends["going on"],
        "draws": group.draws,
        "lost_by_all": group.lost,
        "shared": group.shared,
        "events": _spread(group.lengths),
        "by_seat": [_seat(group, seat) for seat in range(group.seats)],
        "rules": [
            {"rule": rule.number, "logs": group.matches_with[rule.number], "steps": group.steps[rule.number]}
            for rule in book
            if group.matches_with[rule.number]
        ],
    }


def _seat(group: Group, seat: int) -> dict[str, Any]:
    return {
        "seat": seat,
        "won": group.wins[seat],
        "alone": group.sole_wins[seat],
        "rate": _rounded(group.rate(seat)),
        "interval": [_rounded(end) for end in group.interval(seat)] if group.finished else None,
        "points": _spread(group.points[seat]),
        "seconds": _spread(group.moves[seat], 0.1),
    }


def _spread(counted: Counter[int], unit: float = 1) -> dict[str, Any] | None:
    """Return a spread; of whole numbers also how often each was counted."""
    spread = Spread.of(counted, unit)
    if spread is None:
        return None
    data = {name: _rounded(value) for name, value in attrs.asdict(spread).items()}
    return data if unit != 1 else {**data, "counts": [list(pair) for pair in sorted(counted.items())]}


def course_data(course: Course) -> dict[str, Any]:
    """Return the course of a match: at the start, then after each event."""
    return {
        "names": list(course.names),
        "scores": [list(each) for each in course.scores],
        "cards": list(course.cards),
        "seen": [list(each) for each in course.seen],
    }


def _rounded(number: float | None) -> float | None:
    return number if number is None else round(number, 4)
