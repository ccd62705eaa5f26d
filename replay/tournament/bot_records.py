"""The results of matches between bots: how often each won, with confidence intervals over deals, in one table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import sqrt
from statistics import fmean
from typing import Any

from attrs import Factory, mutable
from rich.text import Text

from ...core.text.sanitize import sanitize
from ...core.text.texts import Texts
from ..render.typeset import columns
from ..stats.figures import student, wilson
from .played import PlayedMatch


@mutable
class WinRecord:
    """The results of one bot, match by match."""

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
    """The results of a run by bot; a match without a result is not counted."""

    def __init__(self) -> None:
        self._matches = self._finished = self._events = 0
        self._bots: dict[str, WinRecord] = {}
        self._stand_in_moves: Counter[str] = Counter()
        self._texts_of: dict[str, Counter[str]] = {}

    def add(self, played: PlayedMatch) -> None:
        """Add one match."""
        self._matches += 1
        self._events += played.events
        stood_in = played.stand_in_moves if played.bots else ()  # else the commands are drawn
        for bot, times in zip(played.bots, stood_in, strict=True):
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

    def lines(self, texts: Texts, title: str, folder: str) -> Iterator[str | Text]:
        """Yield the report: a line for the run, and a table with a line for each bot, the best first."""
        yield texts.format("simulated", games=self._matches, title=title, events=self._events, folder=folder)
        if self._finished < self._matches:
            yield texts.format("tournament-unfinished", games=self._matches - self._finished)
        if self._stand_in_moves:  # else nobody played: the commands are drawn
            cells = ([head, *values] for head, values in self._columns(texts).items())
            yield from columns(list(zip(*cells, strict=True)), 2)

    def _columns(self, texts: Texts) -> dict[str, list[str]]:
        """Return the cells of the table by the heads of its columns; what nobody has, has no column."""
        names = sorted({**self._stand_in_moves}, key=lambda name: (-self._rate(name), name))
        records = [self._bots.get(name) for name in names]
        cells = {
            "bot": [sanitize(name, 60) for name in names],
            "matches": ["0" if each is None else str(len(each.won)) for each in records],
            "won": ["" if each is None else _share(each) for each in records],
            "fair": ["" if each is None else f"{_percent(fmean(each.fair))} %" for each in records],
            "points": ["" if each is None else _mean(each) for each in records],
        }
        if self._texts_of:
            cells["refused"] = [_count(self._texts_of.get(name), "refused") for name in names]
        if any(self._stand_in_moves.values()):
            cells["stood"] = [str(self._stand_in_moves[name]) for name in names]
        return {texts.format(f"results-{key}"): values for key, values in cells.items()}

    def _rate(self, name: str) -> float:
        return self._bots[name].rate if name in self._bots else 0.0

    def data(self) -> dict[str, Any]:
        """Return the records as plain data."""
        return {
            "matches": self._matches,
            "finished": self._finished,
            "events": self._events,
            "bots": {bot: record.data() for bot, record in sorted(self._bots.items())},
            "stood_in": {bot: times for bot, times in sorted(self._stand_in_moves.items()) if times},
            **({"texts": {bot: dict(each) for bot, each in sorted(self._texts_of.items())}} if self._texts_of else {}),
        }


def _percent(part: float) -> str:
    return f"{100 * part:.1f}"


def _share(record: WinRecord) -> str:
    low, high = record.interval
    return f"{_percent(record.rate)} % ({_percent(low)} – {_percent(high)})"


def _mean(record: WinRecord) -> str:
    margin = "?" if record.margin is None else f"{record.margin:.2f}"
    return f"{fmean(record.points):.2f} ± {margin}"


def _count(counts: Counter[str] | None, name: str) -> str:
    return "" if counts is None else str(counts[name])
