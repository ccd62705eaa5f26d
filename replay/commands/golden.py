"""`replay golden`: every log of a folder against its stored trace and end."""

from __future__ import annotations

import json as notation
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from attrs import evolve, frozen

from ...core.errors import Message
from ...core.golden import GoldenResult, check, golden_logs
from ...core.text.sanitize import sanitize
from ...core.text.texts import Texts
from ..analysis.findings import verdict
from ..call_errors import CallError
from ..logs.locations import Location, SentFile, location, write_file
from ..logs.worker_pool import WorkerPool
from ..options import ClusterOption, ConformanceOption, JobsOption, JsonOption, LangOption, PlainOption, texts
from ..render.console import ConsoleWriter

FolderArgument = Annotated[str, typer.Argument(metavar="DIR", help="A folder of golden logs, searched for *.log.")]
BlessOption = Annotated[
    bool, typer.Option("--bless", help="Tell what changes, and store it: what is so now is how it shall be.")
]

BESIDE = (".trace", ".json")
"""What is stored beside a golden log, NAME.log: what an engine made of it, and its end."""


def golden(
    folder: FolderArgument,
    bless: BlessOption = False,
    conformance: ConformanceOption = False,
    jobs: JobsOption = None,
    cluster: ClusterOption = None,
    lang: LangOption = None,
    json: JsonOption = False,
    plain: PlainOption = False,
) -> int:
    """Run every log of a folder against the trace NAME.trace and the end NAME.json that are stored beside it.

    With --bless they are stored anew where something changed: look at the changes without it first. Exit code 0:
    nothing changed, or all of it was stored; 1: something changed; 2: a log cannot be used.
    """
    pool, writer, words, logs = (
        WorkerPool(jobs, cluster),
        ConsoleWriter(plain=plain),
        texts(lang),
        _logs(location(folder)),
    )
    if not logs:
        raise CallError("no-golden-logs", "no *.log in {folder}: give a folder of golden logs", folder=folder)
    counts: dict[str, Counter[str]] = {}
    holding = partial(_held, bless=bless, conformance=conformance, words=words)
    shown = not (plain or writer.is_terminal)
    for log, held in zip(logs, pool.map(holding, logs, "golden logs", shown=shown, beside=BESIDE), strict=True):
        for suffix, content in zip(BESIDE, held.anew, strict=False):
            write_file(log.with_suffix(suffix), content)
        counts.setdefault(held.game, Counter())[held.what] += 1
        if json:
            writer.json({"log": held.log, "is": held.what, "differs": held.lines})
        elif held.what != "the same":
            writer.print(f"{_said(held.what, words)}: {sanitize(held.log, 200)}", *(f"  {line}" for line in held.lines))
    if not json:
        writer.print(*_summary(counts, words))
    seen = {what for each in counts.values() for what in each}
    return 2 if "unusable" in seen else int("different" in seen)


def _logs(folder: Location) -> Sequence[Location]:
    if isinstance(folder, Path):
        return golden_logs(folder)
    traced = (each.with_suffix(".log") for each in folder.logs(".trace"))
    return sorted({*folder.logs(), *traced}, key=lambda each: os.fsencode(each.url))


@frozen
class _Held:
    """What became of one golden log: small, so that it travels well."""

    log: str
    game: str
    what: str
    lines: tuple[str, ...]
    """What is wrong, or was until it was blessed."""
    anew: tuple[bytes, ...] = ()
    """What is to be stored beside it now, by who asked: the work itself may be done again where some was lost."""


def _held(log: Location | SentFile, *, bless: bool, conformance: bool, words: Texts) -> _Held:
    found = check(log, conformance=conformance)
    what = _become(found, bless=bless, conformance=conformance)
    anew = (found.traced, _end(found, words)) if what == "blessed" else ()
    lines = tuple(_blessed(found, anew, words) if anew else found.lines(words))
    return _Held(str(log), found.reading.name or "no game", what, lines, anew)


def _blessed(found: GoldenResult, anew: Iterable[bytes], words: Texts) -> Iterator[str]:
    """Format what changes in a log that is blessed, and which files are stored: for the first time, or anew."""
    missing = {
        each.values["file"]: each for each in found.problems if isinstance(each, Message) and each.key == "missing"
    }
    changed = tuple(each for each in found.problems if each not in missing.values())
    yield from evolve(found, problems=changed).lines(words)
    for suffix, _ in zip(BESIDE, anew, strict=True):
        file = found.path.with_suffix(suffix).name
        first = sanitize(file, 200) in missing
        yield words.format("golden-stored-first" if first else "golden-stored-anew", file=sanitize(file, 200))


def _become(found: GoldenResult, *, bless: bool, conformance: bool) -> str:
    if not found.traced:
        return "unusable"
    asked = conformance and not (found.comparison is not None and found.comparison.a.conformance)
    if bless and (asked or not found.ok):
        return "blessed"
    return "the same" if found.ok else "different"


def _end(found: GoldenResult, words: Texts) -> bytes:
    return f"{notation.dumps(verdict(found.reading, words), ensure_ascii=False)}\n".encode()


def _summary(counts: dict[str, Counter[str]], words: Texts) -> Iterator[str]:
    for game, became in sorted(counts.items()):
        each = [
            words.format("golden-count", what=_said(what, words), count=count) for what, count in sorted(became.items())
        ]
        told = words.format("comma").join(each)
        yield words.format("golden-game", game=sanitize(game, 40), logs=sum(became.values()), told=told)


def _said(what: str, words: Texts) -> str:
    return words.format(f"golden-{what.replace(' ', '-')}")
