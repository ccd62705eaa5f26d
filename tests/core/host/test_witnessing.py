"""What everybody has had is noted behind the match: when the host rests, at its stop, and after a kill."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import Event, Thread, current_thread, main_thread
from time import sleep
from typing import Any
from unittest.mock import Mock

import pytest
from kifu.core.errors import StoreError
from kifu.core.host import Host, Terms, witnessing
from kifu.core.host.live_match import LiveMatch
from kifu.core.host.metadata import metadata_of
from kifu.core.host.threads import Threads
from kifu.core.log import read_bytes
from kifu.core.stores import Create, MetadataRow, commit_one

from ..log.bids import NEW, Bid, Offer
from .upgrading import Hosts, finds
from .writing import wait_for


@pytest.fixture
def hosts(clock: Any) -> Hosts:
    """Yield hosts of which no witness is written yet, and a match of four events: a deal and three bids."""
    return Hosts(clock, Terms(), is_slow=True)


@pytest.fixture
def running(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Host], Event]]:
    """Yield what runs a host's scheduler, which is stopped at the end."""
    monkeypatch.setattr(witnessing, "LATE_S", 0.02)
    monkeypatch.setattr(witnessing, "IDLE_S", 0.02)
    started: list[tuple[Event, Thread]] = []

    def run(host: Host) -> Event:
        stop = Event()
        thread = Thread(target=host.run_scheduler, args=(stop,), daemon=True)
        thread.start()
        started.append((stop, thread))
        return stop

    yield run
    for stop, thread in started:
        stop.set()
        thread.join(20)
        assert not thread.is_alive()


def test_no_event_waits_for_its_witness(hosts: Hosts) -> None:
    assert hosts.noted() == 0
    assert b"witness" not in hosts.log
    assert [(each.match, each.problem) for each in hosts.old.write_witnesses()] == [(hosts.match, None)]
    assert hosts.noted() == 4
    assert b"witness" not in hosts.log


@pytest.mark.ci
def test_a_host_that_rests_writes_them(hosts: Hosts, clock: Any, running: Any) -> None:
    running(hosts.old)
    wait_for(lambda: hosts.noted() == 4)
    changed_ms, clock.now = hosts.store.read(hosts.match).row.changed_at_ms, clock.now + 1_000
    hosts.bid(hosts.old, Bid(1))
    wait_for(lambda: hosts.noted() == 5)
    row = hosts.store.read(hosts.match).row
    (written,) = metadata_of(row, hosts.match).witnesses
    assert (written.first, written.view) == (0, ("viewer", "cards", "bids", "pile"))
    assert row.changed_at_ms == changed_ms, "a lobby shows it as it was, and nothing expires later"


def test_between_two_slices_the_host_rests_for_nine_times_as_long_as_one_took(clock: Any, monkeypatch: Any) -> None:
    """A fork of 2,000 events has sixty slices: one after the other they made all else slow for a second."""

    class Clock(Threads):
        now_s = 0.0

        def monotonic(self) -> float:
            return self.now_s

    threads, write, took_s = Clock(), LiveMatch.write_witnesses, [0.03]
    hosts = Hosts(clock, Terms(), is_slow=True, threads=threads)

    def slow(live: LiveMatch, most: int) -> None:
        write(live, most)
        threads.now_s += took_s[0]

    monkeypatch.setattr(LiveMatch, "write_witnesses", slow)
    threads.now_s += 60
    assert hosts.old._witness_writer._round() == pytest.approx(0.27)
    assert hosts.noted() == 4
    assert hosts.old._witness_writer._round() == witnessing.IDLE_S
    hosts.bid(hosts.old, Bid(1))
    threads.now_s, took_s[0] = threads.now_s + 60, 30.0
    assert hosts.old._witness_writer._round() == witnessing.LATE_S, "the store stood still, and goes on"


