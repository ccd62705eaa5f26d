"""The page of a match: its export, styles and scripts in one HTML file that loads nothing from any network."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from ..log import Finding
from ..match import AnyMatch
from ..text.texts import Texts
from .export import LANGS, Viewer, everyone, export
from .remarks import Remark

DRAWING = ("elements.js", "cards.js", "words.js", "board.js", "table.js", "fit.js", "sheet.js")
"""The scripts that draw scenes and notes, on any page."""
SCRIPTS = (*DRAWING, "match.js", "steps.js", "analysis.js", "frame.js", "page.js")
"""All scripts of the page; each uses those before it."""

_IN_SCRIPT = str.maketrans({char: f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"})

_PATTERNS: dict[str, dict[str, Any]] = {
    "page-step": {"step": "{step}", "of": "{of}"},
    "page-rule": {"rule": "{rule}"},
    "page-sheet-of": {"title": "{title}"},
    "page-by": {"designer": "{designer}"},
    "page-recorded": {"match": "{match}", "engine": "{engine}"},
    "face-down": {"count": "{count}"},
    "face-down-pieces": {"count": "{count}"},
    "in-all": {"count": "{count}"},
    "in-all-pieces": {"count": "{count}"},
    "fact-of": {"value": "{value}", "most": "{most}"},
}
"""The messages whose values the page itself inserts."""
_PLAIN = (
    *["seen-by", "all-open", "narrower", "language", "furigana", "steps", "start", "to-act", "first"],
    *["back-section", "back", "forward", "forward-section", "last", "place", "sheet"],
    *["result", "winner", "draw", "loss", "unfinished", "options", "rules", "middle"],
    *["analysis", "analysis-about", "turning-points", "no-turning-points", "swing"],
)
_OF_CORE = ("empty-space", "abandoned", "spectator", "yes", "no", "comma", "colon")


def page(
    match: AnyMatch,
    viewers: Sequence[Viewer] | None = None,
    findings: Iterable[Finding] = (),
    lang: str | None = None,
    remarks: Iterable[Remark] | None = None,
) -> str:
    """Return the page of a match as HTML, as these viewers saw it (None: all of them), with remarks of an analysis.

    It opens in `lang`, or without one in the language of the browser.
    Raises `MatchError` for viewers that the match does not have, `MissingExtra` without the extra `replay`.
    """
    data = export(match, everyone(match) if viewers is None else viewers, findings, remarks)
    texts = Texts(lang or LANGS[0], __package__)
    names = " · ".join(texts.seat(seat, match.header.seats) for seat in range(len(match.header.seats)))
    style, script = page_style(), page_script()
    return Template(read("page.html")).substitute(
        lang=escape(lang or ""),
        title=escape(texts.format("page-title", title=texts.title(match.game), seats=names)),
        needs_script=" / ".join(escape(Texts(each, __package__).format("page-needs-script")) for each in LANGS),
        style=style,
        style_hash=_hash(style),
        script=script,
        script_hash=_hash(script),
        words=script_json(labels()),
        match=script_json(data),
    )


def script_json(data: Any) -> str:
    """Format data as JSON in which no character can end a script element."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).translate(_IN_SCRIPT)


@cache
def labels() -> dict[str, list[str]]:
    """Return the page's own messages by key, without `page-`: a text for each of `LANGS`."""
    texts = [Texts(lang, __package__) for lang in LANGS]
    wanted = {**{key: {} for key in (*_OF_CORE, *(f"page-{key}" for key in _PLAIN))}, **_PATTERNS}
    found = {key: [each.find(key, **values) for each in texts] for key, values in wanted.items()}
    return {key.removeprefix("page-"): [each or key for each in every] for key, every in found.items()}


@cache
def page_style() -> str:
    """Return the style sheet of the page, which stands in it."""
    return read("page.css")


@cache
def page_script() -> str:
    """Return the script of the page, which stands in it."""
    return '"use strict";\n' + "\n".join(map(read, SCRIPTS))


def read(name: str) -> str:
    """Return the content of a file of this package, e.g. one of `DRAWING`."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _hash(source: str) -> str:
    return b64encode(sha256(source.encode()).digest()).decode()
