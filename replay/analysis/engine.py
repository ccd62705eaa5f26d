"""Another engine: a Python with another version of kifu or of a game, which traces logs in a process of its own.

It may be no Python at all, print garbage, hang or crash. All of that is an `EngineError` of one line, and the next log
gets a new process.
"""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Self

import msgpack

from ...core.errors import EngineError, LogError, TraceError, os_error_message
from ...core.log import Reading
from ...core.match.registry import RESOLVED
from ...core.text.sanitize import sanitize
from ...core.trace import Trace, read_trace, trace_log
from ...core.trace.sketch import Looks
from ...core.trace.values import Source, values_of
from ...core.trace.write import WHOLE, Part, log_chain, read_log
from ..call_errors import CallError, UserMessage
from ..logs.locations import Location
from ..options import TIMEOUT_S
from .what_if import Alternative, AlternativeOptions, Both, EngineFailed, Make

PROTOCOL = 1
MODULE = ("-m", "kifu.core.trace")
FIRST_KEY: bytes = msgpack.packb("trace")
MAX_BYTES = 1 << 28
"""The longest reply that is read."""

PIPE_BYTES = 1 << 14
"""So much a pipe holds on every system."""

STDERR_TAIL = 4096
"""Bytes of an engine's standard error that are kept, to report why it ended."""

UNSET_VARIABLES = ("PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP")
"""Environment variables by which another Python would import this one's packages."""


class Engine:
    """One Python, started when it is first needed, and again after a failure; a context manager.

    A game's file stands for this Python with that game. `timeout`: seconds that it may take to start, and for each log.
    """

    def __init__(self, python: str | os.PathLike[str], timeout: float = TIMEOUT_S) -> None:
        self.python = os.fspath(python)
        self.timeout = timeout
        self._child: _Child | None = None

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> str:
        """Start the process unless it runs, and return the name it reports; raises `EngineError`."""
        if self._child is None:
            self._child = _Child(self.python)
            hello = self._receive(time.monotonic() + self.timeout)
            if hello.get("kifu-engine") != PROTOCOL:
                english = "speaks version {given} of the protocol, not {known}"
                why = UserMessage("other-protocol", english, given=repr(hello.get("kifu-engine")), known=PROTOCOL)
                raise self._fail(why)
            self._child.name = str(hello.get("engine"))
        return self._child.name

    def trace(self, log: bytes) -> Trace:
        """Return the engine's trace of a log, given as bytes; raises `EngineError`."""
        self.ask(log)
        return self.answer(log)

    def trace_bytes(self, log: bytes) -> bytes:
        """Return the engine's trace of a log as the bytes that it wrote; raises `EngineError`."""
        self.ask(log)
        return self._answer(log)[1]

    def ask(self, log: bytes, part: Part = WHOLE, *, fast: bool = False, looks: Looks | None = None) -> None:
        """Send a log to be traced, or only a part of it, its outcome, or its sketch; raises `EngineError`."""
        self.start()
        assert self._child is not None
        steps, shown = (each if each is None else sorted(each) for each in (part.steps, part.looks))
        sketch = None if looks is None else sorted(looks.items())
        request = {"log": log, "fast": fast, "steps": steps, "looks": shown, "sketch": sketch}
        self._child.send(msgpack.packb(request))

    def values(self, log: bytes, seq: int, names: Sequence[str]) -> list[Any]:
        """Return values of parts of a step of a log; none from an engine that does not tell them."""
        self.start()
        assert self._child is not None
        self._child.send(msgpack.packb({"log": log, "values": [seq, list(names)]}))
        values = self._receive(time.monotonic() + self.timeout).get("values")
        return values if isinstance(values, list) else []

    def answer(self, log: bytes) -> Trace:
        """Return the trace of the log that was sent last; raises `EngineError`."""
        return self._answer(log)[0]

    def _answer(self, log: bytes) -> tuple[Trace, bytes]:
        reply = self._receive(time.monotonic() + self.timeout)
        if isinstance(reply.get("failed"), str):
            why = UserMessage("engine-failed", "cannot use this log: {why}", why=sanitize(reply["failed"], 280))
            raise (EngineFailed if reply.get("bug") else EngineError)(self.python, why)
        if not isinstance(reply.get("trace"), bytes):
            raise self._fail(UserMessage("answer-without-trace", "its reply has no trace"))
        try:
            trace = read_trace(reply["trace"])
        except TraceError as cause:
            raise self._fail(UserMessage("unusable-trace", "its trace cannot be used: {why}", why=cause.why)) from None
        if trace.log != log_chain(log):
            raise self._fail(UserMessage("trace-of-another", "its trace is of another log"))
        return trace, reply["trace"]

    def close(self) -> None:
        """End the process."""
        if self._child is not None:
            self._child.kill()
            self._child = None

    def _receive(self, deadline: float) -> dict[str, Any]:
        assert self._child is not None
        try:
            return self._child.receive(deadline)
        except _NoReply as cause:
            raise self._fail(cause.args[0]) from None

    def _fail(self, why: str) -> EngineError:
        self.close()
        return EngineFailed(self.python, why)


