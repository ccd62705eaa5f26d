"""Work on a Dask cluster: chunks of items go to any free worker, the results come back in order.

A chunk whose worker is lost is done again by another. Each worker first checks that it has the same versions of kifu
and of the games.
"""

from __future__ import annotations

import asyncio
import logging
import pickle
import warnings
from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from importlib.metadata import PackageNotFoundError, version
from itertools import count, islice
from pathlib import Path
from threading import Lock, get_ident
from typing import Any, TypeVar
from uuid import uuid4

from attrs import field, frozen, mutable

from ...core.errors import KifuError, needs_extra
from ...core.match import registry
from ..call_errors import CallError
from .locations import SentFile, forget_listings
from .work import Work, open_work

with needs_extra("--cluster", "bulk"):
    import dask
    from distributed import Client, Future, KilledWorker, get_worker
    from distributed.comm import connect, resolve_address
    from distributed.core import send_recv
    from distributed.security import Security

I = TypeVar("I")  # noqa: E741 (an item)
A = TypeVar("A")

CHUNK = 32
"""Items that are sent to a worker at a time, at most."""

CHUNKS_AHEAD = 4
"""Chunks that wait for each thread of a worker; no more are sent, so that memory stays flat."""

DASK_CONFIG = {"distributed.admin.low-level-log-length": 1}
"""By default a client remembers the last thousand chunks that it sent."""

CONNECT_TIMEOUT_S = 10.0
"""Seconds in which a cluster has to answer."""

GRACE_S = 1.0
"""Seconds more, after which what was reached is taken for no cluster."""

SILENCE_S = 30.0
"""Seconds without a result after which the number of workers is checked."""


def map_on_cluster(
    address: str, work: Work[I, A], items: Sequence[I], chunk: int | None, beside: Collection[str]
) -> Iterator[A]:
    """Yield the result of the work for every item, in order, from the cluster at this address."""
    with _connected(address) as client:
        try:
            yield from _Run(address, client, JobSpec.of(work)).results(items, chunk or CHUNK, beside)
        except KifuError:
            raise
        except Exception:
            if client.status == "running":
                raise
            raise CallError(
                "cluster-lost", "--cluster {address}: the connection was lost during the work", address=address
            ) from None


@frozen
class JobSpec:
    """What is sent with every chunk: the pickled work, and the versions of kifu and the games that it needs."""

    run: str
    work: bytes
    engine: Mapping[str, str]

    @classmethod
    def of(cls, work: Work[Any, Any]) -> JobSpec:
        """Return the job of a work, with a new id and the versions of this process."""
        return cls(uuid4().hex, pickle.dumps(work), registry.versions())


@contextmanager
def _connected(address: str) -> Iterator[Client]:
    """Connect to a scheduler and yield the client; raises `CallError`."""
    with _unlogged():
        try:
            # Dask warns of other versions over there, which may work all the same.
            with warnings.catch_warnings(action="ignore"), dask.config.set(DASK_CONFIG):
                kind = asyncio.run(_kind(resolve_address(address)))  # its errors are more precise
                if kind != "Scheduler":
                    raise CallError(
                        "cluster-no-scheduler",
                        "--cluster {address}: this is a {kind}; give the address of its scheduler",
                        address=address,
                        kind=kind,
                    )
                client = Client(address, timeout=CONNECT_TIMEOUT_S, set_as_default=False, name="replay")
        except KifuError:
            raise
        except (TimeoutError, MemoryError):  # MemoryError: bytes of another protocol were taken for a length
            raise CallError(
                "cluster-silent",
                "--cluster {address}: no Dask scheduler answers; give the address of a scheduler, not of its dashboard",
                address=address,
            ) from None
        except Exception as cause:  # of Dask or of the libraries below it
            raise CallError(
                "cluster-unreached",
                "--cluster {address}: cannot be reached: {why}",
                address=address,
                why=_first_line(cause),
            ) from None
        try:
            yield client
        finally:
            client.close(timeout=CONNECT_TIMEOUT_S)


async def _kind(address: str) -> str:
    """Return the kind of Dask server at an address, e.g. `Scheduler`; raises Dask's errors, or `TimeoutError`.

    A `Client` would wait for ever for an answer, and leave a thread behind if the server is of another kind.
    """
    async with asyncio.timeout(CONNECT_TIMEOUT_S + GRACE_S):
        comm = await connect(address, timeout=CONNECT_TIMEOUT_S, **Security().get_connection_args("client"))
        try:
            return str((await send_recv(comm, op="identity")).get("type"))
        finally:
            comm.abort()


@contextmanager
def _unlogged() -> Iterator[None]:
    """Silence Dask's log meanwhile: its problems are reported as `CallError`."""
    logs = [logging.getLogger(name) for name in ("distributed", "distributed.client")]
    levels = [log.level for log in logs]
    for log in logs:
        log.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for log, level in zip(logs, levels, strict=True):
            log.setLevel(level)


