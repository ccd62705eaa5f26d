"""Analyses of ended matches: a queue of their own, one process at a time, kept for whoever asks next."""

import asyncio
import json
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from subprocess import Popen
from threading import Event
from typing import Any
from unittest.mock import patch

import pytest
from attrs import define, field
from kifu.core.page.remarks import Remark

from ..host.writing import wait_for

WRITES = """
import os, sys, time
log, file, go = sys.argv[1:]
with open(file + ".began", "a") as began: began.write("x")
with open(file, "rb+") as written:
    have = written.read().count(b"\\n")
    lines = [b'{"decisions": 3}', *(b'{"seq": %d, "seat": 0}' % seq for seq in (2, 4, 6))]
    for line in lines[have:]:
        while line == lines[2] and not os.path.exists(go):
            if os.path.exists(go + ".fail"): sys.exit(3)
            time.sleep(0.005)
        written.write(line + b"\\n"); written.flush()
with open(file + ".nice", "w") as nice: nice.write(str(os.nice(0)))
"""
"""A program that announces three decisions, and writes the last two once the file `go` is there."""


@define
class Slow:
    """An analyser whose processes wait until they may go on."""

    folder: Path
    go: Path = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.go = self.folder / "go"

    def command(self, log: Path, file: Path) -> Sequence[str]:
        assert log.exists()
        return [sys.executable, "-I", "-S", "-c", WRITES, str(log), str(file), str(self.go)]

    def remarks(self, match: Any, lines: Sequence[Any]) -> Sequence[Remark]:
        assert match.header.game == "take_and_share"
        return [
            Remark(each["seq"], each["seat"], True, each["seq"] == 4, [["better: ", each["seat"]], ["もっとよい手"]])
            for each in lines
        ]

    __hash__ = object.__hash__

    def begun(self) -> int:
        """Return how often a process has begun."""
        return sum(len(each.read_text()) for each in self.folder.glob("*.began"))


@pytest.fixture
def slow(tmp_path: Path) -> Iterator[Slow]:
    """Yield an analyser whose processes end with the test."""
    analyser = Slow(tmp_path)
    yield analyser
    analyser.go.touch()


@pytest.fixture
def make(make_client, slow: Slow):
    """Return a function that returns the analyses of an app with these limits."""
    from kifu.core.web import Limits

    return lambda **limits: make_client(analyser=slow, limits=Limits(**limits)).app.state.context.analyses


def state(analyses: Any, log: bytes) -> str:
    return analyses.progress(log).state


def test_an_analysis_shows_how_far_it_is_and_is_computed_once(make, slow):
    analyses = make()
    assert state(analyses, b"a") == "none"
    analyses.begin(b"a", "one")
    wait_for(lambda: analyses.progress(b"a").done == 1)
    running = analyses.begin(b"a", "other")
    assert (running.state, running.done, running.of) == ("running", 1, 3)
    slow.go.touch()
    wait_for(lambda: state(analyses, b"a") == "done")
    done = analyses.begin(b"a", "third")
    assert (done.state, done.done, done.of, done.content.count(b"\n")) == ("done", 3, 3, 4)
    os.utime(next(slow.folder.glob("*.analysis")), (1, 1))
    assert analyses.begin(b"a", "later").state == "done"
    assert slow.begun() == 1


def test_one_is_computed_at_a_time_and_at_the_lowest_priority(make, slow):
    analyses = make()
    for log in (b"a", b"b", b"c"):
        analyses.begin(log, "one")
    wait_for(lambda: analyses.progress(b"a").done == 1)
    assert [state(analyses, log) for log in (b"a", b"b", b"c")] == ["running", "waiting", "waiting"]
    assert slow.begun() == 1
    slow.go.touch()
    wait_for(lambda: [state(analyses, log) for log in (b"a", b"b", b"c")] == ["done"] * 3)
    if hasattr(os, "setpriority"):
        assert {each.read_text() for each in slow.folder.glob("*.nice")} == {"19"}
    wait_for(lambda: not list(slow.folder.glob("*.log")))


def test_a_client_may_have_some_and_the_queue_is_bounded(make_client, slow, monkeypatch):
    from kifu.core.web.http_codec import RequestError

    monkeypatch.setattr("kifu.core.web.analyses.PER_CLIENT", 1)
    monkeypatch.setattr("kifu.core.web.analyses.MAX_WAITING", 2)
    home = [f"2001:db8:0:{number}::/64" for number in range(3)]
    client = make_client(analyser=slow)
    analyses = client.app.state.context.analyses
    with patch("threading.Thread.start", side_effect=RuntimeError), pytest.raises(RuntimeError):
        analyses.begin(b"c", "two")
    analyses.begin(b"a", home[0])
    wait_for(lambda: state(analyses, b"a") == "running")
    analyses.begin(b"b", home[1])
    with pytest.raises(RequestError) as own:
        analyses.begin(b"c", home[2])
    analyses.begin(b"c", "two")
    with pytest.raises(RequestError) as full:
        analyses.begin(b"d", "three")
    assert [each.value.kind for each in (own, full)] == ["too-many", "busy"]
    assert all(int(each.value.headers["Retry-After"]) >= 1 for each in (own, full))
    assert state(analyses, b"d") == "none"
    assert analyses.begin(b"a", "one").state == "running", "what is there anybody may ask for"
    told = client.get("/metrics").text
    assert all(
        f'kifu_refused_total{{limit="{each}"}} 1.0' in told for each in ("analyses_per_client", "analyses_waiting")
    )


