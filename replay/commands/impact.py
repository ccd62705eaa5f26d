"""`replay impact`: what another value of an option, or another engine, would change in many logs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shlex import quote

from rich.text import Text

from ...core.errors import KifuError
from ...core.match import registry
from ...core.match.engine import engine_name
from ...core.text.sanitize import sanitize
from ...core.text.texts import Line, Texts
from ...core.trace import Change
from ..analysis.engine import alternative
from ..analysis.findings import rules_of
from ..analysis.impacts import Group, Impacts, Tally, data_of, unreached
from ..call_errors import CallError
from ..command import verb
from ..logs.locations import location, reading_of, require_logs
from ..logs.worker_pool import WorkerPool
from ..options import (
    engine_option,
    fast_option,
    logs_argument,
    option_option,
    output_options,
    pool_options,
    timeout_option,
)
from ..render.console import Output
from ..render.typeset import block
from ..render.verdict import left_out_lines


@verb("replay impact logs/ --option long=true")
@logs_argument
@option_option
@engine_option
@fast_option
@timeout_option
@pool_options
@output_options
def impact(
    logs: tuple[str, ...],
    option: tuple[str, ...],
    engine: Path | None,
    fast: bool,
    timeout: float,
    pool: WorkerPool,
    output: Output,
) -> int:
    """Show what another value of an option, or another engine, would do to many logs.

    After each step it compares the state, the result and who is to act. After one step in twenty or so, drawn by the
    log, it also compares legal commands, views, notes, and how commands that nobody gave are refused
    (docs/trace-format.md). It counts the logs by the kind of change and by what differs first. Of each it names the
    shortest log. It names the rules that no log reaches. Commands and deals stay the same. With --fast it compares
    results and refusals alone.
    Exit code 0: nothing changes; 1: something does; 2: a log cannot be used.
    """
    locations, writer, texts = require_logs(logs), output.writer, output.texts
    candidate = alternative(option, engine, timeout)
    with candidate:
        pass  # fails here, once, if it cannot be used at all
    tally = Tally()
    for each in pool.map(Impacts(candidate, fast), locations, "impact", shown=output.shows_bar):
        tally.add(each)
        if output.json:
            writer.json(data_of(each))
    if not tally.compared:
        (first,) = tally.skipped[:1] or filter(None, [tally.other])
        raise CallError(
            "nothing-compared", "nothing could be compared: {log}: {why}", log=first.log, why=first.said(texts)
        )
    silent = {} if fast else unreached(tally)
    engines = None if candidate.name is None else _engines(tally, candidate.name)
    if output.json:
        writer.json({**tally.data(), "unreached": silent, "fast": fast, "engines": engines})
    else:
        writer.print(*_lines(tally, silent, texts, writer.width))
        if engines is not None:
            ours, theirs = map(Line, engines)
            writer.print(texts.format("diff-engines", ours=ours, theirs=theirs))
        writer.print(*_hints(tally, engine, texts, fast=fast))
    return 2 if tally.damaged else int(tally.changed)


def _engines(tally: Tally, theirs: str) -> tuple[str, str]:
    """Return the names of both engines, with the package of the game where all logs are of one."""
    return min(tally.engines) if len(tally.engines) == 1 else (engine_name(), theirs)


def _hints(tally: Tally, engine: Path | None, texts: Texts, *, fast: bool) -> Iterator[str]:
    """Yield what was left out, and what to do where no log reaches a change."""
    if fast:
        yield texts.format("impact-fast")
        return
    yield texts.format("impact-looked", looked=tally.looked, steps=tally.steps)
    if engine is not None and not tally.changed:
        game = min(tally.reached)
        place, python = (Line(quote(each)) for each in (registry.reference(game), str(engine)))
        key, named = ("impact-seek", place) if engine.suffix == ".py" or place == game else ("impact-same", game)
        yield texts.format(key, game=named, python=python)


def _lines(tally: Tally, silent: dict[str, list[str]], texts: Texts, width: int) -> Iterator[Text]:
    """Yield the report: the number of logs of each group, with the shortest of them by name."""
    indent = len(str(tally.compared)) + 4
    for change in Change:
        for group in tally.of(change):
            effect = Text(_effect(group, texts), style="" if change is Change.SAME else "bold")
            yield from block(Text(f"{group.logs:>{indent - 2}}"), indent, effect, width)
            if change is not Change.SAME:
                yield from (Text(f"{' ' * indent}{line}", style="dim") for line in _example(group, texts))
    yield Text(texts.format("impact-compared", count=tally.compared))
    if tally.others:
        yield Text(texts.format("impact-others", count=tally.others))
    yield from left_out_lines(tally.skipped, tally.damaged, texts)
    for game, rules in silent.items():
        yield Text(texts.format("impact-unreached", game=game, rules=" ".join(rules)))


def _effect(group: Group, texts: Texts) -> str:
    effect = texts.message(group.change.value)
    if group.rule is not None:
        effect = texts.format("impact-refused", effect=effect, rule=group.rule)
    if group.leaks:
        effect = texts.format("impact-leak", effect=effect, viewers=tuple(group.leaks))
    if group.cause in (None, group.rule):
        return effect
    cause = sanitize(texts.message(str(group.cause)), 200)
    return texts.format(
        "impact-raised" if group.change is Change.FAILED else "impact-first", effect=effect, cause=cause
    )


def _example(group: Group, texts: Texts) -> Iterator[str]:
    """Yield the shortest log of a group by its name, and of the step that differs first the command and the rules."""
    shortest = group.shortest
    if shortest.step is None:
        yield f"{texts.format('impact-shortest-of', events=shortest.events)}{texts.colon}{sanitize(shortest.log, 300)}"
        return
    key = "impact-shortest-start" if shortest.step == -1 else "impact-shortest"
    yield f"{texts.format(key, step=shortest.step, events=shortest.events)}{texts.colon}{sanitize(shortest.log, 300)}"
    try:
        reading = reading_of(location(shortest.log))
    except KifuError:  # a file that was sent, or is gone since
        return
    events = [] if reading.match is None else [*reading.match.events, *filter(None, [reading.refused])]
    if reading.match is not None and 0 <= shortest.step < len(events):
        event, match = events[shortest.step], reading.match
        doing = f"{texts.seat(event.seat, match.header.seats)}{texts.colon}{texts.command(event.command, match.game)}"
        notes = match.steps[shortest.step].notes if shortest.step < len(match.events) else ()
        yield "  ".join([doing, *rules_of(notes)])
