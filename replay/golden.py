"""`replay golden`: every log of a folder against its stored trace and end."""

from __future__ import annotations

import json as notation
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from attrs import frozen

from ..core.golden import Golden, check, golden_logs
from ..core.legible import legible
from ..core.log.writer import write_whole
from ..core.texts import Texts
from .audit import verdict
from .crew import Crew
from .options import JobsOption, JsonOption, LangOption, PlainOption, Unusable, texts
from .paper import Paper
from .trace import ConformanceOption

FolderArgument = Annotated[Path, typer.Argument(metavar="DIR", help="A folder of golden logs, searched for *.log.")]
BlessOption = Annotated[
    bool, typer.Option("--bless", help="Tell what changes, and store it: what is so now is how it shall be.")
]


def golden(
    folder: FolderArgument,
    bless: BlessOption = False,
    conformance: ConformanceOption = False,
    jobs: JobsOption = None,
    lang: LangOption = None,
    json: JsonOption = False,
    plain: PlainOption = False,
) -> int:
    """Run every log of a folder against the trace NAME.trace and the end NAME.json that are stored beside it.

    With --bless they are stored anew where something changed: look at the changes without it first. Exit code 0:
    nothing changed, or all of it was stored; 1: something changed; 2: a log cannot be used.
    """
    paper, logs = Paper(plain=plain), golden_logs(folder)
    if not logs:
        raise Unusable(f"no *.log in {folder}: give a folder of golden logs")
    counts: dict[str, Counter[str]] = {}
    holding = partial(_held, bless=bless, conformance=conformance, words=texts(lang))
    for held in Crew(jobs).each(holding, logs, "golden logs", shown=not (json or plain or paper.is_terminal)):
        counts.setdefault(held.game, Counter())[held.what] += 1
        if json:
            paper.json({"log": held.log, "is": held.what, "differs": held.lines})
        elif held.what != "the same":
            paper.print(f"{held.what}: {legible(held.log, 200)}", *(f"  {line}" for line in held.lines))
    if not json:
        paper.print(*_summary(counts))
    seen = {what for each in counts.values() for what in each}
    return 2 if "unusable" in seen else int("different" in seen)


@frozen
class _Held:
    """What became of one golden log: small, so that it travels well."""

    log: str
    game: str
    what: str
    lines: tuple[str, ...]
    """What is wrong, or was until it was blessed."""


def _held(path: Path, *, bless: bool, conformance: bool, words: Texts) -> _Held:
    found = check(path, conformance=conformance)
    what = _become(found, bless=bless, conformance=conformance)
    if what == "blessed":
        store(found, words)
    return _Held(str(path), found.reading.name or "no game", what, tuple(found.lines(words)))


def _become(found: Golden, *, bless: bool, conformance: bool) -> str:
    if not found.traced:
        return "unusable"
    asked = conformance and not (found.comparison is not None and found.comparison.a.conformance)
    if bless and (asked or not found.ok):
        return "blessed"
    return "the same" if found.ok else "different"


def store(found: Golden, words: Texts) -> tuple[Path, Path]:
    """Store the trace and the end of today beside a log, and name both; raises `LogError` if they cannot be written."""
    traced, end = found.path.with_suffix(".trace"), found.path.with_suffix(".json")
    write_whole(traced, found.traced)
    write_whole(end, f"{notation.dumps(verdict(found.reading, words), ensure_ascii=False)}\n".encode())
    return traced, end


def _summary(counts: dict[str, Counter[str]]) -> Iterator[str]:
    for game, became in sorted(counts.items()):
        told = ", ".join(f"{count} {what}" for what, count in sorted(became.items()))
        yield f"{legible(game, 40)}: {sum(became.values())} logs, {told}"
