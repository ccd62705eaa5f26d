"""Another engine: a Python with another version of kifu, or of a game, asked for its traces.

It may be no Python, print rubbish, hang or crash: whatever it does is an `EngineError` of one line, and the next log
is asked of a new process.
"""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import threading
import time
from types import TracebackType
from typing import Any

import msgpack

from ...core.errors import EngineError, TraceError, os_error_message
from ...core.text.sanitize import sanitize
from ...core.trace import Trace, read_trace
from ...core.trace.write import log_chain
from ..call_errors import UserMessage

PROTOCOL = 1
TIMEOUT = 60.0
MAX_BYTES = 1 << 28
"""The longest answer that is read."""

LAST_WORDS = 4096
"""How much of what an engine says on standard error is kept, to tell why it ended."""

OTHER_PATHS = ("PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP")
"""What would make another Python import this one's packages."""


class Engine:
    """One Python, started when it is first asked, and again after it failed; to be used in a `with`.

    `timeout` is the seconds that it may take to start, and for each log.
    """

    def __init__(self, python: str | os.PathLike[str], timeout: float = TIMEOUT) -> None:
        self.python = os.fspath(python)
        self.timeout = timeout
        self._child: _Child | None = None

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, cause: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def start(self) -> str:
        """Start it, unless it runs, and give what it calls itself; raises `EngineError`."""
        if self._child is None:
            self._child = _Child(self.python)
            hello = self._hear(time.monotonic() + self.timeout)
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
        """Have a log traced, given by its bytes; raises `EngineError`."""
        return self._traced(log, conformance)[0]

    def trace_bytes(self, log: bytes, *, conformance: bool = False) -> bytes:
        """Have a log traced, and give the trace as the engine wrote it; raises `EngineError`."""
        return self._traced(log, conformance)[1]

    def _traced(self, log: bytes, conformance: bool) -> tuple[Trace, bytes]:
        self.start()
        assert self._child is not None
        self._child.send(msgpack.packb({"log": log, "conformance": conformance}))
        said = self._hear(time.monotonic() + self.timeout)
        if isinstance(said.get("failed"), str):
            raise EngineError(
                self.python,
                UserMessage("engine-failed", "cannot use this log: {why}", why=sanitize(said["failed"], 280)),
            )
        if not isinstance(said.get("trace"), bytes):
            raise self._fail(UserMessage("answer-without-trace", "its answer has no trace"))
        try:
            trace = read_trace(said["trace"])
        except TraceError as cause:
            raise self._fail(UserMessage("unusable-trace", "its trace cannot be used: {why}", why=cause.why)) from None
        if trace.log != log_chain(log):
            raise self._fail(UserMessage("trace-of-another", "its trace is of another log"))
        return trace, said["trace"]

    def close(self) -> None:
        """End its process."""
        if self._child is not None:
            self._child.kill()
            self._child = None

    def _hear(self, deadline: float) -> dict[str, Any]:
        assert self._child is not None
        try:
            return self._child.hear(deadline)
        except _Silent as cause:
            raise self._fail(cause.args[0]) from None

    def _fail(self, why: str) -> EngineError:
        self.close()
        return EngineError(self.python, why)


class _Silent(Exception):  # noqa: N818 (says what became of it)
    """No answer: why."""


class _Child:
    """The process of an engine. Each of its streams has a thread, so that none of them can hold us up."""

    def __init__(self, python: str) -> None:
        program = os.path.abspath(python) if os.path.exists(python) else python  # else one that the shell would find
        environment = {name: value for name, value in os.environ.items() if name not in OTHER_PATHS}
        try:
            # -P: no folder here shall stand in for the installed kifu. A session of its own: what it starts ends too.
            self._process = subprocess.Popen(  # noqa: S603 (the engine that the caller chose)
                [program, "-P", "-m", "kifu.core.trace"],
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
        self._last_words = b""
        self._ended = threading.Event()
        self._threads = [threading.Thread(target=each, daemon=True) for each in (self._read, self._read_errors)]
        for thread in self._threads:
            thread.start()

    def send(self, request: bytes) -> None:
        """Write a request in the background: an engine that does not read shall not hold us up."""
        threading.Thread(target=self._write, args=(request,), daemon=True).start()

    def hear(self, deadline: float) -> dict[str, Any]:
        """Wait for one whole answer; raises `_Silent` if none comes, or rubbish."""
        while True:
            try:
                said = self._objects.unpack()
            except msgpack.OutOfData:
                self._wait(deadline)
                continue
            except Exception:  # msgpack raises many kinds
                raise _Silent(UserMessage("rubbish", "it prints rubbish, not answers")) from None
            if not isinstance(said, dict):
                raise _Silent(UserMessage("rubbish", "it prints rubbish, not answers"))
            return said

    def kill(self) -> None:
        """End the process and all that it started."""
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
        """Take in some more of what it says."""
        try:
            chunk = self._chunks.get(timeout=max(deadline - time.monotonic(), 0))
        except queue.Empty:
            raise _Silent(UserMessage("hangs", "it hangs: no answer in the time given by --timeout")) from None
        if not chunk:
            raise _Silent(self._end())
        try:
            self._objects.feed(chunk)
        except msgpack.BufferFull:
            raise _Silent(
                UserMessage("long-answer", "its answer is longer than {most} bytes", most=MAX_BYTES)
            ) from None

    def _end(self) -> str:
        """Say how it ended, in its own last words."""
        try:
            code = self._process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return UserMessage("closed-output", "it closed its output")
        self._threads[1].join(timeout=1)
        lines = [line.strip() for line in self._last_words.decode(errors="replace").splitlines() if line.strip()]
        if any("No module named" in line for line in lines):
            return UserMessage(
                "no-kifu-there", "it has no kifu that gives traces: {said}", said=sanitize(lines[-1], 200)
            )
        ended = UserMessage("ended-with", "it ended with exit code {code}", code=code)
        if code < 0:
            ended = UserMessage("ended-by", "it was ended by signal {signal}", signal=-code)
        return (
            UserMessage("last-words", "{ended}: {said}", ended=ended, said=sanitize(lines[-1], 200)) if lines else ended
        )

    def _write(self, request: bytes) -> None:
        assert self._process.stdin is not None
        rest = memoryview(request)
        try:
            while rest:
                rest = rest[self._process.stdin.write(rest) :]
        except (OSError, ValueError):
            pass  # it ended: `hear` tells

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
            self._last_words = (self._last_words + chunk)[-LAST_WORDS:]
