"""What forgers have tried since is found by both verifiers, or named as unchecked; no innocent host is convicted."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from attrs import evolve
from kifu.core.game import Meta
from kifu.core.trust import records, signing
from kifu.core.trust.audit import audit
from kifu.core.trust.canonical import canonical
from kifu.core.trust.formulas import command_message

from . import forked
from .playing import Table, held
from .test_forgers import HOST, signed_anew, with_entry
from .test_honest import KEYS, cake
from .test_tampering import put_together, taken_apart

pytestmark = pytest.mark.skipif(not signing.is_available, reason="needs kifu[replay]")


@pytest.fixture(scope="module")
def table() -> Table:
    table = cake(Random(5), engine=None)
    table.play(14)
    table.abandon(None)
    return table


def found(verdict: Any) -> set[tuple[str, int | None, str | None]]:
    return {(each.kind, each.seq, each.by) for each in verdict.findings}


def by_second(record: bytes | None, other: bytes) -> dict[Any, str]:
    return pytest.importorskip(f"{__package__}.independent", reason="needs kifu[web]").judged(record, other)  # type: ignore[no-any-return]


def sent(table: Table, replaced: Any = None) -> list[Any]:
    """Return another answer of seat 0 to the moment that it answered first, replacing what is given."""
    first = next(each for each in table.entries[0] if each.kind == records.SENT)
    _, of, seat, at, mark, tag, fields, *_ = first.value()
    message = command_message(of, seat, at, mark, tag, fields, bytes(16), None)
    if replaced is not None:
        message = canonical(["kifu command 2", of, seat, at, mark, tag, fields, bytes(16), replaced])
    return [records.SENT, first.number, message, None, mark, KEYS[0].sign(message)]


@pytest.mark.parametrize("replaced", [[1], {}, "x", bytes(31)], ids=repr)
def test_a_command_that_replaces_no_hash_is_malformed(table: Table, replaced: Any) -> None:
    forged = with_entry(table, 0, sent(table, replaced))
    for verdict in (records.verify(forged), records.verify(forged, table.log)):
        assert found(verdict) == {("record", None, "owner")}
    assert by_second(forged, table.log) == {("record", None): "owner"}


@pytest.mark.parametrize("kind", [records.SENT, records.WISH])
def test_no_forged_entry_hides_that_a_seat_has_answered_twice(table: Table, kind: int) -> None:
    second = sent(table)
    junk = {
        records.SENT: [*second[:5], bytes(64)],
        records.WISH: [records.WISH, second[1], canonical(["fork", 1, 0, []]), None, bytes(32), None],
    }[kind]
    read = records.read_bytes(with_entry(table, 0, junk))
    forged = evolve(read, entries=(*read.entries, records.Entry(*second))).packed()
    assert found(records.verify(forged, table.log)) == {("signature", second[1], "seat")}
    assert by_second(forged, table.log) == {("signature", second[1]): "seat"}


Change = Callable[[Any, Any], object]
"""What is changed in a log's header and events."""


def by_nobody(_: Any, events: Any) -> None:
    next(event for event in events if event[1] == 0)[2] = {"by": ""}


LOGS: dict[str, Change] = {
    "by nobody": by_nobody,
    "a fork of nothing": lambda header, _: header.update(fork=None),
    **{repr(by): lambda _, events, by=by: events[-1][2].update(by=by) for by in ("seat 00", "seat \u0660", "seat 0\n")},
}


@pytest.mark.parametrize("name", LOGS)
def test_a_log_that_is_forged_is_found_by_both(name: str) -> None:
    table = cake(Random(11), engine=None)
    table.play(10)
    table.take_back(6, 0, [0, 1])
    table.abandon(None)
    header, events, end = taken_apart(table.log)
    LOGS[name](header, events)
    log = signed_anew((header, events, end))
    ours = {(each.kind, each.seq) for each in audit(log).findings} - {("header", None)}
    assert ours == set(by_second(None, log)) != set()


def test_records_with_no_moment_in_common_say_so(table: Table) -> None:
    whole = records.read_bytes(table.record(1))
    early, late, empty = (
        evolve(whole, entries=tuple(each for each in whole.entries if holds(each.moment)))
        for holds in (lambda at: at < 5, lambda at: at > 9, lambda at: False)
    )
    for verdict in (records.compare(early, late), records.compare(early, empty), records.verify(empty, table.log)):
        assert (verdict.ok, verdict.partial) == (True, True)
        assert [each.key for each in verdict.unchecked] == ["nothing-in-common"]  # type: ignore[attr-defined]
    assert not records.compare(early, whole).unchecked


@pytest.mark.parametrize("keys", [[KEYS[0], KEYS[1], KEYS[2]], [None] * 3], ids=["keys", "no keys"])
def test_a_fair_deal_that_is_taken_back_is_named(keys: list[Any]) -> None:
    table = Table(held("take_and_share", (0, 0, 0), Random(3), keys=keys, host_key=HOST), keys, HOST)
    for seats in ([], [0, 1, 2]):
        table.take_back(-1, 0, seats)
        table.match.deal()
        table._store(Meta(at=5))
    table.play(9)
    table.abandon(None)
    unsigned = {0: "1, 2"} if keys[0] else {0: "0, 1, 2", 2: "0, 1, 2"}
    lines = [f"the deal of event {seq} was taken back; not signed by seats {seats}" for seq, seats in unsigned.items()]
    verdict = records.verify(table.record(1), table.log)
    assert (verdict.ok, [str(each) for each in verdict.unchecked if "taken back" in each]) == (True, lines)


FORKS: dict[str, Change] = {
    "names": lambda header, _: header["seats"].reverse(),
    "options": lambda header, _: header.update(options={**header["options"], "first": 1}),
    "host key": lambda header, _: header["sign"].update(host=KEYS[5].public),
}


@pytest.mark.parametrize("name", FORKS)
def test_a_fork_has_its_parent_s_names_options_and_host(name: str) -> None:
    old = forked.parent()
    fork = forked.fork_of(old, forked.consents(old), version=2)
    assert records.verify_fork(fork.log, old.log).findings == ()
    header, events, end = taken_apart(fork.log)
    FORKS[name](header, events)
    verdict = records.verify_fork(put_together((header, events, end)), old.log)
    assert any("not as in the parent" in each.message for each in verdict.findings if each.seq is None)


def test_a_fork_needs_the_consent_of_a_seat_whose_holder_changed_later() -> None:
    live = forked.parent()
    while min(live.match.to_act) != 1:
        live.play(live.count + 1)
    early = forked.fork_of(live, live.consent("fork", forked.SHARED, [0]), version=2)
    live.command(1, live.match.legal(1)[0], by="new key")
    late = forked.fork_of(live, live.consent("fork", forked.SHARED, [0]), version=2)
    live.play(live.count + 6)
    assert ("signature", None, "owner") in found(records.verify_fork(early.log, live.log))
    assert not records.verify_fork(late.log, live.log).findings
    header, events, end = taken_apart(live.log)
    odd = put_together((header, [*events, [len(events), [], {"by": "new key"}, "x", {}, None]], end))
    assert records.verify_fork(late.log, odd).findings, "and nothing is raised"


def test_what_is_unchecked_in_a_parent_is_so_in_its_fork() -> None:
    live = cake(Random(13))
    live.take_back(-1, 0, [0])
    live.match.deal()
    live._store(Meta(at=5))
    live.play(12)
    live.abandon(None)
    fork = forked.fork_of(live, [], shared=3, version=2)
    verdict = records.verify_fork(fork.log, live.log)
    assert verdict.unchecked == audit(live.log).unchecked != ()
