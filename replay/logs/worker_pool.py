"""One work over many items, e.g. the paths of logs, shared among the cores: the answers come in the items' order.

The work and the items go to a process as they are, the answers come back as they are; to the workers of a cluster too
(`cluster.py`), except that a path goes there as a parcel.
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
"""Items that go to a process at a time."""

AHEAD = 4
"""Chunks that each process has waiting."""

WORTH_PROCESSES = 1.0
"""Seconds of work after which processes are started unasked: sooner they take longer to start than they save."""


@frozen
class WorkerPool:
    """Who does the work: the workers of a Dask cluster, or so many processes, or this one.

    Without either, this one is helped by all cores if it takes long.
    """

    jobs: int | None = None
    cluster: str | None = None
    chunk: int | None = None
    """Items that go elsewhere at a time: 1 where each takes long, None for as many as are worth the way."""

    def __attrs_post_init__(self) -> None:
        if self.jobs is not None and self.cluster is not None:
            raise CallError(
                "jobs-or-cluster", "--jobs are processes of this machine, --cluster others: give one of them"
            )

    def map(
        self, work: Work[I, A], items: Sequence[I], title: str, *, shown: bool, beside: Collection[str] = ()
    ) -> Iterable[A]:
        """Do the work for every item; if `shown`, a terminal tells how far it is.

        With `beside` the work also reads what lies beside a path, with these suffixes.
        """
        return progress_bar(self._answers(work, items, beside), title, len(items), shown=shown)

    def _answers(self, work: Work[I, A], items: Sequence[I], beside: Collection[str]) -> Iterator[A]:
        if self.cluster is not None:
            from .dask_pool import map_on_cluster  # here, so that only those who ask for one need its library

            return map_on_cluster(self.cluster, work, items, self.chunk, beside)
        chunk = CHUNK if self.chunk is None else self.chunk
        if self.jobs is not None:
            return _among(self.jobs, work, items, chunk)
        return _here(work, items) if cores() == 1 else _begun_here(work, items, chunk)


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _here(work: Work[I, A], items: Sequence[I]) -> Iterator[A]:
    with open_work(work) as opened:
        yield from map(opened, items)


def _begun_here(work: Work[I, A], items: Sequence[I], chunk: int) -> Iterator[A]:
    done, begun = 0, monotonic()
    with open_work(work) as opened:
        while len(items) - done > chunk and monotonic() - begun < WORTH_PROCESSES:
            yield opened(items[done])
            done += 1
        if len(items) - done <= chunk:
            yield from map(opened, items[done:])
            return
    yield from _in_processes(cores(), work, items[done:], chunk)


def _among(jobs: int, work: Work[I, A], items: Sequence[I], chunk: int) -> Iterator[A]:
    """Share the items out among processes; few are not worth any but this one."""
    return _here(work, items) if jobs == 1 or len(items) <= chunk else _in_processes(jobs, work, items, chunk)


def _in_processes(jobs: int, work: Work[I, A], items: Sequence[I], chunk: int) -> Iterator[A]:
    """Keep every process busy and nothing more: what was answered is given on and forgotten."""
    jobs = min(jobs, -(-len(items) // chunk))
    others = set(active_children())
    with _beginning():
        pool = ProcessPoolExecutor(jobs, get_context("spawn"), _open, (work,))
    chunks = (items[at : at + chunk] for at in range(0, len(items), chunk))
    waiting: deque[Future[list[A]]] = deque()
    try:
        with _beginning(), _leaving_ctrl_c():
            waiting.extend(pool.submit(_answer, chunk) for chunk in islice(chunks, AHEAD * jobs))
        while waiting:
            yield from waiting.popleft().result()
            waiting.extend(pool.submit(_answer, chunk) for chunk in islice(chunks, 1))
    except BrokenProcessPool:
        raise CallError(
            "process-killed", "a process that does the work was killed, for want of memory perhaps: try --jobs 1"
        ) from None
    except KeyboardInterrupt:
        for process in set(active_children()) - others:
            process.terminate()  # else it would finish its item first, which may take hours
        raise
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _beginning() -> Iterator[None]:
    """Tell that processes cannot be begun; else a `BrokenPipeError` would look like a reader who has gone."""
    try:
        yield
    except OSError as cause:
        raise CallError(
            "no-process", "no process can be begun to do the work ({why}): try --jobs 1", why=os_error_message(cause)
        ) from None


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


_work: Any = None


def _open(work: Work[Any, Any]) -> None:
    """Open the work in a new process, which ends with the one that began it, however that ends."""
    global _work
    Thread(target=_end_with_parent, daemon=True).start()
    manager = open_work(work)
    _work = manager.__enter__()
    Finalize(None, manager.__exit__, (None, None, None), exitpriority=1)


def _end_with_parent() -> None:
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)  # else it would wait for ever for more to do


def _answer(items: Sequence[Any]) -> list[Any]:
    return [_work(item) for item in items]
