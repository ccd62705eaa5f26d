"""One judge for each host: what waits is stored in one transaction, in order, and nobody waits for a slow game."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from threading import Event, Thread, current_thread
from time import monotonic, sleep

import pytest
from attrs import evolve
from kifu.core.errors import KeyRefused, KifuError, MatchError, StoreError
from kifu.core.host import Host, Terms
from kifu.core.host.job import Turn
from kifu.core.host.judge import LATE_S, STUCK_S
from kifu.core.host.threads import Threads
from kifu.core.stores import MemoryStore
from kifu.games.take_and_share import GAME

from .failing import Scarce
from .judging import TIMEOUT_S, Gated, act, ended, opened, started, wait_until, waiting


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


@pytest.mark.ci
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


def endless_for(entered, goes_on, seat=0):
    """Return a game whose commands of one seat are at work until `goes_on` is set."""

    def apply(state, by, command):
        if by == seat and not goes_on.is_set():
            entered.set()
            goes_on.wait(TIMEOUT_S)
        return GAME.apply(state, by, command)

    return evolve(GAME, apply=apply)


def opened_before(host, goes_on):
    """Return two matches in which seat 0 is to act, and forget to wait from now on."""
    goes_on.set()
    both = opened(host, 2)
    for each in both:
        while 0 not in host.observe(each.match).to_act:
            act(host, each.match, each.keys)
        host._context.run(each.match, lambda live: None)  # quick: after a slow one the next has its own thread
    goes_on.clear()
    return both


@pytest.mark.ci
def test_a_thread_that_is_stuck_in_a_job_of_others_does_not_inherit_the_turn():
    """Its own job waits for the same match: it looked as if it waited, and had the turn for as long as it was stuck."""
    entered, goes_on, store = Event(), Event(), Gated()
    game = endless_for(entered, goes_on)
    host = Host(store, find=lambda name: game)
    stuck, other = opened_before(host, goes_on)
    held = opened(host)[0]
    store.hold()
    first = started(lambda: host.force_abandon(held.match))
    assert store.entered.wait(TIMEOUT_S)
    seen = host.observe(stuck.match, stuck.keys[0])
    command = stuck.match, stuck.keys[0], seen.legal[0], seen.count
    awaited = started(lambda: asyncio.run(host.soon(Host.submit, *command)))
    wait_until(lambda: len(waiting(host)) == 1)
    behind = started(lambda: host.rotate_keys(stuck.match))  # its thread is the heir, and has the other's command first
    wait_until(lambda: len(waiting(host)) == 2)
    store.gate.set()
    assert entered.wait(TIMEOUT_S)
    changes = []
    for _ in range(3):  # the first is judged by a new thread, the second by its own, which then looks for an heir
        changes.append(started(lambda: host.rotate_keys(other.match)))
        changes[-1].join(10 * STUCK_S)
    are_held_up = [each.is_alive() for each in changes]
    goes_on.set()
    ended(first, awaited, behind, *changes)
    assert are_held_up == [False, False, False]


@pytest.mark.ci
@pytest.mark.parametrize("is_awaited", [False, True])
def test_a_host_without_a_thread_to_start_goes_on_once_it_has_one(is_awaited):
    threads = Scarce()
    store = MemoryStore()
    host = Host(store, threads=threads)
    (match,) = opened(Host(store))  # which this host has to read whole, in a thread of its own
    threads.are_there = False
    if is_awaited:
        change = started(lambda: asyncio.run(host.soon(Host.force_abandon, match.match)))
    else:
        change = started(lambda: host.force_abandon(match.match))
    sleep(2 * STUCK_S)
    threads.are_there = True
    ended(change)
    assert host.about(match.match).status == "abandoned"


@pytest.mark.ci
def test_nobody_waits_for_a_stuck_job_though_no_thread_can_be_started():
    entered, goes_on, threads = Event(), Event(), Scarce()
    game = endless_for(entered, goes_on)
    host = Host(MemoryStore(), find=lambda name: game, threads=threads)
    stuck, other = opened_before(host, goes_on)
    first = started(lambda: act(host, stuck.match, stuck.keys))
    assert entered.wait(TIMEOUT_S)
    threads.are_there = False
    ended(started(lambda: host.rotate_keys(other.match)))
    threads.are_there = True
    goes_on.set()
    ended(first, started(lambda: host.rotate_keys(other.match)))


class Quiet(Threads):
    """Threads that are not told of when they end the program."""

    def start(self, work, name):
        def ends():
            with suppress(SystemExit):
                work()

        return super().start(ends, name)


def test_rules_that_try_to_end_the_program_lose_their_command_alone():
    """In a thread of its own, as of a match that is read whole first: its caller and its match had to wait for ever."""
    exits = Event()

    def apply(state, seat, command):
        if exits.is_set():
            raise SystemExit
        return GAME.apply(state, seat, command)

    store = MemoryStore()
    (match,) = opened(Host(store))
    game = evolve(GAME, apply=apply)
    host, failed = Host(store, find=lambda name: game, threads=Quiet()), []
    seen = host.observe(match.match)
    seat = min(seen.to_act)
    seen = host.observe(match.match, match.keys[seat])
    host._context.cache.discard(host._context.cache._matches[match.match])
    exits.set()

    def fails():
        with pytest.raises(StoreError, match="interrupted"):
            host.submit(match.match, match.keys[seat], seen.legal[0], seen.count)
        failed.append(True)

    ended(started(fails))
    exits.clear()
    assert failed == [True]
    assert act(host, match.match, match.keys).seq == seen.count


def test_what_computes_has_its_turn_however_much_people_do():
    host = Host(MemoryStore())
    *matches, quiet = opened(host, 4)
    stop = Event()

    def hurries(match):
        while not stop.is_set():
            host._context.run(match, lambda live: sleep(LATE_S))

    people = [started(lambda each=each: hurries(each.match)) for each in matches]
    wait_until(lambda: host._context.judge.done > 3)
    computes = started(lambda: host._context.run(quiet.match, lambda live: None, computes=True))
    computes.join(TIMEOUT_S / 30)
    is_held_up = computes.is_alive()
    stop.set()
    ended(*people, computes)
    assert not is_held_up


class Interrupting(Threads):
    """Threads of which one is interrupted while it waits, as by Ctrl-C."""

    def __init__(self):
        self.whom = None

    def event(self):
        event, wait = Event(), Event.wait

        def waits(timeout=None):
            if current_thread() is self.whom:
                raise KeyboardInterrupt
            return wait(event, timeout)

        event.wait = waits
        return event


@pytest.mark.ci
def test_a_thread_that_is_interrupted_while_it_waits_is_no_heir(monkeypatch):
    """Its job had been taken, and waited again as the turn was late: the turn was then given to a dead thread."""
    monkeypatch.setattr("kifu.core.host.judge.LATE_S", 0.0)
    store, threads, entered, goes_on = Gated(), Interrupting(), Event(), Event()
    host = Host(store, threads=threads)
    held, judged, waits, other = opened(host, 4)

    def works(live):
        entered.set()
        goes_on.wait(TIMEOUT_S)

    def is_interrupted():
        with suppress(KeyboardInterrupt):
            host.rotate_keys(waits.match)

    store.hold()
    first = started(lambda: host.force_abandon(held.match))
    assert store.entered.wait(TIMEOUT_S)
    second = started(lambda: host._context.run(judged.match, works))
    wait_until(lambda: len(waiting(host)) == 1)
    third = started(is_interrupted)
    wait_until(lambda: len(waiting(host)) == 2)
    store.gate.set()
    assert entered.wait(TIMEOUT_S)  # both are taken, and the second works
    threads.whom = third
    ended(third)
    goes_on.set()
    ended(first, second)
    behind = Thread(target=lambda: host.rotate_keys(other.match), daemon=True)
    behind.start()
    behind.join(20 * STUCK_S)
    assert not behind.is_alive()


@pytest.mark.ci
def test_a_turn_that_nobody_takes_is_given_to_another():
    """As where a thread is interrupted just as it hands the turn over."""
    host = Host(MemoryStore())
    (match,) = opened(host)
    judge = host._context.judge
    judge._turn = Turn(is_given=True)
    change = Thread(target=lambda: host.rotate_keys(match.match), daemon=True)
    change.start()
    change.join(20 * STUCK_S)
    assert not change.is_alive()


@pytest.mark.ci
def test_many_that_wait_for_a_match_that_is_in_use_look_seldom(monkeypatch):
    """Each of them looked through all that wait, four times a second: a thousand took a core."""
    host, looks = Host(MemoryStore()), []
    (match,) = opened(host)
    judge = host._context.judge
    with host._context.locked(match.match):
        waits = [started(lambda: host.rotate_keys(match.match)) for _ in range(20)]
        wait_until(lambda: len(waiting(host)) == 20)
        monkeypatch.setattr(judge, "_take", lambda *given, take=judge._take: (looks.append(given), take(*given))[1])
        sleep(4 * STUCK_S)
        assert len(looks) <= 8
    ended(*waits)


def test_a_match_that_cannot_be_looked_up_loses_no_other_job(monkeypatch):
    """As where memory is short for a moment."""
    store = Gated()
    host = Host(store)
    held, one, other = opened(host, 3)
    cache = host._context.cache
    fails = [MemoryError]

    def hold(match, hold=cache.hold):
        if match == other.match and fails:
            raise fails.pop()
        return hold(match)

    def change(match):
        with suppress(MemoryError):
            host.rotate_keys(match)

    store.hold()
    monkeypatch.setattr(cache, "hold", hold)
    first = started(lambda: host.force_abandon(held.match))
    assert store.entered.wait(TIMEOUT_S)
    changes = []
    for number, each in enumerate((one, one, other), 1):
        changes.append(Thread(target=change, args=(each.match,), daemon=True))
        changes[-1].start()
        wait_until(lambda number=number: len(waiting(host)) == number)
    store.gate.set()
    ended(first, *changes)
