"""What the host does again, and what it does not: a change is never made twice."""

from __future__ import annotations

from threading import Lock, Thread
from time import sleep

import pytest
from attrs import evolve
from kifu.core.errors import GameError, StoreError
from kifu.core.host import Host, Terms, scheduler
from kifu.core.host.threads import Threads
from kifu.core.stores import MemoryStore
from kifu.games.take_and_share import GAME


class Deaf(MemoryStore):
    """A store that makes a change and then fails, as if the connection broke before its answer."""

    breaks = False

    def append(self, *args, **more):
        super().append(*args, **more)
        if self.breaks:
            self.breaks = False
            raise StoreError("deaf", "the connection broke")


def submit(at, idempotency_key=None):
    observation = at.observe(0)
    return at.host.submit(at.match, at.keys[0], observation.legal[0], observation.count, idempotency_key)


def test_a_stored_command_is_not_tried_again_if_the_next_deadline_cannot_be_set(table, monkeypatch):
    at = table(terms=Terms(turn_limit_ms=1000))
    count = at.count

    def fails(*_):
        raise StoreError("?", "away")

    monkeypatch.setattr(scheduler, "due_of", fails)
    assert submit(at).seq == count
    assert at.count == count + 1


def test_a_command_that_may_be_stored_is_not_tried_again(table, make_host):
    store = Deaf()
    at = table(at=make_host(store))
    count = at.count
    store.breaks = True
    with pytest.raises(StoreError):
        submit(at)
    assert at.count == count + 1


def test_a_stored_command_is_not_tried_again_if_its_notes_cannot_be_made(table, make_host):
    fails = [0]

    def fails_twice(step, viewer):
        if fails[0]:
            fails[0] -= 1
            raise ValueError
        return GAME.explain(step, viewer)

    failing = evolve(GAME, explain=fails_twice)
    at = table(at=make_host(find=lambda name: failing))
    count, fails[0] = at.count, 2  # for the witness, which is left out, and for the receipt
    with pytest.raises(GameError):
        submit(at)
    assert at.count == count + 1


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


class Queue(Threads):
    """Locks that count who waits for them."""

    def __init__(self):
        self.waiting = 0

    def lock(self):
        return QueueLock(self)


class QueueLock:
    def __init__(self, queue):
        self._queue, self._lock = queue, Lock()

    def acquire(self, *given):
        if self._lock.acquire(False):
            return True
        self._queue.waiting += 1
        try:
            return self._lock.acquire(*given)
        finally:
            self._queue.waiting -= 1

    def release(self):
        self._lock.release()


class Held(MemoryStore):
    """A store whose lock another program holds: a change fails once all others wait behind it."""

    def __init__(self, queue):
        super().__init__()
        self.queue, self.tried, self.behind = queue, 0, 0

    def update(self, *args, **more):
        if not self.behind:
            return super().update(*args, **more)
        self.tried += 1
        while self.queue.waiting < self.behind:
            sleep(0.001)
        self.behind = 0
        raise StoreError("held", "locked")


def test_who_waits_behind_a_change_that_fails_fails_with_it_and_who_only_reads_reads():
    queue = Queue()
    store = Held(queue)
    host = Host(store, threads=queue)
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
    store.behind = len(threads) - 1
    threads[0].start()
    while not store.tried:
        sleep(0.001)
    for each in threads[1:]:
        each.start()
    for each in threads:
        each.join(60)
    assert (store.tried, sorted(came, key=str)) == (1, [True, True] + ["store held: locked"] * 6)
    assert host.join(match, "Aki").seat == 0
