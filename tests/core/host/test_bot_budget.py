"""Bots that play alone have a budget, and keep nobody's bot waiting."""

from threading import Event, Thread

import pytest
from kifu.core.host import Host, Terms
from kifu.core.host.bots import BURST_S, BotTurn, Budget, FairQueue
from kifu.core.host.scheduler import MAX_TURNS
from kifu.core.stores import Claim, MemoryStore

from .conftest import FIRST, alone
from .writing import TIMEOUT_S, ended, wait_for


def turn(match, *, has_players=False, opener="someone", until_ms=0):
    return BotTurn(Claim(match, 0), opener, has_players, until_ms)


def test_openers_take_turns_and_players_come_first():
    queue = FairQueue()
    for match in ("many0", "many1", "many2"):
        queue.put(turn(match, has_players=True, opener="many"))
    queue.put(turn("bots", opener="other"))
    queue.put(turn("one", has_players=True, opener="one"))
    assert [queue.get(0).match for _ in range(5)] == ["many0", "one", "many1", "many2", "bots"]
    assert queue.get(0) is None
    assert queue.waiting(has_players=True) == queue.waiting(has_players=False) == 0


def test_one_turn_of_bots_alone_is_made_at_a_time():
    queue = FairQueue()
    for match in "ab":
        queue.put(turn(match))
    made = queue.get(0)
    assert (made.match, queue.get(0)) == ("a", None)
    queue.put(turn("c", has_players=True))
    assert queue.get(0).match == "c"
    queue.done(made, 0.0)
    assert queue.get(0).match == "b"


def test_bots_alone_think_for_no_longer_than_their_share():
    budget = Budget(0.25)
    assert budget.is_left(100.0)
    budget.spend(BURST_S + 1)
    assert [budget.is_left(at_s) for at_s in (100.0, 103.9, 104.1)] == [False, False, True]
    assert budget.is_left(10**9)
    budget.spend(BURST_S + 0.1)
    assert not budget.is_left(10**9)


def test_without_budget_only_turns_with_players_are_made():
    queue = FairQueue()
    queue.put(turn("a"))
    queue.done(queue.get(0), 10**9)
    queue.put(turn("b"))
    queue.put(turn("c", has_players=True))
    assert [each and each.match for each in (queue.get(0), queue.get(0))] == ["c", None]
    assert (queue.waiting(has_players=False), queue.waiting(has_players=True)) == (1, 0)


def test_a_match_waits_once_with_its_newest_claim():
    queue = FairQueue()
    for each in (turn("a", until_ms=1), turn("b"), turn("a", until_ms=2)):
        queue.put(each)
    assert queue.waiting(has_players=False) == 2
    taken = queue.get(0)
    assert (taken.match, taken.claimed_until_ms) == ("a", 2)
    queue.put(turn("b", has_players=True))
    assert queue.get(0).has_players
    queue.done(taken, 0.0)
    assert queue.get(0) is None
    assert queue.waiting(has_players=False) == queue.waiting(has_players=True) == 0


@pytest.mark.ci
def test_bots_alone_fill_no_queue(make_host, clock):
    host = make_host(bots=FIRST)
    for _ in range(2 * MAX_TURNS):
        host.open("take_and_share", 3, terms=alone())
    clock.now += 1
    terms = Terms(bots={0: "first"}, bot_delay_ms=0)
    match = host.open("take_and_share", [None, "b", "c"], terms=terms).match
    clock.now += 1
    for _ in range(3):
        host._scheduler._round(None)
    assert host._scheduler.turns.waiting(has_players=False) == 2 * MAX_TURNS
    assert host._scheduler.turns.get(0).match == match


@pytest.mark.parametrize("slow", [{0: "slow"}, dict.fromkeys(range(3), "slow")], ids=["with players", "alone"])
def test_slow_bots_delay_no_deadline_and_nobodys_bot(slow):
    let_go, thinking, stop = Event(), Event(), Event()

    def thinks(info_state):
        thinking.set()
        let_go.wait(TIMEOUT_S)
        return info_state.legal[0]

    host = Host(MemoryStore(), bots={"slow": thinks, **FIRST}, bot_timeout_ms=TIMEOUT_S * 1000)
    running = Thread(target=host.run_scheduler, args=(stop,), daemon=True)
    running.start()
    names = [None, "b", "c"]
    try:
        for _ in range(4 if len(slow) == 3 else 1):
            slowly = host.open("take_and_share", names if len(slow) == 1 else 3, terms=Terms(bots=slow, bot_delay_ms=0))
        assert thinking.wait(TIMEOUT_S)
        timed = host.open("take_and_share", ["a", *names[1:]], terms=Terms(turn_limit_ms=1)).match
        asked = host.open("take_and_share", names, terms=Terms(bots={0: "first"}, bot_delay_ms=0)).match
        wait_for(lambda: host.about(timed).count > 3 and host.about(asked).count == 2)
        assert host.about(slowly.match).count == 1
    finally:
        let_go.set()
        stop.set()
        ended(running)


def test_bots_are_alone_once_all_players_have_left(make_host, table, clock):
    host = make_host(bots=FIRST)
    at = table("take_and_share", 3, at=host, terms=Terms(turn_limit_ms=1000, bots={1: "first"}, bot_delay_ms=0))

    def is_alone():
        host._scheduler._enqueue(Claim(at.match, at.count), 0)
        return not host._scheduler.turns.get(0).has_players

    def go_on(seats):
        for _ in range(seats):
            clock.now += 1000
            host.run_due()

    assert not is_alone()
    while 1 in at.observe().absent or len(at.observe().absent) < 2:
        go_on(1)
    go_on(4)
    assert is_alone()
    while not at.observe().to_act & {0, 2}:
        go_on(1)
    at.play(min(at.observe().to_act))
    while 1 not in at.observe().to_act and at.observe().to_act:
        at.play(min(at.observe().to_act))
    host.run_due()
    assert at.observe().result is None
    host._scheduler.turns.done(turn(at.match), 0.0)
    assert not is_alone()
