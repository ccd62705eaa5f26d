"""What a log can hold is known before the first event: no door takes a command that another refuses.

The doors are the match, a host, the log, the JSON form, a game's own JSON, a seat's text, and the reader of others.
"""

import json
from typing import Any

import kifu
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kifu.core.host import Host
from kifu.core.log import log_bytes, read_bytes
from kifu.core.log.json_form import from_json, to_json
from kifu.core.stores import MemoryStore

from .every_field import GAME, KINDS, PLAYS, Inner, Number, Way

EDGES = st.sampled_from(
    [
        *[0, -1, 2**31, 2**63 - 1, 2**63, 2**64 - 1, 2**64, -(2**63), -(2**63) - 1, 2**70],
        *[True, False, None, 0.0, 1.5],
        *["", "a", "\0", "\ud800", "棋", "x" * 70_000, "$bytes", "up", b"", b"x", float("nan"), float("inf"), 1j],
        *[Way.UP, Way.DOWN, Number.ONE, Inner(Way.UP), Inner(Way.DOWN, 3), Inner("up"), Inner(Way.UP, 2**70)],
        *[(), (1,), (1, "a"), ((1, True),), ("a", 1), (("a",), ()), (None, 1), [], [1]],
        *[{}, {1: 2}, {"a": 1}, {1}, range(2), object()],
    ]
)
VALUES = st.recursive(EDGES, lambda inner: st.lists(inner, max_size=3).map(tuple), max_leaves=5)
PLAYS_OF = {str(kind): play for kind, play in zip(KINDS, PLAYS, strict=True)}


def taken(door: Any) -> Any:
    """Return what a door makes of a command, None if it refuses it; raises whatever is no error of kifu."""
    try:
        return door()
    except kifu.KifuError:
        return None


@pytest.mark.parametrize("kind", PLAYS_OF)
@given(value=VALUES)
def test_every_door_takes_what_the_others_take(kind: str, value: Any) -> None:
    game, given = GAME, PLAYS_OF[kind](value)
    match = kifu.new(game, ["a", "b"], seed=None, match="m", started=0)
    step = taken(lambda: match.apply(0, given))
    data = taken(lambda: game.to_json(given))
    host = Host(MemoryStore(), find=lambda _: game)
    opened = host.open("every_field", ["a", "b"])
    at_host = taken(lambda: host.submit(opened.match, opened.keys[0], given, 0))
    assert (step is None) is (data is None) is (at_host is None), value
    if step is None:
        assert match.events == []
        return
    log = log_bytes(match)
    reading = read_bytes(log, lambda _: game)
    assert reading.ok
    assert reading.match.events == match.events
    assert from_json(to_json(log).encode()) == log
    assert game.from_json(json.loads(json.dumps(data, ensure_ascii=False))) == step.event.command
    assert read_bytes(host.log(opened.match), lambda _: game).match.events[0].command == step.event.command
