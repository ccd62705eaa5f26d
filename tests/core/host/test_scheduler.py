"""Bots, stand-ins and turn limits: who acts for a seat, when, and what the history says of it."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from threading import Event
from unittest.mock import Mock

import attrs
import pytest
from kifu.core.errors import MatchError
from kifu.core.host import STAND_IN, Host, Terms, is_stand_in
from kifu.core.host.scheduler import BOT_LEASE_MS, BOT_THREADS, IDLE_S
from kifu.core.host.threads import Threads
from kifu.core.log import read_bytes
from kifu.core.stores import Claim, MemoryStore
from kifu.games.cake.view import View
from kifu.games.take_and_share.model import Play

from .conftest import alone
from .failing import Scarce

TIMEOUT_S = 120


def last(info_state):
    return info_state.legal[-1]


def throws(info_state):
    raise ZeroDivisionError


def nonsense(info_state):
    return "play a card"


def another(info_state):
    """Return a command that the rules forbid."""
    return Play(card=next(card for card in range(101, 999) if Play(card=card) not in info_state.legal))


def leaves(info_state):
    raise SystemExit


class Strange:
    """A value that cannot be compared."""

    def __eq__(self, other):
        raise RuntimeError

    __hash__ = None


BOTS = {"last": last, "throws": throws, "nonsense": nonsense, "another": another, "leaves": leaves}
BOTS["strange"] = lambda info_state: Strange()


def actors(at):
    return [each.actor for each in at.history() if each.seat != -1]


@pytest.mark.parametrize("bot", BOTS)
def test_a_match_of_bots_is_played_to_its_end_whatever_one_of_them_does(make_host, table, bot):
    host = make_host(bots=BOTS)
    at = table("take_and_share", 3, at=host, terms=Terms(bots={0: "last", 1: bot, 2: "last"}, bot_delay_ms=0))
    assert at.keys == [None] * 3
    assert at.about.seats[::2] == ("last", "last 3" if bot == "last" else "last 2")
    assert host.run_due() is None
    assert at.observe().result is not None
    acted = "last" if bot == "last" else f"stand-in for {bot}"
    assert [each.actor for each in at.history()[1:4]] == ["last", acted, "last"]
    assert set(actors(at)) == {"last", acted}
    assert at.observe().absent == frozenset()
    assert read_bytes(host.log(at.match)).ok


def test_a_bot_that_times_out_is_not_called_again(make_host, table):
    let_go, called = Event(), []

    def stalls(info_state):
        called.append(info_state.seat)
        let_go.wait(TIMEOUT_S)
        return info_state.legal[0]

    host = make_host(bots={"stalls": stalls}, bot_timeout_ms=20)
    at = table("take_and_share", 3, at=host, terms=Terms(bots={1: "stalls"}, bot_delay_ms=0))
    while at.observe().to_act:
        host.run_due()
        if others := at.observe().to_act - {1}:
            at.play(min(others))
    let_go.set()
    assert called == [1]
    assert {each.actor for each in at.history() if each.seat == 1} == {"stand-in for stalls"}


def test_a_bot_waits_its_delay(make_host, table, clock):
    host = make_host(bots=BOTS)
    at = table("take_and_share", 3, at=host, terms=Terms(bots={1: "last"}, bot_delay_ms=700, turn_limit_ms=60_000))
    assert host.run_due() == at.observe().deadline_at_ms == clock.now + 60_000
    at.play(0)
    assert host.run_due() == clock.now + 700
    assert at.observe().to_act == {1}
    assert at.observe().deadline_at_ms is None, "the limit is the players'"
    clock.now += 699
    host.run_due()
    assert at.observe().to_act == {1}
    clock.now += 1
    host.run_due()
    assert at.observe().to_act == {2}


@pytest.mark.parametrize("delay_ms", [0, 700, 3000])
def test_the_moment_of_a_bot_tells_nothing_of_its_hand(make_host, table, clock, delay_ms):
    """However long a bot thinks, as of one legal command and of many, it is heard as long after its turn began."""
    thought = []

    def thinks(info_state):
        thought.append(1 if len(info_state.legal) == 1 else 50 * len(info_state.legal))
        clock.now += thought[-1]
        return info_state.legal[0]

    host = make_host(bots={"thinks": thinks}, bot_pace_ms=1000)
    terms = Terms(bots=dict.fromkeys(range(3), "thinks"), bot_delay_ms=delay_ms)
    at = table("take_and_share", 3, at=host, terms=terms)
    while (due_ms := host.run_due()) is not None:
        clock.now = max(clock.now, due_ms)
    entries = [each for each in at.history() if each.seat != -1]
    told = {later.elapsed_ms - before.elapsed_ms for before, later in pairwise(entries)}
    assert len(set(thought)) > 3
    assert told == {max(delay_ms, 1000)}


def test_what_a_bot_has_chosen_is_not_played_once_its_turn_is_another(make_host, table, clock):
    host = make_host(bots={"last": last}, bot_pace_ms=1000)
    at = table("take_and_share", 3, at=host, terms=Terms(bots={1: "last"}, bot_delay_ms=0))
    at.play(0)
    assert host.run_due() == clock.now + 1000
    by_consent(at, 0, 0)
    at.play(0)
    clock.now += 1000
    due_ms = host.run_due()
    assert [each.seat for each in at.history()][2:] == [-1, 0]
    clock.now = due_ms
    host.run_due()
    assert [each.seat for each in at.history()][2:] == [-1, 0, 1]


def test_a_bot_has_only_what_its_seat_knows(make_host, table):
    info_states = []

    def spies(info_state):
        info_states.append(info_state)
        return info_state.legal[0]

    host = make_host(bots={"spies": spies})
    at = table("cake", 3, at=host, terms=Terms(bots={2: "spies"}, bot_delay_ms=0))
    for _ in range(12):
        host.run_due()
        if others := at.observe().to_act - {2}:
            at.play(min(others))
    assert len(info_states) > 3
    match = read_bytes(host.export_log(at.match)).match
    for info_state in info_states:
        count = len(info_state.history)
        assert (info_state.seat, info_state.view) == (2, match.at(count - 1).view(2))
        for step, each in zip(match.steps, info_state.history, strict=False):
            assert (each.seq, each.seat) == (step.seq, step.seat)
            assert (each.command, each.notes) == (step.command_for(2), step.notes_for(2))
        kinds = {type(each) for each in attrs.astuple(info_state, recurse=False)}
        assert kinds == {type(match.game), int, bool, View, tuple}


def test_the_stand_in_acts_after_the_turn_limit_and_is_marked(make_host, table, clock):
    host = make_host(stand_in=last)
    at = table("take_and_share", 3, at=host, terms=Terms(turn_limit_ms=5000))
    begun = clock.now
    assert at.observe().deadline_at_ms == begun + 5000
    assert host.run_due() == begun + 5000
    expected = at.observe(0).legal[-1]
    clock.now += 5000
    assert host.run_due() == clock.now + 5000
    entry = at.history()[-1]
    assert (entry.seat, entry.command, entry.actor, entry.elapsed_ms) == (0, expected, STAND_IN, 5000)
    assert at.observe().absent == {0}
    while at.observe().to_act != {0}:
        at.play(min(at.observe().to_act))
    at.play(0)
    assert at.observe().absent == frozenset()


@pytest.mark.parametrize(("stand_in", "actor"), [(None, STAND_IN), (throws, "stand-in for stand-in")])
def test_without_a_stand_in_or_where_it_fails_a_host_plays_at_random(make_host, table, clock, stand_in, actor):
    host = make_host(stand_in=stand_in)
    at = table("mabr", 3, at=host, terms=Terms(turn_limit_ms=1))
    for _ in range(10):
        clock.now += 1
        host.run_due()
    assert set(actors(at)) == {actor}
    assert is_stand_in(actor)


def by_consent(at, seat, to):
    """Take back to an event with the consent of all."""
    at.agree(at.take_back(seat, to))


def test_votes_that_were_undone_before_give_nobody_more_time_either(table, make_host, clock):
    """The seat takes back only its own vote each time, though others' votes lie between in the log."""
    at = table("cake", 4, at=make_host(), terms=Terms(turn_limit_ms=5000))
    observation = at.play_until(lambda observation: len(observation.to_act) > 2)
    one, other, *_ = sorted(observation.to_act)
    at.play(one)
    at.play(other)
    by_consent(at, one, observation.count - 1)
    deadline = at.observe().deadline_at_ms
    for _ in range(4):
        clock.now += 1000
        at.play(one)
        assert at.take_back(one, observation.count - 1).status == "accepted"
        assert at.observe().deadline_at_ms == deadline


