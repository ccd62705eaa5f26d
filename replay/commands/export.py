"""`replay export`: a match as one page to step through in a browser, as data, or as a log without names."""

from __future__ import annotations

import json as notation
from collections.abc import Sequence
from pathlib import Path

import click

from ...core.game import TABLE
from ...core.log import read_bytes
from ...core.log.findings import finding_message
from ...core.match import AnyMatch
from ...core.match.header import SEED_BYTES
from ...core.page import everyone, page
from ...core.page import export as exported
from ...core.page.export import LANGS as PAGE_LANGS
from ...core.page.remarks import Remark
from ...core.text.sanitize import sanitize
from ..analysis.analysis_file import Analysis
from ..analysis.analysis_text import remarks
from ..analysis.decisions import PAIRS
from ..call_errors import CallError, UserMessage
from ..command import verb
from ..logs.anonymized import anonymized
from ..logs.locations import Location, location, open_log, read_content, reading_of
from ..options import LANGS, as_option, call_texts, json_option, log_argument, plain_option, viewer
from ..progress import progress_bar
from ..render.console import ConsoleWriter
from ..render.output import STDOUT, check_overwritable, write_output

OURS = (b'<meta name="generator" content="kifu export">', b'{"kifu_export":')
"""Every export has one of these near its beginning; no other file is overwritten."""
SIGNATURE_WITHIN = 1000
"""Bytes."""


FORMATS = {".html": "html", ".htm": "html", ".json": "json"}
"""The format by the ending of a file's name."""


@verb("replay export game.log -o match.html --as 2")
@log_argument
@click.option(
    "-o",
    "file",
    type=Path,
    required=True,
    metavar="FILE",
    help="The output file; `-`: standard output. Only an earlier export is replaced.",
)
@as_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["html", "json"]),
    help="A page, or data (docs/export-format.md); default: by the file's name.",
)
@click.option(
    "--lang", type=click.Choice(LANGS), help="The language the page opens in; default: that of the reader's browser."
)
@click.option(
    "--analyse", is_flag=True, help="Add what each decision cost, and the turning points (replay show --analyse)."
)
@click.option(
    "--anonymous", is_flag=True, help="Write a log without names, times and ids; no existing file is replaced."
)
@json_option
@plain_option
def export(
    log: str,
    file: Path,
    seat: str | None,
    form: str | None,
    lang: str | None,
    analyse: bool,
    anonymous: bool,
    json: bool,
    plain: bool,
) -> int:
    """Write a match as one page that anyone can open offline and step through, or as JSON for another program.

    Without --as it contains what the table and every seat saw, all cards open: share it after the match. With --as it
    contains only what that seat saw: no hidden card, seed or digest in any form.

    With --analyse the page says what each decision was worth, from what its seat knew, and lists the turning points;
    with --as only the decisions of that seat. A match that goes on is not analysed.

    With --anonymous it is written as a log, e.g. to turn that of a bug report into a golden one. Seats become "seat 0"
    and so on. Dropped are the match's id, start and engine, the match it was forked from, the time, id and actor of
    every event, and all unknown keys. Kept are rules version, options, seed, commands, digests and end. The new log
    ends with the first refused command, so that it shows just that violation; other damage is left out and reported.

    A bad log is exported up to its first error, with what is wrong with it; the exit code is then 1.
    """
    where = location(log)
    if anonymous:
        if analyse or (file.suffix != ".log" and file != STDOUT) or (seat, form) != (None, None):
            english = "--anonymous writes a log: it goes with -o FILE.log, --lang, --json and --plain alone"
            raise CallError("anonymous-alone", english)
        return _export_anonymous(where, file, log, ConsoleWriter(plain=plain), json=json)
    if json:
        raise CallError("json-anonymous", "--json tells of a log without names: it goes with --anonymous")
    check_overwritable(file, _is_ours, UserMessage("an-export", "export"))
    as_json = _format(file, form) == "json"
    reading, match = open_log(where)
    chosen = viewer(seat, match.header.seats)
    viewers = everyone(match) if chosen == TABLE else (chosen,)
    if analyse and reading.ended is None:
        raise CallError("analysis-unfinished", "the match has not ended: make the analysis once it has")
    said = _remarks(match, viewers, plain=plain) if analyse else None
    if as_json:
        data = exported(match, viewers, reading.findings, said)
        written = notation.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"
    else:
        written = page(match, viewers, reading.findings, lang, said)
    whole = written.encode()
    write_output(file, whole)
    if file != STDOUT:
        writer, texts = ConsoleWriter(plain=plain), call_texts()
        seen_by = texts.format("exported-all") if chosen == TABLE else texts.seat(chosen, match.header.seats)
        summary = texts.format("exported", steps=len(match.events), viewer=seen_by, size=-(-len(whole) // 1000))
        writer.print(f"{sanitize(str(file), 400)}{texts.colon}{summary}")
        writer.print(*(f"✗ {finding_message(each, match, chosen, texts)}" for each in reading.findings))
    return 1 if reading.findings else 0


def _is_ours(content: bytes) -> bool:
    return any(mark in content[:SIGNATURE_WITHIN] for mark in OURS)


def _export_anonymous(where: Location, file: Path, typed: str, writer: ConsoleWriter, *, json: bool) -> int:
    """Write the same match without names, times and ids, and print what the new log shows."""
    reading = reading_of(where, keep_states=False)
    if reading.header is None:
        raise reading.error(str(where))
    data = anonymized(read_content(where)[: reading.size], reading)
    now = read_bytes(data)
    write_output(file, data, new=True, private=now.ended is None)
    found = [{"seq": each.seq, "kind": each.kind, "rule": each.rule} for each in now.findings]
    shown = {(each.seq, each.kind) for each in now.findings}
    left = list(dict.fromkeys(each.kind for each in reading.findings if (each.seq, each.kind) not in shown))
    if file == STDOUT:
        return 0
    if json:
        writer.json({"log": typed, "anonymized": str(file), "events": now.events, "findings": found, "left": left})
        return 0
    texts = call_texts()
    shows = texts.comma.join(f"{each.rule or each.kind}" for each in now.findings)
    key = "anonymized-shows" if found else "anonymized"
    writer.print(f"{sanitize(str(file), 300)}{texts.colon}{texts.format(key, events=now.events, shows=shows)}")
    if left:
        writer.print(texts.format("anonymized-left", what=texts.comma.join(left)))
    return 0


def _remarks(match: AnyMatch, viewers: Sequence[int | None], *, plain: bool) -> list[Remark]:
    """Analyse the decisions that these viewers may read of."""
    seats = range(len(match.header.seats)) if TABLE in viewers else [seat for seat in viewers if seat is not None]
    analysis = Analysis.of(match, bytes(SEED_BYTES), PAIRS).of_seats(seats)
    title = call_texts().title(match.game)
    lines = list(progress_bar(analysis.lines(), title, len(analysis.decisions), shown=not plain))
    return remarks(lines, match.game, match.header.seats, PAGE_LANGS)


def _format(file: Path, form: str | None) -> str:
    """Return the format that is asked for, or that of the file's name; raises `CallError` for an unknown ending."""
    if form is not None:
        return form
    if file == STDOUT:
        return "html"
    found = FORMATS.get(file.suffix.lower())
    if found is None:
        english = (
            "-o {file}: give a name that ends in .html or .json, the format with --format, or --anonymous for a log"
        )
        raise CallError("export-ending", english, file=file)
    return found
