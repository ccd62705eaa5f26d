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
from kifu.core.stores import MemoryStore

from ..log.bids import NEW, OLD, Bid, Offer
from .conftest import Entropy
from .writing import wait_until


def host_of(store: Any, clock: Any, game: Any = OLD) -> Host:
    return Host(store, find=lambda _: game, clock=clock, entropy=Entropy(), engine="kifu tests")


def begun(host: Host, terms: Terms = Terms()) -> tuple[str, list[Any]]:  # noqa: B008 (frozen)
    """Begin a match of four events: a deal and three bids."""
    opened = host.open("bids", ["Aki", "Ren", "Mio"], {}, terms)
    for coins in (3, 1, 3):
        bid(host, opened.match, opened.keys, Bid(coins))
    return opened.match, list(opened.keys)


def bid(host: Host, match: str, keys: Any, command: Any) -> None:
    seen = host.observe(match)
    (seat,) = seen.to_act
    host.submit(match, keys[seat], command, seen.count)


def noted(store: Any, match: str) -> int:
    """Return of how many events the row has witnesses."""
    written = metadata_of(store.read(match).row, match).witnesses
    return written[-1].end(3) if written else 0


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


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
def host(store: MemoryStore, clock: Any) -> Host:
    return host_of(store, clock)


def test_no_event_waits_for_its_witness(store: MemoryStore, host: Host) -> None:
    match, _ = begun(host)
    assert noted(store, match) == 0
    assert b"witness" not in host.export_log(match)
    assert [(each.match, each.problem) for each in host.write_witnesses()] == [(match, None)]
    assert noted(store, match) == 4
    assert b"witness" not in host.export_log(match)


@pytest.mark.ci
def test_a_host_that_rests_writes_them(store: MemoryStore, host: Host, clock: Any, running: Any) -> None:
    running(host)
    match, keys = begun(host)
    wait_until(lambda: noted(store, match) == 4)
    changed_ms, clock.now = store.read(match).row.changed_at_ms, clock.now + 1_000
    bid(host, match, keys, Bid(1))
    wait_until(lambda: noted(store, match) == 5)
    (written,) = metadata_of(store.read(match).row, match).witnesses
    assert (written.first, written.view) == (0, ("viewer", "cards", "bids", "pile"))
    assert store.read(match).row.changed_at_ms == changed_ms, "a lobby shows it as it was, and nothing expires later"


