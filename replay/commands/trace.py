"""`replay trace`: the state after every event, computed by this engine or another, for later comparison."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ..analysis.engine import Engine, is_trace, traced_bytes
from ..call_errors import CallError, UserMessage
from ..command import verb
from ..logs.locations import location, read_content
from ..options import engine_option, lang_option, log_argument, timeout_option
from ..render.output import STDOUT, check_overwritable, write_output


@verb("replay trace game.log -o game.trace")
@log_argument
@click.option(
    "-o",
    "file",
    type=Path,
    default=STDOUT,
    show_default=False,
    metavar="FILE",
    help="The file for the trace; default, and with `-`: standard output. "
    "An earlier trace is replaced, any other file is kept.",
)
@engine_option
@timeout_option
@lang_option
def trace(log: str, file: Path, engine: Path | None, timeout: float) -> int:
    """Write what an engine computes from a log: the state after every event, the notes, the result, a refusal.

    The format is a msgpack stream: docs/trace-format.md. It has digests of all else that the engine makes of a step,
    such as legal commands and views.
    """
    if file == STDOUT and sys.stdout.isatty():
        raise CallError("trace-no-text", "a trace is binary: give a file with -o, or redirect the output")
    check_overwritable(file, is_trace, UserMessage("a-trace", "trace"))
    where = location(log)
    content = read_content(where)
    if engine is None:
        traced = traced_bytes(content, where)
    else:
        with Engine(engine, timeout) as other:
            traced = other.trace_bytes(content)
    write_output(file, traced)
    return 0
