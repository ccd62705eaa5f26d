"""The bytes that a viewer is told."""

from __future__ import annotations

from typing import Any

import kifu
import pytest
from attrs import frozen
from kifu.core.errors import TrustError
from kifu.core.log.writer import log_objects
from kifu.core.match.witness import seen_by
from kifu.core.trust.canonical import from_canonical
from kifu.core.trust.evidence import Evidence, told_look


@frozen
class Seen:
    zone: Any
    at: Any = None


def test_what_is_told_is_canonical_in_whatever_order_a_view_holds_it() -> None:
    view = Seen({"of two": (Seen({"b": 1, "a": 2}), [3]), 1: frozenset({Seen(2), Seen(1)})}, b"\1")
    plain = {
        "at": "01",
        "zone": {"of two": [{"at": None, "zone": {"a": 2, "b": 1}}, [3]], "1": [{"at": None, "zone": 1}]},
    }
    plain["zone"]["1"].append({"at": None, "zone": 2})
    assert from_canonical(told_look(7, view)) == [7, plain]


@pytest.mark.parametrize("value", [1.5, (2.5,), {"a": Seen(0.5)}, object(), {"\ud800": 1}, "\ud800"])
def test_a_view_that_has_no_canonical_form_is_refused(value: Any) -> None:
    with pytest.raises(TrustError):
        told_look(0, Seen(value))


def test_an_event_that_two_viewers_see_alike_is_packed_once() -> None:
    match = kifu.new("take_and_share", ["Aki", "Ren", "Mio", "Sou"], seed=bytes(32), match="m", started=0)
    seat = min(match.to_act)
    match.play(seat, match.legal(seat)[0])
    header, *events = log_objects(match)
    evidence = Evidence(match.game, "m", bytes(32), header)
    for raw in events:
        evidence.add(raw)
    first, second = (
        evidence.event(match.steps[-1], viewer, seen_by(match.steps[-1], [viewer])[0]) for viewer in (0, 1)
    )
    assert first.told is second.told
    assert first.salt != second.salt
