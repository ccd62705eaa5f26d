"""Many logs asked the same question, over the cores: from the path of a log to a small answer, in the order given.

The question goes to a process as it is, the answers come back as they are; whatever runs `Question` elsewhere, on a
cluster, needs no more.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context
from multiprocessing.util import Finalize
from pathlib import Path
from threading import current_thread, main_thread
from types import TracebackType
from typing import Any, Protocol, Self, TypeVar

from .options import Unusable

A_co = TypeVar("A_co", covariant=True)
A = TypeVar("A")

CHUNK = 8
"""Logs that go to a process at a time."""

AHEAD = 4
"""Chunks that each process has waiting."""


class Question(Protocol[A_co]):
    """What is asked of every log; it and its answers are pickled. Each process opens it once."""

    def __enter__(self) -> Self: ...
    def __exit__(
        self, kind: type[BaseException] | None, cause: BaseException | None, trace: TracebackType | None
    ) -> None: ...
    def __call__(self, path: Path) -> A_co:
        """Answer for one log; raise nothing that the log is to blame for."""


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def ask(question: Question[A], paths: Sequence[Path], jobs: int) -> Iterator[A]:
    """Ask about every log, in `jobs` processes; few logs are not worth any process but this."""
    jobs = min(jobs, -(-len(paths) // CHUNK))
    return _here(question, paths) if jobs <= 1 else _in_processes(question, paths, jobs)


def _here(question: Question[A], paths: Sequence[Path]) -> Iterator[A]:
    with question:
        yield from map(question, paths)


def _in_processes(question: Question[A], paths: Sequence[Path], jobs: int) -> Iterator[A]:
    """Keep every process busy and nothing more: what was answered is given on and forgotten."""
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _open, (question,))
    chunks = (paths[at : at + CHUNK] for at in range(0, len(paths), CHUNK))
    waiting: deque[Future[list[A]]] = deque()
    try:
        with _leaving_ctrl_c():
            waiting.extend(pool.submit(_answer, chunk) for chunk in islice(chunks, AHEAD * jobs))
        while waiting:
            yield from waiting.popleft().result()
            waiting.extend(pool.submit(_answer, chunk) for chunk in islice(chunks, 1))
    except BrokenProcessPool:
        raise Unusable("a process that replays logs was killed, for want of memory perhaps: try --jobs 1") from None
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _leaving_ctrl_c() -> Iterator[None]:
    """Have the processes that begin meanwhile leave Ctrl-C to this one: they inherit that it is ignored."""
    if current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


_opened: Any = None


def _open(question: Question[Any]) -> None:
    """Open the question in a new process."""
    global _opened
    _opened = question.__enter__()
    Finalize(None, question.__exit__, (None, None, None), exitpriority=1)


def _answer(paths: Sequence[Path]) -> list[Any]:
    return [_opened(path) for path in paths]
