"""Watching a match from a thread and from an event loop: every event once, in order, to the end."""

from __future__ import annotations

import asyncio
from threading import Event
from unittest.mock import Mock

import pytest
from kifu.core.errors import KeyRefused, Rewound, StoreError
from kifu.core.host import watching
from kifu.core.stores import MemoryStore, open_store

from .writing import ended, started

TIMEOUT_MS = 120_000


def watched(at, key=None, since=0, timeout_ms=TIMEOUT_MS):
    return tuple(at.host.watch(at.match, key, since, timeout_ms))


def followed(at, key=None, since=0, timeout_ms=TIMEOUT_MS):
    async def follow():
        return [each async for each in at.host.follow(at.match, key, since, timeout_ms)]

    return tuple(asyncio.run(follow()))


in_both_ways = pytest.mark.parametrize("look", [watched, followed])


@in_both_ways
def test_watchers_see_every_event_once_in_order_until_the_end(table, look):
    at = table("cake", 3)
    at.play_on(5)
    histories = {}
    keys = {None: None, **dict(enumerate(at.keys))}
    threads = [started(lambda each=each: histories.update({each: look(at, keys[each], 2)})) for each in keys]
    at.play_on()
    ended(*threads)
    assert histories == {viewer: at.history(viewer, 2) for viewer in keys}


@in_both_ways
def test_watching_ends_when_nothing_happens_in_time(table, look):
    at = table()
    assert len(look(at, timeout_ms=1)) == 1
    assert look(at, since=1, timeout_ms=1) == ()
    assert len(look(at, since=-99, timeout_ms=1)) == 1
    with pytest.raises(Rewound):
        look(at, since=99, timeout_ms=1)
    with pytest.raises(KeyRefused):
        look(at, "wrong")


@in_both_ways
@pytest.mark.parametrize("page", [1, 7])
def test_a_long_match_is_watched_page_by_page_to_its_end(table, monkeypatch, page, look):
    monkeypatch.setattr(watching, "PAGE_EVENTS", page)
    at = table("take_and_share", 3)
    at.play_on()
    assert look(at, at.keys[1]) == at.history(1)


@in_both_ways
@pytest.mark.parametrize("address", ["memory:", "sqlite:{}/kifu.db"])
def test_a_watcher_gets_the_error_of_a_store_that_is_closed(table, make_host, tmp_path, address, look):
    store, errors = open_store(address.format(tmp_path)), []
    at = table(at=make_host(store))

    def watch():
        try:
            look(at)
        except StoreError as closed:
            errors.append(closed.why)

    subscribed, subscribe = Event(), store.subscribe
    store.subscribe = lambda *args: (subscribe(*args), subscribed.set())[0]
    watching = started(watch)
    assert subscribed.wait(60)
    store.close()
    ended(watching)
    assert errors == ["it is closed"]


def test_a_watcher_of_a_match_that_has_not_begun_waits_for_it(host):
    match = host.open("cake", 3).match
    entries = []
    thread = started(lambda: entries.extend([next(host.watch(match, timeout_ms=TIMEOUT_MS))]))
    for name in ("Aki", "Ren", "Mio"):
        host.join(match, name)
    ended(thread)
    assert entries == list(host.history(match))


def test_a_watcher_that_leaves_is_unsubscribed(table, make_host):
    store, left = MemoryStore(), Mock()
    store.subscribe = lambda *args: left
    at = table(at=make_host(store))
    watcher = at.host.watch(at.match, timeout_ms=TIMEOUT_MS)
    next(watcher)
    assert not left.called
    watcher.close()
    assert left.called


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

    async def leave():
        following = asyncio.ensure_future(anext(at.host.follow(at.match)))
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
    ended(started(lambda: at.play_on(3)))
    assert done.wait(60)
    store.close()
