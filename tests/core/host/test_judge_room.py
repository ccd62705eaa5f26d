"""What takes long has threads of its own, so many; who waits for one holds neither its match nor anybody else."""

from __future__ import annotations

from threading import Event, Thread

import pytest
from attrs import evolve
from kifu.core.errors import StoreError
from kifu.core.host import Host
from kifu.core.host.job import Then
from kifu.core.host.judge import MAX_READING
from kifu.core.stores import MemoryStore
from kifu.games.take_and_share import GAME

from .judging import TIMEOUT_S, Gated, act, ended, opened, started, wait_until, waiting


def held_up(host, matches, gate):
    """Return threads that are at work on these matches until the gate opens."""
    entered = []

    def work(live):
        entered.append(live.id)
        gate.wait(TIMEOUT_S)

    threads = [started(lambda each=each: host._context.run(each.match, work)) for each in matches]
    wait_until(lambda: len(entered) == len(matches))
    return threads


def test_a_match_whose_command_waits_for_a_thread_can_be_looked_at(monkeypatch):
    """The command held its match while it waited: enough of them, and all that read were held up."""
    monkeypatch.setattr("kifu.core.host.judge.STUCK_S", TIMEOUT_S)
    store, gate = MemoryStore(), Event()
    *slow, late = opened(Host(store), MAX_READING + 1)
    host = Host(store)  # which has to read each whole
    threads = held_up(host, slow, gate)
    change = started(lambda: host.rotate_keys(late.match))
    wait_until(lambda: host._context.judge._turn is None)
    look = Thread(target=lambda: host.observe(late.match), daemon=True)
    look.start()
    look.join(1)
    is_held_up = look.is_alive()
    gate.set()
    ended(*threads, change, look)
    assert not is_held_up


def test_a_match_whose_fork_waits_for_its_thread_is_played_on():
    host, gate, order = Host(MemoryStore()), Event(), []
    first, second = opened(host, 2)

    def forks(match, work):
        return started(lambda: host._context.run(match, lambda live: Then(work)))

    making = forks(first.match, lambda live: gate.wait(TIMEOUT_S))
    wait_until(lambda: host._context.judge._turn is None and not waiting(host))
    behind = forks(second.match, lambda live: order.append("fork"))
    wait_until(lambda: waiting(host))
    command = Thread(target=lambda: order.append(act(host, second.match, second.keys).seq >= 0), daemon=True)
    command.start()
    command.join(1)
    gate.set()
    ended(making, behind, command)
    assert order == [True, "fork"]


@pytest.mark.parametrize("count", [3, 3 * MAX_READING])
def test_what_waits_for_a_thread_has_one_as_soon_as_one_is_free(monkeypatch, count):
    """Nobody looks for it meanwhile."""
    monkeypatch.setattr("kifu.core.host.judge.STUCK_S", TIMEOUT_S)
    store, gate, done = MemoryStore(), Event(), []
    matches = opened(Host(store), MAX_READING + count)
    host = Host(store)
    threads = held_up(host, matches[:MAX_READING], gate)

    def change(match):
        host.rotate_keys(match)
        done.append(match)

    behind = [Thread(target=change, args=(each.match,), daemon=True) for each in matches[MAX_READING:]]
    for each in behind:
        each.start()
    wait_until(lambda: len(waiting(host)) == count)
    gate.set()
    ended(*threads)
    for each in behind:
        each.join(5)
    assert len(done) == count


def test_what_cannot_be_told_of_a_match_is_told_to_its_caller_and_holds_up_nobody(monkeypatch):
    """Those that are told what was stored may fail, as where memory is short: the others of the transaction waited."""
    host = Host(MemoryStore())
    one, other = opened(host, 2)
    judge, failed = host._context.judge, []

    def stored(live, stored=judge._stored):
        if live.id == one.match and not failed:
            failed.append(live.id)
            raise MemoryError
        stored(live)

    monkeypatch.setattr(judge, "_stored", stored)
    raised = []

    def change():
        try:
            host._context.run(one.match, lambda live: None)
        except MemoryError:
            raised.append(True)

    threads = [
        Thread(target=change, daemon=True),
        Thread(target=lambda: act(host, other.match, other.keys), daemon=True),
    ]
    for each in threads:
        each.start()
    ended(*threads)
    assert (failed, raised) == ([one.match], [True])
    for each in (one, other):
        assert act(host, each.match, each.keys).seq >= 0


def test_rules_that_try_to_end_the_program_end_no_thread_that_judges_for_others():
    """The command of the thread that judged waited again, and its caller was told to exit."""
    exits = Event()

    def apply(state, seat, command):
        if exits.is_set() and seat == 0:
            raise SystemExit
        return GAME.apply(state, seat, command)

    store = Gated()
    game = evolve(GAME, apply=apply)
    host, told = Host(store, find=lambda name: game), {}
    held, innocent, exiting = opened(host, 3)
    while 0 not in host.observe(exiting.match).to_act:
        act(host, exiting.match, exiting.keys)
    seen = host.observe(exiting.match, exiting.keys[0])
    command = exiting.match, exiting.keys[0], seen.legal[0], seen.count

    def change(name, work):
        try:
            told[name] = work()
        except BaseException as raised:
            told[name] = type(raised)

    store.hold()
    threads = [started(lambda: host.force_abandon(held.match))]
    assert store.entered.wait(TIMEOUT_S)
    for number, (name, work) in enumerate(
        [("innocent", lambda: host.rotate_keys(innocent.match)), ("exiting", lambda: host.submit(*command))], 1
    ):
        threads.append(started(lambda name=name, work=work: change(name, work)))
        wait_until(lambda number=number: len(waiting(host)) == number)
    exits.set()
    store.gate.set()
    ended(*threads)
    exits.clear()
    assert (told["exiting"], isinstance(told["innocent"], type)) == (StoreError, False)
    assert act(host, exiting.match, exiting.keys).seq == seen.count
