"""This Python as an engine: `python -m kifu.core.trace` reads logs and writes their traces, until its input ends.

The protocol, version 1, is in `docs/trace-format.md`. Other versions of kifu use it too, so it changes by new keys
alone.
"""

from __future__ import annotations

import os
from importlib.metadata import version
from typing import Any, BinaryIO

import msgpack

from ..errors import KifuError
from ..match import registry
from .sources import game_sources
from .write import FORMAT, trace_log

PROTOCOL = 1


def main() -> None:
    """Write the greeting, then a response to each request in turn."""
    output = _take_stdout()
    _send(output, {"kifu-engine": PROTOCOL, "engine": f"kifu {version('kifu')}", "trace": FORMAT})
    requests = msgpack.Unpacker(max_buffer_size=1 << 30)
    while chunk := os.read(0, 1 << 16):
        requests.feed(chunk)
        for request in requests:
            _send(output, respond(request))


def respond(request: dict[str, Any]) -> dict[str, Any]:
    """Return the response to a request: `{"trace": bytes}`, or `{"failed": str}` with the cause.

    The request has the bytes of a `log`, and `conformance` if the trace is to have the digests of conformance. With the
    name of a game as `sources` in place of a log, the response is `{"sources": dict}`, the source of each module.
    """
    try:
        if "sources" in request:
            return {"sources": game_sources(registry.find(str(request["sources"])))}
        return {"trace": trace_log(request["log"], conformance=bool(request.get("conformance")))}
    except KifuError as cause:
        return {"failed": str(cause)}
    except Exception as bug:
        return {"failed": f"an error of the engine: {bug!r}"}


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
