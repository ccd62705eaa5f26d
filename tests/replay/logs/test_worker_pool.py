"""One work over many items: every answer once, in order, however many processes do it."""

import os
import pickle
import sys
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from pathlib import Path

import pytest
from kifu.core.text.texts import Texts
from kifu.replay.analysis.findings import judgement
from kifu.replay.analysis.impacts import Impacts
from kifu.replay.analysis.what_if import AlternativeOptions
from kifu.replay.call_errors import CallError
from kifu.replay.commands.golden import _check
from kifu.replay.logs import processes, worker_pool
from kifu.replay.logs.worker_pool import CHUNK, MAX_CHUNK, Work, WorkerPool, chunk_of
from kifu.replay.stats.figures import figures

from ..conftest import FIXTURES


@pytest.fixture
def works(monkeypatch: pytest.MonkeyPatch):
    """Work that a new process finds: it has the path of this one."""
    monkeypatch.syspath_prepend(Path(__file__).parent)
    return import_module("pool_work")


@pytest.fixture(params=["forked", "begun anew"])
def started(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, monkeypatch) -> str:
    """Start processes in one of both ways."""
    threads = tmp_path_factory.mktemp("threads") / "of"
    if request.param == "forked":
        if sys.platform != "linux":
            pytest.skip("needs Linux")
        (threads / "1").mkdir(parents=True)
    monkeypatch.setattr(processes, "THREADS", str(threads))
    return request.param


def done(work: Work, items: Sequence, jobs: int | None) -> list:
    return list(WorkerPool(jobs).map(work, items, "test", shown=False))


@pytest.mark.ci
@pytest.mark.parametrize("jobs", [None, 1, 2])
def test_every_answer_comes_once_and_in_order_from_work_opened_once_a_process(works, tmp_path, started, jobs) -> None:
    items = range(5 * CHUNK + 3)
    answers = done(works.Opened(tmp_path), items, jobs)
    assert [item for item, _ in answers] == list(items)
    processes = {process for _, process in answers}
    if jobs is not None:
        assert (os.getpid() in processes) == (jobs == 1)
    for when in ("opened", "closed"):
        assert processes <= {int(path.stem) for path in tmp_path.glob(f"*.{when}")}


@pytest.mark.ci
def test_what_takes_long_is_started_here_and_goes_on_in_processes(works, tmp_path, monkeypatch) -> None:
    now = iter(range(1000))
    monkeypatch.setattr(worker_pool, "monotonic", lambda: next(now))
    monkeypatch.setattr(worker_pool, "cores", lambda: 2)
    monkeypatch.setattr(worker_pool, "SOLO_S", 4)
    answers = done(works.Opened(tmp_path), range(4 * CHUNK), None)
    assert [item for item, _ in answers] == list(range(4 * CHUNK))
    assert [item for item, process in answers if process == os.getpid()] == [0, 1, 2]


@pytest.mark.parametrize("step", ["__init__", "submit"])
def test_processes_that_cannot_be_started_are_reported(works, tmp_path, monkeypatch, step: str) -> None:
    def fail(*_: object, **__: object) -> None:
        raise BrokenPipeError(32, "Broken pipe")

    monkeypatch.setattr(processes.ProcessPoolExecutor, step, fail)
    with pytest.raises(CallError, match="no worker process can be started"):
        done(works.Opened(tmp_path), range(4 * CHUNK), 2)


def test_few_items_are_not_worth_a_process(works, tmp_path: Path) -> None:
    assert {process for _, process in done(works.Opened(tmp_path), range(CHUNK), 8)} == {os.getpid()}
    assert done(figures, [], 8) == []


WORKS = {
    "audit": partial(judgement, texts=Texts("ja", "kifu.replay")),
    "golden": partial(_check, bless=False, anyway=frozenset(), texts=Texts("en", "kifu.replay")),
    "stats": figures,
    "impact": Impacts(AlternativeOptions(["first=1"])),
}


@pytest.mark.parametrize("verb", WORKS)
@pytest.mark.parametrize("log", ["four_seats.log", "none.log"])
def test_work_and_answer_of_every_verb_travel(verb: str, log: str) -> None:
    path = FIXTURES / "cake" / log
    answer = pickle.loads(pickle.dumps(WORKS[verb]))(path)
    assert pickle.loads(pickle.dumps(answer)) == answer == WORKS[verb](path)
    assert len(pickle.dumps(answer)) < 2000


def test_a_process_with_more_threads_is_not_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "threads"
    monkeypatch.setattr(processes, "THREADS", str(folder))
    assert not processes._can_fork(), "no Linux"
    (folder / "1").mkdir(parents=True)
    assert processes._can_fork()
    (folder / "2").mkdir()
    assert not processes._can_fork()


@pytest.mark.ci
def test_a_process_that_is_killed_is_reported_in_one_line(works, started: str) -> None:
    with pytest.raises(CallError, match="try --jobs 1"):
        done(works.Deadly(), range(5 * CHUNK), 2)


def test_of_many_items_more_are_sent_at_a_time():
    assert [chunk_of(items) for items in (1, 1000, 5120, 10_000, 10**9)] == [CHUNK, CHUNK, 20, MAX_CHUNK, MAX_CHUNK]
