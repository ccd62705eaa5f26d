"""Work over many items in processes of this machine."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.util import Finalize
from threading import Thread, current_thread, main_thread
from typing import Any, TypeVar

from ...core.errors import os_error_message
from ..call_errors import CallError
from .work import Work, open_work

I = TypeVar("I")  # noqa: E741 (an item)
A = TypeVar("A")

CHUNKS_AHEAD = 4
"""Chunks that wait for each process."""

THREADS = "/proc/self/task"
"""The folder in which Linux lists the threads of this process, those of libraries too."""


def map_in_processes(jobs: int, work: Work[I, A], items: Sequence[I], chunk: int) -> Iterator[A]:
    """Yield the results from processes, each with at most `CHUNKS_AHEAD` chunks waiting, so that memory stays flat."""
    jobs = min(jobs, -(-len(items) // chunk))
    others = set(active_children())
    with _starting_processes():
        pool = ProcessPoolExecutor(jobs, get_context("fork" if _can_fork() else "spawn"), _open, (work,))
    chunks = (items[at : at + chunk] for at in range(0, len(items), chunk))
    waiting: deque[Future[list[A]]] = deque()
    try:
        with _starting_processes(), _ignoring_ctrl_c():
            waiting.extend(pool.submit(_run_chunk, chunk) for chunk in islice(chunks, CHUNKS_AHEAD * jobs))
        while waiting:
            yield from waiting.popleft().result()
            waiting.extend(pool.submit(_run_chunk, chunk) for chunk in islice(chunks, 1))
    except BrokenProcessPool:
        raise CallError(
            "process-killed", "a worker process was killed, perhaps for lack of memory: try --jobs 1"
        ) from None
    except KeyboardInterrupt:
        for process in set(active_children()) - others:
            process.terminate()  # finishing its item may take hours
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _can_fork() -> bool:
    """Return True if this process may be copied, which takes no time; a process begun anew loads for 0.3 seconds.

    Of a process with more threads the copy has one alone, and may wait for ever for what another held.
    """
    try:
        return len(os.listdir(THREADS)) == 1
    except OSError:  # no Linux: elsewhere the system's own libraries may not be copied
        return False


@contextmanager
def _starting_processes() -> Iterator[None]:
    """Raise `CallError` if processes cannot be started; a `BrokenPipeError` would look like a closed output."""
    try:
        yield
    except OSError as cause:
        raise CallError(
            "no-process", "no worker process can be started ({why}): try --jobs 1", why=os_error_message(cause)
        ) from None


@contextmanager
def _ignoring_ctrl_c() -> Iterator[None]:
    """Ignore Ctrl-C for the moment: processes started now inherit that, and leave it to this one."""
    if current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


_work: Any = None


def _open(work: Work[Any, Any]) -> None:
    """Open the work in a new process, which ends when its parent ends."""
    global _work
    Thread(target=_end_with_parent, daemon=True).start()
    manager = open_work(work)
    _work = manager.__enter__()
    Finalize(None, manager.__exit__, (None, None, None), exitpriority=1)


def _end_with_parent() -> None:
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)  # it would wait for work for ever


def _run_chunk(items: Sequence[Any]) -> list[Any]:
    return [_work(item) for item in items]
