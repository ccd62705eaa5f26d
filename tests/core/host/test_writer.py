"""Each match has a lock, and one thread stores what waits of all of them: nobody waits for a slow game."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from threading import Event
from unittest.mock import Mock

import pytest
from kifu.core.errors import GameError, StoreError
from kifu.core.host import ForceAbandon, Host, Join
from kifu.core.host.context import UpdateRules
from kifu.core.host.live_match import LiveMatch
from kifu.core.host.match_cache import READ_S
from kifu.core.host.writer import AT_ONCE
from kifu.core.stores import MemoryStore
from kifu.games.take_and_share import GAME

from .failing import Scarce
from .writing import TIMEOUT_S, Gated, act, command, ended, made, opened, started, wait_for, waiting


@pytest.fixture
def store():
    return Gated()


@pytest.fixture
def host(store):
    return Host(store)


def test_what_waits_is_stored_in_one_transaction_one_command_of_each_match(store, host):
    matches = opened(host, 6)
    first = store.hold_up(lambda: act(host, matches[0]))
    others = [started(lambda each=each: act(host, each)) for each in matches[1:]]
    wait_for(lambda: len(waiting(host)) == 5)
    store.gate.set()
    ended(first, *others)
    assert store.commits[0] == [matches[0].match]
    assert sorted(store.commits[1]) == sorted(each.match for each in matches[1:])
    assert len(store.commits) == 2


def test_what_is_awaited_of_a_match_is_made_in_the_order_in_which_it_came(host):
    match = host.open("take_and_share", 4).match

    async def joined():
        return await asyncio.gather(*(host.ado(Join(match, name)) for name in "abcd"))

    assert [each.seat for each in asyncio.run(joined())] == [0, 1, 2, 3]
    assert host.about(match).seats == ("a", "b", "c", "d")


@pytest.mark.parametrize("is_awaited", [False, True])
@pytest.mark.parametrize("is_read_first", [False, True])
def test_a_game_that_never_ends_holds_its_own_match_only(store, is_awaited, is_read_first):
    entered, goes_on = Event(), Event()
    game = endless_for(entered, goes_on)
    host = Host(store, find=lambda name: game)
    stuck, other = opened_before(host, goes_on)
    if is_read_first:
        host = Host(store, find=lambda name: game)
    waits = command(host, stuck)
    first = started(lambda: made(host, waits, is_awaited))
    assert entered.wait(TIMEOUT_S)
    host.rotate_keys(other.match)
    asyncio.run(host.ado(ForceAbandon(other.match)))
    assert first.is_alive()
    goes_on.set()
    ended(first)
    assert host.about(stuck.match).count == waits.expected_events + 1


def test_games_that_never_end_hold_up_no_other_match_however_many(store):
    goes_on = Event()
    game = endless_for(Event(), goes_on)
    host = Host(store, find=lambda name: game)
    *stuck, other = opened_before(host, goes_on, 2 * AT_ONCE + 1)
    submits = [command(host, each) for each in stuck]

    async def changed():
        waiting = [asyncio.create_task(host.ado(each)) for each in submits]
        await asyncio.sleep(0)
        await asyncio.wait_for(host.ado(ForceAbandon(other.match)), TIMEOUT_S / 2)
        assert not any(each.done() for each in waiting)
        goes_on.set()
        await asyncio.gather(*waiting)

    asyncio.run(changed())
    assert [host.about(each.match).count for each in stuck] == [each.expected_events + 1 for each in submits]


def endless_for(entered, goes_on):
    """Return a game whose commands of seat 0 are at work until `goes_on` is set."""

    def apply(state, seat, command):
        if seat == 0 and not goes_on.is_set():
            entered.set()
            goes_on.wait(TIMEOUT_S)
        return GAME.apply(state, seat, command)

    return GAME.altered(apply=apply)


def opened_before(host, goes_on, matches=2):
    """Return matches in which seat 0 is to act, and forget to wait from now on."""
    goes_on.set()
    all_of_them = opened(host, matches)
    for each in all_of_them:
        while 0 not in host.observe(each.match).to_act:
            act(host, each)
    goes_on.clear()
    return all_of_them


def test_a_caller_that_is_interrupted_holds_up_nobody(host, monkeypatch):
    match, other = opened(host, 2)
    seen = host.observe(match.match)
    with monkeypatch.context() as patch:
        patch.setattr("kifu.core.host.submission.command_meta", Mock(side_effect=KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            act(host, match)
        with pytest.raises(StoreError, match="interrupted"):
            asyncio.run(host.ado(command(host, match)))
    assert act(host, other).seq >= 0
    assert act(host, match).seq == seen.count


def test_a_caller_that_is_interrupted_while_it_waits_leaves_its_command_to_the_writer(store, host, monkeypatch):
    match, other = opened(host, 2)
    gate = Mock(acquire=Mock(side_effect=[None, KeyboardInterrupt]))  # it waits as it takes it again
    store.hold()
    with monkeypatch.context() as patch:
        patch.setattr(host.threads, "lock", lambda: gate, raising=False)
        with pytest.raises(KeyboardInterrupt):
            act(host, match)
    store.gate.set()
    act(host, other)
    wait_for(lambda: host.about(match.match).count == 2)
    assert act(host, match).seq == 2


def test_a_cancelled_change_ends_before_its_caller_does(store, host):
    (match,) = opened(host)
    store.hold()

    async def cancelled():
        changing = asyncio.create_task(host.ado(ForceAbandon(match.match)))
        await asyncio.to_thread(store.entered.wait, TIMEOUT_S)
        for _ in range(3):
            changing.cancel()
            await asyncio.sleep(0.01)
        assert not changing.done()
        store.gate.set()
        with pytest.raises(asyncio.CancelledError):
            await changing

    asyncio.run(cancelled())
    assert host.about(match.match).status == "abandoned"


def test_a_change_that_is_cancelled_while_another_one_is_made_is_not_made(store, host):
    match = host.open("take_and_share", 4).match
    store.hold()

    async def cancelled():
        first = asyncio.create_task(host.ado(Join(match, "a")))
        await asyncio.to_thread(store.entered.wait, TIMEOUT_S)
        second = asyncio.create_task(host.ado(Join(match, "b")))
        await asyncio.sleep(0.01)
        second.cancel()
        with pytest.raises(asyncio.CancelledError):
            await second
        store.gate.set()
        await first
        await host.ado(Join(match, "c"))

    asyncio.run(cancelled())
    assert host.about(match).seats == ("a", "c", None, None)


def test_one_match_that_cannot_be_stored_spoils_no_other_of_its_transaction(store, host):
    held, broken, whole = opened(host, 3)
    make = store._make

    def breaks(change):
        if change.match == broken.match:
            raise StoreError("gated", "is full")
        make(change)

    store._make = breaks
    first = store.hold_up(lambda: host.force_abandon(held.match))
    failed = []

    def fails():
        with pytest.raises(StoreError, match="is full"):
            act(host, broken)
        failed.append(True)

    others = [started(fails), started(lambda: act(host, whole))]
    wait_for(lambda: len(waiting(host)) == 2)
    store.gate.set()
    ended(first, *others)
    assert failed == [True]
    assert (host.about(broken.match).count, host.about(whole.match).count) == (1, 2)


@pytest.mark.parametrize("raised", [OSError, SystemExit])
def test_a_store_that_raises_is_told_as_a_failure_and_is_asked_again(store, host, monkeypatch, raised):
    (match,) = opened(host)

    with monkeypatch.context() as patch:
        patch.setattr(store, "commit", Mock(side_effect=raised))
        with pytest.raises(StoreError, match="interrupted"):
            act(host, match)
    assert act(host, match).seq == 1


def test_a_command_that_may_be_stored_is_not_tried_again_and_sent_again_it_has_its_receipt(table, make_host):
    store = MemoryStore()
    at = table(at=make_host(store))
    count, command, make = at.count, at.observe(0).legal[0], store._make

    def breaks(change):
        """Make it, then fail, as if the connection broke before its answer."""
        store._make = make
        make(change)
        raise StoreError("deaf", "the connection broke")

    store._make = breaks
    with pytest.raises(StoreError):
        at.play(0, command, idempotency_key=b"key")
    assert at.count == count + 1
    assert at.play(0, command, count, b"key").seq == count
    assert at.count == count + 1


def test_a_command_is_acknowledged_though_its_notes_cannot_be_made(table, make_host):
    explain = [GAME.explain]
    game = GAME.altered(explain=lambda step, viewer: explain[0](step, viewer))
    at = table(at=make_host(find=lambda name: game))
    count, explain[0] = at.count, Mock(side_effect=ValueError)
    assert at.play(0).seq == count
    with pytest.raises(GameError):
        at.history(0)


def test_who_waits_behind_a_change_that_fails_fails_with_it_and_who_only_reads_reads(store, host):
    tried, came, match = [], [], host.open("take_and_share", 4).match

    def join():
        with pytest.raises(StoreError, match="locked"):
            host.join(match, "Aki")
        came.append("failed")

    def fails(change):
        tried.append(change)
        raise StoreError("held", "locked")

    store._make = fails
    first = store.hold_up(join)
    live = host._context.cache._matches[match]
    live.lock = Mock(wraps=live.lock)
    others = [started(join) for _ in range(5)]
    wait_for(lambda: live.lock.acquire.call_count == 5)
    ended(*[started(lambda: came.append(host.about(match).match)) for _ in range(2)])
    store.gate.set()
    ended(first, *others)
    del store._make
    assert (len(tried), came) == (1, [match] * 2 + ["failed"] * 6)
    assert host.join(match, "Aki").seat == 0


def test_those_who_await_a_match_that_cannot_be_stored_fail_with_the_first(store, host):
    """Each would wait for the store as long."""
    tried, all_wait, match = [], Event(), host.open("take_and_share", 4).match

    def fails(changes):
        tried.append(changes)
        all_wait.wait(TIMEOUT_S)
        return [StoreError("held", "locked")] * len(changes)

    store.commit = fails

    async def joins():
        joining = [asyncio.create_task(host.ado(Join(match, name))) for name in "abcd"]
        await asyncio.sleep(0)
        all_wait.set()
        return await asyncio.gather(*joining, return_exceptions=True)

    assert [str(each) for each in asyncio.run(joins())] == ["store held: locked"] * 4
    assert len(tried) == 1
    del store.commit
    assert asyncio.run(host.ado(Join(match, "a"))).seat == 0


@pytest.mark.parametrize("is_awaited", [False, True])
def test_a_host_without_a_thread_to_start_changes_matches_all_the_same(store, is_awaited):
    threads = Scarce()
    host = Host(store, threads=threads)
    threads.are_there = False
    (match,) = opened(host)
    made(host, ForceAbandon(match.match), is_awaited)
    threads.are_there = True
    assert host.about(match.match).status == "abandoned"


def test_what_cannot_be_told_of_a_match_is_told_to_its_caller_and_holds_up_nobody(host, monkeypatch):
    """Those that are told what was stored may fail, as where memory is short."""
    one, other = opened(host, 2)
    writer, failed = host._context.writer, []

    def stored(live, stored=writer._stored):
        if live.id == one.match and not failed:
            failed.append(live.id)
            raise MemoryError
        stored(live)

    monkeypatch.setattr(writer, "_stored", stored)
    host._witness_writer.note(one.match, is_late=False)  # now there is something to be told
    with pytest.raises(MemoryError):
        host.do(UpdateRules(one.match))
    for each in (other, one):
        assert act(host, each).seq >= 0


def test_a_match_that_cannot_be_looked_up_holds_up_no_other(host, monkeypatch):
    """As where memory is short for a moment."""
    one, other = opened(host, 2)
    cache = host._context.cache
    monkeypatch.setattr(cache, "_new", Mock(side_effect=[MemoryError, cache._new(other.match)]))
    cache._drop(other.match)
    with suppress(MemoryError):
        host.rotate_keys(other.match)
    ended(*[started(lambda each=each: host.rotate_keys(each.match)) for each in (one, other)])


def test_who_reads_a_match_whose_change_waits_for_the_store_shares_one_copy_of_it(store, host, monkeypatch):
    (match,) = opened(host)
    live, folded = host._context.cache._matches[match.match], []
    read = LiveMatch._read
    monkeypatch.setattr(LiveMatch, "_read", lambda live, stored: (folded.append(live), read(live, stored)))
    changing = store.hold_up(lambda: act(host, match))
    with monkeypatch.context() as patch:
        patch.setattr(live, "lock", Mock(acquire=Mock(return_value=False)))
        assert [host.observe(match.match, key).count for key in match.keys] == [1, 1, 1]
        assert [each.kwargs["timeout"] for each in live.lock.acquire.call_args_list] == [READ_S, 0, 0]
    store.gate.set()
    ended(changing)
    assert (host.observe(match.match).count, len(folded), live.copy) == (2, 1, None)


def test_a_copy_that_could_not_be_read_is_read_anew():
    store = MemoryStore()
    host, other = Host(store), Host(store)
    (match,) = opened(host)
    sent = command(host, match)
    live = host._context.cache.acquire(match.match)
    with host._context.cache.locked(match.match) as copy:
        copy.match.apply(copy.require_seat(sent.key), sent.command)  # as an event that was folded, and failed
    other.do(sent)
    assert host.about(match.match).to_act == other.about(match.match).to_act
    host._context.cache.release(live)
