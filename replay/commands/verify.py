"""`replay verify`: a seat record, compared with the log of its match or with another seat's record."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from attrs import evolve
from rich.text import Text

from ...core.errors import LogError, TrustError
from ...core.log import Finding
from ...core.log import read_bytes as read_log_bytes
from ...core.log.json_form import from_json, is_json
from ...core.log.writer import replace_file
from ...core.text.sanitize import sanitize
from ...core.text.texts import Texts
from ...core.trust.records import Record, Verdict, note_codes, public, read_bytes, verify_fork
from ..analysis.findings import stand_in_lines
from ..analysis.known_hosts import HostKeyCheck
from ..analysis.verification import printed_code, verdict, verification
from ..call_errors import CallError
from ..logs.locations import location, read_content
from ..options import JsonOption, LangOption, PlainOption, texts_for
from ..render.console import ConsoleWriter
from ..render.verdict import print_verdict

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
HostKeyOption = Annotated[
    str | None,
    typer.Option("--host-key", metavar="KEY", help="The host's public key or its fingerprint: another is a finding."),
]
HostOption = Annotated[
    str | None,
    typer.Option("--host", metavar="NAME", help="The host, as in the known hosts; a new one is added to them."),
]
KnownHostsOption = Annotated[
    Path | None,
    typer.Option("--known-hosts", metavar="FILE", help="Names and keys of hosts; default: ~/.config/kifu/known_hosts."),
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

CodeOption = Annotated[
    str | None,
    typer.Option("--code", metavar="CODE", help="Another player's code of that moment: compared, and noted if equal."),
]


def verify(
    records: RecordsArgument,
    against: AgainstOption = None,
    parent: ParentOption = None,
    host_key: HostKeyOption = None,
    host: HostOption = None,
    known_hosts: KnownHostsOption = None,
    public_form: PublicOption = None,
    moment: MomentOption = None,
    code: CodeOption = None,
    lang: LangOption = None,
    json: JsonOption = False,
    plain: PlainOption = False,
) -> int:
    """Compare a seat record with the log of its match, or the records of two seats with each other.

    With --against LOG: whether the log is the match that this seat saw, to the byte. With two records: whether the
    host showed both seats the same history; public forms are enough, and the match may still go on. With one record:
    whether it is consistent. The printed code stands for everything up to a moment: players with the same code have the
    same history. A log in place of the record, with --parent LOG: whether it is a fork of that match.

    With --moment N --code CODE: whether another player has the same code after N events, told outside of the host. If
    so, the record keeps that.

    The key of the host is shown by its fingerprint: --host-key compares it with one that you know, --host NAME with
    that of your known hosts.

    Exit code 0: no findings; 1: findings; 2: a file is no record or no log, or cannot be read.
    """
    of_fork = parent is not None and against is None
    _check_call(len(records), of_fork, against, public_form, moment)
    texts, writer = texts_for(lang), ConsoleWriter(plain=plain)
    other = against or (parent if of_fork else records[1] if len(records) == 2 else None)
    try:
        read = [] if of_fork else [_record(each) for each in records]
    except TrustError as cause:
        if json:
            none = Verdict((Finding("record", cause.summary),))
            writer.json({"record": records[0], "against": other, **verification(none, None, texts, as_program=True)})
            return UNUSABLE
        raise
    if code is not None:
        read = [_agreed(read, records[0], moment, code)]
    verified = _verdict(read, records, against, parent)
    found, name, added = HostKeyCheck(host_key, host, known_hosts).hold(verified)
    printed = printed_code(read, found, moment)
    if public_form is not None:
        replace_file(public_form, public(read[0]), new=True)
    told = verification(found, printed, texts, as_program=json)
    data = {"record": records[0], "against": other, **told, "host": name}
    if json:
        writer.json(data)
    else:
        _print(data, writer, texts, added=added)
        if public_form is not None:
            writer.print(texts.format("verify-public", file=sanitize(str(public_form), 300)))
    unusable = any(each.kind == "header" for each in found.findings)
    return UNUSABLE if unusable else FINE if found.ok else FOUND


def _check_call(records: int, of_fork: bool, against: str | None, public_form: Path | None, moment: int | None) -> None:
    """Raise `CallError` for what cannot be compared."""
    if records > 2 or (records == 2 and (against is not None or public_form is not None)):
        raise CallError("verify-what", "give one record, alone or with --against LOG, or two records")
    if of_fork and (records != 1 or public_form is not None or moment is not None):
        raise CallError("verify-fork-what", "--parent needs one log, or a record with --against LOG")


def _record(typed: str) -> Record:
    """Read a record; raises `TrustError` if the file is no record, `LogError` if it cannot be read."""
    where = location(typed)
    try:
        return read_bytes(read_content(where))
    except TrustError as cause:
        raise TrustError(cause.kind, cause.why, str(where)) from None


def _agreed(records: list[Record], typed: str, moment: int | None, code: str) -> Record:
    """Note another player's code in the file of the record; one that differs makes a finding and is not noted."""
    if len(records) != 1 or moment is None:
        raise CallError("verify-code-what", "--code needs one record and --moment N")
    read, where = records[0], location(typed)
    try:
        agreed = read.agree(moment, code)
    except TrustError as cause:
        finding = Finding("mark", cause.why, max(moment - 1, 0))
        return evolve(read, findings=(*read.findings, finding))
    if agreed != read:
        if not isinstance(where, Path):
            raise CallError("verify-code-where", "a code is noted in a file of this computer: {file}", file=typed[:200])
        note_codes(where, agreed)
    return agreed


