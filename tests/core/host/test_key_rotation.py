"""Key rotation: the operator issues new keys for lost or stolen ones, and the old ones open nothing."""

from __future__ import annotations

import pytest
from kifu.core.errors import KeyRefused, MatchError, NoMatch
from kifu.core.host import Terms
from kifu.core.log import read_bytes
from kifu.core.log.framing import ObjectStream
from kifu.core.stores import Claim, MemoryStore

from .conftest import FIRST
from .failing import Failing, failed


def test_new_keys_open_the_seats_and_the_old_ones_nothing(table):
    at = table("take_and_share", 3)
    at.play_on(4)
    before, old = at.log, list(at.keys)
    opened = at.host.rotate_keys(at.match)
    assert opened.match == at.match
    assert [at.host.seat(at.match, key) for key in opened.keys] == [0, 1, 2]
    assert not set(opened.keys) & set(old)
    for key in old:
        with pytest.raises(KeyRefused):
            at.host.observe(at.match, key)
    assert at.log == before, "the log has not changed"
    one = at.host.rotate_keys(at.match, [1])
    assert [key is not None for key in one.keys] == [False, True, False]
    at.keys[:] = opened.keys[0], one.keys[1], opened.keys[2]
    assert [at.host.seat(at.match, key) for key in at.keys] == [0, 1, 2]
    with pytest.raises(KeyRefused):
        at.host.seat(at.match, opened.keys[1])
    at.play_on(3)


def test_new_keys_take_no_claim_away(make_host, table, clock):
    """Another host may be asking a bot, which would else be asked twice."""
    store = MemoryStore()
    at = table("take_and_share", 3, at=make_host(store, bots=FIRST), terms=Terms(bots={1: "first"}, bot_delay_ms=0))
    at.play(0)
    assert store.claim(clock(), clock() + 5_000, 1, is_bot=True) == [Claim(at.match, at.count)]
    at.host.rotate_keys(at.match)
    assert store.earliest_due() == clock() + 5_000


def test_seats_that_are_free_or_a_bots_get_none(make_host):
    host = make_host(bots=FIRST)
    match = host.open("take_and_share", ["Aki", None, None], terms=Terms(bots={2: "first"})).match
    assert [key is not None for key in host.rotate_keys(match).keys] == [True, False, False]
    for seat in (1, 2, 3, -1):
        with pytest.raises(MatchError, match=f"seat {seat} has no player; seats with one: 0"):
            host.rotate_keys(match, [seat])
    with pytest.raises(MatchError, match="whole number"):
        host.rotate_keys(match, ["0"])
    with pytest.raises(MatchError, match="a list of numbers"):
        host.rotate_keys(match, 0)
    with pytest.raises(NoMatch):
        host.rotate_keys("none")
    assert host.join(match, "Ren").begun


def test_a_watcher_with_an_old_key_is_cut_off(table):
    at = table("take_and_share", 3)
    watching = at.host.watch(at.match, at.keys[0], timeout_ms=60_000)
    assert next(watching).seq == 0
    at.keys[:] = at.host.rotate_keys(at.match).keys
    at.play(0)
    with pytest.raises(KeyRefused):
        next(watching)


def test_a_pending_proposal_expires_and_an_accepted_one_stays(table):
    at = table("take_and_share", 3)
    at.fork(0, 1)
    at.keys[:] = at.host.rotate_keys(at.match, [0, 1, 2]).keys
    assert [proposal.status for proposal in at.observe().proposals] == ["expired"]
    at.play_on()
    fork = at.fork(0, 1).fork
    key = at.host.rotate_keys(at.match, [0]).keys[0]
    assert [(proposal.status, proposal.fork) for proposal in at.observe().proposals] == [("accepted", fork)]
    assert at.host.observe(at.match, key).seat == 0, "the new key opens a match that is over"
    assert at.host.seat(fork, at.keys[0]) == 0, "a fork keeps its own"


@pytest.mark.parametrize("events", [0, 1])
@pytest.mark.parametrize("left", range(3))
def test_an_import_whose_keys_were_never_returned_is_played_on_with_new_ones(table, make_host, left, events):
    at = table("take_and_share", 3)
    raw = at.log[: list(ObjectStream(at.log))[events][2]]
    store = Failing()
    if failed(store, left, lambda: make_host(store).import_log(raw)) and left == 0:
        with pytest.raises(NoMatch):
            make_host(store).rotate_keys(at.match)
        return
    at.host = make_host(store)
    at.keys[:] = at.host.rotate_keys(at.match).keys
    assert at.count == 1, "it is dealt"
    at.play_on()
    assert read_bytes(at.log).ended == "over"
