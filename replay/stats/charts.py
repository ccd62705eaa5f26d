"""The figures as charts of altair, on a page that opens offline."""

from __future__ import annotations

from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from html import escape
from importlib.resources import files
from itertools import count
from pathlib import Path
from string import Template
from typing import Any

from ...core.errors import needs_extra
from ...core.game import AnyGame
from ...core.match import registry
from ...core.page.document import script_json
from ...core.text.texts import Texts
from ..call_errors import CallError, UserMessage
from ..render.output import STDOUT, check_overwritable
from .figures import Group
from .tables import report

with needs_extra(UserMessage("drawing-charts", "drawing charts"), "stats"):
    import altair as alt
    import vl_convert

Chart = alt.Chart | alt.LayerChart | alt.FacetChart
Row = dict[str, Any]
"""The data of a bar or a point, by field."""

WIDTH, ROW = 270, 26
"""Pixels: the width of a chart, and the height of a seat's row."""
MAX_BINS = 24
VERSION = ".".join(alt.SCHEMA_VERSION.removeprefix("v").split(".")[:2])
"""The version of Vega-Lite that altair writes, as vl-convert calls it."""
TABLE_WIDTH = 100

LIGHT = ["#2156a6", "#b3352a", "#1f6d35", "#a04f05", "#76399c", "#0c6b77", "#8a3a63", "#5d5a1c"]
DARK = ["#8fb8f5", "#ff9a8a", "#7fd197", "#ffb679", "#cf9cf0", "#6fcfdc", "#f29ac4", "#cfca78"]
"""The seats' colours, those of a match's page."""
FONT = 'system-ui, "Segoe UI", "Hiragino Sans", "Yu Gothic UI", "Noto Sans CJK JP", "Noto Sans JP", sans-serif'
OURS = b"kifu stats"
"""Every file of charts has this near its beginning; no other file is overwritten."""
SIGNATURE_WITHIN = 1000
"""Bytes."""


Section = tuple[str, tuple[Chart, ...]]
"""Charts under a common title."""


def sections(groups: Sequence[Group], texts: Texts) -> list[Section]:
    """Return a section for every group."""
    return [_Group(group, texts).section() for group in groups]


