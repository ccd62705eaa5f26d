"""A record holds across versions: what an older engine told is compared as far as this one can say it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import attrs
import msgpack
import pytest
from kifu.core.errors import GameError
from kifu.core.game import Past
from kifu.core.trust import records
from kifu.core.trust.audit import audit
from kifu.core.trust.canonical import canonical
from kifu.core.trust.formulas import salt
from kifu.core.trust.raw_log import read_log
from kifu.core.trust.roster import roster_of

from ..log.pebbles import GAME
from ..log.rewriting import chained, unchained
from .playing import ENGINE, cake

FOLDER = Path(__file__).parents[1] / "log" / "versions"
VEIL = b"v" * 32


def recorded(name: str) -> tuple[bytes, list[records.Entry]]:
    """Return a log of older rules with a veil, and what seat 0 was told of it by the engine of its day."""
    header, objects = unchained((FOLDER / name).read_bytes())
    header = msgpack.packb({**msgpack.unpackb(header), "veil": VEIL})
    events = [each for each in objects if isinstance(each, list)]
    for each in events:
        each[2] = {"by": "seat 0"} if each[1] < 0 else None
    log, entries = chained(header, events), []
    for (seq, seat, meta, tag, fields, _), mark in zip(events, records.marks(log)[1:], strict=True):
        told = canonical([seq, seat, tag, fields, False, None, meta and "seat 0", [["old-note", None, [], None]]])
        entries.append(records.Entry(records.EVENT, seq, told, salt(VEIL, records.EVENT, seq, 0), mark, None))
    return log, entries


def record(log: bytes, entries: list[records.Entry]) -> bytes:
    roster = roster_of(read_log(log).header).packed()
    return msgpack.packb(records.head(0, roster)) + b"".join(entry.packed() for entry in entries)


def lied(entry: records.Entry, place: int, value: Any) -> records.Entry:
    parts = entry.value()
    parts[place] = value
    return attrs.evolve(entry, told=canonical(parts))


def find(_: str) -> Any:
    return GAME


@pytest.mark.parametrize("name", ["one.log", "two.log"])
def test_a_record_of_older_rules_verifies(name: str) -> None:
    log, entries = recorded(name)
    verdict = records.verify(record(log, entries), log, find=find)
    assert verdict.findings == ()
    fields = any("upcast" in str(each) for each in verdict.unchecked)
    assert fields is (name == "one.log"), "only the first version had other fields"
    assert any(str(each).startswith("notes") for each in verdict.unchecked)


@pytest.mark.parametrize(
    ("name", "place", "value", "found"),
    [
        ("one.log", 1, 1, True),
        ("one.log", 2, "take", True),
        ("one.log", 3, {"n": 1}, False),  # an upcast changes it
        ("one.log", 4, True, True),
        ("two.log", 3, {"pebbles": 3}, True),
        ("two.log", 7, [], False),
    ],
)
def test_a_lie_of_an_older_engine_is_found_as_far_as_it_can_be(name: str, place: int, value: Any, found: bool) -> None:
    log, entries = recorded(name)
    entries[0] = lied(entries[0], place, value)
    verdict = records.verify(record(log, entries), log, find=find)
    assert [(each.kind, each.seq) for each in verdict.findings] == [("told", 0)] * found


def test_a_log_of_a_game_that_is_not_here_is_still_bound_by_its_marks() -> None:
    def none(name: str) -> Any:
        raise GameError(name, "not installed")

    log, entries = recorded("two.log")
    verdict = records.verify(record(log, entries), log, find=none)
    assert [each.kind for each in verdict.findings] == ["header"]
    entries[2] = attrs.evolve(entries[2], mark=bytes(32))
    verdict = records.verify(record(log, entries), log, find=none)
    assert [(each.kind, each.seq) for each in verdict.findings] == [("mark", 2), ("header", None)]
    assert len(verdict.unchecked) >= 1


def test_a_game_that_fails_accuses_nobody() -> None:
    def broken(*_: Any) -> Any:
        raise ZeroDivisionError

    log, entries = recorded("two.log")
    failing = GAME.altered(redact=broken, view=broken)
    verdict = records.verify(record(log, entries), log, find=lambda _: failing)
    assert verdict.findings == ()
    assert any("cannot be asked" in str(each) for each in verdict.unchecked)


def test_notes_are_compared_by_the_engine_that_made_them_and_views_of_the_same_layout() -> None:
    table = cake()
    table.play(5)
    table.look()
    table.abandon(None)
    record, log = table.record(0), table.log
    assert records.verify(record, log, engine=ENGINE).unchecked == ()
    later = records.verify(record, log, engine="kifu 99")
    assert later.findings == ()
    assert [str(each) for each in later.unchecked] == ["notes: they were told by 'kifu of today', this is kifu 99"]
    game = table.match.game.altered(past=Past(table.match.game.past.layout + 1))
    other = records.verify(record, log, find=lambda _: game, engine=ENGINE)
    assert other.findings == ()
    assert [str(each).partition(":")[0] for each in other.unchecked] == ["views"]


def test_keys_that_only_one_of_two_programs_has_in_a_view_accuse_nobody_and_are_named() -> None:
    table = cake()
    table.play(5)
    table.look()
    place = next(at for at, each in enumerate(table.entries[0]) if each.kind == records.LOOK)
    moment, view = table.entries[0][place].value()
    told = canonical([moment, {**view, "deck": []}])
    table.entries[0][place] = attrs.evolve(table.entries[0][place], told=told)
    record, log = table.record(0), table.log
    found = {(each.kind, each.seq) for each in records.verify(record, log, engine=ENGINE).findings}
    assert found == {("view", moment), ("signature", moment)}
    later = records.verify(record, log, engine="kifu 99")
    assert [each.kind for each in later.findings] == ["signature"]
    why = "they were told by 'kifu of today', this is kifu 99"
    assert f"views: keys that only one of two programs has, deck: {why}" in [str(each) for each in later.unchecked]


def test_an_audit_asks_the_rules_whether_a_takeback_needed_consent() -> None:
    table = cake(engine=None)
    while min(table.match.to_act) != 0:
        table.play(table.count + 1)
    table.command(0, table.match.legal(0)[0])  # all see it, and nobody else acts
    table.take_back(table.count - 2, 0, [])
    (found,) = audit(table.log).findings
    assert (found.kind, found.seq) == ("signature", table.count - 1)
    english = "the takeback is not signed by seat 1: the others saw at event {seq} what was done, not only that it was"
    assert str(found.message) == english.format(seq=table.count - 2)
    elsewhere = audit(table.log, engine="kifu 99")
    assert elsewhere.findings == []
    assert "needed consent: its program knows" in str(*elsewhere.unchecked)
    agreed = cake(engine=None)
    agreed.play(table.count - 1)
    agreed.take_back(agreed.count - 2, 0, [0, 1])
    assert audit(agreed.log).findings == []
    assert audit(agreed.log).unchecked == ()
