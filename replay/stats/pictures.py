"""The charts as a file: a page that opens offline, or one picture of all."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from hashlib import sha256
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any
from zlib import crc32

from ...core.errors import needs_extra
from ...core.page.document import script_json
from ...core.text.texts import Texts
from ..call_errors import CallError, UserMessage
from ..render.output import check_overwritable
from .charts import ChartSection, Spec, sections
from .course import Course
from .figures import Group
from .tables import report

with needs_extra(UserMessage("drawing-charts", "drawing charts"), "stats"):
    import vl_convert

ChartWriter = Callable[[list[Group], Course | None, Texts], bytes]

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
VERSION = "6.4"
"""The version of Vega-Lite, as vl-convert calls it."""
COLUMNS = 2
DENSITY = 2
TABLE_WIDTH = 100

LIGHT = ["#2156a6", "#b3352a", "#1f6d35", "#a04f05", "#76399c", "#0c6b77", "#8a3a63", "#5d5a1c"]
DARK = ["#8fb8f5", "#ff9a8a", "#7fd197", "#ffb679", "#cf9cf0", "#6fcfdc", "#f29ac4", "#cfca78"]
"""The seats' colours, those of a match's page."""
FONT = 'system-ui, "Segoe UI", "Hiragino Sans", "Yu Gothic UI", "Noto Sans CJK JP", "Noto Sans JP", sans-serif'


OURS = b"kifu stats"
"""Every file of charts has this near its beginning; no other file is overwritten."""
SIGNATURE_WITHIN = 1000
"""Bytes."""
SOFTWARE = b"tEXtSoftware\0" + OURS
PNG_HEAD = 33
"""The bytes of a PNG up to the end of its first chunk."""


def chart_writer(file: Path) -> ChartWriter:
    """Return the function that draws a file of this name; raises `CallError` if the file cannot be written."""
    draw = {".html": page, ".svg": svg, ".png": png}.get(file.suffix.lower())
    if draw is None:
        raise CallError(
            "no-kind-of-chart",
            "-o {file}: charts are written as .html, .svg or .png; give such a name",
            file=file,
        )
    check_overwritable(
        file, lambda content: OURS in content[:SIGNATURE_WITHIN], UserMessage("charts", "file of charts")
    )
    return draw


def svg(groups: list[Group], course: Course | None, texts: Texts) -> bytes:
    """Draw all charts as one SVG picture."""
    drawn: str = vl_convert.vegalite_to_svg(_all_in_one(groups, course, texts), vl_version=VERSION)
    return b"<!-- " + OURS + b" -->\n" + drawn.encode()


def png(groups: list[Group], course: Course | None, texts: Texts) -> bytes:
    """Draw all charts as one PNG picture."""
    spec = _all_in_one(groups, course, texts)
    drawn: bytes = vl_convert.vegalite_to_png(spec, vl_version=VERSION, scale=DENSITY)
    signed = len(SOFTWARE[4:]).to_bytes(4, "big") + SOFTWARE + crc32(SOFTWARE).to_bytes(4, "big")
    return drawn[:PNG_HEAD] + signed + drawn[PNG_HEAD:]


def page(groups: list[Group], course: Course | None, texts: Texts) -> bytes:
    """Return a page with every chart by itself, so that it suits any width, and the numbers as text below."""
    drawn = sections(groups, course, texts)
    library: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;", VERSION)
    script = _read("page.js")
    data = {
        "charts": [{"$schema": SCHEMA, **chart} for section in drawn for chart in section.charts],
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
        sections="\n".join(_framed(section) for section in drawn),
        numbers=escape(texts.format("stats-numbers")),
        report=escape("\n".join(map(str, report(groups, course, texts, TABLE_WIDTH)))),
        charts=script_json(data),
        library=library,
        script=script,
    )
    return whole.encode()


def _framed(section: ChartSection) -> str:
    """Return the HTML of a section, with a place for each chart."""
    figures = "".join('<figure class="chart"></figure>' for _ in section.charts)
    return f'<section><h2>{escape(section.title)}</h2><div class="charts">{figures}</div></section>'


def _all_in_one(groups: list[Group], course: Course | None, texts: Texts) -> Spec:
    independent = {"legend": {"color": "independent"}, "scale": {"color": "independent"}}
    rows = [
        {
            "title": {"text": section.title, "fontSize": 18, "offset": 14},
            "concat": list(section.charts),
            "columns": COLUMNS,
            "spacing": 40,
            "resolve": independent,
        }
        for section in sections(groups, course, texts)
    ]
    config = {**_style(LIGHT, "#24211d", "#dfd6c4"), "background": "#fffdf8"}
    return {"$schema": SCHEMA, "vconcat": rows, "spacing": 60, "padding": 24, "resolve": independent, "config": config}


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
        "concat": {"spacing": 40},
    }


def _read(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _hash(source: str) -> str:
    return b64encode(sha256(source.encode()).digest()).decode()