class _Group:
    """The charts of one game with one number of seats."""

    def __init__(self, group: Group, texts: Texts) -> None:
        self.group, self.texts = group, texts
        self.game: AnyGame = registry.find(group.game)
        self.seats = [texts.seat(seat) for seat in range(group.seats)]
        self.matches = texts.format("stats-matches")
        self.by_seat = alt.Y("seat:N", sort=self.seats, title=None)
        self.color = alt.Color("seat:N", sort=self.seats, legend=None)
        self.seat_tip = alt.Tooltip("seat:N", title=texts.format("stats-seat"))

    def section(self) -> Section:
        """Return the charts for which there are figures."""
        title = self.texts.format("stats-title", title=self.texts.title(self.game), seats=self.group.seats)
        ends: tuple[Callable[[], Chart | None], ...] = (self._wins, self._points, self._lengths)
        drawn = (draw() for draw in (*(ends if self.group.finished else ()), self._rules))
        return title, tuple(chart for chart in drawn if chart is not None)

    def _wins(self) -> Chart:
        """Draw how often each seat wins, with Wilson's interval and the average of all."""
        group, texts = self.group, self.texts
        rates = [group.rate(seat) or 0.0 for seat in range(group.seats)]
        values = [
            {"seat": name, "rate": rate, "low": low, "high": high, "won": group.wins[seat], "of": group.finished}
            for seat, (name, rate) in enumerate(zip(self.seats, rates, strict=True))
            for low, high in [group.interval(seat)]
        ]
        axis, scale = alt.Axis(format="%"), alt.Scale(domainMin=0)
        tips = [
            self.seat_tip,
            alt.Tooltip("won:Q", title=texts.format("stats-won")),
            alt.Tooltip("of:Q", title=self.matches),
            *(
                alt.Tooltip(f"{name}:Q", title=texts.format(f"stats-{name}"), format=".1%")
                for name in ("rate", "low", "high")
            ),
        ]
        fair = _chart([{"fair": sum(rates) / len(rates)}]).mark_rule(strokeDash=[4, 4])
        seats = _chart(values).encode(y=self.by_seat, color=self.color)
        interval = seats.mark_rule(strokeWidth=3, opacity=0.5).encode(
            x=alt.X("low:Q", title=None, axis=axis, scale=scale), x2="high"
        )
        points = seats.mark_point(filled=True, size=90, opacity=1).encode(
            x=alt.X("rate:Q", title=None, axis=axis, scale=scale), tooltip=tips
        )
        layers = alt.layer(fair.encode(x=alt.X("fair:Q", title=None)), interval, points)
        return _titled(layers, "wins", texts, ROW * group.seats, matches=group.finished)

    def _points(self) -> Chart:
        """Draw how many matches ended with how many points, in a row for each seat."""
        counted = self.group.points
        step = _step([points for each in counted for points in each])
        values = [
            {"seat": self.seats[seat], **drawn} for seat, each in enumerate(counted) for drawn in _bins(each, step)
        ]
        header = alt.Header(labelAngle=0, labelAlign="left", labelLimit=110)
        rows = alt.Row("seat:N", sort=self.seats, title=None, spacing=16, header=header)
        bars = self._histogram(values, self.texts.format("stats-points"), 2).encode(row=rows, color=self.color)
        return _titled(bars, "points", self.texts, 2 * ROW)

    def _lengths(self) -> Chart | None:
        lengths = self.group.lengths
        if len(lengths) == 1:  # all matches have the same length
            return None
        bars = self._histogram(_bins(lengths, _step(lengths)), self.texts.format("stats-events"), 5)
        return _titled(bars, "lengths", self.texts, 5 * ROW)

    def _histogram(self, bins: list[Row], what: str, ticks: int) -> alt.Chart:
        """Draw how many matches are in each bin."""
        scale = alt.Scale(zero=False, nice=False)
        bars: alt.Chart = (
            _chart(bins)
            .mark_bar()
            .encode(
                x=alt.X("from:Q", title=what, scale=scale, axis=_whole()),
                x2="to",
                y=alt.Y("matches:Q", title=None, axis=_whole(ticks)),
                y2=alt.datum(0),
                tooltip=[alt.Tooltip("bin:N", title=what), alt.Tooltip("matches:Q", title=self.matches)],
            )
        )
        return bars

    def _rules(self) -> Chart | None:
        """Draw in how many steps of a match each rule decided."""
        group, texts = self.group, self.texts
        values = [
            {
                "rule": rule.number,
                "text": texts.rule(rule, self.game),
                "each": group.steps[rule.number] / group.logs,
                "matches": group.matches_with[rule.number],
            }
            for rule in self.game.book
            if group.matches_with[rule.number]
        ]
        if not values:
            return None
        tips = [
            alt.Tooltip("rule:N", title=texts.format("stats-rule")),
            alt.Tooltip("text:N", title=texts.format("stats-says")),
            alt.Tooltip("each:Q", title=texts.format("stats-each"), format=".2f"),
            alt.Tooltip("matches:Q", title=self.matches),
        ]
        y, x = alt.Y("rule:N", sort=None, title=None), alt.X("each:Q", title=None)
        return _titled(_chart(values).mark_bar().encode(y=y, x=x, tooltip=tips), "rules", texts, alt.Step(16))


