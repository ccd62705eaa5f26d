"""`replay diff`: where two replays diverge, in which fields, by which rules, and whether it matters."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import click
from attrs import frozen

from ...core.errors import GameError, KifuError, TraceError
from ...core.game import AnyGame
from ...core.log import Reading, read_bytes
from ...core.match import AnyMatch, registry
from ...core.text.sanitize import sanitize, width
from ...core.text.texts import Texts
from ...core.trace import Change, Comparison, Trace, compare, option_fields, read_trace
from ...core.trace.presenter import ComparisonPresenter, legend
from ...core.trace.values import with_values
from ..analysis.engine import Engine, is_trace, source_of, traced_bytes
from ..analysis.log_diff import LogDiff
from ..analysis.what_if import EngineFailed
from ..call_errors import CallError, UserMessage
from ..command import verb
from ..logs.locations import Location, location, read_content, require_logs
from ..options import game_option, output_options, timeout_option
from ..render.console import Output

Sides = tuple[Engine | None, Engine | None]
"""The engines that run A and B; None: this one."""


@verb("replay diff game.log --engine ../new/bin/python")
@game_option
@click.argument("a", metavar="A", help="A log or a trace; or a folder of them.")
@click.argument("b", required=False, metavar="[B]", help="Another log or trace, or folder.")
@click.option(
    "--engine",
    type=Path,
    multiple=True,
    metavar="PYTHON",
    help="A Python with another version, which runs B; given twice: A and B.",
)
@click.option("--all", "every", is_flag=True, help="Show every step that differs, not only the first.")
@timeout_option
@output_options
def diff(a: str, b: str | None, engine: tuple[Path, ...], every: bool, timeout: float, output: Output) -> int:
    """Show where two replays diverge: the step, every field that differs, the rule on each side, and both results.

    Each side is a log, folded by this engine or by --engine, or a trace. Two logs are compared event by event. With
    one log and --engine, this engine is compared with that one; a folder compares all its logs, two folders what has
    the same name in both. Exit code 0: no difference; 1: a difference; 2: something cannot be used.
    """
    writer, texts = output.writer, output.texts
    if len(engine) > 2 or (b is None and not engine):
        raise CallError("compare-two", "compare two: A B, or A --engine PYTHON; at most two engines")
    with ExitStack() as stack:
        running = [stack.enter_context(Engine(python, timeout)) for python in engine]
        for each in running:
            each.start()
        sides: Sides = (running[0], running[1]) if len(running) == 2 else (None, running[0] if running else None)
        if pairs := _pairs(a, b):
            return _Folder(output, every=every).compare(pairs, sides)
        first, second = _open(location(a)), _open(location(b if b is not None else a))
        if not running and first.trace is None and second.trace is None:
            return _diff_logs(first, second, output, every=every)
        comparison = _compared(first, second, sides, every=every)
    presenter = ComparisonPresenter(*_known(first, second), texts)
    if output.json:
        for step in comparison.steps if every else comparison.steps[:1]:
            writer.json(presenter.step_json(step))
        writer.json(presenter.summary(comparison))
    else:
        names = [_source(side, by, texts) for side, by in zip((first, second), sides, strict=True)]
        writer.print(legend("A", comparison.a, names[0], texts), legend("B", comparison.b, names[1], texts))
        writer.print(*presenter.lines(comparison, every=every))
    return 0 if comparison.change is Change.SAME else 1


@frozen
class _File:
    """One side of the comparison: a log or a trace."""

    path: Location
    content: bytes
    trace: Trace | None

    def to_trace(self, by: Engine | None) -> Trace:
        """Return its trace; a log is folded by `by`, or by this engine."""
        if self.trace is not None:
            return self.trace
        return read_trace(traced_bytes(self.content, self.path)) if by is None else by.trace(self.content)

    def reading(self) -> Reading:
        """Read it as a log; raises `LogError` if it contains no match."""
        reading = read_bytes(self.content)
        if reading.match is None:
            raise reading.error(str(self.path))
        return reading


def _pairs(a: str, b: str | None) -> list[tuple[Location, Location]]:
    """Return what is compared with what: the logs of a folder, or what two have by the same names; empty for files."""
    if b is None:
        logs = require_logs([a])
        return [] if len(logs) == 1 and logs[0] == location(a) else [(log, log) for log in logs]
    if not (os.path.isdir(a) and os.path.isdir(b)):
        return []
    found = {path.relative_to(folder) for folder in (a, b) for path in Path(folder).rglob("*")}
    names = sorted((name for name in found if name.suffix in (".log", ".trace")), key=os.fsencode)
    if not names:
        raise CallError("nothing-to-compare", "no *.log and no *.trace in {a} or {b}", a=a, b=b)
    return [(Path(a, name), Path(b, name)) for name in names]


def _open(where: Location) -> _File:
    content = read_content(where)
    return _File(where, content, read_trace(content, str(where)) if is_trace(content) else None)


def _compared(a: _File, b: _File, sides: Sides, *, every: bool) -> Comparison:
    for side, by in zip((a, b), sides, strict=True):
        if by is not None and side.trace is not None:
            raise CallError("trace-by-engine", "{file}: no engine can run a trace; give its log", file=side.path)
    one, other = a.to_trace(sides[0]), b.to_trace(sides[1])
    _, match = _known(a, b)
    try:
        comparison = compare(one, other) if match is None else compare(one, other, option_fields(match))
    except TraceError as cause:
        raise TraceError(
            cause.why, cause.path or UserMessage("two-files", "{one} and {other}", one=a.path, other=b.path)
        ) from None
    if not comparison.steps:
        return comparison
    sources = [None if each.trace else source_of(each.content, by) for each, by in zip((a, b), sides, strict=True)]
    return with_values(comparison, *sources, every=every)


def _known(*sides: _File) -> tuple[AnyGame | None, AnyMatch | None]:
    """Return the game, and the match if a side is a log: their texts name cards and commands."""
    for side in sides:
        if side.trace is None:
            reading = side.reading()
            return reading.game, reading.match
    try:
        return (registry.find(sides[0].trace.game) if sides[0].trace is not None else None), None
    except GameError:
        return None, None


def _source(side: _File, by: Engine | None, texts: Texts) -> str:
    path = str(side.path)
    if side.trace is not None:
        return path
    if by is None:
        return texts.message(UserMessage("compare-here", "{source} run by this engine", source=path))
    return texts.message(UserMessage("compare-by", "{source} run by {python}", source=path, python=by.python))


def _diff_logs(a: _File, b: _File, output: Output, *, every: bool) -> int:
    """Compare two logs by their headers and events."""
    log_diff = LogDiff.of(a.reading(), b.reading(), output.texts)
    if output.json:
        for difference in log_diff.data(every=every):
            output.writer.json(difference)
    else:
        names = (f"{side}: {sanitize(str(each.path), 200)}" for side, each in (("A", a), ("B", b)))
        output.writer.print(*names, *log_diff.text_lines(every=every))
    return 1 if log_diff.differ else 0


class _Folder:
    """A comparison of two engines over all logs of a folder: a line for each log, and totals."""

    def __init__(self, output: Output, *, every: bool) -> None:
        self.writer, self.texts, self.json = output.writer, output.texts, output.json
        self.every = every
        self.counts: Counter[Change] = Counter()
        self.engines: dict[str, str] = {}
        """The names of both engines, once they are known."""
        self.indent = 1 + max(width(self._label(change)) for change in Change)

    def compare(self, pairs: Sequence[tuple[Location, Location]], sides: Sides) -> int:
        """Compare every pair, print the results and return the exit code."""
        for path, other in pairs:
            try:
                side = _open(path)
                comparison = _compared(side, side if other == path else _open(other), sides, every=self.every)
            except KifuError as cause:
                kind = Change.FAILED if isinstance(cause, EngineFailed) else Change.UNREAD
                self.counts[kind] += 1
                self._print_unusable(kind, path, cause.summary)
                continue
            self.counts[comparison.change] += 1
            self.engines = {"ours": sanitize(comparison.a.engine, 80), "theirs": sanitize(comparison.b.engine, 80)}
            self._print(path, side, comparison)
        if not self.json:
            counts = [
                self.texts.format("diff-count", what=self._label(change), count=n) for change, n in self.counts.items()
            ]
            if self.engines:
                self.writer.print(self.texts.format("diff-engines", **self.engines))
            total = self.texts.format("diff-total", logs=sum(self.counts.values()))
            self.writer.print(f"{total}{self.texts.colon}{self.texts.comma.join(counts)}")
        if self.counts[Change.UNREAD]:
            return 2
        return 0 if set(+self.counts) == {Change.SAME} else 1

    def _print_unusable(self, kind: Change, path: Location, why: str) -> None:
        if self.json:
            self.writer.json(
                {"log": str(path), "kind": kind.value, "error": sanitize(str(why).removeprefix(f"{path}: "), 400)}
            )
            return
        reason = self.texts.message(why).removeprefix(f"{path}: ").removeprefix(f"{path}：")
        self.writer.print(f"{self._column(kind)}{sanitize(str(path), 200)}{self.texts.colon}{sanitize(reason, 400)}")

    def _print(self, path: Location, side: _File, comparison: Comparison) -> None:
        if self.json:
            self.writer.json({"log": str(path), **ComparisonPresenter(None).summary(comparison)})
            return
        self.writer.print(f"{self._column(comparison.change)}{sanitize(str(path), 200)}")
        if comparison.change is not Change.SAME:
            lines = ComparisonPresenter(*_known(side), self.texts).lines(comparison, every=self.every)
            self.writer.print(*(f"{' ' * self.indent}{line}" for line in lines))

    def _label(self, change: Change) -> str:
        return self.texts.message(change.value)

    def _column(self, change: Change) -> str:
        label = self._label(change)
        return label + " " * (self.indent - width(label))
