"""Ratings of players by openskill (Plackett-Luce), match by match: the same logs give the same ratings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from ...core.env.reward import rewards
from ...core.errors import MissingExtra
from ...core.game import TABLE, Result
from ...core.match import AnyMatch
from ...core.match.bot import STAND_IN
from ...core.text.sanitize import sanitize, width
from ...core.text.texts import Texts

SIGMAS = 3
"""The ordinal of a rating is its mean minus this many sigmas: a rating that the player almost surely has."""


class Ratings:
    """The rating of each player after the matches that were added."""

    def __init__(self) -> None:
        try:
            from openskill.models import PlackettLuce
        except ImportError as cause:
            raise MissingExtra("a rating", "rating") from cause
        self._model: Any = PlackettLuce()
        self._ratings: dict[str, Any] = {}
        self._matches: Counter[str] = Counter()

    def add(self, bots: tuple[str, ...], result: Result | None) -> bool:
        """Rate one match; returns False if it has no result, or fewer than two bots.

        A bot with several seats, as partners are, is one team: its place is the mean over its seats.
        """
        names = list(dict.fromkeys(bots))
        if result is None or len(names) < 2:
            return False
        placing = rewards(result, "placing")
        places = [[placing[seat] for seat, bot in enumerate(bots) if bot == name] for name in names]
        teams = [[self._rating(name)] for name in names]
        rated = self._model.rate(teams, scores=[sum(each) / len(each) for each in places])
        for name, (rating,) in zip(names, rated, strict=True):
            self._ratings[name] = rating
            self._matches[name] += 1
        return True

    def _rating(self, name: str) -> Any:
        return self._ratings[name] if name in self._ratings else self._model.rating()

    def data(self) -> dict[str, Any]:
        """Return by name, the best first, `{"mu", "sigma", "ordinal", "matches"}`."""
        ordered = sorted(self._ratings, key=lambda name: (-self._ordinal(name), name))
        return {
            name: {
                "mu": round(float(self._ratings[name].mu), 4),
                "sigma": round(float(self._ratings[name].sigma), 4),
                "ordinal": round(self._ordinal(name), 4),
                "matches": self._matches[name],
            }
            for name in ordered
        }

    def lines(self, texts: Texts) -> Iterator[str]:
        """Yield the ratings, a line for each player."""
        data = self.data()
        shown = {name: sanitize(name, 60) for name in data}
        widest = max(map(width, shown.values()), default=0)
        for name, each in data.items():
            text = texts.format(
                "rating-line",
                ordinal=f"{each['ordinal']:.2f}",
                mu=f"{each['mu']:.2f}",
                sigma=f"{each['sigma']:.2f}",
                matches=each["matches"],
            )
            yield f"  {shown[name]}{' ' * (widest - width(shown[name]))}  {text}"

    def _ordinal(self, name: str) -> float:
        rating = self._ratings[name]
        return float(rating.mu - SIGMAS * rating.sigma)


def bots_of(match: AnyMatch) -> tuple[str, ...] | None:
    """Return the name of each seat's player, by `meta.by`; None if a seat has none."""
    seats: list[Counter[str]] = [Counter() for _ in match.header.seats]
    for event in match.events:
        if event.seat != TABLE and event.meta is not None and event.meta.by is not None:
            seats[event.seat][_actor(event.meta.by)] += 1
    if not all(seats):
        return None
    return tuple(max(sorted(each), key=each.__getitem__) for each in seats)


def _actor(by: str) -> str:
    """Return the name of the bot for whom a stand-in acted, or the actor itself."""
    head = f"{STAND_IN} for "
    return by.removeprefix(head).rpartition(": ")[0] or by.removeprefix(head) if by.startswith(head) else by
