"""Work on a Dask cluster of several processes: what is said is the same as without, whatever becomes of a worker."""

import os
import shutil
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from socket import SHUT_RDWR, create_server, socket
from threading import Thread

import pytest
from kifu.core.errors import EngineError, MissingExtra
from kifu.core.match import registry
from kifu.replay.call_errors import CallError
from kifu.replay.logs.worker_pool import WorkerPool

sys.path.append(str(Path(__file__).parent))
from pool_work import Deadly, Mortal, Opened, no_good, wanted, with_process

sys.path.pop()

dask_pool = pytest.importorskip("kifu.replay.logs.dask_pool", reason="needs kifu[bulk]", exc_type=MissingExtra)

from distributed import Client  # noqa: E402

pytestmark = pytest.mark.ci
HERE = Path(__file__).parent
FIXTURES = HERE.parents[2] / "fixtures" / "take_and_share"


@contextmanager
def cluster_of(workers: int) -> Iterator[tuple[str, subprocess.Popen]]:
    command = [sys.executable, str(HERE / "local_cluster.py"), str(workers)]
    paths = {**os.environ, "PYTHONPATH": str(HERE)}
    streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, env=paths, text=True, **streams) as process:
        try:
            yield process.stdout.readline().strip(), process
            process.stdin.close()
            process.wait(60)
        finally:
            process.kill()


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    with cluster_of(2) as (address, _):
        yield address


def done(cluster: str, work: Callable, items: Sequence) -> list:
    return list(WorkerPool(cluster=cluster).map(work, items, "test", shown=False))


@pytest.mark.long
def test_every_answer_comes_once_and_in_order_though_a_worker_is_killed(cluster: str, tmp_path: Path) -> None:
    answers = done(cluster, Mortal(tmp_path, 300), range(600))
    assert (tmp_path / "killed").exists()
    assert [item for item, _ in answers] == list(range(600))
    assert len({process for _, process in answers} - {os.getpid()}) > 1


def test_what_is_queued_is_bounded_and_cancelled_by_who_stops_asking(cluster: str) -> None:
    items = Made(100_000, int)
    answers = iter(WorkerPool(cluster=cluster).map(with_process, items, "test", shown=False))
    assert next(answers)[0] == 0
    assert items.requested <= 2 * dask_pool.CHUNKS_AHEAD * dask_pool.CHUNK
    answers.close()
    with Client(cluster, set_as_default=False) as client:
        assert client.run_on_scheduler(wanted) == []


class Made(Sequence):
    """So many items, each made when it is asked for, which tell how many of them were."""

    def __init__(self, count: int, make: Callable) -> None:
        self.count = count
        self.make = make
        self.requested = 0

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, at):
        self.requested = max(self.requested, at.stop)
        return [self.make(item) for item in range(self.count)[at]]


def test_memory_stays_flat_however_much_is_sent(cluster: str) -> None:
    tracemalloc.start()
    try:
        assert done(cluster, len, Made(6000, lambda _: os.urandom(8192))) == [8192] * 6000  # 47 MiB
        assert tracemalloc.get_traced_memory()[1] < 24 << 20
    finally:
        tracemalloc.stop()