def _verdict(read: list[Record], typed: list[str], against: str | None, parent: str | None) -> Verdict:
    old = None if parent is None else _parent(parent)
    if not read:
        return verify_fork(_log(typed[0]), old or b"")
    return verdict(read, None if against is None else _log(against), old)


def _parent(typed: str) -> bytes:
    """Read the log of the match that is forked; raises `LogError` if the file cannot be read, or is none."""
    content = _log(typed)
    for each in read_log_bytes(content, keep_states=False).findings:
        if each.kind == "header":
            raise LogError(each.kind, each.message, path=str(location(typed)))
    return content


def _log(typed: str) -> bytes:
    """Read a log, or its JSON form; raises `LogError` if the file cannot be read."""
    content = read_content(location(typed))
    return from_json(content) if is_json(content) else content


def _print(data: dict[str, Any], writer: ConsoleWriter, texts: Texts, *, added: bool) -> None:
    fine, summary = texts.format("verify-fine"), _summary(data, texts)
    indent = print_verdict(data, data["record"], summary, fine, writer, texts)
    if data["proof"]:
        key = "verify-proof-unknown" if data["host"] is None else "verify-proof"
        proof = texts.format(key, host=sanitize(data["host"] or "", 60), key=data["fingerprint"])
        writer.print(Text(indent + proof, style="bold"))
    for text in stand_in_lines(data["played_for"], texts):
        writer.print(Text(indent + text, style="dim"))
    for each in data["unchecked"]:
        writer.print(Text(indent + texts.format("verify-unchecked", what=each), style="dim"))
    if data["bound"]:
        moments = texts.comma.join(map(str, data["bound"]))
        writer.print(Text(indent + texts.format("verify-bound", moments=moments)))
    if data["fingerprint"] is not None:
        key = "verify-key-unknown" if data["host"] is None else "verify-key-added" if added else "verify-key"
        line = Text(indent + texts.format(key, key=data["fingerprint"], host=sanitize(data["host"] or "", 60)))
        writer.print(line)
    if data["code"] is not None:
        writer.print(Text(indent + texts.format("verify-code", code=data["code"])))


def _summary(data: dict[str, Any], texts: Texts) -> str:
    parts = [sanitize(str(data["match"]), 40)]
    if data["against"] is None or data["seat"] is not None:
        seat = data["seat"]
        parts.append(texts.format("spectator") if seat is None else texts.format("seat", number=seat))
    if data["first"] is not None:
        parts.append(texts.format("verify-covers", first=data["first"], last=data["last"]))
    if data["ended"] is not None:
        parts.append(texts.format(f"verify-{data['ended'].replace(' ', '-')}"))
    if data["code"] is not None:  # else it is no record: a fork and its parent
        parts.append(texts.format("verify-signed" if data["signed"] else "verify-unsigned"))
    return texts.comma.join(parts)
