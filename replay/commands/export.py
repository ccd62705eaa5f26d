"""`replay export`: a match as one page to step through in a browser, or as data for another program."""

from __future__ import annotations

import json
from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from ...core.game import TABLE, Seat
from ...core.log import Reading
from ...core.log.messages import finding_message
from ...core.match.header import SEED_BYTES
from ...core.page import everyone, export, page
from ...core.page.export import LANGS
from ...core.page.remarks import Remark
from ...core.text.sanitize import sanitize
from ...core.text.texts import Texts
from ..analysis.analysis_file import Analysis
from ..analysis.analysis_text import remarks
from ..analysis.decisions import PAIRS
from ..call_errors import CallError, UserMessage
from ..logs.locations import location
from ..logs.open_log import open_log
from ..options import LANG, AsOption, Lang, LogArgument, PlainOption, texts_for, viewer
from ..progress import progress_bar
from ..render.console import ConsoleWriter
from ..render.output import STDOUT, check_overwritable, write_output

OURS = (b'<meta name="generator" content="kifu export">', b'{"kifu_export":')
"""Every export has one of these near its beginning; no other file is overwritten."""
SIGNATURE_WITHIN = 1000
"""Bytes."""


class Format(Enum):
    """What an export is written as."""

    HTML = "html"
    JSON = "json"


FORMATS = {".html": Format.HTML, ".htm": Format.HTML, ".json": Format.JSON}
"""The format by the ending of a file's name."""

FileOption = Annotated[
    Path,
    typer.Option(
        "-o",
        metavar="FILE",
        help="The file to write; `-`: standard output. An earlier export is replaced, any other file is kept.",
    ),
]
FormatOption = Annotated[
    Format | None,
    typer.Option("--format", help="A page, or data (docs/export-format.md); default: by the file's name."),
]
PageLangOption = Annotated[
    Lang | None,
    typer.Option(LANG, help="The language the page opens in; default: that of the reader's browser."),
]
AnalyseOption = Annotated[
    bool, typer.Option("--analyse", help="Add what each decision cost, and the turning points (replay analyse).")
]
AnalysisOption = Annotated[
    Path | None, typer.Option("--analysis", metavar="FILE", help="Keep that analysis here; resume one that is there.")
]


def export_log(
    log: LogArgument,
    file: FileOption,
    seat: AsOption = None,
    form: FormatOption = None,
    lang: PageLangOption = None,
    analyse: AnalyseOption = False,
    analysis: AnalysisOption = None,
    plain: PlainOption = False,
) -> int:
    """Write a match as one page that anyone can open offline and step through, or as JSON for another program.

    Without --as it contains what the table and every seat saw, all cards open: share it after the match. With --as it
    contains only what that seat saw: no hidden card, seed or digest in any form.

    With --analyse the page says what each decision was worth, from what its seat knew, and lists the turning points;
    with --as only the decisions of that seat. A match that goes on is not analysed.

    A bad log is exported up to its first error, with what is wrong with it; the exit code is then 1.
    """
    check_overwritable(
        file,
        lambda content: any(mark in content[:SIGNATURE_WITHIN] for mark in OURS),
        UserMessage("an-export", "export"),
    )
    as_json = _format(file, form) is Format.JSON
    reading = open_log(location(log))
    assert reading.match is not None
    chosen = viewer(seat, reading.match.header.seats)
    viewers = everyone(reading.match) if chosen == TABLE else (chosen,)
    said = _remarks(reading, viewers, analysis, plain=plain) if analyse or analysis is not None else None
    whole = (_data(reading, viewers, said) if as_json else _page(reading, viewers, lang, said)).encode()
    write_output(file, whole)
    if file != STDOUT:
        _print(reading, chosen, file, len(whole), ConsoleWriter(plain=plain), texts_for(lang))
    return 1 if reading.findings else 0


def _remarks(reading: Reading, viewers: Sequence[Seat | None], file: Path | None, *, plain: bool) -> list[Remark]:
    """Analyse the decisions that these viewers may read of; raises `CallError` while the match goes on."""
    match = reading.match
    assert match is not None
    if reading.ended is None:
        raise CallError("analysis-unfinished", "the match has not ended: it is analysed when it has")
    analysis = Analysis.of(match, bytes(SEED_BYTES), PAIRS)
    seats = range(len(match.header.seats)) if TABLE in viewers else [seat for seat in viewers if seat is not None]
    if file is None:  # a file has the whole analysis
        analysis = analysis.of_seats(seats)
    title = texts_for(None).title(match.game)
    lines = list(progress_bar(analysis.lines(file), title, len(analysis.decisions), shown=not plain))
    lines = [line for line in lines if line["seat"] in seats]
    return remarks(lines, match.game, match.header.seats, LANGS)


def _page(reading: Reading, viewers: Sequence[Seat | None], lang: Lang | None, said: Sequence[Remark] | None) -> str:
    assert reading.match is not None
    return page(reading.match, viewers, reading.findings, lang.value if lang is not None else None, said)


def _format(file: Path, form: Format | None) -> Format:
    """Return the format that is asked for, or that of the file's name; raises `CallError` for an unknown ending."""
    if form is not None:
        return form
    if file == STDOUT:
        return Format.HTML
    found = FORMATS.get(file.suffix.lower())
    if found is None:
        english = "-o {file}: give a name that ends in .html or .json, or the format with --format"
        raise CallError("export-ending", english, file=file)
    return found


def _data(reading: Reading, viewers: Sequence[Seat | None], said: Sequence[Remark] | None) -> str:
    assert reading.match is not None
    data = export(reading.match, viewers, reading.findings, said)
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"


def _print(reading: Reading, chosen: Seat | None, file: Path, size: int, writer: ConsoleWriter, texts: Texts) -> None:
    match = reading.match
    assert match is not None
    seen_by = texts.format("exported-all") if chosen == TABLE else texts.seat(chosen, match.header.seats)
    kilobytes = -(-size // 1000)
    summary = texts.format("exported", steps=len(match.events), viewer=seen_by, size=kilobytes)
    writer.print(f"{sanitize(str(file), 400)}: {summary}")
    for finding in reading.findings:
        writer.print(f"✗ {finding_message(finding, match, chosen, texts)}")
