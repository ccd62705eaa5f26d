"""This Python as an engine: `python -m kifu.core.trace` reads logs and writes their traces, until its input ends.

The protocol, version 1, is in `docs/trace-format.md`. Other versions of kifu use it too, so it changes by new keys
alone.
"""

from __future__ import annotations

import os
from functools import lru_cache
from typing import Any, BinaryIO

import msgpack

from ..errors import KifuError
from ..match.engine import engine_name
from .sketch import sketch
from .values import values_of
from .write import FORMAT, Part, log_chain, outcome_log, read_log, trace

PROTOCOL = 1


def main() -> None:
    """Write the greeting, then a response to each request in turn."""
    output = _take_stdout()
    _send(output, {"kifu-engine": PROTOCOL, "engine": engine_name(), "trace": FORMAT})
    requests = msgpack.Unpacker(max_buffer_size=1 << 30)
    while chunk := os.read(0, 1 << 16):
        requests.feed(chunk)
        for request in requests:
            _send(output, respond(request))


def respond(request: dict[str, Any]) -> dict[str, Any]:
    """Return the response to a request, which has the bytes of a `log`: `{"trace": bytes}`.

    With `fast` it has the outcome alone, with `sketch`, the steps to look at, also check sums of the steps. With
    `values`, a step and names of its parts, it is `{"values": …}`. Where the log cannot be used it is
    `{"failed": str}` with the cause.
    """
    try:
        log = request["log"]
        if request.get("fast"):
            return {"trace": outcome_log(log)}
        reading, chain = _read(log), log_chain(log)
        if request.get("values") is not None:
            return {"values": values_of(reading, chain, *request["values"])}
        if request.get("sketch") is not None:
            return {"trace": sketch(reading, chain, dict(request["sketch"]))}
        return {"trace": trace(reading, chain, Part(request.get("steps"), request.get("looks")), named=True)}
    except KifuError as cause:
        return {"failed": str(cause)}
    except Exception as bug:
        return {"failed": f"an error of the engine: {bug!r}", "bug": True}


_read = lru_cache(maxsize=1)(read_log)
"""A sketch that differs is followed by a request for parts of the trace of the same log."""


def _take_stdout() -> BinaryIO:
    """Return standard output for responses alone, and send what a game prints to standard error."""
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return output


def _send(output: BinaryIO, value: dict[str, Any]) -> None:
    output.write(msgpack.packb(value))
    output.flush()


if __name__ == "__main__":
    main()
