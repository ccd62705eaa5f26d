"""A store that was restored from a backup: whoever has another history than it finds out, whatever it asks for."""

from __future__ import annotations

import asyncio
import pickle

import pytest
from attrs import evolve
from kifu.core.errors import Conflict, Rewound
from kifu.core.host import AsyncHost
from kifu.core.stores import MemoryStore
from kifu.core.stores.maintenance import copy


@pytest.fixture
def restored(make_host, table):
    """Return a table as it was played, and the same one over a backup from before its last four events."""
    at = table("take_and_share", 3)
    at.play_on(3)
    backup = MemoryStore()
    assert all(each.problem is None for each in copy(at.host._context.store, backup))
    at.play_on(4)
    return at, evolve(at, host=make_host(backup))


def test_whoever_asks_for_events_beyond_the_end_is_told(restored):
    before, after = restored
    count = before.count
    assert after.count == count - 4
    host, match, seat = after.host, after.match, min(after.observe().to_act)
    key = after.keys[seat]
    asked = [
        lambda: host.history(match, key, count),
        lambda: list(host.watch(match, key, count, timeout_ms=1)),
        lambda: asyncio.run(anext(AsyncHost(host).follow(match, key, count))),
        lambda: host.observe(match, key, count),
        lambda: host.submit(match, key, after.observe(seat).legal[0], count),
    ]
    for ask in asked:
        with pytest.raises(Rewound) as told:
            ask()
        assert (told.value.expected, told.value.count) == (count, after.count)
        assert isinstance(told.value, Conflict)
        assert pickle.loads(pickle.dumps(told.value)).count == after.count
    assert host.history(match, key, after.count) == ()
    with pytest.raises(Rewound):  # as it was before it began
        host.observe(host.open("cake", 3).match, None, 1)


def test_a_command_that_was_chosen_in_a_lost_history_is_refused(restored):
    before, after = restored
    while after.count < before.count:  # others play other moves, up to the same count
        seat = min(after.observe().to_act)
        after.play(seat, after.observe(seat).legal[-1])
    seat = min(after.observe().to_act)
    lost, known = before.observe(seat).told().mark, after.observe(seat).told().mark
    command = after.observe(seat).legal[0]
    with pytest.raises(Rewound, match="begin anew from the first"):
        after.host.submit(after.match, after.keys[seat], command, after.count, expected_mark=lost)
    receipt = after.host.submit(after.match, after.keys[seat], command, after.count, b"1", expected_mark=known)
    again = after.host.submit(after.match, after.keys[seat], command, after.count, b"1", expected_mark=lost)
    assert receipt.seq == again.seq, "what was sent again was accepted already"
