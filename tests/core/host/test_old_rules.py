"""A match that a host of older days began: it is shown, forked or called off, and never played on under its header."""

from __future__ import annotations

from pathlib import Path

import pytest
from kifu.core.errors import MatchError
from kifu.core.game import Takeback
from kifu.core.header import Fork
from kifu.core.host import Host, Terms
from kifu.core.host.keys import hashed
from kifu.core.host.papers import Papers, sheet_of
from kifu.core.log import read_bytes
from kifu.core.log.objects import Objects
from kifu.core.stores import MemoryStore

from ..log.pebbles import GAME, Take

RAW = (Path(__file__).parents[1] / "log" / "versions" / "one.log").read_bytes()
HEAD, *EVENTS, END = [RAW[start:end] for _, start, end in Objects(RAW)]
KEYS = ("Aki's", "Ren's")


@pytest.fixture
def store():
    """What a host left of a match that it began under the first rules."""
    store = MemoryStore()
    header = read_bytes(RAW, lambda name: GAME).header
    terms = Terms(limit=1000)
    papers = Papers(header.seats, tuple(map(hashed, KEYS)), {"stones": 12}, terms, opened=0)
    store.create("old", HEAD, sheet_of(papers, "pebbles", "going", 0, 0))
    store.append("old", 0, EVENTS[:2])
    return store


@pytest.fixture
def host(store, clock):
    return Host(store, find=lambda name: GAME, clock=clock)


def test_it_is_shown_and_not_played_on(host, store):
    look = host.look("old", KEYS[0])
    assert (look.count, len(host.seen("old"))) == (2, 2)
    with pytest.raises(MatchError, match="rules version 1, today's is 3: fork it"):
        host.submit("old", KEYS[0], look.legal[0], 2)
    with pytest.raises(MatchError, match="fork it"):
        host.take_back("old", KEYS[0], 0)
    assert host.tend() is None
    assert store.read("old").count == 2


def test_what_a_host_of_older_days_adds_is_shown(host, store):
    """Hosts are brought up to date one after the other, over the same store."""
    assert host.look("old").count == 2
    for seq, raw in enumerate(EVENTS[2:], 2):
        store.append("old", seq, [raw])
        assert host.look("old").count == seq + 1
        assert isinstance(host.seen("old")[-1].sighting, Take | Takeback)
    store.append("old", len(EVENTS), [], end=END)
    assert host.look("old").result.points == (7, 5)


def test_it_is_forked_and_goes_on_under_the_rules_of_today(host, store):
    number = host.fork("old", KEYS[0], 2).number
    fork = host.agree("old", KEYS[1], number).fork
    header = read_bytes(host.copy(fork), lambda name: GAME).header
    assert (header.rules, header.layout, header.fork, header.options.last) == (3, 3, Fork("old", 1), "wins")
    for seq in range(2, 20):
        asked = host.look(fork).to_act
        if asked:
            host.submit(fork, KEYS[min(asked)], Take(1), seq)
    assert host.about(fork).status == "over"
    assert read_bytes(host.log(fork), lambda name: GAME).ok


def test_it_is_called_off(host):
    host.call_off("old")
    assert host.about("old").status == "abandoned"
    assert read_bytes(host.log("old"), lambda name: GAME).ok
