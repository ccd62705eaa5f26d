"""`replay verify`: a seat record, compared with the log of its match or with another seat's record."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from ...core.errors import TrustError
from ...core.log import Reading
from ...core.log.json_form import from_json, is_json
from ...core.log.writer import replace_file
from ...core.text.sanitize import sanitize, width
from ...core.text.texts import Texts
from ...core.trust.records import Record, Verdict, code, compare, public, read_bytes, verify_fork
from ...core.trust.records import verify as verify_record
from ..analysis.findings import detail, message, played_for, stand_in_lines
from ..call_errors import CallError
from ..logs.locations import location, read_content
from ..options import JsonOption, LangOption, PlainOption, texts_for
from ..render.console import ConsoleWriter

FINE, FOUND, UNUSABLE = 0, 1, 2

RecordsArgument = Annotated[
    list[str], typer.Argument(metavar="RECORD…", help="A seat record (*.seat), or two of the same match.")
]
AgainstOption = Annotated[
    str | None, typer.Option("--against", metavar="LOG", help="The log that the host gave, as it was recorded.")
]
ParentOption = Annotated[
    str | None, typer.Option("--parent", metavar="LOG", help="The log of the match that the log is a fork of.")
]
PublicOption = Annotated[
    Path | None,
    typer.Option(
        "--public", metavar="FILE", help="Write the form that shows no card; an existing file is never replaced."
    ),
]
MomentOption = Annotated[
    int | None,
    typer.Option("--moment", min=0, metavar="N", help="Print the code after N events; default: after the last."),
]


def verify(
    records: RecordsArgument,
    against: AgainstOption = None,
    parent: ParentOption = None,
    public_form: PublicOption = None,
    moment: MomentOption = None,
    lang: LangOption = None,
    json: JsonOption = False,
    plain: PlainOption = False,
) -> int:
    """Compare a seat record with the log of its match, or the records of two seats with each other.

    With --against LOG: whether the log is the match that this seat saw, to the byte. With two records: whether the
    host showed both seats the same history; public forms are enough, and the match may still go on. With one record:
    whether it is consistent. The printed code stands for everything up to a moment: players with the same code have the
    same history. A log in place of the record, with --parent LOG: whether it is a fork of that match.

    Exit code 0: no findings; 1: findings; 2: a file is no record or no log, or cannot be read.
    """
    if len(records) > 2 or (len(records) == 2 and (against is not None or public_form is not None)):
        raise CallError("verify-what", "give one record, alone or with --against LOG, or two records")
    texts = texts_for(lang)
    if parent is not None and against is None:
        return _verify_fork(records, parent, public_form, moment, texts, ConsoleWriter(plain=plain), as_json=json)
    read = [_record(each) for each in records]
    found = _verdict(read, against, parent)
    marked = found.mark if moment is None else _mark(read, moment)
    if public_form is not None:
        replace_file(public_form, public(read[0]), new=True)
    other = against if against is not None else records[1] if len(records) == 2 else None
    data = _plain(found, records[0], other, None if marked is None else code(marked), texts, as_json=json)
    writer = ConsoleWriter(plain=plain)
    code_ = _report(data, found, writer, texts, as_json=json)
    if public_form is not None and not json:
        writer.print(texts.format("verify-public", file=sanitize(str(public_form), 300)))
    return code_


def _verify_fork(
    typed: list[str],
    parent: str,
    public_form: Path | None,
    moment: int | None,
    texts: Texts,
    writer: ConsoleWriter,
    *,
    as_json: bool,
) -> int:
    """Hold the log of a fork against its parent's, without a record."""
    if len(typed) != 1 or public_form is not None or moment is not None:
        raise CallError("verify-fork-what", "--parent needs one log, or a record with --against LOG")
    found = verify_fork(_log(typed[0]), _log(parent))
    data = _plain(found, typed[0], parent, None, texts, as_json=as_json)
    return _report(data, found, writer, texts, as_json=as_json)


def _report(data: dict[str, Any], found: Verdict, writer: ConsoleWriter, texts: Texts, *, as_json: bool) -> int:
    """Print a verdict; return the exit code."""
    if as_json:
        writer.json(data)
    else:
        _print(data, writer, texts)
    unusable = any(each.kind == "header" for each in found.findings)
    return UNUSABLE if unusable else FINE if found.ok else FOUND


