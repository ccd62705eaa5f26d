"""`replay golden`: every log of a folder against its stored trace and end."""

from __future__ import annotations

import json as notation
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track

from ..core.golden import Golden, check, golden_logs
from ..core.legible import legible
from ..core.log.writer import write_whole
from ..core.texts import Texts
from .audit import verdict
from .options import JsonOption, LangOption, PlainOption, Unusable, texts
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
    lang: LangOption = None,
    json: JsonOption = False,
    plain: PlainOption = False,
) -> int:
    """Run every log of a folder against the trace NAME.trace and the end NAME.json that are stored beside it.

    With --bless they are stored anew where something changed: look at the changes without it first. Exit code 0:
    nothing changed, or all of it was stored; 1: something changed; 2: a log cannot be used.
    """
    paper, words, logs = Paper(plain=plain), texts(lang), golden_logs(folder)
    if not logs:
        raise Unusable(f"no *.log in {folder}: give a folder of golden logs")
    counts: dict[str, Counter[str]] = {}
    for path in _tracked(logs, shown=not (json or plain)):
        found = check(path, conformance=conformance)
        what = _become(found, bless=bless, conformance=conformance)
        counts.setdefault(found.reading.name or "no game", Counter())[what] += 1
        if what == "blessed":
            store(found, words)
        if json:
            paper.json({"log": str(path), "is": what, "differs": list(found.lines(words))})
        elif what != "the same":
            paper.print(f"{what}: {legible(str(path), 200)}", *_indented(found.lines(words)))
    if not json:
        paper.print(*_summary(counts))
    seen = {what for each in counts.values() for what in each}
    return 2 if "unusable" in seen else int("different" in seen)


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


def _indented(lines: Iterable[str]) -> Iterator[str]:
    return (f"  {line}" for line in lines)


def _tracked(logs: list[Path], *, shown: bool) -> Iterable[Path]:
    """Show on standard error how far it is, if that is a terminal."""
    console = Console(file=sys.stderr)
    return track(logs, "golden logs", console=console, transient=True, disable=not (shown and console.is_terminal))
