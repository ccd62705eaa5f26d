"""A host that is killed between two transactions of its store: what it began is completed, or never happened."""

from __future__ import annotations

import pytest
from kifu.core.errors import MatchError
from kifu.core.log import read_bytes

from .failing import Failing, failed

MAX_CHANGES = 4
"""More transactions than any of these calls makes."""


@pytest.fixture
def store():
    return Failing()


@pytest.fixture
def at(table, make_host, store):
    return table("take_and_share", 3, at=make_host(store))


@pytest.mark.parametrize("left", range(MAX_CHANGES))
def test_a_fork_that_all_accepted_is_made_once(store, at, left):
    at.play_on(5)
    number = at.fork(0, 3).number
    at.accept(1, number)
    if failed(store, left, lambda: at.accept(2, number)):
        (proposal,) = at.observe().proposals
        if not proposal.waiting_for:
            with pytest.raises(MatchError, match="accepted by all"):
                at.reject(0, number)
        at.accept(2, number)
    (proposal,) = at.observe().proposals
    assert (proposal.status, proposal.accepted_by) == ("accepted", (0, 1, 2))
    assert {match for match, _ in store.list()} == {at.match, proposal.fork}
    assert at.host.observe(proposal.fork, at.keys[1]).count == 3
    assert read_bytes(at.host.export_log(proposal.fork)).ok


def test_new_keys_do_not_end_a_fork_that_all_accepted(store, at):
    number = at.fork(0, 1).number
    at.accept(1, number)
    assert failed(store, 1, lambda: at.accept(2, number)), "its host is killed before it is made"
    at.host.rotate_keys(at.match, [0])
    fork = at.accept(2, number).fork
    assert [each.status for each in at.observe().proposals] == ["accepted"]
    assert {match for match, _ in store.list()} == {at.match, fork}


def test_a_fork_is_not_made_if_one_rejects_while_the_last_accepts(store, at, make_host):
    other = make_host(store)
    number = at.fork(0, 1).number
    at.accept(1, number)
    commit, store.commit = store.commit, lambda changes: rejected_first(changes)

    def rejected_first(changes):
        store.commit = commit
        other.reject(at.match, at.keys[0], number)
        return commit(changes)

    with pytest.raises(MatchError, match="rejected already"):
        at.accept(2, number)
    assert [match for match, _ in store.list()] == [at.match]