def _record(typed: str) -> Record:
    """Read a record; raises `TrustError` if the file is no record, `LogError` if it cannot be read."""
    where = location(typed)
    try:
        return read_bytes(read_content(where))
    except TrustError as cause:
        raise TrustError(cause.kind, cause.why, str(where)) from None


def _verdict(read: list[Record], against: str | None, parent: str | None) -> Verdict:
    if len(read) == 2:
        return compare(*read)
    if against is None:
        return verify_record(read[0])
    return verify_record(read[0], _log(against), parent=None if parent is None else _log(parent))


def _log(typed: str) -> bytes:
    """Read a log, or its JSON form; raises `LogError` if the file cannot be read."""
    content = read_content(location(typed))
    return from_json(content) if is_json(content) else content


def _mark(read: list[Record], moment: int) -> bytes:
    """Return the mark of this moment; raises `CallError` if a record has none."""
    marks = [each.marks().get(moment) for each in read]
    if None in marks:
        raise CallError("no-mark", "there is no mark of moment {moment} in what is recorded", moment=moment)
    return marks[0] or b""


def _plain(
    found: Verdict, record: str, against: str | None, code: str | None, texts: Texts, *, as_json: bool
) -> dict[str, Any]:
    """Return the object that `--json` prints; without `as_json` its messages are in the language of `texts`."""
    format_finding, nothing = message if as_json else detail, Reading()
    return {
        "record": record,
        "against": against,
        "match": found.match,
        "seat": found.seat,
        "ok": found.ok,
        "first": found.first,
        "last": found.last,
        "code": code,
        "signed": found.signed,
        "ended": found.ended,
        "unchecked": [str(each) if as_json else texts.message(each) for each in found.unchecked],
        "proof": found.proof,
        "played_for": played_for(found.played_for),
        "findings": [
            {"seq": each.seq, "kind": each.kind, "rule": each.rule, "message": format_finding(each, nothing, texts)}
            for each in found.findings
        ],
    }


def _print(data: dict[str, Any], writer: ConsoleWriter, texts: Texts) -> None:
    fine, wrong = texts.format("verify-fine"), texts.format("audit-wrong")
    verdict = fine if data["ok"] else wrong
    indent = max(width(fine), width(wrong)) + 2
    line = Text(verdict + " " * (indent - width(verdict)), style="green" if data["ok"] else "bold red")
    line.append(sanitize(data["record"], 200), style="default")
    line.append(f"  {_summary(data, texts)}", style="dim")
    writer.print(line)
    for finding in data["findings"]:
        what = finding["rule"] or texts.format(f"finding-{finding['kind']}")
        if finding["seq"] is not None:
            what = texts.format("audit-at-event", seq=finding["seq"], what=what)
        writer.print(Text.assemble(" " * indent, (f"{what}: ", "bold"), finding["message"]))
    if data["proof"]:
        writer.print(Text(" " * indent + texts.format("verify-proof"), style="bold"))
    for text in stand_in_lines(data["played_for"], texts):
        writer.print(Text(" " * indent + text, style="dim"))
    for each in data["unchecked"]:
        writer.print(Text(" " * indent + texts.format("verify-unchecked", what=each), style="dim"))
    if data["code"] is not None:
        writer.print(Text(" " * indent + texts.format("verify-code", code=data["code"])))


def _summary(data: dict[str, Any], texts: Texts) -> str:
    parts = [sanitize(str(data["match"]), 40)]
    if data["against"] is None or data["seat"] is not None:
        seat = data["seat"]
        parts.append(texts.format("spectator") if seat is None else texts.format("seat", number=seat))
    if data["first"] is not None:
        parts.append(texts.format("verify-covers", first=data["first"], last=data["last"]))
    if data["ended"] is not None:
        parts.append(texts.format(f"verify-{data['ended'].replace(' ', '-')}"))
    parts.append(texts.format("verify-signed" if data["signed"] else "verify-unsigned"))
    return texts.format("comma").join(parts)