def test_what_failed_goes_on_when_it_is_asked_for_again(make, slow):
    analyses = make()
    failing = slow.folder / "go.fail"
    failing.touch()
    analyses.begin(b"a", "one")
    wait_for(lambda: state(analyses, b"a") == "failed")
    assert analyses.progress(b"a").done == 1
    failing.unlink()
    slow.go.touch()
    assert analyses.begin(b"a", "one").state in ("waiting", "running")
    wait_for(lambda: state(analyses, b"a") == "done")
    assert slow.begun() == 2


def test_one_that_takes_too_long_or_whose_program_there_is_not_has_failed(make, slow, monkeypatch):
    analyses = make(analysis_s=0.1)
    analyses.begin(b"a", "one")
    wait_for(lambda: state(analyses, b"a") == "failed")
    monkeypatch.setattr(Slow, "command", lambda self, log, file: [str(self.folder / "no such program")])
    analyses.begin(b"b", "one")
    wait_for(lambda: state(analyses, b"b") == "failed")


@pytest.mark.parametrize("closes", [False, True])
def test_nobody_waits_for_a_process_to_start(make, slow, monkeypatch, closes):
    starts, goes_on, start = Event(), Event(), Popen

    def slowly(*args, **more):
        starts.set()
        assert goes_on.wait(20)
        return start(*args, **more)

    monkeypatch.setattr("kifu.core.web.analyses.Popen", slowly)
    analyses = make()
    analyses.begin(b"a", "one")
    assert starts.wait(20)
    with ThreadPoolExecutor(1) as others:
        assert others.submit(state, analyses, b"a").result(20) == "waiting"
        if closes:
            others.submit(analyses.close).result(20)
        goes_on.set()
    wait_for(lambda: state(analyses, b"a") == ("failed" if closes else "running"))


def test_a_server_that_is_interrupted_ends_the_process_and_begins_no_other(make_client, slow):
    app = make_client(analyser=slow).app
    analyses = app.state.context.analyses
    for log in (b"a", b"b"):
        analyses.begin(log, "one")
    wait_for(lambda: analyses.progress(b"a").done == 1)

    async def interrupted():
        async with app.router.lifespan_context(app):
            raise InterruptedError

    with pytest.raises(InterruptedError):
        asyncio.run(interrupted())
    wait_for(lambda: state(analyses, b"a") == "failed")
    assert slow.begun() == 1


def test_the_latest_are_kept(make, slow):
    analyses = make(analyses_kept=2)
    slow.go.touch()
    for log in (b"a", b"b", b"c"):
        analyses.begin(log, "one")
        wait_for(lambda log=log: state(analyses, log) == "done")
        for file in slow.folder.glob("*.analysis"):
            os.utime(file, (file.stat().st_mtime - 100,) * 2)
    wait_for(lambda: [state(analyses, log) for log in (b"a", b"b", b"c")] == ["none", "done", "done"])


def ended(table: Any) -> Any:
    """End a match."""
    table.client.app.state.context.host.force_abandon(table.match)
    return table


def test_only_a_match_that_has_ended_is_analysed(make_client, open_table, slow):
    table = open_table(at=make_client(analyser=slow))
    table.play()
    for response in (table.get("/analysis"), table.get("/analysis/file"), table.post("/analysis", 0, None)):
        assert response.status_code == 409
        assert response.json()["type"] == "urn:kifu:problem:not-now"
    assert list(slow.folder.iterdir()) == []
    assert open_table(at=table.client).client.post("/api/matches/none/analysis").status_code == 404


def test_whoever_asks_next_gets_the_same(make_client, open_table, slow):
    client = make_client(analyser=slow)
    table = ended(open_table(at=client))
    assert client.get("/api/games").json()["analysis"] is True
    assert table.get("/analysis").json() == {"state": "none", "done": 0, "of": None}
    assert table.get("/analysis/file").status_code == 409
    begun = table.post("/analysis", None, None)
    assert begun.status_code == 202
    assert begun.json()["state"] in ("waiting", "running")
    slow.go.touch()
    wait_for(lambda: table.get("/analysis").json()["state"] == "done")
    english = table.get("/analysis").json()
    assert english["remarks"][1] == {"seq": 4, "seat": 0, "swing": True, "turning_point": True, "text": ["better: ", 0]}
    assert [each["turning_point"] for each in english["remarks"]] == [False, True, False]
    japanese = table.post("/analysis", 1, None, headers={"Accept-Language": "ja"}).json()
    assert japanese["remarks"][0]["text"] == ["もっとよい手"]
    (file,) = slow.folder.glob("*.analysis")
    assert table.get("/analysis/file").content == file.read_bytes()
    assert slow.begun() == 1
    page = table.get("/page").text
    assert "もっとよい手" in page
    assert json.dumps("better: ") in page


def test_a_server_without_it_says_so(client, open_table):
    table = ended(open_table())
    assert client.get("/api/games").json()["analysis"] is False
    response = table.post("/analysis", 0, None)
    assert response.status_code == 409
    assert "analyses no matches" in response.json()["detail"]