def test_what_is_taken_back_by_consent_or_restored_gives_time_anew(table, make_host, clock):
    """The seat that is to act once all have voted was not to act meanwhile."""
    at = table("cake", 4, at=make_host(), terms=Terms(turn_limit_ms=5000))
    voters = sorted(at.play_until(lambda observation: len(observation.to_act) > 2).to_act)
    for seat in voters:
        at.play(seat)
    last, to_act = at.count - 1, at.observe().to_act
    clock.now += 3000
    by_consent(at, voters[0], last - 1)
    assert at.observe().to_act == {voters[-1]}
    at.play(voters[-1])
    clock.now += 1000
    by_consent(at, voters[0], last)
    assert at.observe().to_act == to_act
    assert at.observe().deadline_at_ms == clock.now + 5000
    clock.now += 4000
    by_consent(at, voters[0], -1)
    assert at.observe().deadline_at_ms == clock.now + 5000


def test_a_stand_in_acts_for_a_bot_that_this_host_lacks(table, make_host):
    store = MemoryStore()
    at = table("take_and_share", 3, at=make_host(store, bots=BOTS), terms=Terms(bots={0: "last"}, bot_delay_ms=0))
    make_host(store).run_due()
    assert actors(at) == ["stand-in for last"]


def test_a_clock_that_is_put_back_hides_no_match(table, make_host, clock):
    store = MemoryStore()
    opens, schedules = (make_host(store, bots=BOTS) for _ in range(2))
    schedules.run_due()
    clock.now -= 500_000
    at = table("cake", 3, at=opens, terms=alone("last"))
    schedules.run_due()
    assert at.count > 1


