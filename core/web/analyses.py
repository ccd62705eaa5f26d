"""Analyses of matches that have ended, each computed by a process of the lowest priority, one after the other.

What analyses is handed to the app by whoever composes it: `core` has no analysis. The processes write into a folder.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from subprocess import DEVNULL, Popen, TimeoutExpired
from threading import Lock, Semaphore, Thread
from typing import Any, Literal, Protocol

from attrs import define, frozen

from ..match import AnyMatch
from ..page.remarks import Remark
from . import access_log
from .http_codec import RequestError
from .limits import Counts, Limits

State = Literal["none", "waiting", "running", "done", "failed"]
RETRY_S = 20
AT_ONCE, PER_CLIENT, MAX_WAITING = 1, 3, 16
"""How many are computed at the same time, and how many may wait, of one client and in all."""
LOWEST_PRIORITY = 19
MAX_FAILED = 1000


class Analyser(Protocol):
    """The program that analyses a log, and the words for what it finds."""

    @property
    def folder(self) -> Path:
        """Where the analyses are kept."""

    def command(self, log: Path, file: Path) -> Sequence[str]:
        """Return the command line that writes the analysis of a log into a file, which may be there.

        It writes JSON lines: a head with the number of `decisions`, then one line for each as soon as it is computed.
        """

    def remarks(self, match: AnyMatch, lines: Sequence[Mapping[str, Any]]) -> Sequence[Remark]:
        """Return the lines of decisions as remarks, in the languages of a page."""


@frozen
class Progress:
    """How far the analysis of a log has come."""

    state: State
    done: int = 0
    """The decisions that are analysed."""
    of: int | None = None
    """The decisions in all; None before that is known."""
    content: bytes = b""
    """The whole lines of the file."""


@define(eq=False)
class _Job:
    client: str
    log: Path
    file: Path
    process: Popen[bytes] | None = None
    """None while it waits for its turn."""


class Analyses:
    """The analyses of one app, which has their folder for itself."""

    def __init__(
        self,
        analyser: Analyser,
        limits: Limits,
        refused: Callable[[str, str, float], RequestError],
    ) -> None:
        self.analyser = analyser
        self._folder, self._limits, self._refused = analyser.folder, limits, refused
        self._jobs: dict[str, _Job] = {}
        self._failed: dict[str, None] = {}
        self._lock = Lock()
        self._turns = Semaphore(AT_ONCE)
        self._is_closed = False

    def progress(self, log: bytes) -> Progress:
        """Return how far the analysis of a log has come."""
        with self._lock:
            return self._progress(_name(log))

    def begin(self, log: bytes, client: str) -> Progress:
        """Let a log be analysed when its turn comes, unless it is or was; raises `RequestError` at a limit."""
        name = _name(log)
        with self._lock:
            found = self._progress(name)
            if found.state not in ("none", "failed"):
                return found
            self._check(client)
            job = _Job(client, self._folder / f"{name}.log", self._folder / f"{name}.analysis")
            job.file.touch()
            job.log.write_bytes(log)
            Thread(target=self._compute, args=(name, job), name="kifu analysis", daemon=True).start()
            self._failed.pop(name, None)
            self._jobs[name] = job  # it is looked for when the lock is free
            return self._progress(name)

    def close(self) -> None:
        """End the processes that run, and begin no other."""
        with self._lock:
            self._is_closed = True
            for job in self._jobs.values():
                if job.process is not None:
                    job.process.kill()

    def _check(self, client: str) -> None:
        waiting = Counts()
        for job in self._jobs.values():
            waiting.enter(job.client)
        if not waiting.has_room(client, PER_CLIENT):
            raise self._refused("analyses_per_client", "too-many", RETRY_S)
        if sum(job.process is None for job in self._jobs.values()) >= MAX_WAITING:
            raise self._refused("analyses_waiting", "busy", RETRY_S)

    def _progress(self, name: str) -> Progress:
        content = _whole_lines(self._folder / f"{name}.analysis")
        of, done = _decisions(content), max(content.count(b"\n") - 1, 0)
        if done == of:
            return Progress("done", done, of, content)
        job = self._jobs.get(name)
        if job is not None:
            return Progress("waiting" if job.process is None else "running", done, of, content)
        return Progress("failed", done, of, content) if name in self._failed else Progress("none")

    def _compute(self, name: str, job: _Job) -> None:
        """Compute an analysis when its turn comes."""
        with self._turns:
            failure = "closed" if self._is_closed else self._run(job)
        with self._lock:
            job.log.unlink(missing_ok=True)
            del self._jobs[name]
            failed = self._progress(name).state != "done"
            if failed:
                self._failed[name] = None
                for oldest in list(self._failed)[:-MAX_FAILED]:
                    del self._failed[oldest]
            self._drop_oldest()
        if failed and not self._is_closed:
            access_log.note("an analysis failed", logging.WARNING, cause=failure)

    def _run(self, job: _Job) -> str:
        """Run the process of one analysis; return how it ended, in case it has not written all."""
        try:
            process = Popen(  # noqa: S603 (the command of whoever composed the app)
                self.analyser.command(job.log, job.file),
                cwd=self._folder,
                stdin=DEVNULL,
                stdout=DEVNULL,
                stderr=DEVNULL,
            )
        except OSError as error:
            return access_log.cause_of(error)
        with suppress(OSError, AttributeError):
            os.setpriority(os.PRIO_PROCESS, process.pid, LOWEST_PRIORITY)
        with process:
            with self._lock:
                job.process = process
                if self._is_closed:  # meanwhile
                    process.kill()
            try:
                return f"code {process.wait(self._limits.analysis_s)}"
            except TimeoutExpired:
                process.kill()
                return "analysis_s"

    def _drop_oldest(self) -> None:
        files = sorted(self._folder.glob("*.analysis"), key=lambda each: each.stat().st_mtime, reverse=True)
        going = {job.file for job in self._jobs.values()}
        for file in files[self._limits.analyses_kept :]:
            if file not in going:
                file.unlink(missing_ok=True)


def lines_of(content: bytes) -> list[dict[str, Any]]:
    """Return the lines of decisions of an analysis."""
    return [json.loads(line) for line in content.splitlines()[1:]]


def _name(log: bytes) -> str:
    return blake2b(log, digest_size=16).hexdigest()


def _whole_lines(file: Path) -> bytes:
    try:
        content = file.read_bytes()
    except FileNotFoundError:
        return b""
    return content[: content.rfind(b"\n") + 1]


def _decisions(content: bytes) -> int | None:
    """Return how many decisions the head announces; None if there is no head."""
    with suppress(ValueError, KeyError, TypeError):
        return int(json.loads(content.partition(b"\n")[0])["decisions"])
    return None