def test_fewer_workers_than_there_were_get_less_at_a_time(cluster: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rooms = iter([8, 2])
    monkeypatch.setattr(dask_pool._Run, "_capacity", lambda _: next(rooms, 1))
    assert [item for item, _ in done(cluster, with_process, range(1000))] == list(range(1000))


def test_work_is_open_while_its_items_are_done(cluster: str, tmp_path: Path) -> None:
    processes = {process for _, process in done(cluster, Opened(tmp_path), range(1))}
    for when in ("opened", "closed"):
        assert processes == {int(path.stem) for path in tmp_path.glob(f"*.{when}")}


def test_what_the_work_raises_is_raised_here(cluster: str) -> None:
    with pytest.raises(EngineError, match="item 0 is too much"):
        done(cluster, no_good, range(10))


def test_work_that_kills_its_workers_is_reported_in_one_line(cluster: str) -> None:
    with pytest.raises(CallError, match=f"^--cluster {cluster}: .*[Dd]ied"):
        done(cluster, Deadly(), range(3))


@pytest.mark.parametrize(
    ("name", "package", "expected"),
    [
        ("kifu", "kifu 9.9", "has kifu .*, the work is for kifu 9.9: install the same there"),
        ("game chess", "chessmen 1", "has no game chess, the work is for chessmen 1"),
    ],
)
def test_a_worker_with_another_kifu_or_without_a_game_is_reported(
    cluster, monkeypatch, name, package, expected
) -> None:
    here = registry.versions()
    monkeypatch.setattr(registry, "versions", lambda: {**here, name: package})
    with pytest.raises(CallError, match=f"worker tcp://.* {expected}"):
        done(cluster, with_process, range(3))


def test_what_is_installed_over_a_process_that_lives_is_not_what_it_works_with(monkeypatch: pytest.MonkeyPatch) -> None:
    before = dict(registry.versions())
    monkeypatch.setattr("importlib.metadata.version", lambda package: "9.9")
    assert registry.versions() == before


def test_a_cluster_that_is_lost_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    with cluster_of(1) as (address, process):
        answers = iter(WorkerPool(cluster=address).map(with_process, range(100_000), "test", shown=False))
        next(answers)
        monkeypatch.setattr(dask_pool, "CONNECT_TIMEOUT_S", 2.0)
        process.kill()
        with pytest.raises(CallError, match=f"^--cluster {address}: "):
            list(answers)


@pytest.mark.parametrize("address", ["here", "carrier-pigeon://here:1", "tcp://127.0.0.1:9", "tls://127.0.0.1:9"])
def test_a_cluster_that_cannot_be_reached_is_reported_in_one_line(refused, log, address: str, monkeypatch) -> None:
    monkeypatch.setattr(dask_pool, "CONNECT_TIMEOUT_S", 0.5)
    assert refused("audit", log, "--cluster", address).startswith(f"replay: --cluster {address}: ")


@pytest.mark.parametrize("says", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n", b"SSH-2.0-OpenSSH_9.2\r\n"])
def test_what_is_there_but_is_no_scheduler_is_not_waited_for(replay, log: Path, says: bytes, monkeypatch) -> None:
    monkeypatch.setattr(dask_pool, "CONNECT_TIMEOUT_S", 0.5)
    with create_server(("127.0.0.1", 0)) as server:
        answers = Thread(target=lambda: answering(server, says), daemon=True)
        answers.start()
        called = replay("audit", log, "--cluster", "tcp://{}:{}".format(*server.getsockname()))
        server.shutdown(SHUT_RDWR)  # to close it alone does not end `accept`
        answers.join()
    assert called.code == 2
    assert called.err.count("\n") == 1
    assert called.err.startswith("replay: --cluster tcp://127.0.0.1:")


def answering(server: socket, says: bytes) -> None:
    """Say this to all who come, and leave them waiting for more."""
    with suppress(OSError), ExitStack() as came:
        while True:
            came.enter_context(server.accept()[0]).sendall(says)


def test_a_worker_is_no_scheduler(cluster: str, refused, log: Path) -> None:
    with Client(cluster, set_as_default=False) as client:
        worker = next(iter(client.nthreads()))
    said = refused("audit", log, "--cluster", worker)
    assert said == f"replay: --cluster {worker}: give the address of a scheduler, not of a Worker\n"


CALLS = {
    "audit": ("audit", FIXTURES, "LOG", "BAD", "MISSING"),
    "golden as json, changed": ("golden", "CHANGED", "--json"),
    "stats": ("stats", FIXTURES, "BAD", "MISSING"),
    "impact of an engine": ("impact", "LOG", "--engine", sys.executable),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_verb_says_the_same_with_and_without_a_cluster(
    cluster, replay, log, illegal, changed, tmp_path, call
) -> None:
    stand_in = {"LOG": log, "BAD": illegal, "MISSING": tmp_path / "no.log", "CHANGED": changed}
    args = [stand_in.get(arg, arg) for arg in call]
    here = replay(*args, "--jobs", 1)
    assert here.out
    assert replay(*args, "--cluster", cluster) == here


@pytest.fixture
def changed(tmp_path: Path) -> Path:
    """Golden logs of which one has lost its trace and one its end."""
    folder = tmp_path / "golden"
    shutil.copytree(FIXTURES, folder)
    next(iter(sorted(folder.glob("*.trace")))).unlink()
    next(iter(sorted(folder.glob("*.json"), reverse=True))).write_text("{}")
    return folder


def test_what_a_cluster_blesses_is_stored_here(cluster: str, replay, changed: Path) -> None:
    blessed = replay("golden", changed, "--bless", "--cluster", cluster, exits=0)
    assert blessed.out.count("blessed: ") == 2
    assert replay("golden", changed, "--jobs", 1).code == 0


def test_workers_read_what_is_at_an_address(cluster: str, replay) -> None:
    here = replay("golden", FIXTURES, "--json", "--jobs", 1)
    shared = replay("golden", f"file://{FIXTURES}", "--json", "--cluster", cluster)
    assert shared.out.replace("file://", "") == here.out
