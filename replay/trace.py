"""`replay trace`: the state after every event, as this engine or another makes it, for later comparison."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from ..core.errors import LogError
from ..core.log.writer import write_whole
from ..core.trace import trace_log
from .engine import TIMEOUT, Engine
from .options import LogArgument, Unusable

OutOption = Annotated[
    Path | None, typer.Option("-o", metavar="FILE", help="The file for the trace; else it goes to standard output.")
]
ConformanceOption = Annotated[
    bool, typer.Option("--conformance", help="Also the digests of every seat's legal commands and view at each step.")
]
EngineOption = Annotated[
    Path | None,
    typer.Option("--engine", metavar="PYTHON", help="A Python that has another version of kifu or of the game."),
]
TimeoutOption = Annotated[
    float, typer.Option("--timeout", min=0.1, metavar="SECONDS", help="How long another engine may take for a log.")
]


def trace(
    log: LogArgument,
    file: OutOption = None,
    conformance: ConformanceOption = False,
    engine: EngineOption = None,
    timeout: TimeoutOption = TIMEOUT,
) -> int:
    """Write what this engine makes of a log: the state after every event, the notes, the result, a refusal.

    The format is a msgpack stream, in docs/trace-format.md. With --conformance it is a pack by which an engine in any
    language can show that it plays, enumerates and hides as this one does.
    """
    if file is None and sys.stdout.isatty():
        raise Unusable("a trace is no text: give a file with -o, or send it into one")
    content = read_file(log)
    if engine is None:
        traced = traced_bytes(content, log, conformance=conformance)
    else:
        with Engine(engine, timeout) as other:
            traced = other.trace_bytes(content, conformance=conformance)
    if file is None:
        sys.stdout.buffer.write(traced)
    else:
        write_whole(file, traced)
    return 0


def traced_bytes(log: bytes, path: Path, *, conformance: bool = False) -> bytes:
    """Trace a log by this engine; the error names the file."""
    try:
        return trace_log(log, conformance=conformance)
    except LogError as cause:
        raise LogError(cause.kind, cause.message, cause.seq, cause.rule, str(path)) from None


def read_file(path: Path) -> bytes:
    """Read as much of a file as it says that it has; raises `LogError`."""
    try:
        with open(path, "rb") as file:
            return file.read(os.fstat(file.fileno()).st_size)
    except (OSError, ValueError) as cause:  # ValueError: a name with a zero byte
        raise LogError("file", f"cannot be read: {getattr(cause, 'strerror', None) or cause}", path=str(path)) from None