def is_trace(content: bytes) -> bool:
    """Return True if the content begins with the head of a trace, even one that is cut short."""
    return content[1 : 1 + len(FIRST_KEY)] == FIRST_KEY


def traced_bytes(log: bytes, where: Location) -> bytes:
    """Trace a log with this engine; raises `LogError` with the file."""
    try:
        return trace_log(log, named=True)
    except LogError as cause:
        cause.path = str(where)
        raise


def source_of(log: bytes, engine: Engine | None) -> Source:
    """Return what tells the values of parts of a log's steps: another engine, or this one."""
    return partial(values_of, read_log(log), log_chain(log)) if engine is None else partial(engine.values, log)


def alternative(options: Sequence[str], engine: Path | None, timeout: float) -> Alternative:
    """Return the alternative of a call, from `--option` or `--engine`; raises `CallError` unless it is exactly one."""
    if bool(options) == (engine is not None):
        raise CallError("what-to-compare", "give what to compare with, one of: --option NAME=VALUE, --engine PYTHON")
    return AlternativeOptions(options) if options else AlternativeEngine(str(engine), timeout)


class AlternativeEngine(Alternative):
    """The same log, traced by another engine; with `ours`, that one stands in the place of this one."""

    def __init__(self, python: str, timeout: float, ours: str | None = None) -> None:
        self.timeout = timeout
        self.pythons = (python,) if ours is None else (ours, python)
        self.engines: list[Engine] = []

    def __enter__(self) -> Self:
        self.engines = [Engine(python, self.timeout) for python in self.pythons]
        try:
            self.name = [engine.start() for engine in self.engines][-1]
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for engine in self.engines:
            engine.close()

    def both(self, log: bytes, reading: Reading) -> Both:
        """Return what makes a trace of each side; the other engine makes its own meanwhile."""
        return partial(self._both, log, reading)

    def _both(self, log: bytes, reading: Reading, make: Make, **asked: Any) -> tuple[Trace, Trace]:
        for engine in self.engines:
            engine.ask(log, **asked)
        try:
            ours = [read_trace(make(reading, log_chain(log)))] if len(self.engines) == 1 else []
        except BaseException:
            self.__exit__()  # else the answer would be taken for that of the next log
            raise
        a, b = [*ours, *(engine.answer(log) for engine in self.engines)]
        return a, b


class _NoReply(Exception):  # noqa: N818 (not an error of kifu)
    """No usable reply; its argument is the reason, a `UserMessage`."""


