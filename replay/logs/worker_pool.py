"""Work over many items, e.g. the paths of logs, shared among processes; the results keep the items' order.

The work, the items and the results are pickled. To the workers of a cluster (`dask_pool.py`) a local file is sent with
its content.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.util import Finalize
from threading import Thread, current_thread, main_thread
from time import monotonic
from typing import Any, TypeVar

from attrs import frozen

from ...core.errors import os_error_message
from ..call_errors import CallError
from ..progress import progress_bar
from .work import Work, open_work

I = TypeVar("I")  # noqa: E741 (an item)
A = TypeVar("A")

CHUNK = 8
"""Items that are sent to a process at a time."""

CHUNKS_AHEAD = 4
"""Chunks that wait for each process."""

SOLO_S = 1.0
"""Seconds of work before processes are started without `jobs`: earlier, starting them takes longer than it saves."""


@frozen
class WorkerPool:
    """A number of processes (`jobs`) or a Dask cluster (its address).

    Without either, this process works alone, and all cores once the work takes long. Raises `CallError` for both.
    """

    jobs: int | None = None
    cluster: str | None = None
    chunk: int | None = None
    """Items that are sent at a time: 1 if each takes long; None: the default."""

    def __attrs_post_init__(self) -> None:
        if self.jobs is not None and self.cluster is not None:
            raise CallError(
                "jobs-or-cluster", "--jobs are processes of this machine, --cluster others: give one of them"
            )

    def map(
        self, work: Work[I, A], items: Sequence[I], title: str, *, shown: bool, beside: Collection[str] = ()
    ) -> Iterable[A]:
        """Yield the result of the work for every item, in order; `shown`: with a progress bar in a terminal.

        `beside`: suffixes of the files beside a path that the work also reads.
        """
        return progress_bar(self._results(work, items, beside), title, len(items), shown=shown)

    def _results(self, work: Work[I, A], items: Sequence[I], beside: Collection[str]) -> Iterator[A]:
        if self.cluster is not None:
            from .dask_pool import map_on_cluster  # here, since its library is an extra

            return map_on_cluster(self.cluster, work, items, self.chunk, beside)
        chunk = CHUNK if self.chunk is None else self.chunk
        if self.jobs is not None:
            return _in_pool(self.jobs, work, items, chunk)
        return _here(work, items) if cores() == 1 else _here_then_in_processes(work, items, chunk)


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _here(work: Work[I, A], items: Sequence[I]) -> Iterator[A]:
    with open_work(work) as opened:
        yield from map(opened, items)


def _here_then_in_processes(work: Work[I, A], items: Sequence[I], chunk: int) -> Iterator[A]:
    done, started_at = 0, monotonic()
    with open_work(work) as opened:
        while len(items) - done > chunk and monotonic() - started_at < SOLO_S:
            yield opened(items[done])
            done += 1
        if len(items) - done <= chunk:
            yield from map(opened, items[done:])
            return
    yield from _in_processes(cores(), work, items[done:], chunk)


def _in_pool(jobs: int, work: Work[I, A], items: Sequence[I], chunk: int) -> Iterator[A]:
    """Share the items among processes; a few items are done here."""
    return _here(work, items) if jobs == 1 or len(items) <= chunk else _in_processes(jobs, work, items, chunk)


def _in_processes(jobs: int, work: Work[I, A], items: Sequence[I], chunk: int) -> Iterator[A]:
    """Yield the results from processes, each with at most `CHUNKS_AHEAD` chunks waiting, so that memory stays flat."""
    jobs = min(jobs, -(-len(items) // chunk))
    others = set(active_children())
    with _starting_processes():
        pool = ProcessPoolExecutor(jobs, get_context("spawn"), _open, (work,))
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
