"""`replay seek`: a match in which two engines part, found by play directed at the rules that were never at work."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any

import typer

from ...core.errors import KifuError
from ...core.game import AnyGame
from ...core.log import log_bytes
from ...core.log.writer import replace_file
from ...core.text.sanitize import sanitize
from ...core.text.texts import Texts
from ...core.trace import Trace, read_trace, trace_log
from ...core.trace.presenter import ComparisonPresenter, legend
from ...core.trace.sources import game_sources
from ..analysis.changed_rules import rules_between
from ..analysis.directed import DirectedPlay
from ..analysis.engine import TIMEOUT_S, Engine
from ..analysis.seek import EnginesDiffer, SeekResult, Tracer, headers_of, seek
from ..call_errors import CallError, UserMessage
from ..option_parsing import parse_options
from ..options import (
    GameArgument,
    JsonOption,
    LangOption,
    OptionOption,
    PlainOption,
    TimeoutOption,
    game_of,
    seed_of,
    texts_for,
)
from ..progress import spinner
from ..render.console import ConsoleWriter

EnginesOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--engine", metavar="PYTHON", help="A Python with another version, to compare with; given twice: A and B."
    ),
]
FileOption = Annotated[
    Path | None, typer.Option("-o", metavar="FILE", help="The log of the match; an existing file is never replaced.")
]
SeatsOption = Annotated[int | None, typer.Option("--seats", metavar="N", help="How many seats; default: all in turn.")]
TriesOption = Annotated[int, typer.Option("--tries", min=1, metavar="N", help="How many matches to play at most.")]
SecondsOption = Annotated[float, typer.Option("--seconds", min=0, metavar="S", help="How long to play at most.")]
SeedOption = Annotated[str | None, typer.Option("--seed", metavar="HEX", help="64 hex digits; default: zeros.")]


def seek_parting(
    game: GameArgument,
    engine: EnginesOption = None,
    file: FileOption = None,
    seats: SeatsOption = None,
    option: OptionOption = None,
    seed: SeedOption = None,
    tries: TriesOption = 300,
    seconds: SecondsOption = 60,
    timeout: TimeoutOption = TIMEOUT_S,
    lang: LangOption = None,
    json: JsonOption = False,
    plain: PlainOption = False,
) -> int:
    """Play matches directed at rules that were never at work, until two engines part, and show where.

    This engine plays, and each match is compared with all that a trace has: states, notes, results, legal commands and
    views. Rules whose source differs between the engines are reached for first. The same call plays the same matches,
    unless --seconds ends it. Exit code 0: the engines never parted; 1: they did; 2: an engine cannot be used.
    """
    chosen, writer, texts, engines = game_of(game), ConsoleWriter(plain=plain), texts_for(lang), list(engine or [])
    if not 1 <= len(engines) <= 2:
        raise CallError("seek-engines", "give one --engine PYTHON to compare this one with, or two")
    if file is not None and file.exists():
        raise CallError("file-there", "{file}: it exists already; give another name", file=file)
    headers = headers_of(chosen, seats, parse_options(chosen, option or []), seed_of(seed or "0" * 64))
    with ExitStack() as stack:
        running = [stack.enter_context(Engine(python, timeout)) for python in engines]
        director = DirectedPlay(chosen, _changed(chosen, running))
        tracers: tuple[Tracer, Tracer] = (
            (_tracer(running[0]), _tracer(running[1])) if len(running) == 2 else (_trace_here, _tracer(running[0]))
        )
        stack.enter_context(spinner("seek", shown=not (json or plain)))
        result = seek(director, headers, tracers, tries, seconds)
    if result.found is not None and file is not None:
        replace_file(file, log_bytes(result.found.match), new=True)
    if json:
        _print_json(writer, result, director, file, chosen)
    elif result.found is None:
        writer.print(texts.format(f"seek-{result.why}", count=result.matches), *_silent(director, texts))
    else:
        _print_parting(writer, texts, result.found, result.matches, file, engines)
    return 0 if result.found is None else 1


def _changed(game: AnyGame, running: list[Engine]) -> frozenset[str]:
    """Return the rules whose source differs between the engines, as far as both send it; none if they do not."""
    try:
        sources = [engine.sources(game.name) for engine in running]
    except KifuError:
        return frozenset()
    ours, theirs = (game_sources(game), sources[0]) if len(sources) == 1 else sources
    return frozenset() if ours is None or theirs is None else rules_between(game, ours, theirs)


def _tracer(engine: Engine) -> Tracer:
    return lambda log: engine.trace(log, conformance=True)


def _trace_here(log: bytes) -> Trace:
    return read_trace(trace_log(log, conformance=True))


def _silent(director: DirectedPlay, texts: Texts) -> list[str]:
    """Return a line with the rules that no match reached, if there are any."""
    rules = director.unreached
    return [texts.format("seek-unreached", rules=" ".join(rules))] if rules else []


def _print_parting(
    writer: ConsoleWriter, texts: Texts, found: EnginesDiffer, played: int, file: Path | None, engines: list[Path]
) -> None:
    comparison = found.comparison
    here = texts.message(UserMessage("engine-here", "this engine"))
    sources = [here if len(engines) == 1 else str(engines[0]), str(engines[-1])]
    writer.print(texts.format("seek-parted", count=played))
    writer.print(legend("A", comparison.a, sources[0], texts), legend("B", comparison.b, sources[1], texts))
    writer.print(*ComparisonPresenter(found.match.game, found.match, texts).lines(comparison))
    if file is not None:
        writer.print(texts.format("seek-written", file=sanitize(str(file), 300)))


def _print_json(
    writer: ConsoleWriter, result: SeekResult, director: DirectedPlay, file: Path | None, game: AnyGame
) -> None:
    whole: dict[str, Any] = {"game": game.name, "matches": result.matches, "ended": result.why, "file": None}
    if result.found is not None:
        presenter = ComparisonPresenter(game, result.found.match)
        first = result.found.comparison.first
        assert first is not None
        writer.json(presenter.step_json(first))
        whole |= {"file": None if file is None else str(file), **presenter.summary(result.found.comparison)}
        whole["game"] = game.name
    writer.json({**whole, "targets": sorted(director.targets), "unreached": director.unreached})
