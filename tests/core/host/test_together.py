"""Commands that are submitted together: each is stored as alone, and what fails harms no other."""

from __future__ import annotations

import pytest
from kifu.core.errors import StoreError
from kifu.core.host import Host, Receipt, Submission, Terms
from kifu.core.stores import MemoryStore, open_store


class Failing(MemoryStore):
    """A store whose transaction fails when it is told to."""

    fails = False

    def append_together(self, appends):
        if self.fails:
            raise StoreError("failing", "the disk is full")
        return super().append_together(appends)


def submission(at, seat=0, **more):
    observation = at.observe(seat)
    return Submission(at.match, at.keys[seat], observation.legal[0], observation.count, **more)


@pytest.fixture(params=["memory:", "sqlite:{}/live.db"])
def store(request, tmp_path):
    opened = open_store(request.param.format(tmp_path))
    yield opened
    opened.close()


@pytest.fixture
def tables(table, make_host, store):
    host = make_host(store)
    return [table(at=host) for _ in range(3)]


def test_what_is_submitted_together_is_stored_and_acknowledged_as_what_is_submitted_alone(tables, table, make_host):
    host, alone = tables[0].host, table(at=make_host(MemoryStore()))
    single = submission(alone, idempotency_key=b"k")
    receipt = alone.host.submit(single.match, single.key, single.command, single.expected_events, b"k")
    sent = [submission(each, idempotency_key=b"k") for each in tables]
    answers = host.submit_together(sent)
    assert [(each.seq, each.count) for each in answers] == [(receipt.seq, receipt.count)] * 3
    assert [each.count for each in tables] == [receipt.count] * 3
    assert [Host(host._context.store).observe(each.match).count for each in tables] == [receipt.count] * 3
    assert host.submit_together(sent) == answers, "the same key returns the first receipt"
    assert [each.count for each in tables] == [receipt.count] * 3


def test_one_that_is_refused_goes_the_usual_way_and_the_others_are_stored(tables):
    first, second, third = tables
    wrong = Submission(second.match, "no key", None, 1)
    unknown = Submission("nowhere", None, None, 1)
    answers = first.host.submit_together([submission(first), wrong, unknown, submission(third)])
    assert [type(each) for each in answers] == [Receipt, type(None), type(None), Receipt]
    assert isinstance(first.host.submit_together([submission(second)])[0], Receipt), "its match is free"


def test_one_that_is_out_of_date_goes_the_usual_way_and_the_others_are_stored(tables, make_host, store):
    first, second, _ = tables
    sent = [submission(first), submission(second)]
    alone = submission(first, idempotency_key=b"elsewhere")
    make_host(store).submit(alone.match, alone.key, alone.command, alone.expected_events, b"elsewhere")
    answers = first.host.submit_together(sent)
    assert answers[0] is None
    assert isinstance(answers[1], Receipt)
    assert first.count == alone.expected_events + 1


def test_two_commands_of_one_match_are_not_stored_together(tables):
    at = tables[0]
    sent = submission(at)
    answers = at.host.submit_together([sent, sent])
    assert isinstance(answers[0], Receipt)
    assert answers[1] is None


def test_a_match_that_somebody_uses_is_not_waited_for(tables):
    at = tables[0]
    sent = submission(at)
    with at.host._context.locked(at.match):
        assert at.host.submit_together([sent]) == [None]
    assert isinstance(at.host.submit_together([sent])[0], Receipt)


def test_a_transaction_that_fails_is_told_to_all_and_changes_nothing(table, make_host):
    store = Failing()
    host = make_host(store)
    tables = [table(at=host) for _ in range(2)]
    sent, counts = [submission(each) for each in tables], [each.count for each in tables]
    store.fails = True
    assert [type(each) for each in host.submit_together(sent)] == [StoreError] * 2
    assert all(host._context.cache._matches.get(each.match) is None for each in tables)
    store.fails = False
    assert [each.count for each in tables] == counts
    assert all(isinstance(each, Receipt) for each in host.submit_together(sent))


def test_who_waits_for_a_match_is_told_of_a_failure_of_the_store(table, make_host):
    store = Failing()
    at = table(at=make_host(store))
    sent, live, store.fails = submission(at), at.host._context.cache._matches[at.match], True
    (failure,) = at.host.submit_together([sent])
    assert live.failure is failure


def test_no_command_is_begun_too_late_but_the_first(tables):
    sent = [submission(each) for each in tables]
    answers = tables[0].host.submit_together(sent, lambda: True)
    assert [type(each) for each in answers] == [Receipt]


def test_the_next_deadline_is_set(table, make_host):
    at = table(at=make_host(MemoryStore()), terms=Terms(turn_limit_ms=5000))
    before = at.host._context.store.earliest_due()
    at.clock.now += 1000
    at.host._scheduler._woken = False
    assert isinstance(at.host.submit_together([submission(at)])[0], Receipt)
    assert at.host._context.store.earliest_due() == before + 1000
    assert at.host._scheduler._woken
