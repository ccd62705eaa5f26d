"""Work over many items, e.g. the paths of logs, shared among processes; the results keep the items' order.

The work, the items and the results are pickled. To the workers of a cluster (`dask_pool.py`) a local file is sent with
its content.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from time import monotonic
from typing import TypeVar

from attrs import frozen

from ..call_errors import CallError
from ..progress import progress_bar
from .work import Work, open_work

I = TypeVar("I")  # noqa: E741 (an item)
A = TypeVar("A")

CHUNK = 8
"""Items that are sent to a process at a time."""

MAX_CHUNK = 32
"""Of many items so many are sent: each chunk costs this process a fifth of a millisecond, while the others wait."""

MANY_CHUNKS = 256
"""So many chunks share the work evenly, and are few enough to be sent in no time."""

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

            return map_on_cluster(self.cluster, work, items, beside)
        chunk = chunk_of(len(items)) if self.chunk is None else self.chunk
        if self.jobs is None and cores() > 1:
            return _here_then_in_processes(work, items, chunk)
        if self.jobs in (None, 1) or len(items) <= chunk:  # a few items are not worth a process
            return _here(work, items)
        return _in_processes(self.jobs, work, items, chunk)


def chunk_of(items: int) -> int:
    """Return how many of so many items are sent to a process at a time."""
    return min(max(items // MANY_CHUNKS, CHUNK), MAX_CHUNK)


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _here(work: Work[I, A], items: Sequence[I]) -> Iterator[A]:
    with open_work(work) as opened:
        yield from map(opened, items)


def _in_processes(jobs: int, work: Work[I, A], items: Sequence[I], chunk: int) -> Iterator[A]:
    from .processes import map_in_processes  # here, since few logs need none

    return map_in_processes(jobs, work, items, chunk)


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