def _step(numbers: Iterable[int]) -> int:
    """Return the least of 1, 2, 5, 10, 20 … for which the numbers need at most `MAX_BINS` bars."""
    some = sorted(numbers)
    steps = (step * int("1" + "0" * power) for power in count() for step in (1, 2, 5))
    return next(step for step in steps if (some[-1] // step) - (some[0] // step) < MAX_BINS)


def _bins(counted: Counter[int], step: int) -> list[Row]:
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


def _chart(values: list[Row]) -> alt.Chart:
    return alt.Chart(alt.InlineData(values=values))


def _whole(ticks: int | None = None) -> alt.Axis:
    """Return an axis of whole numbers, with about so many ticks."""
    labels = "datum.value % 1 ? '' : format(datum.value, 'd')"
    return alt.Axis(tickMinStep=1, labelExpr=labels, tickCount=alt.Undefined if ticks is None else ticks)


def _titled(chart: Chart, what: str, texts: Texts, height: int | alt.Step, **facts: Any) -> Chart:
    """Return a chart of this height, in pixels, with what it shows as its title and description."""
    title, more = texts.format(f"stats-chart-{what}"), texts.format(f"stats-chart-{what}-more", **facts)
    return chart.properties(
        title=alt.TitleParams(title, subtitle=more), description=f"{title}: {more}", width=WIDTH, height=height
    )


def check_page(file: Path) -> None:
    """Raise `CallError` if the page of charts cannot be written to this file."""
    if file != STDOUT and file.suffix.lower() != ".html":
        raise CallError("no-kind-of-chart", "-o {file}: charts are a page; give a name that ends in .html", file=file)
    check_overwritable(
        file, lambda content: OURS in content[:SIGNATURE_WITHIN], UserMessage("charts", "file of charts")
    )


def page(groups: Sequence[Group], texts: Texts) -> bytes:
    """Return a page with every chart by itself, so that it suits any width, and the numbers as text below."""
    drawn = sections(groups, texts)
    library: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;", VERSION)
    script = _read("page.js")
    data = {
        "charts": [chart.to_dict() for _, charts in drawn for chart in charts],
        "light": _style(LIGHT, "#24211d", "#dfd6c4"),
        "dark": _style(DARK, "#ece6da", "#363a43"),
        "words": {
            "CLICK_TO_VIEW_ACTIONS": texts.format("stats-save"),
            "SVG_ACTION": texts.format("stats-save-as", kind="SVG"),
            "PNG_ACTION": texts.format("stats-save-as", kind="PNG"),
        },
    }
    whole = Template(_read("page.html")).substitute(
        lang=texts.lang,
        title=escape(texts.format("stats-page-title")),
        scripts=" ".join(f"'sha256-{_hash(source)}'" for source in (library, script)),
        style=_read("page.css"),
        sections="\n".join(_framed(*section) for section in drawn),
        numbers=escape(texts.format("stats-numbers")),
        report=escape("\n".join(map(str, report(groups, texts, TABLE_WIDTH)))),
        charts=script_json(data),
        library=library,
        script=script,
    )
    return whole.encode()


def _framed(title: str, charts: Sequence[Chart]) -> str:
    """Return the HTML of a section, with a place for each chart."""
    figures = "".join('<figure class="chart"></figure>' for _ in charts)
    return f'<section><h2>{escape(title)}</h2><div class="charts">{figures}</div></section>'


def _style(seats: list[str], ink: str, line: str) -> dict[str, Any]:
    """Return the style of charts: Vega-Lite's `config`."""
    labels = {"labelColor": ink, "titleColor": ink}
    return {
        "background": None,
        "font": FONT,
        "range": {"category": seats},
        "bar": {"color": seats[0]},
        "rule": {"color": ink},
        "view": {"stroke": None},
        "axis": {**labels, "gridColor": line, "domainColor": line, "tickColor": line, "labelLimit": 110},
        "axisX": {"labelFlush": False, "labelOverlap": "greedy", "labelSeparation": 8},
        "header": labels,
        "legend": labels,
        "title": {"anchor": "start", "color": ink, "subtitleColor": ink, "fontSize": 14, "subtitlePadding": 4}
        | {"offset": 10},
    }


def _read(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _hash(source: str) -> str:
    return b64encode(sha256(source.encode()).digest()).decode()
