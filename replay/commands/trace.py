"""`replay trace`: the state after every event, computed by this engine or another, for later comparison."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from ...core.trace import read_trace
from ..analysis.engine import TIMEOUT_S, Engine
from ..analysis.trace_text import trace_text
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

TextOption = Annotated[
    bool, typer.Option("--text", help="As text, step by step: of a log, or of a trace as it was stored (for git diff).")
]


def trace(
    log: LogArgument,
    file: OutOption = STDOUT,
    conformance: ConformanceOption = False,
    text: TextOption = False,
    engine: EngineOption = None,
    timeout: TimeoutOption = TIMEOUT_S,
    lang: LangOption = None,  # noqa: ARG001 (errors are printed in it)
) -> int:
    """Write what an engine computes from a log: the state after every event, the notes, the result, a refusal.

    The format is a msgpack stream: docs/trace-format.md. With --conformance an engine in any language can check that it
    has the same states, legal commands and views.

    With --text a log or a stored trace is printed for people, a line for each field that changed. `git diff` shows
    stored traces so: docs/golden-logs.md.
    """
    if text and (file != STDOUT or conformance):
        raise CallError("trace-text-alone", "--text prints text: it goes with neither -o nor --conformance")
    if file == STDOUT and sys.stdout.isatty() and not text:
        raise CallError(
            "trace-no-text", "a trace is binary: give a file with -o, redirect the output, or print text with --text"
        )
    check_overwritable(file, is_trace, UserMessage("a-trace", "trace"))
    where = location(log)
    content = read_content(where)
    if text and is_trace(content):
        if engine is not None:
            raise CallError("trace-is-traced", "{file} is a trace: no engine computes it again", file=where)
        traced = content
    elif engine is None:
        traced = traced_bytes(content, where, conformance=conformance)
    else:
        with Engine(engine, timeout) as other:
            traced = other.trace_bytes(content, conformance=conformance)
    write_output(file, trace_text(read_trace(traced, str(where))).encode() if text else traced)
    return 0
