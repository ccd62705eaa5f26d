"""Ratings of players: one Bradley-Terry fit over all matches (choix), with intervals by bootstrap over deals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from math import log
from typing import Any

from ...core.env.reward import rewards
from ...core.errors import needs_extra
from ...core.game import TABLE, Result
from ...core.match import AnyMatch
from ...core.match.bot import STAND_IN
from ...core.match.header import Header
from ...core.text.names import name_key
from ...core.text.sanitize import sanitize, width
from ...core.text.texts import Texts

ELO = 400 / log(10)
"""Points of a rating for a factor e in the odds: 400 points are odds of 10 to 1."""

RESAMPLES = 1000
"""How often the deals are drawn again for the intervals."""

_PRIOR = 0.5
"""What each of two players that have met is given against the other: one match in which they are level."""


class Ratings:
    """Ratings of players from any number of matches, in whatever order they are added.

    Of two players in a match, the one with the better place is ahead; a pair that is level, as partners are, says
    nothing. One maximum-likelihood fit over all pairs gives the ratings. All matches of a deal are one observation.
    """

    def __init__(self) -> None:
        with needs_extra("a rating", "stats"):
            import choix
            import numpy as np
        self._choix: Any = choix
        self._np: Any = np
        self._deals: dict[str, Counter[tuple[str, str]]] = {}
        self._met: set[tuple[str, str]] = set()
        self._matches: Counter[str] = Counter()
        self._deals_of: dict[str, set[str]] = {}

    def add(self, bots: tuple[str, ...], result: Result | None, deal: str) -> bool:
        """Count one match; returns False if it has no result, fewer than two bots, or was played together.

        A bot with several seats counts once: its place is the mean over its seats. Matches with the same `deal` are
        one observation (`deal_of`).
        """
        names = sorted(set(bots))
        if result is None or len(names) < 2 or result.is_together:
            return False
        placing = rewards(result, "placing")
        seats = {name: [placing[seat] for seat, bot in enumerate(bots) if bot == name] for name in names}
        places = {name: sum(each) / len(each) for name, each in seats.items()}
        ahead = self._deals.setdefault(deal, Counter())
        for name, other in permutations(names, 2):
            self._met.add((name, other))
            ahead[name, other] += places[name] > places[other]
        for name in names:
            self._matches[name] += 1
            self._deals_of.setdefault(name, set()).add(deal)
        return True

    def data(self) -> dict[str, Any]:
        """Return by name, the best first, `{"mu", "sigma", "interval", "matches", "deals", "group"}`.

        Ratings are in Elo points. The mean of a group is 0: of players that have met, each other or common opponents;
        between groups there is nothing to compare. `sigma` and the 95 % `interval` are None where a group has one deal.
        """
        rated: dict[str, Any] = {}
        for number, group in enumerate(self._groups()):
            rated |= {name: {**each, "group": number} for name, each in self._fitted(group).items()}
        return rated

    def _groups(self) -> list[list[str]]:
        """List the names that are connected by matches, the largest group first."""
        groups: list[set[str]] = []
        for pair in sorted(self._met):
            joined = [group for group in groups if group & set(pair)]
            groups = [group for group in groups if group not in joined] + [set(pair).union(*joined)]
        return sorted(map(sorted, groups), key=lambda group: (-len(group), group))

    def _fitted(self, names: list[str]) -> dict[str, dict[str, Any]]:
        np = self._np
        at = {name: index for index, name in enumerate(names)}
        met = [(at[name], at[other]) for name, other in sorted(self._met) if name in at]
        deals = sorted(set().union(*(self._deals_of[name] for name in names)))
        counts = np.zeros((len(deals), len(met)))
        for row, deal in enumerate(deals):
            counts[row] = [self._deals[deal][names[first], names[second]] for first, second in met]
        mu = self._fit(len(names), met, counts.sum(axis=0))
        sigma, ends = None, None
        if len(deals) > 1:
            draw = np.random.RandomState(0)  # its numbers are the same in every version of numpy
            fits = []
            for _ in range(RESAMPLES):
                times = np.bincount(draw.randint(0, len(deals), len(deals)), minlength=len(deals))
                fits.append(self._fit(len(names), met, times @ counts, mu))
            sigma, ends = np.std(fits, axis=0), np.percentile(fits, (2.5, 97.5), axis=0)
        return {
            name: {
                "mu": _rounded(mu[at[name]]),
                "sigma": None if sigma is None else _rounded(sigma[at[name]]),
                "interval": None if ends is None else [_rounded(end[at[name]]) for end in ends],
                "matches": self._matches[name],
                "deals": len(self._deals_of[name]),
            }
            for name in sorted(names, key=lambda name: (-_rounded(mu[at[name]]), name))
        }

    def _fit(self, size: int, met: list[tuple[int, int]], counts: Any, near: Any = None) -> Any:
        """Return the ratings of players, shape (size,), from how often the first of each pair was ahead."""
        wins = self._np.zeros((size, size))
        wins[tuple(zip(*met, strict=True))] = counts + _PRIOR
        begin = None if near is None else near / ELO
        fitted = self._choix.ilsr_pairwise_dense(wins, initial_params=begin, max_iter=10_000)
        return ELO * (fitted - fitted.mean())

    def lines(self, texts: Texts) -> Iterator[str]:
        """Yield the ratings, a line for each player."""
        data = self.data()
        shown = {name: sanitize(name, 60) for name in data}
        widest = max(map(width, shown.values()), default=0)
        group = 0
        for name, each in data.items():
            if each["group"] != group:
                group = each["group"]
                yield texts.format("rating-group")
            low, high = each["interval"] or ("?", "?")
            text = texts.format(
                "rating-line",
                mu=_rating_points(each["mu"]),
                low=_rating_points(low),
                high=_rating_points(high),
                matches=each["matches"],
                deals=each["deals"],
            )
            yield f"  {shown[name]}{' ' * (widest - width(shown[name]))}  {text}"


def _rounded(points: float) -> float:
    return round(float(points), 1) + 0.0


def _rating_points(points: float | str) -> str:
    """Format a rating with its sign, or what stands in its place."""
    return points if isinstance(points, str) else f"{points:+.0f}"


def deal_of(header: Header) -> str:
    """Return what matches of the same deal have in common: the game and the seed; without a seed, the match."""
    return f"{header.game} {header.match if header.seed is None else header.seed.hex()}"


def bots_of(match: AnyMatch) -> tuple[str, ...] | None:
    """Return the name of each seat's player, by `meta.by`; None if a seat has none."""
    seats: list[Counter[str]] = [Counter() for _ in match.header.seats]
    for event in match.events:
        if event.seat != TABLE and event.meta is not None and event.meta.by is not None:
            seats[event.seat][name_key(_actor(event.meta.by))] += 1
    if not all(seats):
        return None
    return tuple(max(sorted(each), key=each.__getitem__) for each in seats)


def _actor(by: str) -> str:
    """Return the name of the bot for whom a stand-in acted, or the actor itself."""
    head = f"{STAND_IN} for "
    return by.removeprefix(head).rpartition(": ")[0] or by.removeprefix(head) if by.startswith(head) else by