def test_between_two_slices_the_host_rests_for_nine_times_as_long_as_one_took(
    store: MemoryStore, clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fork of 2,000 events has sixty slices: one after the other they made all else slow for a second."""

    class Clock(Threads):
        now_s = 0.0

        def monotonic(self) -> float:
            return self.now_s

    threads = Clock()
    host = Host(store, find=lambda _: OLD, clock=clock, entropy=Entropy(), engine="kifu tests", threads=threads)
    match, _ = begun(host)
    write = LiveMatch.write_witnesses

    took_s = [0.03]

    def slow(live: LiveMatch, most: int) -> None:
        write(live, most)
        threads.now_s += took_s[0]

    monkeypatch.setattr(LiveMatch, "write_witnesses", slow)
    threads.now_s += 60
    assert host._witness_writer._round() == pytest.approx(0.27)
    assert noted(store, match) == 4
    assert host._witness_writer._round() == witnessing.IDLE_S
    begun(host)
    threads.now_s, took_s[0] = threads.now_s + 60, 30.0
    assert host._witness_writer._round() == witnessing.LATE_S, "the store stood still, and goes on"


@pytest.mark.ci
def test_a_busy_host_writes_them_at_its_stop(store: MemoryStore, host: Host, running: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(witnessing, "BUSY", -1_000)
    stop = running(host)
    match, _ = begun(host)
    sleep(0.2)
    assert noted(store, match) == 0
    stop.set()
    wait_until(lambda: noted(store, match) == 4)


@pytest.mark.ci
def test_a_store_that_fails_at_the_stop_holds_nobody(store: Any, host: Host, running: Any) -> None:
    begun(host)
    store._make = Mock(side_effect=StoreError("memory", "is full"))
    running(host).set()


@pytest.mark.ci
@pytest.mark.parametrize("method", ["list", "read"])
def test_what_a_kill_has_left_is_written_though_the_store_failed_at_the_start(
    method: str, store: MemoryStore, clock: Any, running: Any, monkeypatch: Any
) -> None:
    match, _ = begun(host_of(store, clock))
    failures, answered = [StoreError("memory", "it is not reached")] * 4, getattr(store, method)

    def fail_first(*given: Any) -> Any:
        if failures and current_thread() is not main_thread():  # the test looks
            raise failures.pop()
        return answered(*given)

    monkeypatch.setattr(store, method, fail_first)
    running(host_of(store, clock))
    wait_until(lambda: noted(store, match) == 4)


def test_under_newer_rules_nobody_can_say_it_any_more(store: MemoryStore, clock: Any) -> None:
    match, _ = begun(host_of(store, clock))
    newer = host_of(store, clock, NEW)
    assert [(each.match, str(each.problem)) for each in newer.write_witnesses()] == [
        (match, "nothing says what was seen after event 0")
    ]
    assert noted(store, match) == 0


def test_the_row_of_a_match_that_has_ended_has_none(store: MemoryStore, host: Host) -> None:
    match, _ = begun(host)
    list(host.write_witnesses())
    host.force_abandon(match)
    assert noted(store, match) == 0
    assert list(host.write_witnesses()) == []


def test_the_change_takes_them_into_the_log_and_later_ones_follow(store: MemoryStore, clock: Any) -> None:
    match, keys = begun(host_of(store, clock))
    list(host_of(store, clock).write_witnesses())
    newer = host_of(store, clock, NEW)
    assert [each.outcome for each in newer.update_rules()] == ["goes on"]
    assert noted(store, match) == 0
    change = read_bytes(newer.export_log(match), lambda _: NEW).match.events[4]
    assert [each[0] for each in dict(change.meta.more)["witnesses"]] == [0]
    bid(newer, match, keys, Offer(1))
    list(newer.write_witnesses())
    (written,) = metadata_of(store.read(match).row, match).witnesses
    assert (written.first, written.end(3)) == (4, 6)


def test_one_that_an_older_host_is_late_with_goes_on_by_itself(store: MemoryStore, clock: Any) -> None:
    """Older and newer hosts share a store while they are replaced."""
    older, newer = host_of(store, clock), host_of(store, clock, NEW)
    match, _ = begun(older, Terms(turn_limit_ms=1_000))
    assert [each.outcome for each in newer.update_rules()] == ["unproven"]
    clock.now += 1_000
    assert newer.run_due() == clock.now + 5_000
    assert "fork it" in str(newer.observe(match).stopped)
    list(older.write_witnesses())
    assert newer.observe(match).stopped is None
    clock.now += 5_000
    newer.run_due()
    assert newer.observe(match).count == 6


def test_one_that_nobody_speaks_for_any_more_is_left_alone(store: MemoryStore, clock: Any) -> None:
    match, _ = begun(host_of(store, clock), Terms(turn_limit_ms=1_000))
    newer = host_of(store, clock, NEW)
    clock.now += 1_000
    while newer.run_due() is not None:
        clock.now += 5_000
        assert clock.now < 1_060_000
    assert "fork it" in str(newer.observe(match).stopped)


def test_a_fork_has_witnesses_of_its_own(store: MemoryStore, host: Host, clock: Any) -> None:
    """Its later deals are others, and so is what is seen after them."""
    going, keys = begun(host)
    list(host.write_witnesses())
    number = host.fork(going, keys[0], 2).number
    fork = [host.accept(going, key, number).fork for key in keys[1:]][-1]
    assert (noted(store, going), noted(store, fork)) == (4, 0)
    bid(host, fork, keys, Bid(2))
    list(host.write_witnesses())
    assert {each.outcome for each in host_of(store, clock, NEW).update_rules()} == {"goes on"}


@pytest.mark.ci
@pytest.mark.parametrize("how", ["fork", "import"])
def test_what_begins_with_events_has_its_witnesses_at_the_stop(
    how: str, store: MemoryStore, host: Host, clock: Any, running: Any, monkeypatch: Any
) -> None:
    monkeypatch.setattr(witnessing, "LATE_S", 60.0)
    going, keys = begun(host)
    stop = running(host)
    if how == "fork":
        number = host.fork(going, keys[0], 2).number
        new = [host.accept(going, key, number).fork for key in keys[1:]][-1]
    else:
        elsewhere = host_of(MemoryStore(), clock)
        begun(elsewhere)  # the tests' entropy begins anew, and with it the ids
        new = host.import_log(elsewhere.export_log(begun(elsewhere)[0])).match
    stop.set()
    wait_until(lambda: all(noted(store, match) for match in (going, new)))  # whichever came first
    assert {each.outcome for each in host_of(store, clock, NEW).update_rules()} == {"goes on"}


def test_two_hosts_that_write_the_same_ones_write_them_once(store: MemoryStore, clock: Any) -> None:
    one, other = host_of(store, clock), host_of(store, clock)
    match, _ = begun(one)
    other.observe(match)
    list(one.write_witnesses())
    list(other.write_witnesses())
    (written,) = metadata_of(store.read(match).row, match).witnesses
    assert (written.first, written.end(3), store.read(match).row.version) == (0, 4, 2)
