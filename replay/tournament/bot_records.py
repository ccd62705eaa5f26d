"""What came of the matches between bots: how often each bot and each seat won, with what may be chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from statistics import fmean, stdev
from typing import Any

from attrs import Factory, mutable

from ...core.text.sanitize import width
from ...core.text.texts import Texts
from ..logs.locations import Location
from ..stats.figures import student, wilson
from .tournament import PlayedMatch


@mutable
class WinRecord:
    """The results of one bot or one seat, match by match."""

    won: list[float] = Factory(list)
    """Its part of each victory: 1 alone, a half if it was shared with one other."""
    fair: list[float] = Factory(list)
    """The part of the seats that it had: what it would win if all played alike."""
    points: list[float] = Factory(list)
    """The mean over its seats of the match: what one match gives, however many of its seats are partners."""

    @property
    def rate(self) -> float:
        return fmean(self.won)

    @property
    def interval(self) -> tuple[float, float]:
        """Give Wilson's interval for the rate; victories that are shared can only make it wider than need be."""
        return wilson(sum(self.won), len(self.won))

    @property
    def reach(self) -> float | None:
        """Give how far the mean of the points may be off, 95 times of 100; of one match nobody knows."""
        count = len(self.points)
        return student(count - 1) * stdev(self.points) / count**0.5 if count > 1 else None

    def data(self) -> dict[str, Any]:
        return {
            "matches": len(self.won),
            "won": round(self.rate, 4),
            "interval": [round(end, 4) for end in self.interval],
            "fair": round(fmean(self.fair), 4),
            "points": round(fmean(self.points), 3),
            "points_off": None if self.reach is None else round(self.reach, 3),
        }


class BotRecords:
    """The results of a run by bot and by seat. A match without a result counts for nobody."""

    def __init__(self, texts: Texts) -> None:
        self._words = texts
        self._matches = self._finished = self._events = 0
        self._bots: dict[str, WinRecord] = {}
        self._seats: dict[int, WinRecord] = {}
        self._stood_in: Counter[str] = Counter()

    def add(self, played: PlayedMatch) -> None:
        self._matches += 1
        self._events += played.events
        for bot, times in zip(played.bots, played.stand_in_moves, strict=True):
            self._stood_in[bot] += times
        if played.result is None:
            return
        self._finished += 1
        winners, points = played.result.winners, played.result.points
        for bot in dict.fromkeys(played.bots):
            seats = [seat for seat, name in enumerate(played.bots) if name == bot]
            standing = self._bots.setdefault(bot, WinRecord())
            standing.won.append(sum(seat in winners for seat in seats) / len(winners))
            standing.fair.append(len(seats) / len(points))
            standing.points.append(fmean(points[seat] for seat in seats))
        for seat, scored in enumerate(points):
            standing = self._seats.setdefault(seat, WinRecord())
            standing.won.append((seat in winners) / len(winners))
            standing.fair.append(1 / len(points))
            standing.points.append(scored)

    def lines(self, title: str, folder: Location) -> Iterator[str]:
        say = self._words.format
        yield say("simulated", games=self._matches, title=title, events=self._events, folder=str(folder))
        if self._finished < self._matches:
            yield say("tournament-unfinished", games=self._matches - self._finished)
        bots = sorted(self._bots.items(), key=lambda each: -each[1].rate)
        named = {
            **dict(bots),
            **{say("tournament-seat", seat=seat): each for seat, each in sorted(self._seats.items())},
        }
        widest = max([0, *map(width, named)])
        for name, standing in named.items():
            yield f"  {name}{' ' * (widest - width(name))}  {self._line(standing)}"
        for bot, times in sorted(self._stood_in.items()):
            if times:
                yield say("tournament-stood-in", bot=bot, times=times)

    def _line(self, standing: WinRecord) -> str:
        low, high = standing.interval
        return self._words.format(
            "tournament-line",
            rate=_percent(standing.rate),
            low=_percent(low),
            high=_percent(high),
            fair=_percent(fmean(standing.fair)),
            points=f"{fmean(standing.points):.2f}",
            reach="?" if standing.reach is None else f"{standing.reach:.2f}",
        )

    def data(self) -> dict[str, Any]:
        return {
            "matches": self._matches,
            "finished": self._finished,
            "events": self._events,
            "bots": {bot: standing.data() for bot, standing in sorted(self._bots.items())},
            "seats": [standing.data() for _, standing in sorted(self._seats.items())],
            "stood_in": {bot: times for bot, times in sorted(self._stood_in.items()) if times},
        }


def _percent(part: float) -> str:
    return f"{100 * part:.1f}"


def match_data(played: PlayedMatch) -> dict[str, Any]:
    """Give one match as plain data."""
    result = played.result
    return {
        "log": played.log,
        "match": played.match,
        "bots": list(played.bots),
        "events": played.events,
        "finished": result is not None,
        "points": list(result.points) if result is not None else None,
        "winners": list(result.winners) if result is not None else None,
        "stood_in": list(played.stand_in_moves),
    }
