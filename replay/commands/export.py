"""`replay export`: a match as one page to step through in a browser, or as data; a folder as pages and their index."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import Annotated
from urllib.parse import quote

import typer
from attrs import frozen

from ...core.errors import KifuError
from ...core.game import TABLE, Seat
from ...core.log import Reading
from ...core.log.finding_text import finding_message
from ...core.match.header import SEED_BYTES
from ...core.page import everyone, export, page
from ...core.page.export import LANGS
from ...core.page.remarks import Remark
from ...core.text.sanitize import sanitize
from ...core.text.texts import Texts
from ..analysis.analysis_file import Analysis
from ..analysis.analysis_text import remarks
from ..analysis.decisions import PAIRS
from ..call_errors import CallError, UserMessage, error_text
from ..logs.locations import location, require_logs
from ..logs.open_log import open_log
from ..options import LANG, AsOption, Lang, PlainOption, texts_for, viewer
from ..progress import progress_bar
from ..render.console import ConsoleWriter
from ..render.index_page import IndexRow, index_page
from ..render.match_cells import match_cells
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

LogOrFolder = Annotated[
    str,
    typer.Argument(
        metavar="LOG", help="The log of one match: a path, or an address such as s3://…; or a folder of logs"
    ),
]
FileOption = Annotated[
    Path,
    typer.Option(
        "-o",
        metavar="FILE",
        help="The file to write, of a folder a folder; `-`: standard output. Only an earlier export is replaced.",
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
    log: LogOrFolder,
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

    A folder of logs is written as a folder: a page for each match, with links to the one before and after, and
    index.html, which lists them with game, seats, result and length.

    A bad log is exported up to its first error, with what is wrong with it; the exit code is then 1.
    """
    where = location(log)
    if isinstance(where, Path) and where.is_dir():
        if form is Format.JSON or analysis is not None or file == STDOUT:
            english = "{folder}: a folder is written as a folder of pages, without --analysis and --format json"
            raise CallError("export-folder-as", english, folder=log)
        return _export_folder(_Folder(file, seat, lang, analyse, plain), where)
    _check_ours(file)
    as_json = _format(file, form) is Format.JSON
    reading = open_log(where)
    assert reading.match is not None
    chosen = viewer(seat, reading.match.header.seats)
    viewers = everyone(reading.match) if chosen == TABLE else (chosen,)
    said = _remarks(reading, viewers, analysis, plain=plain) if analyse or analysis is not None else None
    whole = (_data(reading, viewers, said) if as_json else _page(reading, viewers, lang, said)).encode()
    write_output(file, whole)
    if file != STDOUT:
        _print(reading, chosen, file, len(whole), ConsoleWriter(plain=plain), texts_for(lang))
    return 1 if reading.findings else 0


def _check_ours(file: Path) -> None:
    """Raise `CallError` if another file than an earlier export is there."""
    check_overwritable(
        file,
        lambda content: any(mark in content[:SIGNATURE_WITHIN] for mark in OURS),
        UserMessage("an-export", "export"),
    )


@frozen
class _Folder:
    """What becomes of a folder of logs."""

    to: Path
    seat: str | None
    lang: Lang | None
    analyse: bool
    plain: bool


def _export_folder(asked: _Folder, logs: Path) -> int:
    """Write a page for each log of a folder, and their index; return the exit code."""
    found = [each for each in require_logs([str(logs)]) if isinstance(each, Path)]
    languages = [Texts(each, "kifu.replay") for each in ((asked.lang.value,) if asked.lang is not None else LANGS)]
    shown, names = not asked.plain, _names(found, logs)
    listed = progress_bar(zip(found, names, strict=True), "index", len(found), shown=shown)
    rows = [_row(log, name, asked.seat, languages) for log, name in listed]
    paged = [(log, row) for log, row in zip(found, rows, strict=True) if row.page is not None]
    index = asked.to / "index.html"
    if not paged:
        raise CallError("nothing-exported", "nothing could be exported: {why}", why=rows[0].cells[languages[0].lang][0])
    for file in (index, *(asked.to / str(row.page) for _, row in paged)):
        _check_ours(file)
    asked.to.mkdir(parents=True, exist_ok=True)
    bad = len(paged) < len(rows)
    for place, (log, _) in enumerate(progress_bar(paged, "export", len(paged), shown=shown)):
        bad |= _export_page(asked, log, [row for _, row in paged], place)
    write_output(index, index_page(rows, languages).encode())
    texts = texts_for(None)
    writer = ConsoleWriter(plain=asked.plain)
    writer.print(f"{sanitize(str(asked.to), 400)}{texts.colon}{texts.format('exported-folder', count=len(paged))}")
    left_out = (row for row in rows if row.page is None)
    writer.print(*(f"✗ {sanitize(row.name, 200)}{texts.colon}{row.cells[texts.lang][0]}" for row in left_out))
    return int(bad)


def _names(logs: Sequence[Path], folder: Path) -> list[str]:
    """Return a name for each log's page: that of its file, with its folders where two have the same."""
    stems = Counter(log.stem for log in logs)
    below = (log.relative_to(folder).with_suffix("") for log in logs)
    return [
        path.name if stems[path.name] == 1 and path.name != "index" else "-".join(("log", *path.parts))
        for path in below
    ]


def _row(log: Path, name: str, seat: str | None, languages: Sequence[Texts]) -> IndexRow:
    """Return the row of a log, without a page if it cannot be read or has not this seat."""
    try:
        match = open_log(log).match
        assert match is not None
        viewer(seat, match.header.seats)
    except KifuError as error:
        return IndexRow(name, None, {each.lang: [error_text(error, each)] for each in (*languages, texts_for(None))})
    return IndexRow(name, f"{name}.html", {each.lang: match_cells(match, each) for each in languages})


def _export_page(asked: _Folder, log: Path, rows: Sequence[IndexRow], place: int) -> bool:
    """Write the page of a log with links to its neighbours; return True if anything is wrong with the log."""
    reading = open_log(log)
    assert reading.match is not None
    chosen = viewer(asked.seat, reading.match.header.seats)
    viewers = everyone(reading.match) if chosen == TABLE else (chosen,)
    said = _remarks(reading, viewers, None, plain=True) if asked.analyse and reading.ended is not None else None
    before, after = rows[max(place - 1, 0) : place], rows[place + 1 : place + 2]
    links = [
        *(("prev", quote(str(row.page), errors="surrogateescape"), f"◂ {sanitize(row.name, 60)}") for row in before),
        ("index", "index.html", f"{place + 1} / {len(rows)}"),
        *(("next", quote(str(row.page), errors="surrogateescape"), f"{sanitize(row.name, 60)} ▸") for row in after),
    ]
    whole = page(reading.match, viewers, reading.findings, asked.lang.value if asked.lang else None, said, links)
    write_output(asked.to / str(rows[place].page), whole.encode())
    return bool(reading.findings)


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
    writer.print(f"{sanitize(str(file), 400)}{texts.colon}{summary}")
    for finding in reading.findings:
        writer.print(f"✗ {finding_message(finding, match, chosen, texts)}")
