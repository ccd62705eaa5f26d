"""One work over many items: every answer once, in order, however many processes do it."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from kifu.replay import crew
from kifu.replay.crew import CHUNK, Crew
from kifu.replay.options import Unusable

sys.path.append(str(Path(__file__).parent))
from crew_work import Deadly, Opened, with_process

sys.path.pop()


@pytest.fixture(autouse=True)
def importable(monkeypatch: pytest.MonkeyPatch) -> None:
    """A new process has the path of this one, and finds the work there."""
    monkeypatch.syspath_prepend(Path(__file__).parent)


def done(work: crew.Work, items: Sequence, jobs: int | None) -> list:
    return list(Crew(jobs).each(work, items, "test", shown=False))


@pytest.mark.parametrize("jobs", [None, 1, 2])
def test_every_answer_comes_once_and_in_order(jobs: int | None) -> None:
    items = range(5 * CHUNK + 3)
    answers = done(with_process, items, jobs)
    assert [item for item, _ in answers] == list(items)
    if jobs is not None:
        assert (os.getpid() in {process for _, process in answers}) == (jobs == 1)


def test_what_takes_long_is_begun_here_and_goes_on_in_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    now = iter(range(1000))
    monkeypatch.setattr(crew, "monotonic", lambda: next(now))
    monkeypatch.setattr(crew, "cores", lambda: 2)
    monkeypatch.setattr(crew, "WORTH_PROCESSES", 4)
    answers = done(with_process, range(4 * CHUNK), None)
    assert [item for item, _ in answers] == list(range(4 * CHUNK))
    assert [item for item, process in answers if process == os.getpid()] == [0, 1, 2]


def test_few_items_are_not_worth_a_process() -> None:
    assert {process for _, process in done(with_process, range(CHUNK), 8)} == {os.getpid()}
    assert done(with_process, [], 8) == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_work_is_opened_and_closed_once_in_each_process(tmp_path: Path, jobs: int) -> None:
    processes = set(done(Opened(tmp_path), range(6 * CHUNK), jobs))
    assert processes
    for when in ("opened", "closed"):
        assert processes <= {int(path.stem) for path in tmp_path.glob(f"*.{when}")}


def test_a_process_that_is_killed_is_told_in_one_line() -> None:
    with pytest.raises(Unusable, match="try --jobs 1"):
        done(Deadly(), range(5 * CHUNK), 2)