@frozen
class _Run:
    """One run of a job over many items, on the client's side."""

    address: str
    client: Client
    job: JobSpec

    def results(self, items: Sequence[I], most: int, beside: Collection[str]) -> Iterator[Any]:
        """Yield the results in order, with at most `CHUNKS_AHEAD` chunks waiting for each thread."""
        self._check()
        capacity, numbers = self._capacity(), count()
        size = min(max(len(items) // capacity, 1), most)
        chunks = (items[at : at + size] for at in range(0, len(items), size))
        waiting: deque[Future] = deque()
        finished = 0
        try:
            while True:
                for chunk in islice(chunks, max(capacity - len(waiting), 0)):
                    waiting.append(self._submit([_sent(item, beside) for item in chunk], next(numbers)))
                if not waiting:
                    break
                yield from self._results(waiting.popleft())
                finished += 1
                if finished % capacity == 0:
                    capacity = self._capacity()  # workers come and go
        finally:
            self._cancel(waiting)

    def _check(self) -> None:
        """Check that the workers have kifu, by the standard library alone: a worker that cannot load its work dies."""
        for worker, found in self.client.run(version, "kifu", on_error="return").items():
            if isinstance(found, PackageNotFoundError):
                raise CallError(
                    "cluster-without-kifu",
                    "--cluster {address}: its worker {worker} has no kifu: pip install 'kifu[bulk]' there",
                    address=self.address,
                    worker=worker,
                )

    def _capacity(self) -> int:
        """Return how many chunks may wait for the present workers; without workers as for one thread."""
        return CHUNKS_AHEAD * max(sum(int(threads) for threads in self.client.nthreads().values()), 1)

    def _submit(self, chunk: list[Any], number: int) -> Future:
        with warnings.catch_warnings(action="ignore"):  # of Dask, that a chunk is large
            return self.client.submit(run_chunk, self.job, chunk, key=f"replay-{self.job.run}-{number}")

    def _results(self, future: Future) -> list[Any]:
        """Wait for the results of a chunk; raises what the work raised, or `CallError`."""
        try:
            return list(self._wait(future))
        except KilledWorker:
            raise CallError(
                "cluster-killed",
                "--cluster {address}: every worker that did this work was lost, perhaps for lack of memory",
                address=self.address,
            ) from None
        except (ImportError, RuntimeError) as cause:
            if isinstance(cause, RuntimeError) and "deserialization" not in str(cause):
                raise
            raise CallError(
                "cluster-cannot-load",
                "--cluster {address}: cannot load the work: {why}; pip install 'kifu[bulk]' there",
                address=self.address,
                why=_first_line(cause),
            ) from None

    def _wait(self, future: Future) -> Any:
        while True:
            try:
                return future.result(timeout=SILENCE_S)
            except TimeoutError:
                if future.done():
                    raise  # raised by the work itself
                if not self.client.nthreads():
                    raise CallError(
                        "cluster-without-workers",
                        "--cluster {address}: has no workers: start some, with dask worker",
                        address=self.address,
                    ) from None

    def _cancel(self, pending: Collection[Future]) -> None:
        """Cancel what is not done yet, and close the work on the workers."""
        with suppress(Exception):  # the cluster may be gone
            self.client.cancel(list(pending))
            self.client.run(close, self.job.run, on_error="ignore")


def _sent(item: Any, beside: Collection[str]) -> Any:
    """Replace local paths by `SentFile`; the workers read addresses themselves."""
    if isinstance(item, tuple):
        return tuple(_sent(each, beside) for each in item)
    return SentFile.of(item, beside) if isinstance(item, Path) else item


def _first_line(cause: BaseException) -> str:
    """Return the first line of the original error."""
    while isinstance(cause.__cause__, Exception):
        cause = cause.__cause__
    why = getattr(cause, "strerror", None) or str(cause).strip() or type(cause).__name__
    return str(why).splitlines()[0]


# What follows runs on the workers.


@mutable
class _OpenWork:
    """The work that one thread of a worker has open; a context manager around each chunk."""

    run: str
    manager: AbstractContextManager[Any]
    work: Work[Any, Any]
    busy: bool = False
    closing: bool = False
    lock: Lock = field(factory=Lock)

    @classmethod
    def of(cls, job: JobSpec) -> _OpenWork:
        """Open the work; raises `CallError` if this worker has other versions."""
        here = registry.versions()
        for name, needed in job.engine.items():
            if here.get(name) != needed:
                worker = get_worker().address
                if name not in here:
                    raise CallError(
                        "worker-lacks",
                        "worker {worker} lacks the {name}, the work is for {asked}: install the same there",
                        worker=worker,
                        name=name,
                        asked=needed,
                    )
                raise CallError(
                    "worker-differs",
                    "worker {worker} has {has}, the work is for {asked}: install the same there",
                    worker=worker,
                    has=here[name],
                    asked=needed,
                )
        forget_listings()
        manager = open_work(pickle.loads(job.work))  # noqa: S301 (from the client, whose code Dask runs anyway)
        return cls(job.run, manager, manager.__enter__())

    def __enter__(self) -> _OpenWork:
        self.busy = True
        return self

    def __exit__(self, *_: object) -> None:
        with self.lock:
            self.busy = False
            closing = self.closing
        if closing:
            self.manager.__exit__(None, None, None)

    def close(self) -> None:
        """Close the work, or let its thread close it after the present item."""
        with self.lock:
            busy, self.closing = self.busy or self.closing, True
        if not busy:
            self.manager.__exit__(None, None, None)


_open_works: dict[int, _OpenWork] = {}
"""By thread."""


def run_chunk(job: JobSpec, items: Sequence[Any]) -> list[Any]:
    """Return the results of the work for these items; runs on a worker."""
    thread = get_ident()
    opened = _open_works.get(thread)
    if opened is None or opened.run != job.run or opened.closing:
        if opened is not None:
            opened.close()
        opened = _open_works[thread] = _OpenWork.of(job)
    with opened:
        return [opened.work(item) for item in items if not opened.closing]


def close(run: str) -> None:
    """Close the work of a job in all threads of this worker."""
    for thread, opened in list(_open_works.items()):
        if opened.run == run:
            del _open_works[thread]
            opened.close()
