"""The figures as charts: specifications in Vega-Lite, which are plain data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import count
from typing import Any

from attrs import frozen

from ...core.game import AnyGame
from ...core.match import registry
from ...core.text.texts import Texts
from .course import Course
from .figures import Group, Spread

Spec = dict[str, Any]
WIDTH, ROW = 270, 26
"""Pixels: the width of a chart, and the height of a seat's row."""
MAX_BINS = 24


@frozen
class ChartSection:
    """Charts under a common title."""

    title: str
    charts: tuple[Spec, ...]


def sections(groups: Sequence[Group], course: Course | None, texts: Texts) -> list[ChartSection]:
    """Return a section for every group; `course`: that of the only match, which is added to its section."""
    names = course.names if course is not None else None
    drawn = [_Group(group, texts, names).section() for group in groups]
    if course is not None:
        (only,) = drawn
        drawn = [ChartSection(only.title, (*_course(course, texts), *only.charts))]
    return drawn


class _Group:
    """The charts of one game with one number of seats."""

    def __init__(self, group: Group, texts: Texts, names: Sequence[str] | None) -> None:
        self.group, self.texts = group, texts
        self.game: AnyGame = registry.find(group.game)
        self.seats = [texts.seat(seat, names) for seat in range(group.seats)]
        self.matches = texts.format("stats-matches")

    def section(self) -> ChartSection:
        """Return the charts for which there are figures."""
        title = self.texts.format("stats-title", title=self.texts.title(self.game), seats=self.group.seats)
        ends = (self._wins, self._points, self._lengths) if self.group.logs > 1 else (self._result,)
        every: tuple[Callable[[], Spec | None], ...] = (
            *(ends if self.group.finished else ()),
            self._rules,
            self._moves,
        )
        drawn = (draw() for draw in every)
        return ChartSection(title, tuple(chart for chart in drawn if chart is not None))

    def _result(self) -> Spec:
        """Draw the points of the only match, each with its number."""
        texts = self.texts
        values = [
            {"seat": self.seats[seat], "points": min(each), "end": max(min(each), 0)}
            for seat, each in enumerate(self.group.points)
        ]
        points = {"field": "points", "type": "quantitative"}
        return {
            **_titled(texts.format("stats-chart-result"), texts.format("stats-chart-result-more")),
            "height": ROW * self.group.seats,
            "data": {"values": values},
            "encoding": {**self._by_seat(), "x": {**points, "title": texts.format("stats-points"), "axis": _WHOLE}},
            "layer": [
                {"mark": {"type": "bar", "opacity": 0.6}},
                {
                    "mark": {"type": "text", "align": "left", "dx": 5, "fontWeight": "bold"},
                    "encoding": {"x": {**points, "field": "end"}, "text": points},
                },
            ],
        }

    def _wins(self) -> Spec:
        """Draw how often each seat wins, with Wilson's interval and the average of all."""
        group, texts = self.group, self.texts
        rates = [group.rate(seat) or 0.0 for seat in range(group.seats)]
        values = [
            {"seat": name, "rate": rate, "low": low, "high": high, "won": group.wins[seat], "of": group.finished}
            for seat, (name, rate) in enumerate(zip(self.seats, rates, strict=True))
            for low, high in [group.interval(seat)]
        ]
        rate = {"type": "quantitative", "axis": {"format": "%"}, "title": None, "scale": {"domainMin": 0}}
        tips = [
            _tip("seat", texts.format("stats-seat"), "nominal"),
            _tip("won", texts.format("stats-won")),
            _tip("of", self.matches),
            *(_tip(field, texts.format(key), format=".1%") for field, key in _RATES),
        ]
        fair = {"data": {"values": [{"fair": sum(rates) / len(rates)}]}, "mark": {"type": "rule", "strokeDash": [4, 4]}}
        return {
            **_titled(texts.format("stats-chart-wins"), texts.format("stats-chart-wins-more", matches=group.finished)),
            "height": ROW * group.seats,
            "data": {"values": values},
            "layer": [
                {**fair, "encoding": {"x": {"field": "fair", "type": "quantitative"}}},
                {
                    "mark": {"type": "rule", "strokeWidth": 3, "opacity": 0.5},
                    "encoding": {"x": {**rate, "field": "low"}, "x2": {"field": "high"}, **self._by_seat()},
                },
                {
                    "mark": {"type": "point", "filled": True, "size": 90, "opacity": 1},
                    "encoding": {"x": {**rate, "field": "rate"}, **self._by_seat(), "tooltip": tips},
                },
            ],
        }

    def _points(self) -> Spec:
        """Draw how many matches ended with how many points, in a row for each seat."""
        counted, texts = self.group.points, self.texts
        step = _step([points for each in counted for points in each])
        values = [
            {"seat": self.seats[seat], **drawn} for seat, each in enumerate(counted) for drawn in _bins(each, step)
        ]
        return {
            **_titled(texts.format("stats-chart-points"), texts.format("stats-chart-points-more")),
            "height": 2 * ROW,
            "data": {"values": values},
            "mark": "bar",
            "encoding": {
                "row": {"field": "seat", "type": "nominal", "sort": self.seats, "title": None, "spacing": 16}
                | {"header": {"labelAngle": 0, "labelAlign": "left", "labelLimit": 110}},
                "color": self._by_seat()["color"],
                **self._counted(texts.format("stats-points"), 2),
            },
        }

    def _lengths(self) -> Spec | None:
        lengths, texts = self.group.lengths, self.texts
        if len(lengths) == 1:  # all matches have the same length
            return None
        return {
            **_titled(texts.format("stats-chart-lengths"), texts.format("stats-chart-lengths-more")),
            "height": 5 * ROW,
            "data": {"values": _bins(lengths, _step(lengths))},
            "mark": "bar",
            "encoding": self._counted(texts.format("stats-events"), 5),
        }

    def _counted(self, what: str, ticks: int) -> Spec:
        """Return the encoding of a histogram over matches."""
        return {
            "x": {
                "field": "from",
                "type": "quantitative",
                "title": what,
                "scale": {"zero": False, "nice": False},
                "axis": _WHOLE,
            },
            "x2": {"field": "to"},
            "y": {"field": "matches", "type": "quantitative", "title": None, "axis": {**_WHOLE, "tickCount": ticks}},
            "y2": {"datum": 0},
            "tooltip": [_tip("bin", what, "nominal"), _tip("matches", self.matches)],
        }

    def _rules(self) -> Spec | None:
        """Draw in how many steps of a match each rule decided."""
        group, texts = self.group, self.texts
        values = [
            {
                "rule": rule.number,
                "each": group.steps[rule.number] / group.logs,
                "matches": group.matches_with[rule.number],
            }
            | {"text": texts.rule(rule, self.game)}
            for rule in self.game.book
            if group.matches_with[rule.number]
        ]
        if not values:
            return None
        return {
            **_titled(texts.format("stats-chart-rules"), texts.format("stats-chart-rules-more")),
            "height": {"step": 16},
            "data": {"values": values},
            "mark": {"type": "bar", "tooltip": True},
            "encoding": {
                "y": {"field": "rule", "type": "nominal", "sort": None, "title": None},
                "x": {"field": "each", "type": "quantitative", "title": None},
                "tooltip": [
                    _tip("rule", texts.format("stats-rule"), "nominal"),
                    _tip("text", texts.format("stats-says"), "nominal"),
                    _tip("each", texts.format("stats-each"), format=".2f"),
                    _tip("matches", self.matches),
                ],
            },
        }

    def _moves(self) -> Spec | None:
        """Draw how long the moves of each seat took: half of them within the bar."""
        spreads = [Spread.of(durations, 0.1) for durations in self.group.moves]
        values = [
            {"seat": self.seats[seat], "lower": spread.lower, "median": spread.median, "upper": spread.upper}
            | {"moves": spread.count, "most": spread.most}
            for seat, spread in enumerate(spreads)
            if spread is not None
        ]
        if not values:
            return None
        seconds = {"type": "quantitative", "title": None, "scale": {"zero": True}}
        texts = self.texts
        tips = [
            _tip("seat", texts.format("stats-seat"), "nominal"),
            *(
                _tip(field, texts.format(f"stats-{field}"), format=".1f")
                for field in ("lower", "median", "upper", "most")
            ),
        ]
        return {
            **_titled(texts.format("stats-chart-moves"), texts.format("stats-chart-moves-more")),
            "height": ROW * len(values),
            "data": {"values": values},
            "encoding": {**self._by_seat(), "tooltip": tips},
            "layer": [
                {
                    "mark": {"type": "bar", "height": 12, "opacity": 0.5},
                    "encoding": {"x": {**seconds, "field": "lower"}, "x2": {"field": "upper"}},
                },
                {
                    "mark": {"type": "tick", "thickness": 3, "height": 18},
                    "encoding": {"x": {**seconds, "field": "median"}},
                },
            ],
        }

    def _by_seat(self) -> Spec:
        return {
            "y": {"field": "seat", "type": "nominal", "sort": self.seats, "title": None},
            "color": {"field": "seat", "type": "nominal", "sort": self.seats, "legend": None},
        }


