"""The index of a folder of exported pages: a table of the matches in HTML, that loads nothing."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from html import escape
from string import Template
from urllib.parse import quote

from attrs import frozen

from ...core.text.sanitize import sanitize
from ...core.text.texts import Texts

HEADS = ("match", "game", "seats", "result", "length")

STYLE = """
:root {
  color-scheme: light dark;
  --line: light-dark(#dfd6c4, #363a43);
  font: 16px/1.5 system-ui, "Hiragino Sans", "Yu Gothic UI", "Noto Sans CJK JP", "Noto Sans JP", sans-serif;
  background: light-dark(#f4efe4, #15171b);
  color: light-dark(#24211d, #ece6da);
}
body { max-width: 1100px; margin: 0 auto; padding: 16px 20px 40px; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: start; padding: 0 8px; line-height: 44px; border-bottom: 1px solid var(--line); }
a { display: block; min-width: 44px; color: light-dark(#b3352a, #ff8f78); }
@media (max-width: 640px) {
  thead { display: none; }
  tr { display: block; padding: 8px 0; border-bottom: 1px solid var(--line); }
  td { display: block; border: 0; line-height: 1.6; }
  td:first-child { line-height: 44px; }
}
"""
SCRIPT = """
const all = [...document.querySelectorAll("main")];
const asked = [...navigator.languages].map((lang) => lang.split("-")[0]);
const chosen = asked.map((lang) => all.find((each) => each.lang === lang)).find(Boolean) ?? all[0];
for (const each of all) each.hidden = each !== chosen;
document.documentElement.lang = chosen.lang;
"""
"""Of the tables of all languages, the reader's."""

PAGE = Template("""<!doctype html>
<html lang="$lang">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-$script_hash';
 style-src 'sha256-$style_hash'; base-uri 'none'; form-action 'none'">
<meta name="generator" content="kifu export">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title</title>
<style>$style</style>
</head>
<body>
$tables<script>$script</script>
</body>
</html>
""")


@frozen
class IndexRow:
    """A log in the index: its name, its page (None if it has none), and the cells after the name in each language."""

    name: str
    page: str | None
    cells: dict[str, list[str]]
    """By language: game, seats, result and length, or one cell that says why the log could not be read."""


def index_page(rows: Sequence[IndexRow], languages: Sequence[Texts]) -> str:
    """Return the index: a table in each of these languages, of which a reader sees the one of the browser."""
    return PAGE.substitute(
        lang=languages[0].lang,
        title=escape(languages[0].format("stepper-logs")),
        style=STYLE,
        style_hash=_hash(STYLE),
        script=SCRIPT,
        script_hash=_hash(SCRIPT),
        tables="".join(_table(rows, texts) for texts in languages),
    )


def _table(rows: Sequence[IndexRow], texts: Texts) -> str:
    heads = "".join(f'<th scope="col">{escape(texts.format(f"index-{key}"))}</th>' for key in HEADS)
    lines = "".join(_line(row, texts.lang) for row in rows)
    title = escape(texts.format("stepper-logs"))
    return (
        f'<main lang="{texts.lang}"><h1>{title}</h1>\n'
        f"<table><thead><tr>{heads}</tr></thead><tbody>\n{lines}</tbody></table></main>\n"
    )


def _line(row: IndexRow, lang: str) -> str:
    name, cells = escape(sanitize(row.name, 200)), row.cells[lang]
    first = name if row.page is None else f'<a href="{escape(quote(row.page, errors="surrogateescape"))}">{name}</a>'
    span = f' colspan="{len(HEADS) - 1}"' if len(cells) == 1 else ""
    rest = "".join(f"<td{span}>{escape(sanitize(cell, 300))}</td>" for cell in cells)
    return f"<tr><td>{first}</td>{rest}</tr>\n"


def _hash(source: str) -> str:
    return b64encode(sha256(source.encode()).digest()).decode()
