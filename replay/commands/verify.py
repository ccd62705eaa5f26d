"""`replay verify`: a seat record, compared with the log of its match or with another seat's record."""

from __future__ import annotations

from pathlib import Path

import click

from ...core.errors import LogError, TrustError
from ...core.log import Finding
from ...core.log import read_bytes as read_log_bytes
from ...core.log.json_form import log_in
from ...core.text.sanitize import sanitize
from ...core.trust.records import Record, Verdict, hold_to, public, read_bytes
from ..analysis.verdict_words import verify_words
from ..analysis.verification import printed_code, verdict, verification
from ..call_errors import CallError
from ..command import verb
from ..logs.locations import location, read_content
from ..options import game_option, output_options
from ..render.console import Output
from ..render.output import STDOUT, write_output
from ..render.verdict import print_verdict

FINE, FOUND, UNUSABLE = 0, 1, 2


@verb("replay verify mine.seat --against game.log")
@game_option
@click.argument(
    "records", nargs=-1, required=True, metavar="RECORD…", help="A seat record (*.seat), or two of the same match."
)
@click.option("--against", metavar="LOG", help="The log that the host gave, as it was recorded.")
@click.option("--parent", metavar="LOG", help="The log of the match that the log is a fork of.")
@click.option("--host-key", metavar="KEY", help="The host's public key or its fingerprint: another is a finding.")
@click.option(
    "--public",
    "public_form",
    type=Path,
    metavar="FILE",
    help="Write the form that shows no card; an existing file is never replaced.",
)
@click.option(
    "--moment", type=click.IntRange(0), metavar="N", help="Print the code after N events; default: after the last."
)
@click.option("--partial", is_flag=True, help="Exit code 0 although something was not checked, or not told.")
@output_options
def verify(
    records: tuple[str, ...],
    against: str | None,
    parent: str | None,
    host_key: str | None,
    public_form: Path | None,
    moment: int | None,
    partial: bool,
    output: Output,
) -> int:
    """Compare a seat record with the log of its match, or the records of two seats with each other.

    With --against LOG: whether the log is the match that this seat saw, to the byte. With two records: whether the
    host showed both seats the same history; public forms are enough, and the match may still go on. With one record:
    whether it is consistent. The printed code stands for everything up to a moment: players with the same code have the
    same history. A log in place of the record, with --parent LOG: whether it is a fork of that match.

    The key of the host is shown by its fingerprint: --host-key compares it with one that you know.

    Exit code 0: verified; 1: findings, or verified in part, unless --partial; 2: a file is neither a record
    nor a log, or cannot be read.
    """
    of_fork = parent is not None and against is None
    _check_call(len(records), of_fork, against, public_form, moment)
    texts, writer = output.texts, output.writer
    other = against or (parent if of_fork else records[1] if len(records) == 2 else None)
    try:
        read = [] if of_fork else [_record(each) for each in records]
    except TrustError as cause:
        if output.json:
            none = Verdict((Finding("record", cause.summary),))
            writer.json({"record": records[0], "against": other, **verification(none, None, texts, as_program=True)})
            return UNUSABLE
        raise
    log = records[0] if of_fork else against
    found = verdict(read, None if log is None else _log(log), None if parent is None else _parent(parent))
    if host_key is not None:
        found = hold_to(found, host_key)
    printed = printed_code(read, found, moment)
    if public_form is not None:
        write_output(public_form, public(read[0]), new=True)
    unusable = any(each.kind == "header" for each in found.findings)
    code_of = UNUSABLE if unusable else FINE if found.ok and (partial or not found.partial) else FOUND
    if public_form == STDOUT:
        return code_of
    told = verification(found, printed, texts, as_program=output.json)
    data = {"record": records[0], "against": other, **told}
    if output.json:
        writer.json(data)
    else:
        words = verify_words(data, texts)
        print_verdict(words, records[0], texts.format("verify-fine"), writer, texts)
        if public_form is not None:
            writer.print(texts.format("verify-public", file=sanitize(str(public_form), 300)))
    return code_of


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


def _parent(typed: str) -> bytes:
    """Read the log of the match that is forked; raises `LogError` if the file cannot be read, or is none."""
    content = _log(typed)
    for each in read_log_bytes(content, keep_states=False).findings:
        if each.kind == "header":
            raise LogError(each.kind, each.message, path=str(location(typed)))
    return content


def _log(typed: str) -> bytes:
    """Read a log, or its JSON form; raises `LogError` if the file cannot be read."""
    where = location(typed)
    return log_in(read_content(where), str(where))
