"""What the host does again, and what it does not: a change is never made twice."""

from __future__ import annotations

from threading import Event, Lock, Thread
from time import sleep

import pytest
from kifu.core.errors import GameError, StoreError
from kifu.core.host import Host
from kifu.core.host.threads import Threads
from kifu.core.stores import MemoryStore
from kifu.games.take_and_share import GAME


class Deaf(MemoryStore):
    """A store that makes a change and then fails, as if the connection broke before its answer."""

    breaks = False

    def _make(self, change):
        super()._make(change)
        if self.breaks:
            self.breaks = False
            raise StoreError("deaf", "the connection broke")


def submit(at, idempotency_key=None):
    observation = at.observe(0)
    return at.host.submit(at.match, at.keys[0], observation.legal[0], observation.count, idempotency_key)


def test_a_command_that_may_be_stored_is_not_tried_again(table, make_host):
    store = Deaf()
    at = table(at=make_host(store))
    count = at.count
    store.breaks = True
    with pytest.raises(StoreError):
        submit(at)
    assert at.count == count + 1


def test_a_command_is_acknowledged_though_its_notes_cannot_be_made(table, make_host):
    fails = [False]

    def fails_later(step, viewer):
        if fails[0]:
            raise ValueError
        return GAME.explain(step, viewer)

    failing = GAME.altered(explain=fails_later)
    at = table(at=make_host(find=lambda name: failing))
    count, fails[0] = at.count, True
    assert submit(at).seq == count
    with pytest.raises(GameError):
        at.history(0)


def test_a_repeated_submission_after_a_broken_connection_returns_the_receipt(table, make_host):
    store = Deaf()
    at = table(at=make_host(store))
    observation = at.observe(0)
    store.breaks = True
    for _ in range(2):
        try:
            receipt = at.host.submit(at.match, at.keys[0], observation.legal[0], observation.count, b"key")
        except StoreError:
            continue
    assert receipt.seq == observation.count
    assert at.count == observation.count + 1


class Held(MemoryStore):
    """A store whose lock another program holds: a change fails once this one says so."""

    def __init__(self):
        super().__init__()
        self.tried, self.is_held, self.fails = 0, False, Event()

    def _make(self, change):
        if not self.is_held:
            return super()._make(change)
        self.tried += 1
        assert self.fails.wait(60)
        self.is_held = False
        raise StoreError("held", "locked")


class Counted:
    """A lock, and how many wait for it."""

    def __init__(self):
        self._lock, self.waiting = Lock(), 0

    def acquire(self, timeout=-1):
        self.waiting += 1
        try:
            return self._lock.acquire(timeout=timeout)
        finally:
            self.waiting -= 1

    def release(self):
        self._lock.release()


class Counting(Threads):
    def lock(self):
        return Counted()


def test_who_waits_behind_a_change_that_fails_fails_with_it_and_who_only_reads_reads():
    store = Held()
    host = Host(store, threads=Counting())
    match = host.open("take_and_share", 4).match
    came = []

    def join():
        try:
            host.join(match, "Aki")
        except StoreError as error:
            came.append(str(error))

    def look():
        came.append(host.about(match).match == match)

    threads = [Thread(target=each) for each in [join] * 6 + [look] * 2]
    store.is_held = True
    threads[0].start()
    while not store.tried:
        sleep(0.001)
    for each in threads[1:]:
        each.start()
    while host._context.cache._matches[match].lock.waiting < 5:  # who only reads waits for nobody
        sleep(0.001)
    store.fails.set()
    for each in threads:
        each.join(60)
    assert (store.tried, sorted(came, key=str)) == (1, [True, True] + ["store held: locked"] * 6)
    assert host.join(match, "Aki").seat == 0
