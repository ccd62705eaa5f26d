"""One judge for each host: what waits is stored in one transaction, in order, and nobody waits for a slow game."""

from __future__ import annotations

import asyncio
from threading import Event, Thread
from time import monotonic, sleep

import pytest
from attrs import evolve
from kifu.core.errors import KeyRefused, KifuError, MatchError, StoreError
from kifu.core.host import Host, Terms
from kifu.core.host.judge import STUCK_S
from kifu.core.stores import MemoryStore
from kifu.games.take_and_share import GAME

TIMEOUT_S = 30


class Gated(MemoryStore):
    """A store that notes what each transaction changes, and can be held up."""

    def __init__(self):
        super().__init__()
        self.commits, self.gate, self.entered = [], Event(), Event()
        self.gate.set()

    def commit(self, changes):
        self.entered.set()
        assert self.gate.wait(TIMEOUT_S)
        self.commits.append([change.match for change in changes])
        return super().commit(changes)

    def hold(self):
        self.commits.clear()
        self.entered.clear()
        self.gate.clear()


def started(work):
    thread = Thread(target=work)
    thread.start()
    return thread


def ended(*threads):
    for thread in threads:
        thread.join(TIMEOUT_S)
        assert not thread.is_alive()


def wait_until(holds):
    end_s = monotonic() + TIMEOUT_S
    while not holds():
        assert monotonic() < end_s
        sleep(0.001)


def waiting(host):
    return [job for queue in host._context.judge._waiting for job in queue]


def opened(host, matches=1):
    return [host.open("take_and_share", ["a", "b", "c"]) for _ in range(matches)]


def act(host, match, keys):
    seat = min(host.observe(match).to_act)
    seen = host.observe(match, keys[seat])
    return host.submit(match, keys[seat], seen.legal[0], seen.count)


def test_what_waits_is_stored_in_one_transaction_one_command_of_each_match():
    store = Gated()
    host = Host(store)
    matches = opened(host, 6)
    store.hold()
    first = started(lambda: act(host, matches[0].match, matches[0].keys))
    assert store.entered.wait(TIMEOUT_S)
    others = [started(lambda each=each: act(host, each.match, each.keys)) for each in matches[1:]]
    wait_until(lambda: len(waiting(host)) == 5)
    store.gate.set()
    ended(first, *others)
    assert store.commits[0] == [matches[0].match]
    assert sorted(store.commits[1]) == sorted(each.match for each in matches[1:])
    assert len(store.commits) == 2


def test_the_changes_of_a_match_are_made_in_the_order_in_which_they_came():
    store = Gated()
    host = Host(store)
    held, match = (each.match for each in [*opened(host), host.open("take_and_share", 4)])
    store.hold()
    first = started(lambda: host.force_abandon(held))
    assert store.entered.wait(TIMEOUT_S)
    joining, seats = [], {}
    for number, name in enumerate("abc", 1):
        joining.append(started(lambda name=name: seats.update({name: host.join(match, name).seat})))
        wait_until(lambda number=number: len(waiting(host)) == number)
    store.gate.set()
    ended(first, *joining)
    assert seats == {"a": 0, "b": 1, "c": 2}


def test_people_come_before_bots():
    store = Gated()
    host = Host(store, bots={"first": lambda seen: seen.legal[0]})
    by_bots = host.open("take_and_share", 3, terms=Terms(bots=dict.fromkeys(range(3), "first"), bot_delay_ms=0)).match
    held, played = opened(host, 2)
    store.hold()
    first = started(lambda: host.force_abandon(held.match))
    assert store.entered.wait(TIMEOUT_S)
    bots = started(host.run_due)
    wait_until(lambda: waiting(host))
    command = started(lambda: host.force_abandon(played.match))
    wait_until(lambda: len(waiting(host)) == 2)
    jobs = waiting(host)
    assert [(job.match, job.computes) for job in jobs] == [(played.match, False), (by_bots, True)]
    store.gate.set()
    ended(first, command, bots)


@pytest.mark.parametrize("is_awaited", [False, True])
def test_a_game_that_never_ends_holds_its_own_match_only(is_awaited):
    computes, goes_on = Event(), Event()

    def apply(state, seat, command):
        if computes.is_set() and seat == 0:
            goes_on.wait(TIMEOUT_S)
        return GAME.apply(state, seat, command)

    slow = evolve(GAME, apply=apply)
    host = Host(MemoryStore(), find=lambda name: slow)
    stuck, other = opened(host, 2)
    while 0 not in host.observe(stuck.match).to_act:
        act(host, stuck.match, stuck.keys)
    while 0 in host.observe(other.match).to_act:
        act(host, other.match, other.keys)
    computes.set()
    seen = host.observe(stuck.match, stuck.keys[0])
    given = stuck.match, stuck.keys[0], seen.legal[0], seen.count
    if is_awaited:
        first = started(lambda: asyncio.run(host.soon(Host.submit, *given)))
    else:
        first = started(lambda: host.submit(*given))
    wait_until(lambda: host._context.judge._turn is not None)
    began_s = monotonic()
    act(host, other.match, other.keys)
    took_s = monotonic() - began_s
    assert first.is_alive()
    goes_on.set()
    ended(first)
    assert took_s < STUCK_S + 10
    assert host.slow_changes == 1
    assert host.about(stuck.match).count == seen.count + 1


