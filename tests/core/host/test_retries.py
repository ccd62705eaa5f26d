"""What the host does again, and what it does not: a change is never made twice."""

from __future__ import annotations

import pytest
from attrs import evolve
from kifu.core.errors import GameError, StoreError
from kifu.core.host import Terms, scheduler
from kifu.core.stores import MemoryStore
from kifu.games.take_and_share import GAME


class Deaf(MemoryStore):
    """A store that makes a change and then fails, as if the connection broke before its answer."""

    breaks = False

    def append(self, *args, **more):
        super().append(*args, **more)
        if self.breaks:
            self.breaks = False
            raise StoreError("deaf", "the connection broke")


def submit(at, idempotency_key=None):
    observation = at.observe(0)
    return at.host.submit(at.match, at.keys[0], observation.legal[0], observation.count, idempotency_key)


def test_a_stored_command_is_not_tried_again_if_the_next_deadline_cannot_be_set(table, monkeypatch):
    at = table(terms=Terms(turn_limit_ms=1000))
    count = at.count

    def fails(*_):
        raise StoreError("?", "away")

    monkeypatch.setattr(scheduler, "due_of", fails)
    assert submit(at).seq == count
    assert at.count == count + 1


def test_a_command_that_may_be_stored_is_not_tried_again(table, make_host):
    store = Deaf()
    at = table(at=make_host(store))
    count = at.count
    store.breaks = True
    with pytest.raises(StoreError):
        submit(at)
    assert at.count == count + 1


def test_a_stored_command_is_not_tried_again_if_its_notes_cannot_be_made(table, make_host):
    fails = [0]

    def fails_twice(step, viewer):
        if fails[0]:
            fails[0] -= 1
            raise ValueError
        return GAME.explain(step, viewer)

    failing = evolve(GAME, explain=fails_twice)
    at = table(at=make_host(find=lambda name: failing))
    count, fails[0] = at.count, 2  # for the witness, which is left out, and for the receipt
    with pytest.raises(GameError):
        submit(at)
    assert at.count == count + 1


def test_a_repeated_submission_after_a_broken_connection_returns_the_receipt(table, make_host):
    store = Deaf()
    at = table(at=make_host(store))
    observation = at.observe(0)
    store.breaks = True
    for _ in range(2):
        try:
            receipt = at.host.submit(at.match, at.keys[0], observation.legal[0], observation.count, b"key")
        except StoreError:
            continue
    assert receipt.seq == observation.count
    assert at.count == observation.count + 1
