"""Watching a match from a thread and from an event loop: every event once, in order, to the end."""

from __future__ import annotations

import asyncio
from threading import Event, Thread

import pytest
from kifu.core.errors import KeyRefused, Rewound, StoreError
from kifu.core.host import watching
from kifu.core.stores import MemoryStore, open_store

TIMEOUT_MS = 120_000


def in_a_thread(work):
    thread = Thread(target=work, daemon=True)
    thread.start()
    return thread


def test_watchers_see_every_event_once_in_order_until_the_end(table):
    at = table("cake", 3)
    at.play_on(5)
    histories = {viewer: [] for viewer in (None, 0, 1, 2)}

    def watch(viewer):
        key = None if viewer is None else at.keys[viewer]
        histories[viewer].extend(at.host.watch(at.match, key, since=2, timeout_ms=TIMEOUT_MS))

    threads = [in_a_thread(lambda viewer=viewer: watch(viewer)) for viewer in histories]
    at.play_on()
    for thread in threads:
        thread.join(TIMEOUT_MS / 1000)
    for viewer, each in histories.items():
        assert tuple(each) == at.history(viewer, 2)


def test_a_watcher_of_a_match_that_has_not_begun_waits_for_it(host):
    match = host.open("cake", 3).match
    entries = []
    thread = in_a_thread(lambda: entries.extend([next(host.watch(match, timeout_ms=TIMEOUT_MS))]))
    for name in ("Aki", "Ren", "Mio"):
        host.join(match, name)
    thread.join(TIMEOUT_MS / 1000)
    assert entries == list(host.history(match))


def test_watching_ends_when_nothing_happens_in_time(table):
    at = table()
    assert len(list(at.host.watch(at.match, timeout_ms=1))) == 1
    assert list(at.host.watch(at.match, since=1, timeout_ms=1)) == []
    with pytest.raises(Rewound):
        list(at.host.watch(at.match, since=99, timeout_ms=1))
    assert len(list(at.host.watch(at.match, since=-99, timeout_ms=1))) == 1


def test_a_slow_watcher_misses_nothing(table):
    """Events that it has not fetched yet wait in the store, not in memory."""
    at = table("take_and_share", 3)
    watcher = at.host.watch(at.match, at.keys[1], timeout_ms=TIMEOUT_MS)
    first = next(watcher)
    at.play_on()
    assert (first, *watcher) == at.history(1)


@pytest.mark.parametrize("page", [1, 2, 7])
def test_a_long_match_is_watched_page_by_page_to_its_end(table, monkeypatch, page):
    monkeypatch.setattr(watching, "PAGE_EVENTS", page)
    at = table("take_and_share", 3)
    at.play_on()

    async def follow():
        return [each async for each in at.host.follow(at.match, at.keys[1], timeout_ms=TIMEOUT_MS)]

    assert tuple(at.host.watch(at.match, at.keys[1], timeout_ms=TIMEOUT_MS)) == at.history(1)
    assert tuple(asyncio.run(follow())) == at.history(1)


def test_a_watcher_that_leaves_is_unsubscribed(table, make_host):
    left = []

    class Counting(MemoryStore):
        def subscribe(self, match, callback):
            end = super().subscribe(match, callback)
            return lambda: (left.append(match), end())

    at = table(at=make_host(Counting()))
    watcher = at.host.watch(at.match, timeout_ms=TIMEOUT_MS)
    next(watcher)
    assert left == []
    watcher.close()
    assert left == [at.match]


def test_an_event_loop_follows_to_the_end(table):
    at = table("take_and_share", 3)

    async def follow(viewer):
        key = None if viewer is None else at.keys[viewer]
        return [each async for each in at.host.follow(at.match, key, timeout_ms=TIMEOUT_MS)]

    async def all_follow():
        watching = [asyncio.create_task(follow(viewer)) for viewer in (None, 0, 2)]
        await asyncio.to_thread(at.play_on)
        return await asyncio.gather(*watching)

    for viewer, each in zip((None, 0, 2), asyncio.run(all_follow()), strict=True):
        assert tuple(each) == at.history(viewer)


def test_following_ends_when_nothing_happens_in_time(table):
    at = table()

    async def follow():
        return [each async for each in at.host.follow(at.match, at.keys[0], timeout_ms=1)]

    assert tuple(asyncio.run(follow())) == at.history(0)


def test_a_wrong_key_follows_nothing(table):
    at = table()

    async def follow():
        return [each async for each in at.host.follow(at.match, "wrong")]

    with pytest.raises(KeyRefused):
        asyncio.run(follow())


def test_a_subscription_covers_seats_that_are_taken(host):
    match, called, first, last = host.open("cake", 3).match, [], Event(), Event()
    end = host.subscribe(match, lambda: (called.append(host.about(match).seats[0]), first.set()))
    host.join(match, "Aki")
    assert first.wait(60)
    end()
    host.subscribe(match, last.set)
    host.join(match, "Ren")
    assert last.wait(60)
    assert called == ["Aki"]


def test_a_follower_that_is_cancelled_at_once_is_unsubscribed(table, make_host):
    """A client may be gone before the store has answered."""
    store, subscribing, may_return, unsubscribed = MemoryStore(), Event(), Event(), Event()
    at = table(at=make_host(store))

    def subscribe(match, callback):
        subscribing.set()
        assert may_return.wait(60)
        return unsubscribed.set

    store.subscribe = subscribe

    async def follow():
        async for _ in at.host.follow(at.match):
            pass

    async def leave():
        following = asyncio.create_task(follow())
        await asyncio.to_thread(subscribing.wait)
        following.cancel()
        with pytest.raises(asyncio.CancelledError):
            await following
        may_return.set()
        assert await asyncio.to_thread(unsubscribed.wait, 60)

    asyncio.run(leave())


@pytest.mark.parametrize("address", ["memory:", "sqlite:kifu.db"])
def test_a_callback_may_call_the_host(table, make_host, tmp_path, monkeypatch, address):
    """A store notifies in the middle of a change: a callback must not wait for the change."""
    monkeypatch.chdir(tmp_path)
    store = open_store(address)
    at, counts, done = table(at=make_host(store)), [], Event()

    def callback():
        counts.append(at.count)
        if counts[-1] == 4:
            done.set()

    at.host.subscribe(at.match, lambda: 1 // 0)
    at.host.subscribe(at.match, callback)
    playing = in_a_thread(lambda: at.play_on(3))
    playing.join(60)
    assert not playing.is_alive()
    assert done.wait(60)
    store.close()


@pytest.mark.parametrize("address", ["memory:", "sqlite:kifu.db"])
def test_a_watcher_gets_the_error_of_a_store_that_is_closed(table, make_host, tmp_path, monkeypatch, address):
    monkeypatch.chdir(tmp_path)
    store = open_store(address)
    at, errors, began = table(at=make_host(store)), [], Event()

    def watch():
        try:
            for _ in at.host.watch(at.match):
                began.set()
        except StoreError as closed:
            errors.append(closed.why)

    async def follow():
        async for _ in at.host.follow(at.match):
            began.set()

    def follow_in_a_loop():
        try:
            asyncio.run(follow())
        except StoreError as closed:
            errors.append(closed.why)

    watching = []
    for work in (watch, follow_in_a_loop):
        began.clear()
        watching.append(in_a_thread(work))
        assert began.wait(60)
    store.close()
    for each in watching:
        each.join(60)
        assert not each.is_alive()
    assert errors == ["it is closed"] * 2