def test_a_caller_that_is_interrupted_holds_up_nobody(monkeypatch):
    class Interrupted(BaseException):
        """As `KeyboardInterrupt`."""

    host = Host(MemoryStore())
    match, other = opened(host, 2)
    seen = host.observe(match.match)
    seat = min(seen.to_act)

    def interrupted(*_):
        raise Interrupted

    with monkeypatch.context() as patch:
        patch.setattr("kifu.core.host.submission.command_meta", interrupted)
        with pytest.raises(Interrupted):
            act(host, match.match, match.keys)
    assert act(host, other.match, other.keys).seq >= 0
    assert act(host, match.match, match.keys).seq == seen.count
    assert seat in range(3)


def test_a_turn_that_is_handed_over_at_once_is_not_lost(monkeypatch):
    """A thread may be off its processor just when its job waits, and be the heir of the turn before it goes on."""
    store = Gated()
    host = Host(store)
    one, other, third = opened(host, 3)
    judge = host._context.judge
    put = judge._put

    def slowly(job):
        turn = put(job)
        if turn is None:
            store.gate.set()
            wait_until(lambda: job.turn is not None)
        return turn

    store.hold()
    first = started(lambda: act(host, one.match, one.keys))
    assert store.entered.wait(TIMEOUT_S)
    with monkeypatch.context() as patch:
        patch.setattr(judge, "_put", slowly)
        act(host, other.match, other.keys)
    ended(first)
    assert act(host, third.match, third.keys).seq >= 0


CHANGES = {
    "join": ("Aki",),
    "remove_player": ("wrong", 0),
    "renew": ("wrong", 1, bytes(32)),
    "reveal": ("wrong", 1, bytes(32), bytes(32)),
    "submit": ("wrong", ("take", {}), 0),
    "take_back": ("wrong", 0),
    "fork": ("wrong", 0),
    "abandon": ("wrong",),
    "accept": ("wrong", 1),
    "reject": ("wrong", 1),
    "force_abandon": (),
    "rotate_keys": (),
}
"""The methods that change a match, and what they are given here."""


def outcome(call):
    """Return the type of what a call returns, or what it raises in words."""
    try:
        return type(call())
    except KifuError as error:
        return str(error)


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_can_be_awaited_and_ends_as_the_one_that_blocks(change):
    method, given = getattr(Host, change), CHANGES[change]
    hosts = [Host(MemoryStore(), entropy=bytes) for _ in range(2)]
    match, same = [each.open("take_and_share", ["a", None, None]).match for each in hosts]
    assert match == same
    blocking = outcome(lambda: method(hosts[0], match, *given))
    assert blocking == outcome(lambda: asyncio.run(hosts[1].soon(method, match, *given)))


def test_a_cancelled_change_ends_before_its_caller_does():
    store = Gated()
    host = Host(store)
    (match,) = opened(host)
    store.hold()

    async def cancelled():
        changing = asyncio.create_task(host.soon(Host.force_abandon, match.match))
        await asyncio.to_thread(store.entered.wait, TIMEOUT_S)
        changing.cancel()
        await asyncio.sleep(0.01)
        assert not changing.done()
        store.gate.set()
        with pytest.raises(asyncio.CancelledError):
            await changing

    asyncio.run(cancelled())
    assert host.about(match.match).status == "abandoned"


def test_one_match_that_cannot_be_stored_spoils_no_other_of_its_transaction():
    store = Gated()
    host = Host(store)
    held, broken, whole = opened(host, 3)
    make = store._make

    def breaks(change):
        if change.match == broken.match:
            raise StoreError("gated", "is full")
        make(change)

    store._make = breaks
    store.hold()
    first = started(lambda: host.force_abandon(held.match))
    assert store.entered.wait(TIMEOUT_S)
    failed = []

    def fails():
        with pytest.raises(StoreError, match="is full"):
            act(host, broken.match, broken.keys)
        failed.append(True)

    others = [started(fails), started(lambda: act(host, whole.match, whole.keys))]
    wait_until(lambda: len(waiting(host)) == 2)
    store.gate.set()
    ended(first, *others)
    assert failed == [True]
    assert (host.about(broken.match).count, host.about(whole.match).count) == (1, 2)


def test_a_wrong_key_and_a_wrong_match_are_refused_as_ever():
    host = Host(MemoryStore())
    (match,) = opened(host)
    with pytest.raises(KeyRefused):
        host.abandon(match.match, "wrong")
    with pytest.raises(KifuError, match="no match"):
        asyncio.run(host.soon(Host.abandon, "../x", "wrong"))
    with pytest.raises(MatchError):
        host.join(match.match, "Aki")
