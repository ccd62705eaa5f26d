"""The crew on a Dask cluster: chunks of items go to whichever worker is free, the answers come back in order.

What goes to a worker a second time, since the first was lost, is answered a second time and taken once. The workers
have this kifu and these games, which each of them checks before it begins.
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

from ...core import registry
from ...core.errors import KifuError, MissingExtra
from ..call_errors import CallError
from .locations import SentFile, forget_listings
from .work import Work, open_work

try:
    import dask
    from distributed import Client, Future, KilledWorker, get_worker
    from distributed.comm import connect, resolve_address
    from distributed.core import send_recv
    from distributed.security import Security
except ImportError:
    raise MissingExtra("--cluster", "bulk") from None

I = TypeVar("I")  # noqa: E741 (an item)
A = TypeVar("A")

CHUNK = 32
"""Items that go to a worker at a time, at most."""

AHEAD = 4
"""Chunks that each thread of a worker has waiting; more are not sent, so that memory stays flat."""

FORGETFUL = {"distributed.admin.low-level-log-length": 1}
"""A client else remembers the last thousand chunks that it has sent."""

REACH = 10.0
"""Seconds in which a cluster answers, or cannot be reached."""

GRACE = 1.0
"""Seconds more, after which what was reached is no cluster."""

PATIENCE = 30.0
"""Seconds without an answer after which it is asked whether there are workers at all."""


def map_on_cluster(
    address: str, work: Work[I, A], items: Sequence[I], chunk: int | None, beside: Collection[str]
) -> Iterator[A]:
    """Do the work for every item on the cluster at this address."""
    with _connected(address) as client:
        try:
            yield from _Run(address, client, JobSpec.of(work)).answers(items, chunk or CHUNK, beside)
        except KifuError:
            raise
        except Exception:
            if client.status == "running":
                raise
            raise CallError("cluster-lost", "--cluster {address}: was lost while it worked", address=address) from None


@frozen
class JobSpec:
    """What goes to a worker with every chunk: the work, and the kifu and the games it is to be done with."""

    run: str
    work: bytes
    engine: Mapping[str, str]

    @classmethod
    def of(cls, work: Work[Any, Any]) -> JobSpec:
        return cls(uuid4().hex, pickle.dumps(work), registry.versions())


@contextmanager
def _connected(address: str) -> Iterator[Client]:
    """Connect, or raise `Unusable`."""
    with _unlogged():
        try:
            # Dask warns that it is of another version there, though it may do all the same.
            with warnings.catch_warnings(action="ignore"), dask.config.set(FORGETFUL):
                kind = asyncio.run(_kind(resolve_address(address)))  # which tells more of what is wrong with it
                if kind != "Scheduler":
                    raise CallError(
                        "cluster-no-scheduler",
                        "--cluster {address}: a {kind} is there; give the address of its scheduler",
                        address=address,
                        kind=kind,
                    )
                client = Client(address, timeout=REACH, set_as_default=False, name="replay")
        except KifuError:
            raise
        except (TimeoutError, MemoryError):  # MemoryError: what somebody else says was taken for a length
            raise CallError(
                "cluster-silent",
                "--cluster {address}: what is there does not answer as Dask does; give the "
                "address of a scheduler, not of its dashboard",
                address=address,
            ) from None
        except Exception as cause:  # Dask's, of the libraries below it, or of a server that is something else
            raise CallError(
                "cluster-unreached", "--cluster {address}: cannot be reached: {why}", address=address, why=_line(cause)
            ) from None
        try:
            yield client
        finally:
            client.close(timeout=REACH)


async def _kind(address: str) -> str:
    """Ask who is there: `Scheduler`, or what else of Dask; raises what Dask raises, `TimeoutError` if nobody answers.

    A `Client` would wait for ever for an answer, and leave a thread behind where it is not the one it expects.
    """
    async with asyncio.timeout(REACH + GRACE):
        comm = await connect(address, timeout=REACH, **Security().get_connection_args("client"))
        try:
            return str((await send_recv(comm, op="identity")).get("type"))
        finally:
            comm.abort()


@contextmanager
def _unlogged() -> Iterator[None]:
    """Keep Dask from logging its troubles: what becomes of the work is told by us."""
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
    """One work over many items, as the client sees it."""

    address: str
    client: Client
    order: JobSpec

    def answers(self, items: Sequence[I], most: int, beside: Collection[str]) -> Iterator[Any]:
        """Keep every worker busy and nothing more: what was answered is given on and forgotten."""
        self._check()
        room, numbers = self._room(), count()
        size = min(max(len(items) // room, 1), most)
        chunks = (items[at : at + size] for at in range(0, len(items), size))
        waiting: deque[Future] = deque()
        taken = 0
        try:
            while True:
                for chunk in islice(chunks, max(room - len(waiting), 0)):
                    waiting.append(self._submit([_sent(item, beside) for item in chunk], next(numbers)))
                if not waiting:
                    break
                yield from self._taken(waiting.popleft())
                taken += 1
                if taken % room == 0:
                    room = self._room()  # workers come and go
        finally:
            self._end(waiting)

    def _check(self) -> None:
        """Ask for kifu in the words of Python alone: a worker that is sent what it cannot load ends."""
        for worker, said in self.client.run(version, "kifu", on_error="return").items():
            if isinstance(said, PackageNotFoundError):
                raise CallError(
                    "cluster-without-kifu",
                    "--cluster {address}: its worker {worker} has no kifu: pip install 'kifu[bulk]' there",
                    address=self.address,
                    worker=worker,
                )

    def _room(self) -> int:
        """Count the chunks that the workers of now may have waiting; where there are none, some that call for them."""
        return AHEAD * max(sum(int(threads) for threads in self.client.nthreads().values()), 1)

    def _submit(self, chunk: list[Any], number: int) -> Future:
        with warnings.catch_warnings(action="ignore"):  # Dask's, that a chunk of large logs is large
            return self.client.submit(answer, self.order, chunk, key=f"replay-{self.order.run}-{number}")

    def _taken(self, future: Future) -> list[Any]:
        """Wait for the answers of a chunk; raises what the work raised, or `Unusable`."""
        try:
            return list(self._awaited(future))
        except KilledWorker:
            raise CallError(
                "cluster-killed",
                "--cluster {address}: lost every worker that did this work, for want of memory perhaps",
                address=self.address,
            ) from None
        except (ImportError, RuntimeError) as cause:
            if isinstance(cause, RuntimeError) and "deserialization" not in str(cause):
                raise
            raise CallError(
                "cluster-cannot-load",
                "--cluster {address}: cannot load the work: {why}; pip install 'kifu[bulk]' there",
                address=self.address,
                why=_line(cause),
            ) from None

    def _awaited(self, future: Future) -> Any:
        while True:
            try:
                return future.result(timeout=PATIENCE)
            except TimeoutError:
                if future.done():
                    raise  # of the work itself
                if not self.client.nthreads():
                    raise CallError(
                        "cluster-without-workers",
                        "--cluster {address}: has no workers: start some, with dask worker",
                        address=self.address,
                    ) from None

    def _end(self, pending: Collection[Future]) -> None:
        """Cancel what is not done yet, and have the workers close the work."""
        with suppress(Exception):  # there may be no cluster any more
            self.client.cancel(list(pending))
            self.client.run(close, self.order.run, on_error="ignore")


def _sent(item: Any, beside: Collection[str]) -> Any:
    """Make every path of this machine a parcel; what is at an address the workers read themselves."""
    if isinstance(item, tuple):
        return tuple(_sent(each, beside) for each in item)
    return SentFile.of(item, beside) if isinstance(item, Path) else item


def _line(cause: BaseException) -> str:
    """Give the first line of what went wrong, where it began."""
    while isinstance(cause.__cause__, Exception):
        cause = cause.__cause__
    why = getattr(cause, "strerror", None) or str(cause).strip() or type(cause).__name__
    return str(why).splitlines()[0]


# What follows is done by the workers.


@mutable
class _Bench:
    """The work that one thread of a worker has open; busy within a `with`."""

    run: str
    manager: AbstractContextManager[Any]
    work: Work[Any, Any]
    busy: bool = False
    over: bool = False
    lock: Lock = field(factory=Lock)

    @classmethod
    def of(cls, order: JobSpec) -> _Bench:
        """Open the work, if this worker can do it; raises `Unusable`."""
        here = registry.versions()
        for name, asked in order.engine.items():
            if here.get(name) != asked:
                worker = get_worker().address
                if name not in here:
                    raise CallError(
                        "worker-lacks",
                        "worker {worker} lacks the {name}, the work is for {asked}: install the same there",
                        worker=worker,
                        name=name,
                        asked=asked,
                    )
                raise CallError(
                    "worker-differs",
                    "worker {worker} has {has}, the work is for {asked}: install the same there",
                    worker=worker,
                    has=here[name],
                    asked=asked,
                )
        forget_listings()
        manager = open_work(pickle.loads(order.work))  # noqa: S301 (of the client, whose code Dask runs anyway)
        return cls(order.run, manager, manager.__enter__())

    def __enter__(self) -> _Bench:
        self.busy = True
        return self

    def __exit__(self, *_: object) -> None:
        with self.lock:
            self.busy = False
            over = self.over
        if over:
            self.manager.__exit__(None, None, None)

    def close(self) -> None:
        """Close the work, or have its thread close it after the item that it is at."""
        with self.lock:
            busy, self.over = self.busy or self.over, True
        if not busy:
            self.manager.__exit__(None, None, None)


_benches: dict[int, _Bench] = {}
"""By thread."""


def answer(order: JobSpec, items: Sequence[Any]) -> list[Any]:
    """Do the work for these items, on a worker."""
    thread = get_ident()
    bench = _benches.get(thread)
    if bench is None or bench.run != order.run or bench.over:
        if bench is not None:
            bench.close()
        bench = _benches[thread] = _Bench.of(order)
    with bench:
        return [bench.work(item) for item in items if not bench.over]


def close(run: str) -> None:
    """Close this work in all threads of this worker."""
    for thread, bench in list(_benches.items()):
        if bench.run == run:
            del _benches[thread]
            bench.close()
