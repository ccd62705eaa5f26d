"""What operators are told: whether the server can write, and how late it is."""

import asyncio
import sqlite3
from threading import Event
from unittest.mock import Mock

from kifu.core.errors import StoreError
from kifu.core.host import Host, Terms
from kifu.core.stores import MemoryStore, open_store

from ..host.writing import wait_for


def test_a_server_is_ready_while_it_can_write(make_client, tmp_path, monkeypatch, access_log):
    monkeypatch.setattr("kifu.core.web.readiness.KEPT_S", -1.0)
    monkeypatch.setattr("kifu.core.stores.sql.LOCK_TIMEOUT_S", 0.1)
    store = open_store(f"sqlite:{tmp_path / 'kifu.db'}")
    with make_client(Host(store)) as client:
        assert client.get("/health/ready").json()["status"] == "ok"
        other = sqlite3.connect(tmp_path / "kifu.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        response = client.get("/health/ready")
        assert response.status_code == 503
        assert int(response.headers["retry-after"]) >= 1
        assert client.get("/api/matches").status_code == 200, "reads go on"
        assert client.get("/health/live").status_code == 200
        other.execute("ROLLBACK")
        other.close()
        assert client.get("/health/ready").status_code == 200
    causes = [line["cause"] for line in access_log if line["event"] == "request" and "cause" in line]
    assert causes == ["SQLITE_BUSY"]
    store.close()


def test_a_full_disk_is_named(make_client, access_log):
    class Full(MemoryStore):
        def probe(self):
            raise StoreError("full", "No space left on device") from OSError(28, "No space left on device")

    response = make_client(Host(Full())).get("/health/ready")
    assert (response.status_code, response.json()["detail"]) == (503, "the store fails: ENOSPC")
    assert int(response.headers["retry-after"]) >= 1
    assert [(line["level"], line["cause"]) for line in access_log] == [("info", "ENOSPC")], (
        "asked for, it is no failure"
    )


def test_a_file_that_was_moved_is_named(make_client, access_log, tmp_path):
    store = open_store(f"sqlite:{tmp_path / 'kifu.db'}")
    (tmp_path / "kifu.db").rename(tmp_path / "away.db")
    assert make_client(Host(store)).get("/health/ready").json()["detail"] == "the store fails: store-moved"
    assert {line["cause"] for line in access_log} == {"store-moved"}
    store.close()


def test_a_store_that_stands_still_is_told_before_it_goes_on(make_client, monkeypatch, access_log):
    monkeypatch.setattr("kifu.core.web.readiness.KEPT_S", -1.0)
    monkeypatch.setattr("kifu.core.web.readiness.PATIENCE_S", 0.05)
    goes_on, why = Event(), list[Exception]()

    class Still(MemoryStore):
        def probe(self):
            assert goes_on.wait(20)
            if why:
                raise StoreError("still", "gone") from why[0]

    with make_client(Host(Still())) as client:
        details = [client.get("/health/ready").json()["detail"] for _ in range(2)]
        assert details == ["the store fails: store-silent"] * 2
        why.append(OSError(28, "No space left on device"))
        goes_on.set()
        wait_for(lambda: client.get("/health/ready").json()["detail"] == "the store fails: ENOSPC")
        goes_on.clear()
        assert client.get("/health/ready").json()["detail"] == "the store fails: ENOSPC", "as long as that is known"
        why.clear()
        goes_on.set()
        wait_for(lambda: client.get("/health/ready").status_code == 200)
    assert {line["level"] for line in access_log} == {"info"}


def test_a_server_that_is_late_is_not_ready(make_client, monkeypatch):
    from kifu.core.web import readiness

    monkeypatch.setattr(readiness, "KEPT_S", -1.0)
    now = [1_000_000]
    host = Host(MemoryStore(), clock=lambda: now[0])
    client = make_client(host)
    host.open("take_and_share", ["a", "b", "c"], terms=Terms(turn_limit_ms=1000))
    assert client.get("/health/ready").json()["late_ms"] == 0
    now[0] += 3000
    assert client.get("/health/ready").json()["late_ms"] == 2000
    now[0] += readiness.MAX_LATE_MS
    assert client.get("/health/ready").status_code == 503
    host.run_due()
    assert client.get("/health/ready").status_code == 200


def test_whoever_asks_often_is_answered_from_the_last_probe(make_client):
    class Counting(MemoryStore):
        probes = 0

        def probe(self):
            self.probes += 1

    store = Counting()
    with make_client(Host(store)) as client:
        assert {client.get("/health/ready").status_code for _ in range(20)} == {200}
    assert store.probes <= 3


def test_a_process_that_has_not_reached_its_store_for_a_minute_is_not_live(make_client, monkeypatch):
    away, now = Event(), [0.0]

    class Away(MemoryStore):
        def earliest_due(self):
            if away.is_set():
                raise StoreError("?", "away")
            return super().earliest_due()

    monkeypatch.setattr("kifu.core.web.readiness.monotonic", lambda: now[0])
    client = make_client(Host(Away()))
    for now[0], is_away, status in ((0, 0, 200), (1, 1, 200), (59, 1, 200), (62, 1, 503), (63, 0, 200), (200, 1, 200)):
        (away.set if is_away else away.clear)()
        assert client.get("/health/live").status_code == status, now


def test_a_process_is_live_however_many_ask_at_once():
    from kifu.core.web.readiness import Readiness

    async def apart(*_):
        await asyncio.sleep(0)

    async def main():
        readiness = Readiness(Mock(work=Mock(apart=apart)))

        async def asking():
            for _ in range(20):
                await readiness.check_live()

        await asyncio.gather(*(asking() for _ in range(20)))

    asyncio.run(main())


def test_a_machine_whose_clock_is_off_says_so(make_client, monkeypatch, access_log):
    from kifu.core.host.threads import StoreClock

    monkeypatch.setattr("kifu.core.web.readiness.KEPT_S", -1.0)
    store, off_ms = MemoryStore(), [0]
    client = make_client(Host(store, clock=StoreClock(store.now_ms, lambda: (store.now_ms() + off_ms[0]) * 10**6)))
    for off_ms[0], events in ((0, 0), (600_000, 1), (600_000, 1), (0, 2), (-3000, 3)):
        ready = client.get("/health/ready").json()
        assert ready["status"] == "ok"
        assert abs(ready["clock_off_ms"] - off_ms[0]) < 100
        assert ready["epoch"] == store.epoch
        assert len([line for line in access_log if "clock" in line["event"]]) == events
