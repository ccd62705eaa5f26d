"""The results of a tournament as a page: bots with their intervals, seats, and a link to the page of each match."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Any

from ...core.log import read_bytes
from ...core.page import everyone
from ...core.page import page as match_page
from ...core.text.sanitize import sanitize
from ...core.text.texts import Texts
from ..logs.locations import Location, read_if_exists, write_file
from .tournament import PlayedMatch

INDEX = "index.html"

_STYLE = """body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem}
:root{color-scheme:light dark}
table{border-collapse:collapse;margin:1rem 0;display:block;overflow-x:auto}
th,td{padding:.25rem .75rem;text-align:right;border-bottom:1px solid #8886}
th:first-child,td:first-child{text-align:left}"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def write_results(
    folder: Location, title: str, summary: dict[str, Any], matches: Sequence[PlayedMatch], texts: Texts
) -> None:
    """Write `index.html` beside the logs, and the page of each match that has none yet."""
    for each in matches:
        where = folder / f"{each.match}.html"
        if read_if_exists(where) is None:
            reading = read_bytes(read_if_exists(folder / f"{each.match}.log") or b"")
            assert reading.match is not None
            write_file(where, match_page(reading.match, everyone(reading.match), reading.findings).encode())
    write_file(folder / INDEX, results_page(title, summary, matches, texts).encode())


def results_page(title: str, summary: dict[str, Any], matches: Sequence[PlayedMatch], texts: Texts) -> str:
    """Return the page; `summary` is that of `simulate --json`."""
    say = texts.format
    heads = [
        say(f"results-{each}") for each in ("bot", "matches", "won", "fair", "points", "rating", "refused", "stood")
    ]
    bots = _table(heads, (_bot_cells(name, summary) for name in _ranked(summary)))
    seats = _table(
        [say("results-seat"), *heads[1:5]],
        ([str(seat), *_record_cells(record)] for seat, record in enumerate(summary["seats"])),
    )
    played = _table(
        [say("results-match"), say("results-seats"), say("results-result")],
        ([_link(each), escape(_clean(", ".join(each.bots))), _points(each)] for each in matches),
        raw=True,
    )
    return (
        f'<!doctype html>\n<html lang="{texts.lang}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="generator" content="kifu simulate">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{escape(title)}</h1>\n"
        f"{bots}\n{seats}\n{played}\n</body>\n</html>\n"
    )


def _ranked(summary: dict[str, Any]) -> list[str]:
    """List the bots: by their rating if there is one, else by the share of victories."""
    if "ratings" in summary:
        return [*summary["ratings"], *(name for name in summary["bots"] if name not in summary["ratings"])]
    return sorted(summary["bots"], key=lambda name: -summary["bots"][name]["won"])


def _bot_cells(name: str, summary: dict[str, Any]) -> Iterator[str]:
    rating = summary.get("ratings", {}).get(name)
    refused = summary.get("texts", {}).get(name, {}).get("refused")
    yield _clean(name)
    yield from _record_cells(summary["bots"][name])
    yield "" if rating is None else _rating(rating)
    yield "" if refused is None else str(refused)
    yield str(summary["stood_in"].get(name, 0))


def _rating(rating: dict[str, Any]) -> str:
    low, high = rating["interval"] or (None, None)
    return f"{rating['mu']:+.0f}" + ("" if low is None else f" ({low:+.0f} – {high:+.0f})")


def _record_cells(record: dict[str, Any]) -> Iterator[str]:
    low, high = record["interval"]
    margin = "?" if record["points_off"] is None else f"{record['points_off']:.2f}"
    yield str(record["matches"])
    yield f"{100 * record['won']:.1f} % ({100 * low:.1f} – {100 * high:.1f})"
    yield f"{100 * record['fair']:.1f} %"
    yield f"{record['points']:.2f} ± {margin}"


def _link(played: PlayedMatch) -> str:
    return f'<a href="{escape(played.match)}.html">{played.index + 1}</a>'


def _points(played: PlayedMatch) -> str:
    if played.result is None:
        return "–"
    return " : ".join(
        f"<b>{points}</b>" if seat in played.result.winners else str(points)
        for seat, points in enumerate(played.result.points)
    )


def _clean(name: str) -> str:
    return sanitize(name, 200)


def _table(heads: Iterable[str], rows: Iterable[Iterable[str]], *, raw: bool = False) -> str:
    """Return a table; with `raw` the cells are HTML already."""
    head = "".join(f"<th>{escape(each)}</th>" for each in heads)
    body = "\n".join(
        f"<tr>{''.join(f'<td>{cell if raw else escape(cell)}</td>' for cell in cells)}</tr>" for cells in rows
    )
    return f"<table>\n<tr>{head}</tr>\n{body}\n</table>"
