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
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from attrs import frozen

from ...core.errors import KifuError, needs_extra
from ...core.match import registry
from ..call_errors import CallError, UserMessage
from .locations import SentFile, forget_listings
from .work import Work, open_work

with needs_extra("--cluster", "bulk"):
    import dask
    from distributed import Client, Future, get_worker
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


def map_on_cluster(address: str, work: Work[I, A], items: Sequence[I], beside: Collection[str]) -> Iterator[A]:
    """Yield the result of the work for every item, in order, from the cluster at this address.

    Raises what the work raises, and `CallError` for whatever is wrong with the cluster.
    """
    try:
        with _unlogged(), _connected(address) as client:
            yield from _Run(client, pickle.dumps(work), registry.versions()).results(items, beside)
    except KifuError:
        raise
    except Exception as cause:  # of Dask or of the libraries below it
        why = _first_line(cause)
        raise CallError("cluster-failed", "--cluster {address}: {why}", address=address, why=why) from None


@contextmanager
def _connected(address: str) -> Iterator[Client]:
    """Connect to a scheduler and yield the client."""
    # Dask warns of other versions over there, which may work all the same.
    with warnings.catch_warnings(action="ignore"), dask.config.set(DASK_CONFIG):
        kind = asyncio.run(_kind(resolve_address(address)))  # its errors are more precise
        if kind != "Scheduler":
            english = "--cluster {address}: give the address of a scheduler, not of a {kind}"
            raise CallError("cluster-no-scheduler", english, address=address, kind=kind)
        client = Client(address, timeout=CONNECT_TIMEOUT_S, set_as_default=False, name="replay")
    try:
        yield client
    finally:
        client.close(timeout=CONNECT_TIMEOUT_S)


async def _kind(address: str) -> str:
    """Return the kind of Dask server at an address, e.g. `Scheduler`; raises Dask's errors, or `TimeoutError`.

    A `Client` would wait for ever for an answer, and leave a thread behind if the server is of another kind.
    """
    async with asyncio.timeout(2 * CONNECT_TIMEOUT_S):
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
    """One run of pickled work over many items, on the client's side."""

    client: Client
    work: bytes
    engine: Mapping[str, str]
    """The versions of kifu and of its games here, which every worker must have."""

    def results(self, items: Sequence[I], beside: Collection[str]) -> Iterator[Any]:
        """Yield the results in order, with at most `CHUNKS_AHEAD` chunks waiting for each thread."""
        capacity = self._capacity()
        size = min(max(len(items) // capacity, 1), CHUNK)
        chunks = (items[at : at + size] for at in range(0, len(items), size))
        waiting: deque[Future] = deque()
        finished = 0
        try:
            while True:
                for chunk in islice(chunks, max(capacity - len(waiting), 0)):
                    waiting.append(self._submit([_sent(item, beside) for item in chunk]))
                if not waiting:
                    break
                yield from waiting.popleft().result()
                finished += 1
                if finished % capacity == 0:
                    capacity = self._capacity()  # workers come and go
        finally:
            with suppress(Exception):  # the cluster may be gone
                self.client.cancel(list(waiting))

    def _capacity(self) -> int:
        """Return how many chunks may wait for the present workers; without workers as for one thread."""
        return CHUNKS_AHEAD * max(sum(int(threads) for threads in self.client.nthreads().values()), 1)

    def _submit(self, chunk: list[Any]) -> Future:
        with warnings.catch_warnings(action="ignore"):  # of Dask, that a chunk is large
            return self.client.submit(run_chunk, self.work, self.engine, chunk, pure=False)


def _sent(item: Any, beside: Collection[str]) -> Any:
    """Replace local paths by `SentFile`; the workers read addresses themselves."""
    return SentFile.of(item, beside) if isinstance(item, Path) else item


def _first_line(cause: BaseException) -> str:
    """Return the first line of the original error."""
    while isinstance(cause.__cause__, Exception):
        cause = cause.__cause__
    why = getattr(cause, "strerror", None) or str(cause).strip() or type(cause).__name__
    return str(why).splitlines()[0]


def run_chunk(work: bytes, engine: Mapping[str, str], items: Sequence[Any]) -> list[Any]:
    """Return the results of the pickled work for these items; runs on a worker.

    Raises `CallError` if this worker has other versions of kifu or the games than the work is for.
    """
    here = registry.versions()
    for name, needed in engine.items():
        if here.get(name) != needed:
            raise CallError(
                "worker-differs",
                "worker {worker} has {has}, the work is for {asked}: install the same there",
                worker=get_worker().address,
                has=here.get(name, UserMessage("worker-lacks", "no {name}", name=name)),
                asked=needed,
            )
    forget_listings()
    with open_work(pickle.loads(work)) as opened:  # noqa: S301 (from the client, whose code Dask runs anyway)
        return [opened(item) for item in items]
