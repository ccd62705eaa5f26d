"""Whatever a host changes afterwards is found: by the log itself, by a record, by two records, as the tables say."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import msgpack
import pytest
from kifu.core.log.format import first_chain, linked_end, linked_event
from kifu.core.trust import records
from kifu.core.trust.audit import audit
from kifu.core.trust.canonical import canonical
from kifu.core.trust.raw_log import read_log

from .playing import ENGINE, Table, held
from .test_honest import cake

BESIDES = {"rule", "digest", "result", "view", "form", "chain"}
"""What a change may also break."""

Log = tuple[dict[str, Any], list[list[Any]], dict[str, Any] | None]


@pytest.fixture(scope="module")
def table() -> Table:
    """A table of three, two of whom sign, at which a takeback was agreed to."""
    table = cake(Random(11))
    table.play(10)
    table.take_back(6, 0, [0, 1])
    table.look()
    table.play(24)
    table.abandon(1)
    return table


END = ("end", "events", "points", "winners")
"""The keys of an end record that the host has not signed: nobody else can."""


def taken_apart(log: bytes) -> Log:
    raw = read_log(log)
    events = [msgpack.unpackb(event.raw, strict_map_key=False) for event in raw.events]
    return dict(raw.header), events, None if raw.end is None else {key: raw.end[key] for key in END}


def put_together(log: Log) -> bytes:
    """Pack a log anew, its chain made to fit: what a host that lies would do."""
    header, events, end = log
    parts = [msgpack.packb(header)]
    chain = first_chain(parts[0])
    for seq, event in enumerate(events):
        parts.append(linked_event([seq, *event[1:6]], chain))
        chain = parts[-1][-16:]
    if end is not None:
        parts.append(linked_end({**{key: end[key] for key in END}, "events": len(events)}, chain))
    return b"".join(parts)


def tampered(table: Table, change: Callable[[Log], None]) -> bytes:
    log = taken_apart(table.log)
    assert taken_apart(put_together(log)) == log
    change(log)
    return put_together(log)


def kinds(findings: Any) -> set[tuple[str, int | None]]:
    return {(each.kind, each.seq) for each in findings if each.kind not in BESIDES}


def changed_meta(seq: int, **meta: Any) -> Callable[[Log], None]:
    def change(log: Log) -> None:
        log[1][seq][2] = {**(log[1][seq][2] or {}), **meta}

    return change


@pytest.mark.ci
def test_any_change_of_any_event_is_found_by_everybody_s_record(table: Table) -> None:
    for seq in range(table.count):
        for viewer in table.viewers:
            log = tampered(table, changed_meta(seq, note="x"))  # a key that nobody is shown
            found = records.verify(table.record(viewer), log).findings
            assert ("mark", seq) in kinds(found)
            assert ("told", seq) not in kinds(found)
            assert kinds(found) <= {("mark", seq), *kinds(audit(log).findings)}


@pytest.mark.parametrize("kept", [0, 1, 12, 23])
def test_what_is_cut_off_is_missing(table: Table, kept: int) -> None:
    def cut(log: Log) -> None:
        del log[1][kept:]

    count = table.count
    for viewer in table.viewers:
        missing = {("missing", seq) for seq in range(kept, count + 1)}
        assert kinds(records.verify(table.record(viewer), tampered(table, cut)).findings) == missing
        assert kinds(records.verify(records.public(table.record(viewer)), tampered(table, cut)).findings) == missing
    assert kinds(records.verify(table.record(0), b"".join(table.objects[:-1])).findings) == {("missing", count)}


def sign(log: Log, seq: int) -> list[Any]:
    """Return the signature beside an event, to be changed in place."""
    value: list[Any] = log[1][seq][2]["sign"]
    return value


def of_seat(table: Table, *seats: int) -> list[int]:
    return [event.seq for event in table.match.events if event.seat in seats]


def first_invalid(table: Table, after: int) -> set[tuple[str, int | None]]:
    """Return the findings of the first signature of each seat after an event that was changed: its marks are others."""
    found: dict[int, int] = {}
    for event in table.match.events[after + 1 :]:
        signed = dict(event.meta.more).get("sign") if event.meta else None
        for seat in [each[0] for each in signed] if event.seat < 0 and signed else [event.seat] if signed else []:
            found.setdefault(seat, event.seq)
    return {("signature", seq) for seq in found.values()}


def test_a_forged_move_is_found_by_anybody_with_the_log(table: Table) -> None:
    """At each signed event: other fields, another id, no id, another moment, a signature that is gone or malformed."""
    changes: dict[str, Callable[[Log, int], Any]] = {
        "seat": lambda log, seq: log[1][seq].__setitem__(4, {**log[1][seq][4], "forged": 1}),
        "tag": lambda log, seq: log[1][seq].__setitem__(3, "forged"),
        "id": lambda log, seq: log[1][seq][2].update(id=b"other"),
        "no id": lambda log, seq: log[1][seq][2].pop("id"),
        "unsigned": lambda log, seq: log[1][seq][2].pop("sign"),
        "by": lambda log, seq: log[1][seq][2].update(by="stand-in"),
        "later": lambda log, seq: sign(log, seq).__setitem__(0, seq + 1),
        "of three": lambda log, seq: sign(log, seq).append(0),
        "short": lambda log, seq: sign(log, seq).__setitem__(1, bytes(63)),
        "zeros": lambda log, seq: sign(log, seq).__setitem__(1, bytes(64)),
        "nil": lambda log, seq: log[1][seq][2].update(sign=None),
    }
    for name, change in changes.items():
        for seq in of_seat(table, 0, 1):
            log = tampered(table, lambda log, seq=seq, change=change: change(log, seq))
            found = kinds(audit(log).findings)
            assert ("signature", seq) in found, (name, seq)
            assert found <= {("signature", seq)} | first_invalid(table, seq), (name, seq)


def test_a_signed_move_is_not_played_twice(table: Table) -> None:
    for seq in of_seat(table, 0, 1):
        for later in (seq + 1, table.count):
            log = tampered(table, lambda log, seq=seq, later=later: log[1].insert(later, [later, *log[1][seq][1:]]))
            assert ("signature", later) in kinds(audit(log).findings)


def test_a_takeback_needs_the_signatures_of_all_who_have_keys(table: Table) -> None:
    (seq,) = (event.seq for event in table.match.events if event.seat < 0 and event.seq > 0)
    changes: list[Callable[[Log], Any]] = [
        lambda log: sign(log, seq).pop(0),
        lambda log: sign(log, seq).pop(1),
        lambda log: sign(log, seq).reverse(),
        lambda log: sign(log, seq).append([2, bytes(64)]),
        lambda log: sign(log, seq).append([1, sign(log, seq)[1][1]]),
        lambda log: sign(log, seq)[0].__setitem__(1, bytes(64)),
        lambda log: log[1][seq][2].update(by="seat 2", sign=[]),
        lambda log: log[1][seq][2].update(by="seat 3"),
        lambda log: log[1][seq][2].update(by="seat 01"),
        lambda log: log[1][seq][2].pop("by"),
        lambda log: log[1][seq][2].pop("sign"),
        lambda log: log[1][seq].__setitem__(4, {"to": 5}),
    ]
    for change in changes:
        assert ("signature", seq) in kinds(audit(tampered(table, change)).findings)


@pytest.mark.ci
def test_a_record_that_its_holder_changes_is_found_out_by_the_host_s_signatures(table: Table) -> None:
    for viewer in (None, 0):
        record = records.read_bytes(table.record(viewer))
        for form in (record, record.public()):
            entries = [msgpack.unpackb(entry.packed()) for entry in form.entries]
            for place, entry in enumerate(entries):
                if entry[0] > records.END:
                    continue
                for part, value in ((4, bytes(32)), (5, None), (5, bytes(64)), (3, bytes(16)), (1, entry[1] + 1)):
                    if part == 3 and form.form == "public":
                        continue
                    changed = [*entry[:part], value, *entry[part + 1 :]]
                    raw = msgpack.packb(form.head()) + b"".join(
                        map(msgpack.packb, [*entries[:place], changed, *entries[place + 1 :]])
                    )
                    found = kinds(records.verify(raw).findings)
                    assert ("signature", changed[1]) in found, (viewer, place, part)


def two_histories() -> tuple[Table, Table]:
    """Begin one match, and go on with it in two ways."""
    tables = []
    for random in (Random(1), Random(2)):
        table = cake(Random(5))
        table.play(6)
        table.random = random
        table.play(16)
        table.abandon(None)
        tables.append(table)
    return tables[0], tables[1]


@pytest.mark.ci
def test_two_histories_are_found_by_any_two_records_in_any_form() -> None:
    one, other = two_histories()
    apart = next(seq for seq in range(one.count) if one.objects[seq + 1] != other.objects[seq + 1])
    for mine in one.viewers:
        for yours in other.viewers:
            for form in (lambda raw: raw, records.public):
                verdict = records.compare(form(one.record(mine)), form(other.record(yours)))
                assert ("mark", apart) in kinds(verdict.findings)
                assert verdict.proof
        assert records.verify(one.record(mine), one.log).ok, "a host may give each seat a log of its own"
        assert ("mark", apart) in kinds(records.verify(one.record(mine), other.log).findings)


def test_records_of_two_matches_are_not_compared_further() -> None:
    one, other = cake(Random(5)), cake(Random(6))
    one.play(5)
    assert kinds(records.compare(one.record(0), other.record(1)).findings) == {("head", None)}
    assert kinds(records.verify(one.record(0), other.log).findings) == {("head", None)}


def test_lies_that_a_host_signs_are_found() -> None:
    """Told another command, other notes, another view, another end: against the log, under a valid signature."""

    def told(entry: records.Entry, table: Table, seat: int, **changes: Any) -> records.Entry:
        value = entry.value()
        for place, part in changes.items():
            value[int(place[1:])] = part
        raw = canonical(value)
        return table.evidence._told(seat, entry.kind, entry.number, raw, entry.mark)

    table = cake(Random(5))
    table.play(9)
    table.look()
    table.abandon(None)
    entries = list(table.entries[2])
    places = {entry.kind: place for place, entry in enumerate(entries)}
    lies = [
        (records.EVENT, {"_1": 2}, "told"),
        (records.EVENT, {"_2": "vote"}, "told"),
        (records.EVENT, {"_3": {"pile": 99}}, "told"),
        (records.EVENT, {"_4": True, "_3": {}}, "told"),
        (records.EVENT, {"_5": 1}, "told"),
        (records.EVENT, {"_6": "stand-in"}, "told"),
        (records.EVENT, {"_7": []}, "told"),
        (records.EVENT, {"_0": 3}, "told"),
        (records.LOOK, {"_1": {"round": 7}}, "view"),
        (records.LOOK, {"_0": 3}, "told"),
        (records.END, {"_1": "over"}, "told"),
        (records.END, {"_2": [1, 2, 3]}, "told"),
        (records.END, {"_0": 3}, "told"),
    ]
    for kind, changes, expected in lies:
        place = 1 if kind == records.EVENT else places[kind]
        lie = told(entries[place], table, 2, **changes)
        table.entries[2] = [*entries[:place], lie, *entries[place + 1 :]]
        found = {(each.kind, each.seq) for each in records.verify(table.record(2), table.log, engine=ENGINE).findings}
        assert found == {(expected, lie.number)}, (kind, changes)


@pytest.mark.ci
def test_marks_alone_bind_a_match_without_keys_and_without_a_fair_deal() -> None:
    table = Table(held("take_and_share", (0, 0, 0, 0), Random(3)), random=Random(3))
    table.play(12)
    table.abandon(None)
    for seq in range(table.count):
        log = tampered(table, changed_meta(seq, note="x"))
        for viewer in table.viewers:
            assert kinds(records.verify(table.record(viewer), log).findings) == {("mark", seq)}


def agreed(table: Table, kind: str, by: int, seats: tuple[int, ...]) -> records.Verdict:
    """Verify the record of seat 2 with a proposal of this kind that these seats have signed."""
    told = canonical([kind, 0, by, table.consent(kind, 0, seats)])
    wish = records.Entry(records.WISH, table.count, told, None, table.evidence.marks[-1], None)
    raw = table.record(2) + wish.packed()
    table.abandon(None)
    end = table.entries[2].pop()
    return records.verify(raw + end.packed(), table.log)


@pytest.mark.parametrize(
    ("kind", "by", "seats", "found", "ended"),
    [
        ("abandon", 0, (0, 1), False, "by consent"),
        ("abandon", 2, (0, 1), False, "by consent"),
        ("abandon", 0, (0,), True, "called off"),
        ("abandon", 2, (1,), True, "called off"),
        ("fork", 0, (0,), False, "called off"),
        ("fork", 0, (1,), True, "called off"),
        ("take_back", 2, (), False, "called off"),
    ],
)
def test_a_proposal_is_agreed_to_by_those_who_sign(
    kind: str, by: int, seats: tuple[int, ...], found: bool, ended: str
) -> None:
    table = cake(Random(5))
    table.play(4)
    verdict = agreed(table, kind, by, seats)
    assert kinds(verdict.findings) == ({("signature", 4)} if found else set())
    assert verdict.ended == ended