@pytest.mark.ci
def test_a_busy_host_writes_them_at_its_stop(hosts: Hosts, running: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(witnessing, "BUSY", -1_000)
    stop = running(hosts.old)
    sleep(0.2)
    assert hosts.noted() == 0
    stop.set()
    wait_for(lambda: hosts.noted() == 4)


@pytest.mark.ci
def test_a_store_that_fails_at_the_stop_holds_nobody(hosts: Hosts, running: Any) -> None:
    hosts.store._make = Mock(side_effect=StoreError("memory", "is full"))
    running(hosts.old).set()


@pytest.mark.ci
@pytest.mark.parametrize("method", ["list", "read", "commit"])
def test_what_a_kill_has_left_is_written_though_the_store_failed_at_the_start(
    hosts: Hosts, method: str, running: Any, monkeypatch: Any
) -> None:
    failures, answered = [StoreError("memory", "it is not reached")] * 4, getattr(hosts.store, method)

    def fail_first(*given: Any) -> Any:
        if failures and current_thread() is not main_thread():  # the test looks
            raise failures.pop()
        return answered(*given)

    monkeypatch.setattr(hosts.store, method, fail_first)
    running(hosts.host())
    wait_for(lambda: hosts.noted() == 4)


def test_a_row_that_no_host_wrote_holds_up_nobody(hosts: Hosts) -> None:
    commit_one(hosts.store, Create("newest", b"", MetadataRow("bids", "going", False, 1 << 50, b"")))
    assert list(hosts.host()._witness_writer._left) == [hosts.match]


def test_under_newer_rules_nobody_can_say_it_any_more(hosts: Hosts) -> None:
    said = [(each.match, str(each.problem)) for each in hosts.host(NEW).write_witnesses()]
    assert said == [(hosts.match, "nothing says what was seen after event 0")]
    assert hosts.noted() == 0


def test_the_row_of_a_match_that_has_ended_has_none(hosts: Hosts) -> None:
    list(hosts.old.write_witnesses())
    hosts.old.force_abandon(hosts.match)
    assert hosts.noted() == 0
    assert list(hosts.old.write_witnesses()) == []


def test_the_change_takes_them_into_the_log_and_later_ones_follow(hosts: Hosts) -> None:
    list(hosts.host().write_witnesses())
    newer = hosts.host(NEW)
    assert [each.outcome for each in newer.update_rules()] == ["goes on"]
    assert hosts.noted() == 0
    change = read_bytes(newer.export_log(hosts.match), finds(NEW)).match.events[4]
    assert [each[0] for each in dict(change.meta.more)["witnesses"]] == [0]
    hosts.bid(newer, Offer(1))
    list(newer.write_witnesses())
    (written,) = metadata_of(hosts.store.read(hosts.match).row, hosts.match).witnesses
    assert (written.first, written.end(3)) == (4, 6)


def test_one_that_an_older_host_is_late_with_goes_on_by_itself(clock: Any) -> None:
    """Older and newer hosts share a store while they are replaced."""
    hosts = Hosts(clock, Terms(turn_limit_ms=1_000), is_slow=True)
    newer = hosts.host(NEW)
    assert [each.outcome for each in newer.update_rules()] == ["unproven"]
    clock.now += 1_000
    assert newer.run_due() == clock.now + 5_000
    assert "fork it" in str(newer.observe(hosts.match).stopped)
    list(hosts.old.write_witnesses())
    assert newer.observe(hosts.match).stopped is None
    clock.now += 5_000
    newer.run_due()
    assert newer.observe(hosts.match).count == 6


def test_one_that_nobody_speaks_for_any_more_is_left_alone(clock: Any) -> None:
    hosts = Hosts(clock, Terms(turn_limit_ms=1_000), is_slow=True)
    newer, clock.now = hosts.host(NEW), clock.now + 1_000
    while newer.run_due() is not None:
        clock.now += 5_000
        assert clock.now < 1_060_000
    assert "fork it" in str(newer.observe(hosts.match).stopped)


@pytest.mark.ci
@pytest.mark.parametrize("how", ["fork", "import"])
def test_what_begins_with_events_has_its_witnesses_at_the_stop(
    hosts: Hosts, how: str, clock: Any, running: Any, monkeypatch: Any
) -> None:
    """Those of a fork are its own: its later deals are others, and so is what is seen after them."""
    monkeypatch.setattr(witnessing, "LATE_S", 60.0)
    stop = running(hosts.old)
    if how == "fork":
        list(hosts.old.write_witnesses())
        new = hosts.fork(hosts.old, 2)
        assert (hosts.noted(), hosts.noted(new)) == (4, 0)
        hosts.bid(hosts.old, Bid(2), new)
    else:
        elsewhere = Hosts(clock, Terms())
        log = elsewhere.old.export_log(elsewhere.fork(elsewhere.old, 2))  # its own id would be that of this match
        new = hosts.old.import_log(log).match
    stop.set()
    wait_for(lambda: all(hosts.noted(match) for match in (hosts.match, new)))  # whichever came first
    assert [outcome for outcome, _ in hosts.updates()] == ["goes on"] * 2


def test_two_hosts_that_write_the_same_ones_write_them_once(hosts: Hosts) -> None:
    other = hosts.host()
    other.observe(hosts.match)
    for each in (hosts.old, other):
        list(each.write_witnesses())
    row = hosts.store.read(hosts.match).row
    (written,) = metadata_of(row, hosts.match).witnesses
    assert (written.first, written.end(3), row.version) == (0, 4, 2)