_WHOLE = {"tickMinStep": 1, "labelExpr": "datum.value % 1 ? '' : format(datum.value, 'd')"}
"""An axis of whole numbers."""
_RATES = (("rate", "stats-rate"), ("low", "stats-low"), ("high", "stats-high"))


def _step(numbers: Iterable[int]) -> int:
    """Return the least of 1, 2, 5, 10, 20 … for which the numbers need at most `MAX_BINS` bars."""
    some = sorted(numbers)
    steps = (step * int("1" + "0" * power) for power in count() for step in (1, 2, 5))
    return next(step for step in steps if (some[-1] // step) - (some[0] // step) < MAX_BINS)


def _bins(counted: Counter[int], step: int) -> list[Spec]:
    """Return the bars of a histogram with `step` numbers each; a number is in the middle of its bar."""
    bars: Counter[int] = Counter()
    for number, times in counted.items():
        bars[number // step * step] += times
    return [
        {"from": low - 0.5, "to": low + step - 0.5, "bin": _between(low, low + step - 1), "matches": times}
        for low, times in sorted(bars.items())
    ]


def _between(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} – {high}"


def _course(course: Course, texts: Texts) -> tuple[Spec, ...]:
    """Draw one match: the score of each seat, and the share of the cards that each viewer could see."""
    names = [texts.seat(seat, course.names) for seat in range(len(course.names))]
    viewers = [*names, texts.seat(None)]
    shares = [
        tuple(count / cards if cards else 0 for count in counts)
        for counts, cards in zip(course.seen, course.cards, strict=True)
    ]
    seen = _over_time("seen", _lines(shares, viewers), viewers, texts, "%")
    if len(set(course.scores[:-1])) < 2:  # all points came at the end
        return (seen,)
    return _over_time("score", _lines(course.scores, names), names, texts), seen


def _lines(every: Sequence[Sequence[float | None]], names: Sequence[str]) -> list[Spec]:
    """Return the points of a line for each name: where it changes, and its ends."""
    points = []
    for place, name in enumerate(names):
        line = [each[place] for each in every]
        for step, value in enumerate(line):
            if value is not None and (step in (0, len(line) - 1) or value != line[step - 1]):
                points.append({"seat": name, "step": step - 1, "value": value})
    return points


def _over_time(what: str, points: list[Spec], names: list[str], texts: Texts, shape: str = "") -> Spec:
    title = texts.format(f"stats-chart-{what}")
    color = {"field": "seat", "type": "nominal", "sort": names, "scale": {"domain": names}, "title": None}
    return {
        **_titled(title, texts.format(f"stats-chart-{what}-more")),
        "height": 6 * ROW,
        "data": {"values": points},
        "mark": {"type": "line", "interpolate": "step-after", "strokeWidth": 2},
        "encoding": {
            "x": {
                "field": "step",
                "type": "quantitative",
                "title": texts.format("stats-step"),
                "scale": {"nice": False},
                "axis": _WHOLE,
            },
            "y": {
                "field": "value",
                "type": "quantitative",
                "title": None,
                "axis": {"format": shape} if shape else _WHOLE,
            },
            "color": {**color, "legend": {"orient": "bottom", "columns": 4, "labelLimit": 90}},
            "tooltip": [
                _tip("seat", texts.format("stats-seat"), "nominal"),
                _tip("step", texts.format("stats-step")),
                _tip("value", title, format=shape),
            ],
        },
    }


def _titled(title: str, more: str) -> Spec:
    return {"title": {"text": title, "subtitle": more}, "description": f"{title}: {more}", "width": WIDTH}


def _tip(field: str, title: str, kind: str = "quantitative", **more: Any) -> Spec:
    return {"field": field, "type": kind, "title": title, **{name: value for name, value in more.items() if value}}