class _Child:
    """The process of an engine. Each of its streams has a thread, so that none can block this process."""

    def __init__(self, python: str) -> None:
        program = os.path.abspath(python) if os.path.exists(python) else python  # else it is searched for in PATH
        environment = {name: value for name, value in os.environ.items() if name not in UNSET_VARIABLES}
        if program.endswith(".py"):
            environment[RESOLVED], program = program, sys.executable
        try:
            # -P: no local folder may shadow the installed kifu. A session of its own: its children can be ended too.
            self._process = subprocess.Popen(  # noqa: S603 (the engine that the caller chose)
                [program, "-P", *MODULE],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                env=environment,
                start_new_session=True,
            )
        except (OSError, ValueError) as cause:
            raise EngineError(
                python, UserMessage("not-started", "cannot be started: {why}", why=os_error_message(cause))
            ) from None
        self.name = ""
        self._replies: queue.Queue[dict[str, Any] | UserMessage | None] = queue.Queue(maxsize=16)
        """What it says; a message where that is no reply, and None at its end."""
        self._stderr_tail = b""
        self._ended = threading.Event()
        self._threads = [threading.Thread(target=each, daemon=True) for each in (self._read, self._read_errors)]
        for thread in self._threads:
            thread.start()

    def send(self, request: bytes) -> None:
        """Write a request; a long one in the background, so that an engine that does not read blocks nothing here."""
        if len(request) <= PIPE_BYTES:
            self._write(request)
            return
        threading.Thread(target=self._write, args=(request,), daemon=True).start()

    def receive(self, deadline: float) -> dict[str, Any]:
        """Return the next reply; raises `_NoReply` if none comes before the deadline, or if it is not a map."""
        try:
            reply = self._replies.get(timeout=max(deadline - time.monotonic(), 0))
        except queue.Empty:
            raise _NoReply(UserMessage("hangs", "it hangs: no reply within --timeout")) from None
        if isinstance(reply, dict):
            return reply
        raise _NoReply(self._end() if reply is None else reply)

    def kill(self) -> None:
        """Kill the process and all that it started."""
        self._ended.set()
        try:
            if os.name == "posix":
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        except (ProcessLookupError, PermissionError):
            pass
        self._process.wait()
        for thread, stream in zip(self._threads, (self._process.stdout, self._process.stderr), strict=True):
            thread.join(timeout=1)
            if stream is not None and not thread.is_alive():
                stream.close()
        if self._process.stdin is not None:
            self._process.stdin.close()

    def _end(self) -> str:
        """Return how the process ended, with the last line of its standard error."""
        try:
            code = self._process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return UserMessage("closed-output", "it closed its output")
        self._threads[1].join(timeout=1)
        lines = [line.strip() for line in self._stderr_tail.decode(errors="replace").splitlines() if line.strip()]
        if any("No module named" in line for line in lines):
            return UserMessage(
                "no-kifu-there", "it has no kifu that writes traces: {line}", line=sanitize(lines[-1], 200)
            )
        ended = UserMessage("ended-with", "it ended with exit code {code}", code=code)
        if code < 0:
            ended = UserMessage("ended-by", "it was ended by signal {signal}", signal=-code)
        return (
            UserMessage("last-words", "{ended}: {line}", ended=ended, line=sanitize(lines[-1], 200)) if lines else ended
        )

    def _write(self, request: bytes) -> None:
        assert self._process.stdin is not None
        rest = memoryview(request)
        try:
            while rest:
                rest = rest[self._process.stdin.write(rest) :]
        except (OSError, ValueError):
            pass  # it ended: `receive` reports that

    def _read(self) -> None:
        assert self._process.stdout is not None
        objects = msgpack.Unpacker(max_buffer_size=MAX_BYTES, strict_map_key=False)
        rubbish = UserMessage("rubbish", "it prints garbage instead of replies")
        try:
            while chunk := os.read(self._process.stdout.fileno(), 1 << 16):
                objects.feed(chunk)
                for reply in objects:
                    self._put(reply if isinstance(reply, dict) else rubbish)
        except msgpack.BufferFull:
            self._put(UserMessage("long-answer", "its reply is longer than {most} bytes", most=MAX_BYTES))
        except Exception:  # msgpack raises many kinds
            self._put(rubbish)
        self._put(None)

    def _put(self, reply: dict[str, Any] | UserMessage | None) -> None:
        while not self._ended.is_set():
            try:
                self._replies.put(reply, timeout=1)
            except queue.Full:
                continue
            return

    def _read_errors(self) -> None:
        assert self._process.stderr is not None
        while chunk := os.read(self._process.stderr.fileno(), 1 << 16):
            self._stderr_tail = (self._stderr_tail + chunk)[-STDERR_TAIL:]
