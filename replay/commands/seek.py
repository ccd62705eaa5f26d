"""`replay seek`: a match in which two engines part, found by play that goes on from what is rare."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from attrs import evolve

from ...core.game import AnyGame
from ...core.log import log_bytes
from ...core.text.sanitize import sanitize
from ...core.text.texts import Texts
from ...core.trace import Change
from ...core.trace.presenter import ComparisonPresenter, legend
from ...core.trace.values import with_values
from ..analysis.engine import AlternativeEngine, source_of
from ..analysis.seek import EnginesDiffer, SeekResult, headers_of
from ..analysis.seek import seek as seek_parting
from ..call_errors import CallError, UserMessage
from ..command import verb
from ..option_parsing import parse_options
from ..options import (
    check_unused,
    game_argument,
    game_of,
    option_option,
    output_options,
    seed_of,
    timeout_option,
)
from ..progress import spinner
from ..render.console import ConsoleWriter, Output
from ..render.output import STDOUT, write_output


@verb("replay seek cake --engine ../new/bin/python -o parted.log")
@game_argument
@click.option(
    "--engine",
    type=Path,
    multiple=True,
    metavar="PYTHON",
    help="A Python with another version, to compare with; given twice: A and B.",
)
@click.option("-o", "file", type=Path, metavar="FILE", help="The log of the match; an existing file is never replaced.")
@click.option("--seats", type=int, metavar="N", help="How many seats; default: all in turn.")
@option_option
@click.option("--seed", metavar="SEED", help="A whole number or 64 hex digits; default: zeros.")
@click.option("--tries", type=click.IntRange(1), metavar="N", help="How many matches to play at most.")
@click.option("--seconds", type=click.FloatRange(0), default=60, metavar="S", help="How long to play at most.")
@timeout_option
@output_options
def seek(
    game: str,
    engine: tuple[Path, ...],
    file: Path | None,
    seats: int | None,
    option: tuple[str, ...],
    seed: str | None,
    tries: int | None,
    seconds: float,
    timeout: float,
    output: Output,
) -> int:
    """Play matches until two engines part, and show where.

    This engine plays. After each step it compares the state, who is to act, the result, notes, legal commands, the view
    of one viewer, and how commands that nobody gave are refused. Each match likes some commands more than others. The
    numbers of seats take turns, and every third match has other options. Every other match goes on from before a step
    that showed what is rare, or plays to it under other options. The same call plays the same matches, until --seconds
    ends it. Exit code 0: the engines never parted; 1: they did; 2: an engine cannot be used.
    """
    chosen, writer, texts = game_of(game), output.writer, output.texts
    if not 1 <= len(engine) <= 2:
        raise CallError("seek-engines", "give one --engine PYTHON to compare this one with, or two")
    if file is not None:
        check_unused(file)
    headers = headers_of(chosen, seats, parse_options(chosen, option), seed_of(seed or "0" * 64))
    *ours, other = map(str, engine)
    with AlternativeEngine(other, timeout, *ours) as alternative:
        with spinner("seek", shown=not (output.json or output.plain)):
            result = seek_parting(chosen, headers, alternative, tries, seconds)
        if result.found is not None:
            result = evolve(result, found=_with_values(result.found, alternative))
    if result.found is not None and file is not None:
        match, log = result.found.match, result.found.log
        write_output(file, log_bytes(match) if match.events else log, new=True)
    if file == STDOUT and result.found is not None:
        return 1
    if output.json:
        _print_json(writer, result, file, chosen)
    elif result.found is None:
        writer.print(texts.format(f"seek-{result.why}", count=result.matches))
        if rules := _unreached(result, chosen):
            writer.print(texts.format("seek-unreached", rules=" ".join(rules)))
    else:
        _print_parting(writer, texts, result.found, result.matches, file, engine)
    return 0 if result.found is None else 1


def _with_values(found: EnginesDiffer, alternative: AlternativeEngine) -> EnginesDiffer:
    """Put the values in the place of digests, where the engines answer."""
    if found.comparison is None:
        return found
    one, other = (source_of(found.log, engine) for engine in (None, *alternative.engines)[-2:])
    return evolve(found, comparison=with_values(found.comparison, one, other, every=False))


def _unreached(result: SeekResult, game: AnyGame) -> list[str]:
    """Return the rules that no match reached, in the order of the book."""
    return [rule.number for rule in game.book if rule.number not in result.reached]


def _print_parting(
    writer: ConsoleWriter, texts: Texts, found: EnginesDiffer, played: int, file: Path | None, engines: tuple[Path, ...]
) -> None:
    here = texts.message(UserMessage("engine-here", "this engine"))
    sources = [here if len(engines) == 1 else str(engines[0]), str(engines[-1])]
    writer.print(texts.format("seek-parted", count=played))
    if (comparison := found.comparison) is None:
        failed = texts.message(Change.FAILED.value)
        writer.print(
            texts.format("impact-raised", effect=failed, cause=sanitize(texts.message(str(found.failed)), 200))
        )
    else:
        writer.print(legend("A", comparison.a, sources[0], texts), legend("B", comparison.b, sources[1], texts))
        writer.print(*ComparisonPresenter(found.match.game, found.match, texts).lines(comparison))
    if file is not None:
        writer.print(texts.format("seek-written", file=sanitize(str(file), 300)))


def _print_json(writer: ConsoleWriter, result: SeekResult, file: Path | None, game: AnyGame) -> None:
    whole: dict[str, Any] = {"game": game.name, "matches": result.matches, "ended": result.why, "file": None}
    if (found := result.found) is not None:
        whole["file"] = None if file is None else str(file)
        presenter = ComparisonPresenter(game, found.match)
        if found.comparison is None:
            whole |= {"kind": Change.FAILED.value, "failed": found.failed}
        else:
            if found.comparison.first is not None:
                writer.json(presenter.step_json(found.comparison.first))
            whole |= {**presenter.summary(found.comparison), "game": game.name}
    writer.json({**whole, "unreached": _unreached(result, game)})
