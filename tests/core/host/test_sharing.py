"""Several hosts share what is due, in a fair order; none does what another does, and what a dead one left is done."""

from time import time_ns
from unittest.mock import Mock, call

import pytest
from kifu.core.host import Host, Terms, live_match
from kifu.core.host.metadata import metadata_of
from kifu.core.host.scheduler import BOT_LEASE_MS, LEASE_MS, MAX_DEADLINES, POLL_S
from kifu.core.host.threads import StoreClock
from kifu.core.stores import Claim, Due, MemoryStore, Schedule, open_store


@pytest.mark.parametrize("in_turn", [True, False])
def test_a_host_asks_a_bot_only_at_the_events_that_it_claimed(make_host, clock, in_turn):
    """An event falls between its claim and its reading of the match, and another host claims what is due then."""
    store, asked = MemoryStore(), {"one": [], "other": []}

    def of(name):
        return make_host(store, bots={"bot": lambda info_state: asked[name].append(info_state) or info_state.legal[0]})

    one, other = of("one"), of("other")
    opened = one.open("take_and_share", [None, None, "c"], terms=Terms(bots=dict.fromkeys(range(2), "bot")))
    clock.now += 60_000
    claim = store.claim

    def claims(*args, **more):
        found = claim(*args, **more)
        if found and not asked["other"]:
            store.claim = claim
            store.commit([Schedule(opened.match, 1, Due(clock.now, True))])
            other.run_due(1)  # it asks, and appends an event, after which the next bot's turn is due
            clock.now += 60_000
            assert [each.count for each in claim(clock.now, clock.now + BOT_LEASE_MS, 1, is_bot=True)] == [2]
        return found

    store.claim = claims
    if in_turn:
        one.run_due(1)
    else:
        one._scheduler._round(None)
        turn = one._scheduler.turns.get(0)
        one._scheduler._run(turn.claim, is_bot=True)
    assert (len(asked["other"]), len(asked["one"])) == (1, 0)


def test_an_idle_host_asks_the_store_one_question(make_host):
    store = Mock(wraps=MemoryStore())
    host = make_host(store)
    host.open("take_and_share", ["a", "b", "c"], terms=Terms(turn_limit_ms=10**9))
    store.reset_mock()
    assert host._scheduler._round(None) == POLL_S
    assert store.mock_calls == [call.earliest_due()]


def test_a_fork_has_the_opener_of_its_match(make_host):
    store = MemoryStore()
    host = make_host(store)
    opened = host.open("take_and_share", ["a", "b", "c"], opener="someone")
    host.force_abandon(opened.match)
    fork = host.fork(opened.match, opened.keys[0], 1).fork
    assert metadata_of(store.read(fork).row, fork).opener == "someone"


@pytest.mark.ci
def test_a_fork_is_not_folded_a_second_time(table, make_host, monkeypatch):
    host = make_host()
    at = table("take_and_share", 3, at=host)
    at.play_on()
    folded = []
    read = live_match.read_bytes
    monkeypatch.setattr(live_match, "read_bytes", lambda *args: folded.append(args) or read(*args))
    fork = host.fork(at.match, at.keys[0], 5).fork
    assert not folded
    assert host.run_due() is None
    assert not folded, "nothing is ever due in it"
    assert host.observe(fork).count == 5


def test_a_thread_of_deadlines_waits_for_no_bot(make_host, clock):
    """When a match is forked, what is due in it first, a bot's turn or a deadline, is not known."""
    store, called = MemoryStore(), []
    host = make_host(store, bots={"bot": lambda info_state: called.append(info_state) or info_state.legal[0]})
    opened = host.open("take_and_share", [None, "b", "c"], terms=Terms(bots={0: "bot"}, bot_delay_ms=0))
    host.force_abandon(opened.match)
    fork = host.fork(opened.match, opened.keys[1], 1).fork
    (claim,) = store.claim(clock.now, clock.now + LEASE_MS, 1, is_bot=False)
    assert claim == Claim(fork, 1)
    host._scheduler._run(claim, is_bot=False)
    assert not called
    host.run_due()
    assert len(called) == 1


def test_a_host_claims_no_more_deadlines_than_it_can_meet_and_none_that_has_lapsed(table, make_host, clock):
    class Later:
        """An executor that does not get to its work."""

        def __init__(self):
            self.works = []

        def submit(self, work, *args):
            self.works.append(lambda: work(*args))

    host, later = make_host(), Later()
    tables = [table("take_and_share", 3, at=host, terms=Terms(turn_limit_ms=5000)) for _ in range(MAX_DEADLINES + 9)]
    clock.now += 5000
    host._scheduler._round(later)
    host._scheduler._round(later)
    assert len(later.works) == MAX_DEADLINES
    clock.now += LEASE_MS
    for work in later.works:
        work()
    assert {each.count for each in tables} == {1}, "another host may be at them"
    host._scheduler._round(later)
    for work in later.works[MAX_DEADLINES:]:
        work()
    assert sum(each.count - 1 for each in tables) == MAX_DEADLINES


def machine(store_ms, wall_ms, running_ms):
    """Return the clock of a host: of the store, the machine's own, and how long that has run; each in a list."""
    return StoreClock(lambda: store_ms[0], lambda: wall_ms[0] * 10**6, lambda: running_ms[0] * 10**6)


def test_the_clock_is_the_store_s_whatever_the_machine_s_shows():
    store, wall, running = [10**12], [10**12 + 600_000], [77]
    clock = machine(store, wall, running)
    assert clock() == 10**12
    assert clock.skew_ms == 600_000
    wall[0] += 3_600_000
    running[0] += 5000
    assert clock() == 10**12 + 5000
    store[0] += 6000
    clock.ask()
    assert clock() == 10**12 + 6000
    store[0] -= 2000
    clock.ask()
    assert clock() == 10**12 + 6000, "it stands still until they agree"
    running[0] += 3000
    assert clock() == 10**12 + 7000
    store[0], wall[0] = store[0] - 3_600_000, store[0] - 3_600_000
    clock.ask()
    assert clock.skew_ms == 3_603_000, "and says so: a host that begins now goes by another time"
    running[0] += 1000
    assert clock() == 10**12 + 8000, "it goes on where the store's is put back by much"


def test_an_answer_that_took_long_tells_no_time_but_the_first():
    running, store = [0], [10**12]

    def slow():
        running[0] += 2000
        return store[0]

    clock = StoreClock(slow, lambda: 0, lambda: running[0] * 10**6)
    assert clock() == 10**12
    store[0] += 60_000
    clock.ask()
    assert clock() == 10**12 + 2000


@pytest.mark.parametrize("off_s", [600, -600])
@pytest.mark.parametrize("kind", ["memory:", "sqlite:"])
def test_a_host_whose_clock_is_off_ends_no_turn(kind, off_s, tmp_path):
    """It is told so, and goes by the store's."""
    address = kind if kind == "memory:" else f"sqlite:{tmp_path / 'kifu.db'}"
    store = open_store(address)
    right = Host(store)
    opened = right.open("take_and_share", ["a", "b", "c"], terms=Terms(turn_limit_ms=60_000))
    other = store if kind == "memory:" else open_store(address)
    wrong = Host(other, clock=StoreClock(other.now_ms, lambda: time_ns() + off_s * 10**9))
    assert 0 < wrong.run_due() - right._context.clock() <= 60_000
    assert wrong.about(opened.match).count == 1
    assert abs(wrong.clock_skew_ms - off_s * 1000) < 5000
    store.close()
    other.close()


def test_a_lease_is_short_enough_for_the_promise():
    assert LEASE_MS < 2000 < BOT_LEASE_MS