@pytest.mark.parametrize("name", ["x" * 65, "\ud800", "", None, "stand-in", "stand-in for me", "new key"])
def test_a_bot_has_a_name_that_a_log_takes(make_host, name):
    with pytest.raises(MatchError, match=r"a name is|letters that nobody sees|pass for a (stand-in|player)"):
        make_host(bots={name: last})


def test_terms_name_bots_that_are_there(make_host):
    with pytest.raises(MatchError, match="there are: another, last, leaves"):
        make_host(bots=BOTS).open("cake", 3, terms=Terms(bots={1: "nobody"}))


def one_round():
    """Return an event that is set once it was asked for."""
    return Mock(is_set=Mock(side_effect=[False, True]))


def test_a_bot_whose_thread_is_not_to_be_had_now_ends_no_thread_of_the_scheduler():
    threads = Scarce()
    host = Host(MemoryStore(), bots=BOTS, threads=threads)
    match = host.open("take_and_share", 3, terms=alone("last")).match
    host._scheduler._round(None)
    threads.are_there = False
    host._scheduler._work(one_round())
    assert host.about(match).count == 1
    threads.are_there = True
    host._scheduler._enqueue(Claim(match, 1), host._context.clock() + BOT_LEASE_MS)
    host._scheduler._work(one_round())
    assert host.about(match).count == 2


@pytest.mark.ci
def test_a_round_that_no_thread_is_there_for_is_not_the_last(monkeypatch):
    scheduler, stop = Host(MemoryStore())._scheduler, Event()
    rounds = Mock(side_effect=[RuntimeError("can't start new thread"), 0])
    monkeypatch.setattr(scheduler, "_round", rounds)
    monkeypatch.setattr(scheduler, "_wait", lambda seconds: rounds.call_count == 2 and stop.set())
    scheduler.run(stop)
    assert rounds.call_count == 2


@pytest.mark.ci
@pytest.mark.parametrize("there", [0, 1, 2])
def test_a_scheduler_starts_each_of_its_threads_once_however_late_they_are_to_be_had(monkeypatch, there):
    class Few(Threads):
        left, names = there, []

        def start(self, work, name):
            if self.left == 0:
                raise RuntimeError("can't start new thread")
            self.left -= 1
            self.names = [*self.names, name]
            return super().start(work, name)

    threads, stop, waits = Few(), Event(), []
    scheduler = Host(MemoryStore(), threads=threads)._scheduler

    def wait(seconds):
        waits.append(seconds)
        threads.left = 9
        if len(waits) == 3:
            stop.set()

    monkeypatch.setattr(scheduler, "_wait", wait)
    scheduler.run(stop)
    started = [name for name in threads.names if name in ("kifu bots", "kifu witnesses")]
    assert sorted(started) == ["kifu bots"] * BOT_THREADS + ["kifu witnesses"]


def test_an_event_loop_rests_while_another_host_has_what_is_due():
    store, rests = MemoryStore(), 4
    store.claim, store.earliest_due = Mock(return_value=()), Mock(return_value=1)

    async def run():
        running = asyncio.create_task(Host(store).run_here())
        await asyncio.sleep(rests * IDLE_S)
        running.cancel()

    asyncio.run(run())
    assert 2 <= store.earliest_due.call_count <= rests + 3
