"""`replay golden`: the logs of a folder, compared with their stored traces and results."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

import click
from attrs import evolve, frozen

from ...core.errors import Message
from ...core.text.sanitize import sanitize
from ...core.text.texts import Texts
from ...core.trace.golden import GoldenResult, check, files_of, golden_logs
from ..call_errors import CallError
from ..command import verb
from ..logs.locations import Place, SentFile, place, write_file
from ..logs.worker_pool import WorkerPool
from ..options import game_option, output_options, pool_options
from ..progress import lines_beside_bar
from ..render.console import Output

BESIDE = (".trace", ".json")
"""The suffixes of what is stored beside a golden log, NAME.log: its trace, and its audit's result."""


@verb("replay golden fixtures/")
@game_option
@click.argument("folder", metavar="DIR", help="A folder of golden logs, searched for *.log.")
@click.option("--bless", is_flag=True, help="Print the changes, and store them as the new expectation.")
@click.option(
    "--anyway",
    multiple=True,
    metavar="NAME",
    help="Store this log's expectation, too, though it breaks an old log. Repeatable.",
)
@pool_options
@output_options
def golden(folder: str, bless: bool, anyway: tuple[str, ...], pool: WorkerPool, output: Output) -> int:
    """Compare every log of a folder with the trace NAME.trace and the audit result NAME.json stored beside it.

    With --bless, what changed is stored; look at the changes without it first. A log that no longer audits clean, or
    has another end, is left as it is, because what people played is a promise. Raise the rules version, or accept the
    log with --anyway NAME.

    Exit code 0: nothing changed, or everything was stored; 1: something changed, or was refused; 2: a log cannot be
    used.
    """
    writer, texts, logs = output.writer, output.texts, _logs(place(folder))
    if not logs:
        raise CallError("no-golden-logs", "no *.log in {folder}: give a folder of golden logs", folder=folder)
    named = frozenset(name.removesuffix(".log") for name in anyway)
    _check_names(named, logs, bless=bless)
    counts: dict[str, Counter[str]] = {}
    work = partial(_check, bless=bless, anyway=named, texts=texts)
    with lines_beside_bar(writer, shown=output.shows_bar) as say:
        results = pool.map(work, logs, "golden logs", shown=output.shows_bar, beside=BESIDE)
        for log, checked in zip(logs, results, strict=True):
            for suffix, content in zip(BESIDE, checked.to_store, strict=False):
                write_file(log.with_suffix(suffix), content)
            counts.setdefault(checked.game, Counter())[checked.status] += 1
            if output.json:
                writer.json({"log": checked.log, "is": checked.status, "differs": checked.lines})
            elif checked.status != "the same":
                head = f"{_label(checked.status, texts)}{texts.colon}{sanitize(checked.log, 200)}"
                say(head, *(f"  {line}" for line in checked.lines))
    if not output.json:
        writer.print(*_summary(counts, texts))
    statuses = {status for each in counts.values() for status in each}
    return 2 if "unusable" in statuses else int(bool(statuses & {"different", "refused"}))


def _check_names(names: Iterable[str], logs: Sequence[Place], *, bless: bool) -> None:
    """Raise `CallError` unless each name after `--anyway` is one of a log, and `--bless` is there."""
    for name in names:
        if not bless:
            raise CallError("anyway-alone", "--anyway goes with --bless: it names a log to store though it breaks")
        if name not in {log.with_suffix("").name for log in logs}:
            raise CallError("anyway-whom", "--anyway {name}: there is no {name}.log in the folder", name=name)


def _logs(folder: Place) -> Sequence[Place]:
    """Return the golden logs of a folder; raises `CallError` if it is none."""
    if isinstance(folder, Path):
        if not folder.is_dir():
            english = "{folder}: there is no such folder; give a folder of golden logs"
            raise CallError("no-folder", english, folder=folder)
        return golden_logs(folder)
    traced = (each.with_suffix(".log") for each in folder.logs(".trace"))
    return sorted({*folder.logs(), *traced}, key=lambda each: os.fsencode(each.url))


@frozen
class _Checked:
    """The result for one golden log, small enough to be sent between processes."""

    log: str
    game: str
    status: str
    """`the same`, `different`, `blessed`, `refused` or `unusable`."""
    lines: tuple[str, ...]
    """What is wrong, or was until it was blessed."""
    to_store: tuple[bytes, ...] = ()
    """The files to store beside the log, in the order of `BESIDE`. The caller writes them: a worker may run twice."""


def _check(log: Place | SentFile, *, bless: bool, anyway: Collection[str], texts: Texts) -> _Checked:
    result = check(log)
    status = _status(result, bless=bless)
    if status == "blessed" and result.broken is not None and log.with_suffix("").name not in anyway:
        lines = (*result.lines(texts), texts.message(result.broken), texts.format("golden-due"))
        return _Checked(str(log), result.reading.name or "no game", "refused", lines)
    to_store = files_of(result, texts) if status == "blessed" else ()
    lines = tuple(_blessed(result, to_store, texts) if to_store else result.lines(texts))
    return _Checked(str(log), result.reading.name or "no game", status, lines, to_store)


def _blessed(result: GoldenResult, to_store: Iterable[bytes], texts: Texts) -> Iterator[str]:
    """Format what changes in a log that is blessed, and which files are stored: for the first time, or anew."""
    missing = {
        each.values["file"]: each for each in result.problems if isinstance(each, Message) and each.key == "missing"
    }
    changed = tuple(each for each in result.problems if each not in missing.values())
    yield from evolve(result, problems=changed).lines(texts)
    for suffix, content in zip(BESIDE, to_store, strict=True):
        stored = result.path.with_suffix(suffix)
        file, first = stored.name, sanitize(stored.name, 200) in missing
        if not first and stored.read_bytes() == content:
            continue
        yield texts.format("golden-stored-first" if first else "golden-stored-anew", file=sanitize(file, 200))


def _status(result: GoldenResult, *, bless: bool) -> str:
    if not result.traced:
        return "unusable"
    is_old = result.comparison is not None and result.comparison.left_out is not None
    if bless and (is_old or not result.ok):
        return "blessed"
    return "the same" if result.ok else "different"


def _summary(counts: dict[str, Counter[str]], texts: Texts) -> Iterator[str]:
    for game, statuses in sorted(counts.items()):
        each = [
            texts.format("golden-count", what=_label(status, texts), count=count)
            for status, count in sorted(statuses.items())
        ]
        summary = texts.comma.join(each)
        yield texts.format("golden-game", game=sanitize(game, 40), logs=sum(statuses.values()), summary=summary)


def _label(status: str, texts: Texts) -> str:
    return texts.format(f"golden-{status.replace(' ', '-')}")
