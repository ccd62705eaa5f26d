"""This Python as an engine: `python -m kifu.core.trace` answers logs with their traces, until its input ends.

The protocol, version 1, is in `docs/trace-format.md`: other versions of kifu speak it too, so it changes by new keys
alone.
"""

from __future__ import annotations

import os
from importlib.metadata import version
from typing import Any, BinaryIO

import msgpack

from ..errors import KifuError
from .write import FORMAT, trace_log

PROTOCOL = 1


def main() -> None:
    """Say hello, then answer each request in turn."""
    answers = _take_stdout()
    _send(answers, {"kifu-engine": PROTOCOL, "engine": f"kifu {version('kifu')}", "trace": FORMAT})
    requests = msgpack.Unpacker(max_buffer_size=1 << 30)
    while chunk := os.read(0, 1 << 16):
        requests.feed(chunk)
        for request in requests:
            _send(answers, answer(request))


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Trace the log of a request, or say in `failed` why there is no trace."""
    try:
        return {"trace": trace_log(request["log"], conformance=bool(request.get("conformance")))}
    except KifuError as cause:
        return {"failed": str(cause)}
    except Exception as bug:
        return {"failed": f"an error of the engine: {bug!r}"}


def _take_stdout() -> BinaryIO:
    """Keep standard output for answers alone: what a game prints goes to standard error."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return answers


def _send(answers: BinaryIO, value: dict[str, Any]) -> None:
    answers.write(msgpack.packb(value))
    answers.flush()


if __name__ == "__main__":
    main()
