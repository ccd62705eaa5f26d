"""`replay trace`: the state after every event, as this engine or another makes it, for later comparison."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import msgpack
import typer

from ..core.errors import LogError
from ..core.log.objects import extent
from ..core.trace import trace_log
from .engine import TIMEOUT, Engine
from .locations import Location, content_of, location
from .options import LangOption, LogArgument
from .outlet import STDOUT, check_free, put_out
from .refusals import Phrase, Unusable

FIRST_KEY: bytes = msgpack.packb("trace")
LONGEST_WAIT = 86_400.0
"""Seconds: nobody waits longer for an engine, and a clock can count them."""


def _seconds(value: float) -> float:
    if not 0.1 <= value <= LONGEST_WAIT:  # so put, what is no number is refused too
        raise Unusable(
            "bad-value",
            "{what}: give {kind}",
            what="--timeout",
            kind=Phrase("seconds", "seconds, {least} to {most}", least=0.1, most=int(LONGEST_WAIT)),
        )
    return value


OutOption = Annotated[
    Path,
    typer.Option(
        "-o",
        metavar="FILE",
        show_default=False,
        help="The file for the trace; else, or with `-`, it goes to standard output. "
        "An earlier trace is replaced, any other file is left alone.",
    ),
]
ConformanceOption = Annotated[
    bool, typer.Option("--conformance", help="Also the digests of every seat's legal commands and view at each step.")
]
EngineOption = Annotated[
    Path | None,
    typer.Option("--engine", metavar="PYTHON", help="A Python that has another version of kifu or of the game."),
]
TimeoutOption = Annotated[
    float,
    typer.Option(
        "--timeout",
        callback=_seconds,
        metavar="SECONDS",
        help="How long another engine may take for a log, 0.1 to 86400.",
    ),
]


def trace(
    log: LogArgument,
    file: OutOption = STDOUT,
    conformance: ConformanceOption = False,
    engine: EngineOption = None,
    timeout: TimeoutOption = TIMEOUT,
    lang: LangOption = None,  # noqa: ARG001 (what is wrong with the call is said in it)
) -> int:
    """Write what this engine makes of a log: the state after every event, the notes, the result, a refusal.

    The format is a msgpack stream, in docs/trace-format.md. With --conformance it is a pack by which an engine in any
    language can show that it plays, enumerates and hides as this one does.
    """
    if file == STDOUT and sys.stdout.isatty():
        raise Unusable("trace-no-text", "a trace is no text: give a file with -o, or send it into one")
    check_free(file, is_trace, Phrase("a-trace", "trace"))
    where = location(log)
    content = content_of(where)
    if engine is None:
        traced = traced_bytes(content, where, conformance=conformance)
    else:
        with Engine(engine, timeout) as other:
            traced = other.trace_bytes(content, conformance=conformance)
    put_out(file, traced)
    return 0


def is_trace(content: bytes) -> bool:
    """Tell whether the first thing in a file is the head of a trace; all else is read as a log."""
    try:
        end = extent(content, 0)
        if end is None:
            return content[1 : 1 + len(FIRST_KEY)] == FIRST_KEY  # cut short inside its head
        head = msgpack.unpackb(content[:end], strict_map_key=False)
    except Exception:  # whatever it is, it is no trace
        return False
    return isinstance(head, dict) and "trace" in head


def traced_bytes(log: bytes, where: Location, *, conformance: bool = False) -> bytes:
    """Trace a log by this engine; the error names the file."""
    try:
        return trace_log(log, conformance=conformance)
    except LogError as cause:
        raise LogError(cause.kind, cause.message, cause.seq, cause.rule, str(where)) from None
