"""`replay trace`: the state after every event, computed by this engine or another, for later comparison."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from ..analysis.engine import TIMEOUT_S, Engine
from ..analysis.traces import is_trace, traced_bytes
from ..call_errors import CallError, UserMessage
from ..logs.locations import location, read_content
from ..options import ConformanceOption, EngineOption, LangOption, LogArgument, TimeoutOption
from ..render.output import STDOUT, check_overwritable, write_output

OutOption = Annotated[
    Path,
    typer.Option(
        "-o",
        metavar="FILE",
        show_default=False,
        help="The file for the trace; default, and with `-`: standard output. "
        "An earlier trace is replaced, any other file is kept.",
    ),
]


def trace(
    log: LogArgument,
    file: OutOption = STDOUT,
    conformance: ConformanceOption = False,
    engine: EngineOption = None,
    timeout: TimeoutOption = TIMEOUT_S,
    lang: LangOption = None,  # noqa: ARG001 (errors are printed in it)
) -> int:
    """Write what an engine computes from a log: the state after every event, the notes, the result, a refusal.

    The format is a msgpack stream: docs/trace-format.md. With --conformance an engine in any language can check that it
    has the same states, legal commands and views.
    """
    if file == STDOUT and sys.stdout.isatty():
        raise CallError("trace-no-text", "a trace is binary: give a file with -o, or redirect the output")
    check_overwritable(file, is_trace, UserMessage("a-trace", "trace"))
    where = location(log)
    content = read_content(where)
    if engine is None:
        traced = traced_bytes(content, where, conformance=conformance)
    else:
        with Engine(engine, timeout) as other:
            traced = other.trace_bytes(content, conformance=conformance)
    write_output(file, traced)
    return 0
