"""The results of matches between bots: how often each bot and each seat won, with confidence intervals over deals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import sqrt
from statistics import fmean
from typing import Any

from attrs import Factory, mutable

from ...core.match import plain_result
from ...core.text.sanitize import width
from ...core.text.texts import Texts
from ..logs.locations import Location
from ..stats.figures import student, wilson
from .tournament import PlayedMatch


@mutable
class WinRecord:
    """The results of one bot or one seat, match by match."""

    deals: list[str] = Factory(list)
    """The deal of each match."""
    won: list[float] = Factory(list)
    """Its share of each victory: 1 alone, 0.5 if shared with one other seat, 0 if all have lost."""
    fair: list[float] = Factory(list)
    """Its share of the seats: the expected share of victories if all play equally well."""
    points: list[float] = Factory(list)
    """The mean over its seats in the match, so that partners count as one observation."""

    @property
    def rate(self) -> float:
        """The mean share of the victories."""
        return fmean(self.won)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval for the rate, over deals: Wilson's, of as many matches as the deals are worth.

        A deal that is played several times counts as what it tells: never as less than one match, nor as more than
        its own. Shared victories can only make the interval wider than necessary.
        """
        matches, of = len(self.won), len(set(self.deals))
        if of == matches:
            return wilson(sum(self.won), matches)
        off, alone = self._error(self.won), self.rate * (1 - self.rate)
        worth = min(max(alone / off**2, of), matches) if off else matches if alone else of
        return wilson(self.rate * worth, worth, student(of - 1) if of > 1 else student(1))

    @property
    def margin(self) -> float | None:
        """Half the width of the 95 % interval for the mean of the points, over deals; None after a single one."""
        of = len(set(self.deals))
        return student(of - 1) * self._error(self.points) if of > 1 else None

    def _error(self, values: list[float]) -> float:
        """Return the standard error of the mean of what matches gave; those of a deal are one observation."""
        mean, sums = fmean(values), dict.fromkeys(self.deals, 0.0)
        for deal, value in zip(self.deals, values, strict=True):
            sums[deal] += value - mean
        of = len(sums)
        return sqrt(sum(each * each for each in sums.values()) * of / max(1, of - 1)) / len(values)

    def data(self) -> dict[str, Any]:
        """Return the record as plain data."""
        return {
            "matches": len(self.won),
            "deals": len(set(self.deals)),
            "won": round(self.rate, 4),
            "interval": [round(end, 4) for end in self.interval],
            "fair": round(fmean(self.fair), 4),
            "points": round(fmean(self.points), 3),
            "points_off": None if self.margin is None else round(self.margin, 3),
        }


class BotRecords:
    """The results of a run, by bot and by seat; a match without a result is not counted."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self._matches = self._finished = self._events = 0
        self._bots: dict[str, WinRecord] = {}
        self._seats: dict[int, WinRecord] = {}
        self._stand_in_moves: Counter[str] = Counter()
        self._texts_of: dict[str, Counter[str]] = {}

    def add(self, played: PlayedMatch) -> None:
        """Add one match."""
        self._matches += 1
        self._events += played.events
        for bot, times in zip(played.bots, played.stand_in_moves, strict=True):
            self._stand_in_moves[bot] += times
        for bot, counts in zip(played.bots, played.texts, strict=False):
            if counts is not None:
                self._texts_of.setdefault(bot, Counter()).update(counts)
        if played.result is None:
            return
        self._finished += 1
        winners, points = played.result.winners, played.result.points
        for bot in dict.fromkeys(played.bots):
            seats = [seat for seat, name in enumerate(played.bots) if name == bot]
            record = self._bots.setdefault(bot, WinRecord())
            record.deals.append(played.deal)
            record.won.append(sum(seat in winners for seat in seats) / max(1, len(winners)))
            record.fair.append(len(seats) / len(points))
            record.points.append(fmean(points[seat] for seat in seats))
        for seat, scored in enumerate(points):
            record = self._seats.setdefault(seat, WinRecord())
            record.deals.append(played.deal)
            record.won.append((seat in winners) / max(1, len(winners)))
            record.fair.append(1 / len(points))
            record.points.append(scored)

    def lines(self, title: str, folder: Location) -> Iterator[str]:
        """Yield the report: a line for the run, one for each bot and each seat, and one for each bot that failed."""
        text = self._texts.format
        yield text("simulated", games=self._matches, title=title, events=self._events, folder=str(folder))
        if self._finished < self._matches:
            yield text("tournament-unfinished", games=self._matches - self._finished)
        bots = sorted(self._bots.items(), key=lambda each: -each[1].rate)
        records = {
            **dict(bots),
            **{text("tournament-seat", seat=seat): each for seat, each in sorted(self._seats.items())},
        }
        widest = max([0, *map(width, records)])
        for name, record in records.items():
            yield f"  {name}{' ' * (widest - width(name))}  {self._line(record)}"
        for bot, times in sorted(self._stand_in_moves.items()):
            if times:
                yield text("tournament-stood-in", bot=bot, times=times)
        for bot, counts in sorted(self._texts_of.items()):
            yield text("tournament-texts", bot=bot, **counts)

    def _line(self, record: WinRecord) -> str:
        low, high = record.interval
        return self._texts.format(
            "tournament-line",
            rate=_percent(record.rate),
            low=_percent(low),
            high=_percent(high),
            fair=_percent(fmean(record.fair)),
            points=f"{fmean(record.points):.2f}",
            margin="?" if record.margin is None else f"{record.margin:.2f}",
        )

    def data(self) -> dict[str, Any]:
        """Return the records as plain data."""
        return {
            "matches": self._matches,
            "finished": self._finished,
            "events": self._events,
            "bots": {bot: record.data() for bot, record in sorted(self._bots.items())},
            "seats": [record.data() for _, record in sorted(self._seats.items())],
            "stood_in": {bot: times for bot, times in sorted(self._stand_in_moves.items()) if times},
            **({"texts": {bot: dict(each) for bot, each in sorted(self._texts_of.items())}} if self._texts_of else {}),
        }


def _percent(part: float) -> str:
    return f"{100 * part:.1f}"


def match_data(played: PlayedMatch) -> dict[str, Any]:
    """Return one match as plain data."""
    return {
        "log": played.log,
        "match": played.match,
        "bots": list(played.bots),
        "events": played.events,
        "finished": played.result is not None,
        **plain_result(played.result),
        "stood_in": list(played.stand_in_moves),
    }
