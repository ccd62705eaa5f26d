"""What a match keeps secret stays so while a match that shares its deals goes on, whatever door is tried."""

from __future__ import annotations

import pytest
from attrs import evolve
from kifu.core.errors import MatchError
from kifu.core.host import Host, Terms
from kifu.core.host.metadata import is_closed
from kifu.core.log import read_bytes
from kifu.core.match.bot import random_bot
from kifu.core.stores.maintenance import expire


def forked(at, events):
    """Return the fork that all players agree to."""
    return at.agree(at.fork(0, events)).fork


def end(at, match):
    """End a match by the consent of all players."""
    of_it = evolve(at, match=match)
    of_it.agree(of_it.abandon(0))


def is_open(host: Host, match, key=None):
    """Return whether a match tells what was hidden; all doors agree."""
    if not (closed := host.observe(match, key).closed):
        assert host.log(match)
        assert host.record(match, key)
        return True
    for ask in (lambda: host.log(match), lambda: host.record(match, key)):
        with pytest.raises(MatchError, match="goes on"):
            ask()
    return not closed


@pytest.mark.parametrize("game", ["palace", "gosne", "take_and_share"])
def test_one_who_plays_alone_learns_no_hand_by_a_fork(make_host, table, game):
    host = make_host(bots={"random": random_bot(bytes(32))})
    at = table(game, 4 if game == "gosne" else 3, at=host, terms=Terms(bots={1: "random", 2: "random"}))
    fork = forked(at, at.count)
    end(at, fork)
    assert host.about(fork).status == "abandoned"
    assert not is_open(host, fork)
    end(at, at.match)
    assert is_open(host, fork)
    assert is_open(host, at.match)


def test_a_parent_that_has_ended_stays_closed_until_its_forks_and_theirs_have(table):
    at = table("take_and_share", 3)
    first = forked(at, 1)
    grandchild = forked(evolve(at, match=first), 1)
    second = forked(at, 1)
    for ended in (at.match, first, second):
        end(at, ended)
        assert not is_open(at.host, ended)
    end(at, grandchild)
    assert all(is_open(at.host, each) for each in (at.match, first, second, grandchild))


def test_a_match_that_was_over_is_closed_again_while_it_is_played_on(table):
    at = table("take_and_share", 3)
    at.play_on()
    assert is_open(at.host, at.match)
    fork = forked(at, 3)
    assert not is_open(at.host, at.match)
    end(at, fork)
    assert is_open(at.host, at.match)


def test_a_fork_from_before_the_deal_shares_nothing(table):
    at = table("take_and_share", 3)
    fork = forked(at, 0)
    end(at, fork)
    assert is_open(at.host, fork)


@pytest.mark.parametrize("order", [[0, 1, 2], [2, 1, 0], [2, 0, 1], [1, 2, 0]])
def test_a_fork_that_was_imported_closes_those_before_it_whichever_came_first(make_host, table, order):
    at = table("take_and_share", 3)
    matches = [at.match]
    for _ in range(2):
        matches.append(forked(evolve(at, match=matches[-1]), 1))
    for ended in matches[:2]:
        at.host.force_abandon(ended)
    other = make_host()
    for number in order:
        other.import_log(at.host.export_log(matches[number]))
    assert not any(is_open(other, each) for each in matches[:2])
    other.force_abandon(matches[2])
    assert all(is_open(other, each) for each in matches)
    assert read_bytes(other.log(matches[2])).ok


def test_what_has_expired_opens_nothing(table):
    at = table("take_and_share", 3)
    first = forked(at, 1)
    for ended in (forked(evolve(at, match=first), 1), first):
        end(at, ended)
    old = at.host._context.store, 10**9, {"abandoned": 0}, is_closed
    assert not list(expire(*old))
    end(at, at.match)
    assert len(list(expire(*old))) == 3


def test_what_may_be_looked_at_once_stays_closed_with_the_cards(table):
    at = table("mabr", 2)
    while not any(note.momentary for entry in at.history(0) for note in entry.notes):
        at.play_on(1)
    at.play_on(1)
    fork = forked(at, at.count)
    end(at, fork)

    def told(match):
        history = at.host.history(match, at.keys[0])
        return any(note.momentary for entry in history[:-1] for note in entry.notes)

    assert not told(fork)
    with pytest.raises(MatchError, match="goes on"):
        at.host.observe(fork, at.keys[0], 2)
    end(at, at.match)
    assert told(fork)
    assert at.host.observe(fork, at.keys[0], 2).view.look
