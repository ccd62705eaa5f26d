"""A match begun under older rules: it is shown, forked or abandoned, and never played on under its header."""

from __future__ import annotations

from pathlib import Path

import pytest
from kifu.core.errors import MatchError, OptionError
from kifu.core.game import Takeback
from kifu.core.host import Host, Terms
from kifu.core.host.metadata import MatchMetadata, hash_key, row_of
from kifu.core.log import read_bytes
from kifu.core.log.framing import ObjectStream
from kifu.core.match.header import Fork
from kifu.core.stores import Append, Create, MemoryStore, commit_one
from kifu.core.stores.store import Due

from ..log.pebbles import GAME, Take

RAW = (Path(__file__).parents[1] / "log" / "versions" / "one.log").read_bytes()
HEAD, *EVENTS, END = [RAW[start:end] for _, start, end in ObjectStream(RAW)]
KEYS = ("Aki's", "Ren's")


@pytest.fixture
def store():
    """Return a store with a match that was begun under the first rules."""
    store = MemoryStore()
    header = read_bytes(RAW, lambda name: GAME).header
    terms = Terms(turn_limit_ms=1000)
    metadata = MatchMetadata(header.seats, tuple(map(hash_key, KEYS)), {"stones": 12}, terms, opened_at_ms=0)
    commit_one(store, Create("old", HEAD, row_of(metadata, "pebbles", "going", 0, 0)))
    commit_one(store, Append("old", 0, EVENTS[:2], due=Due(0)))
    return store


@pytest.fixture
def host(store, clock):
    return Host(store, find=lambda name: GAME, clock=clock)


def test_it_is_shown_and_not_played_on_and_everybody_is_told_why(host, store):
    """Its turn limit of a second is over since long."""
    why = "it was begun under rules version 1, today's is 3: fork it to go on"
    for key in (None, *KEYS):
        seen = host.observe("old", key)
        assert (seen.status, seen.to_act, seen.legal, seen.open_ended) == ("going", frozenset(), (), False)
        assert (seen.deadline_at_ms, seen.stopped) == (None, why)
        assert (seen.count, len(host.history("old", key)), seen.view is None) == (2, 2, False)
    about = host.about("old")
    assert (about.to_act, about.stopped, about.count) == (frozenset(), why, 2)
    with pytest.raises(MatchError, match="rules version 1, today's is 3: fork it"):
        host.submit("old", KEYS[0], Take(1), 2)
    with pytest.raises(MatchError, match="fork it"):
        host.take_back("old", KEYS[0], 0)
    assert store.earliest_due() == 0
    assert host.run_due() is None
    assert store.earliest_due() is None
    assert store.read("old").count == 2


def test_what_an_older_host_appends_is_shown(host, store):
    """Hosts over the same store are upgraded one after the other."""
    assert host.observe("old").count == 2
    for seq, raw in enumerate(EVENTS[2:], 2):
        commit_one(store, Append("old", seq, [raw]))
        assert host.observe("old").count == seq + 1
        assert isinstance(host.history("old")[-1].command, Take | Takeback)
    commit_one(store, Append("old", len(EVENTS), [], end=END))
    assert host.observe("old").result.points == (7, 5)


def test_it_is_forked_and_goes_on_under_the_current_rules(host, store):
    number = host.fork("old", KEYS[0], 2).number
    fork = host.accept("old", KEYS[1], number).fork
    header = read_bytes(host.export_log(fork), lambda name: GAME).header
    assert (header.rules, header.layout, header.fork, header.options.last) == (3, 3, Fork("old", 1), "wins")
    for seq in range(2, 20):
        to_act = host.observe(fork).to_act
        if to_act:
            host.submit(fork, KEYS[min(to_act)], Take(1), seq)
    assert host.about(fork).status == "over"
    host.force_abandon("old")
    assert read_bytes(host.log(fork), lambda name: GAME).ok


def test_the_last_to_join_is_told_that_the_options_are_of_older_rules(host, store):
    metadata = MatchMetadata((None, "Ren"), (None, hash_key("Ren's")), {"stones": 12}, Terms(), opened_at_ms=0)
    commit_one(store, Create("open", b"", row_of(metadata, "pebbles", "open", 0, 0)))
    for _ in range(2):
        with pytest.raises(MatchError, match="today's rules do not take its options: open it anew"):
            host.join("open", "Aki")
    assert host.about("open").status == "open"
    with pytest.raises(OptionError):
        host.open("pebbles", 2, options={"stones": 12})


def test_the_operator_abandons_it(host):
    host.force_abandon("old")
    assert host.about("old").status == "abandoned"
    assert read_bytes(host.log("old"), lambda name: GAME).ok
