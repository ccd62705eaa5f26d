"""The figures of one log, and the sums over many logs, which do not depend on their order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import inf
from statistics import NormalDist, fmean, quantiles
from typing import Any

from attrs import Factory, asdict, frozen, mutable

from ...core.game import FORMAT_COMMANDS, TABLE, Result
from ...core.match import AnyMatch, registry
from ..logs.locations import Location, SentFile, SkippedLog, match_of

OVER = "over"
CONFIDENCE = 0.95
_Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
_T = (inf, 12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281)
"""Student's t for so few degrees of freedom (the index) that its series is not exact enough."""


@frozen(slots=False)  # which is pickled in half the time
class Figures:
    """The figures of one log, small enough to be sent between processes."""

    game: str
    seats: int
    events: int
    end: str
    """`over`, `abandoned` or `going on`."""
    result: Result | None = None
    rules: tuple[tuple[str, int], ...] = ()
    """By rule number, the number of steps with a note of the rule."""


def figures(where: Location | SentFile) -> Figures | SkippedLog:
    """Return the figures of one log, or the reason why it is left out: it has a finding or cannot be read."""
    match = match_of(where)
    return match if isinstance(match, SkippedLog) else of_match(match)


def of_match(match: AnyMatch) -> Figures:
    """Return the figures of a match."""
    header, end = match.header, match.end or "going on"
    rules = tuple(sorted(_rules(match).items()))
    return Figures(match.game.name, len(header.seats), len(match.events), end, match.result, rules)


def _rules(match: AnyMatch) -> dict[str, int]:
    """Count for each rule the steps with a note of it; a third of the time of a log, so as few calls as can be."""
    explain, steps, last = match.game.explain, dict[str, int](), dict[str, int]()
    for seq, step in enumerate(match.steps):
        if step.event.command.__class__ in FORMAT_COMMANDS:  # their notes have no rules
            continue
        for note in explain(step, TABLE):
            rule = note.rule
            if rule is not None and last.get(number := rule.number) != seq:
                last[number] = seq
                steps[number] = steps.get(number, 0) + 1
    return steps


@frozen
class Spread:
    """The distribution of some numbers: minimum, quartiles, maximum and mean."""

    count: int
    least: float
    lower: float
    median: float
    upper: float
    most: float
    mean: float

    @classmethod
    def of(cls, counted: Counter[int]) -> Spread | None:
        """Return the spread of counted numbers; None if there are none."""
        numbers = sorted(counted.elements())
        if not numbers:
            return None
        lower, median, upper = quantiles(numbers, n=4, method="inclusive") if len(numbers) > 1 else numbers * 3
        return cls(len(numbers), numbers[0], lower, median, upper, numbers[-1], fmean(numbers))


def wilson(hits: float, of: float, quantile: float = _Z) -> tuple[float, float]:
    """Return Wilson's 95 % confidence interval for a rate, after `hits` of `of`.

    `quantile` is that of the normal distribution; another widens the interval, as of Student's t for few observations.
    """
    if not of:
        return 0.0, 1.0
    rate, spread = hits / of, quantile * quantile / of
    middle = (rate + spread / 2) / (1 + spread)
    margin = (spread * (rate * (1 - rate) + spread / 4)) ** 0.5 / (1 + spread)
    return max(0.0, min(rate, middle - margin)), min(1.0, max(rate, middle + margin))


def student(free: int) -> float:
    """Return the 95 % quantile (two-sided) of Student's t with `free` degrees of freedom."""
    if free < len(_T):
        return _T[free]
    terms = (  # Abramowitz and Stegun 26.7.5
        _Z,
        (_Z**3 + _Z) / 4,
        (5 * _Z**5 + 16 * _Z**3 + 3 * _Z) / 96,
        (3 * _Z**7 + 19 * _Z**5 + 17 * _Z**3 - 15 * _Z) / 384,
    )
    return sum(term / float(free) ** power for power, term in enumerate(terms))


@mutable
class Group:
    """The sums over the logs of one game with one number of seats."""

    game: str
    seats: int
    ends: Counter[str] = Factory(Counter)
    lengths: Counter[int] = Factory(Counter)
    """Events of the finished matches."""
    draws: int = 0
    """The number of finished matches in which all were level."""
    lost: int = 0
    """The number of finished matches that all have lost."""
    shared: int = 0
    """The number of finished matches whose victory several seats share."""
    wins: Counter[int] = Factory(Counter)
    """The number of finished matches that each seat won, alone or with others."""
    sole_wins: Counter[int] = Factory(Counter)
    team_wins: Counter[int] = Factory(Counter)
    """The number of finished matches that each team won; a team that has won none is counted, too."""
    points: list[Counter[int]] = Factory(lambda self: [Counter() for _ in range(self.seats)], takes_self=True)
    steps: Counter[str] = Factory(Counter)
    """By rule number, the number of steps with a note of the rule."""
    matches_with: Counter[str] = Factory(Counter)
    """By rule number, the number of matches with a note of the rule."""

    def add(self, log: Figures) -> None:
        """Add the figures of one log: counts one by one, since `Counter.update` takes four times as long for so few."""
        self.ends[log.end] += 1
        for number, steps in log.rules:
            self.steps[number] += steps
            self.matches_with[number] += 1
        if log.end != OVER or log.result is None:
            return
        result, winners = log.result, () if log.result.is_draw else log.result.winners
        self.lengths[log.events] += 1
        self.draws += result.is_draw
        self.lost += not result.winners
        self.shared += len(winners) > 1
        for seat in winners:
            self.wins[seat] += 1
            self.sole_wins[seat] += len(winners) == 1
        for team in set(result.teams):
            self.team_wins[team] += any(result.teams[seat] == team for seat in winners)
        for points, score in zip(self.points, result.points, strict=True):
            points[score] += 1

    @property
    def logs(self) -> int:
        """The number of logs."""
        return self.ends.total()

    @property
    def finished(self) -> int:
        """The number of finished matches."""
        return self.ends[OVER]

    def rate(self, seat: int) -> float | None:
        """Return the share of the finished matches that a seat won; None without any."""
        return self.wins[seat] / self.finished if self.finished else None

    def interval(self, seat: int) -> tuple[float, float]:
        """Return Wilson's interval for `rate`."""
        return wilson(self.wins[seat], self.finished)


def grouped(some: Iterable[Figures]) -> list[Group]:
    """Return the sums over logs, by game and number of seats."""
    groups: dict[tuple[str, int], Group] = {}
    for log in some:
        key = (log.game, log.seats)
        if key not in groups:
            groups[key] = Group(*key)
        groups[key].add(log)
    return [groups[key] for key in sorted(groups)]


def group_data(group: Group) -> dict[str, Any]:
    """Return the sums of one game with one number of seats as plain data, as `replay stats --json` prints it."""
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
        "by_team": [{"team": team, "won": won} for team, won in sorted(group.team_wins.items())],
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
    }


def _spread(counted: Counter[int]) -> dict[str, Any] | None:
    """Return a spread, and how often each number was counted."""
    spread = Spread.of(counted)
    if spread is None:
        return None
    data = {name: _rounded(value) for name, value in asdict(spread).items()}
    return {**data, "counts": [list(pair) for pair in sorted(counted.items())]}


def _rounded(number: float | None) -> float | None:
    return number if number is None else round(number, 4)
