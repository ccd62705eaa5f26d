"""Another engine: a Python with another version of kifu or of a game, which traces logs in a process of its own.

It may be no Python at all, print garbage, hang or crash. All of that is an `EngineError` of one line, and the next log
gets a new process.
"""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import threading
import time
from typing import Any

import msgpack

from ...core.errors import EngineError, TraceError, os_error_message
from ...core.text.sanitize import sanitize
from ...core.trace import Trace, read_trace
from ...core.trace.write import log_chain
from ..call_errors import UserMessage

PROTOCOL = 1
MODULE = ("-m", "kifu.core.trace")
TIMEOUT_S = 60.0
MAX_BYTES = 1 << 28
"""The longest reply that is read."""

STDERR_TAIL = 4096
"""Bytes of an engine's standard error that are kept, to report why it ended."""

UNSET_VARIABLES = ("PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP")
"""Environment variables by which another Python would import this one's packages."""


class Engine:
    """One Python, started when it is first needed, and again after a failure; a context manager.

    `timeout`: seconds that it may take to start, and for each log.
    """

    def __init__(
        self, python: str | os.PathLike[str], timeout: float = TIMEOUT_S, launch: tuple[str, ...] = MODULE
    ) -> None:
        self.python = os.fspath(python)
        self.timeout = timeout
        self.launch = launch
        """The arguments that make the Python an engine."""
        self._child: _Child | None = None

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> str:
        """Start the process unless it runs, and return the name it reports; raises `EngineError`."""
        if self._child is None:
            self._child = _Child(self.python, self.launch)
            hello = self._receive(time.monotonic() + self.timeout)
            if hello.get("kifu-engine") != PROTOCOL:
                raise self._fail(
                    UserMessage(
                        "other-protocol",
                        "speaks version {given} of the protocol, not {known}",
                        given=repr(hello.get("kifu-engine")),
                        known=PROTOCOL,
                    )
                )
            self._child.name = str(hello.get("engine"))
        return self._child.name

    def trace(self, log: bytes, *, conformance: bool = False) -> Trace:
        """Return the engine's trace of a log, given as bytes; raises `EngineError`."""
        return self._traced(log, conformance)[0]

    def trace_bytes(self, log: bytes, *, conformance: bool = False) -> bytes:
        """Return the engine's trace of a log as the bytes that it wrote; raises `EngineError`."""
        return self._traced(log, conformance)[1]

    def _traced(self, log: bytes, conformance: bool) -> tuple[Trace, bytes]:
        self.start()
        assert self._child is not None
        self._child.send(msgpack.packb({"log": log, "conformance": conformance}))
        reply = self._receive(time.monotonic() + self.timeout)
        if isinstance(reply.get("failed"), str):
            raise EngineError(
                self.python,
                UserMessage("engine-failed", "cannot use this log: {why}", why=sanitize(reply["failed"], 280)),
            )
        if not isinstance(reply.get("trace"), bytes):
            raise self._fail(UserMessage("answer-without-trace", "its reply has no trace"))
        try:
            trace = read_trace(reply["trace"])
        except TraceError as cause:
            raise self._fail(UserMessage("unusable-trace", "its trace cannot be used: {why}", why=cause.why)) from None
        if trace.log != log_chain(log):
            raise self._fail(UserMessage("trace-of-another", "its trace is of another log"))
        return trace, reply["trace"]

    def sources(self, game: str) -> dict[str, str] | None:
        """Return the source of each module of a game; None if this engine does not tell. Raises `EngineError`."""
        self.start()
        assert self._child is not None
        self._child.send(msgpack.packb({"sources": game}))
        sources = self._receive(time.monotonic() + self.timeout).get("sources")
        if not isinstance(sources, dict):
            return None
        return {str(name): source for name, source in sources.items() if isinstance(source, str)}

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
        return EngineError(self.python, why)


class _NoReply(Exception):  # noqa: N818 (not an error of kifu)
    """No usable reply; its argument is the reason, a `UserMessage`."""


class _Child:
    """The process of an engine. Each of its streams has a thread, so that none can block this process."""

    def __init__(self, python: str, launch: tuple[str, ...]) -> None:
        program = os.path.abspath(python) if os.path.exists(python) else python  # else it is searched for in PATH
        environment = {name: value for name, value in os.environ.items() if name not in UNSET_VARIABLES}
        try:
            # -P: no local folder may shadow the installed kifu. A session of its own: its children can be ended too.
            self._process = subprocess.Popen(  # noqa: S603 (the engine that the caller chose)
                [program, "-P", *launch],
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
        self._chunks: queue.Queue[bytes] = queue.Queue(maxsize=16)
        self._objects = msgpack.Unpacker(max_buffer_size=MAX_BYTES, strict_map_key=False)
        self._stderr_tail = b""
        self._ended = threading.Event()
        self._threads = [threading.Thread(target=each, daemon=True) for each in (self._read, self._read_errors)]
        for thread in self._threads:
            thread.start()

    def send(self, request: bytes) -> None:
        """Write a request in the background, so that an engine that does not read cannot block this process."""
        threading.Thread(target=self._write, args=(request,), daemon=True).start()

    def receive(self, deadline: float) -> dict[str, Any]:
        """Return the next reply; raises `_NoReply` if none comes before the deadline, or if it is no map."""
        while True:
            try:
                reply = self._objects.unpack()
            except msgpack.OutOfData:
                self._wait(deadline)
                continue
            except Exception:  # msgpack raises many kinds
                raise _NoReply(UserMessage("rubbish", "it prints garbage instead of replies")) from None
            if not isinstance(reply, dict):
                raise _NoReply(UserMessage("rubbish", "it prints garbage instead of replies"))
            return reply

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

    def _wait(self, deadline: float) -> None:
        """Feed the next chunk of its output to the decoder."""
        try:
            chunk = self._chunks.get(timeout=max(deadline - time.monotonic(), 0))
        except queue.Empty:
            raise _NoReply(UserMessage("hangs", "it hangs: no reply within --timeout")) from None
        if not chunk:
            raise _NoReply(self._end())
        try:
            self._objects.feed(chunk)
        except msgpack.BufferFull:
            raise _NoReply(
                UserMessage("long-answer", "its reply is longer than {most} bytes", most=MAX_BYTES)
            ) from None

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
        chunk = b"more"
        while chunk:
            chunk = os.read(self._process.stdout.fileno(), 1 << 16)
            self._put(chunk)

    def _put(self, chunk: bytes) -> None:
        while not self._ended.is_set():
            try:
                self._chunks.put(chunk, timeout=1)
            except queue.Full:
                continue
            return

    def _read_errors(self) -> None:
        assert self._process.stderr is not None
        while chunk := os.read(self._process.stderr.fileno(), 1 << 16):
            self._stderr_tail = (self._stderr_tail + chunk)[-STDERR_TAIL:]
