"""Who is convicted, by whose word: forgers without the host's key convict nobody, a host that signs is convicted."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from random import Random
from typing import Any

import msgpack
import pytest
from attrs import evolve
from kifu.core.errors import GameError, TrustError
from kifu.core.log.format import linked_end, next_chain
from kifu.core.trust import records
from kifu.core.trust.audit import audit
from kifu.core.trust.canonical import canonical
from kifu.core.trust.formulas import command_message, roster_digest, roster_message, wish_message
from kifu.core.trust.header_keys import read_fair
from kifu.core.trust.raw_log import read_log
from kifu.core.trust.roster import roster_of, with_attempts
from kifu.core.trust.signing import SigningKey
from kifu.core.trust.verdict import Findings

from . import forked
from .judges import by_both
from .playing import HOST, KEYS, Log, Table, cake, held, put_together, signed_anew, taken_apart


@pytest.fixture(scope="module")
def table() -> Table:
    """Three play a match that was dealt at the second attempt, seats 0 and 1 with keys, and its host signs all."""
    keys = [KEYS[0], KEYS[1], None]
    match = held("cake", (0, 0, 0), Random(11), keys=keys, host_key=HOST, refusals=1, engine=None)
    table = Table(match, keys, HOST, Random(11))
    table.play(10)
    table.look()
    table.play(20)
    table.abandon(1)
    return table


def words(verdict: records.Verdict) -> set[tuple[str, str | None]]:
    return {(each.kind, each.by) for each in verdict.findings}


def with_entry(table: Table, seat: int, entry: list[Any]) -> bytes:
    record = records.read_bytes(table.record(seat))
    return evolve(record, entries=(*record.entries, records.Entry(*entry))).packed()


def test_an_honest_match_is_verified_and_its_log_signed(table: Table) -> None:
    for viewer in table.viewers:
        verdict = records.verify(table.record(viewer), table.log)
        assert (verdict.findings, verdict.partial, verdict.signed, verdict.log_signed) == ((), False, True, True)
        assert (verdict.attempt, verdict.refused) == (2, ((0,),))
    assert audit(table.log).log_signed
    assert audit(table.log).refused == ((0,),)


@pytest.mark.parametrize("seat", [0, 2])
def test_an_invented_mark_convicts_nobody(table: Table, seat: int) -> None:
    mark, own = b"\x55" * 32, table.keys[seat]
    if own is None:
        entry = [records.WISH, 9, canonical(["take_back", 5, 2, []]), None, mark, None]
    else:
        message = command_message(table.of, seat, 9, mark, "vote", {}, bytes(16))
        entry = [records.SENT, 9, message, None, mark, own.sign(message)]
    forged = with_entry(table, seat, entry)
    for found in (records.verify(forged, table.log), records.compare(forged, table.record(1))):
        assert (found.by, found.proof) in ((None, False), ("owner", False))
        assert "mark" not in {each.kind for each in found.findings}
    unsigned = with_entry(
        table, seat, [records.LOOK, table.count, canonical([table.count, {}]), bytes(16), mark, bytes(64)]
    )
    for found in (records.verify(unsigned, table.log), records.compare(unsigned, table.record(1))):
        assert words(found) == {("signature", "owner"), ("record", "owner")} or found.by == "owner"
        assert "mark" not in {each.kind for each in found.findings}


def failed_roster(table: Table) -> bytes:
    header = read_log(table.log).header
    fair = read_fair(header)
    assert fair is not None
    return with_attempts(roster_of(header), fair.who, fair.attempts[:1]).packed()


def test_the_signed_roster_of_a_failed_attempt_convicts_nobody(table: Table) -> None:
    first = failed_roster(table)
    head = records.head(0, first, HOST.sign(roster_message(roster_digest(first))))
    forged = msgpack.packb(head) + b"".join(each.packed() for each in table.entries[0])
    alone = msgpack.packb(head)
    for found in (
        records.verify(forged, table.log),
        records.compare(forged, table.record(1)),
        records.verify(alone, table.log),
        records.compare(alone, table.record(1)),
    ):
        assert ("head", "owner") in words(found)
        assert found.by == "owner"


def test_what_the_owner_notes_in_the_head_convicts_nobody(table: Table) -> None:
    record = records.read_bytes(table.record(0))
    noted = msgpack.packb({**record.head(), "compared": [[5, bytes(16)]]})
    assert records.verify(noted + b"".join(each.packed() for each in record.entries), table.log).findings == ()


def edited(table: Table, change: Callable[[Log], object]) -> Log:
    log = taken_apart(table.log)
    change(log)
    return log


def later(log: Log) -> None:
    log[1][7][2] = {**log[1][7][2], "at": 5}


def test_a_log_that_a_player_has_edited_is_signed_by_nobody_and_one_of_the_host_by_the_host(table: Table) -> None:
    log = edited(table, later)
    by_player = records.verify(table.record(2), put_together(log))
    assert (by_player.log_signed, by_player.by) == (False, "owner")
    kept = put_together(log)
    raw, old = read_log(kept), read_log(table.log).end
    assert old is not None
    with_old = kept[: -len(raw.end_raw)] + linked_end(
        {key: old[key] for key in ("end", "events", "points", "winners", "sign")}, raw.events[-1].raw[-16:]
    )
    found = records.verify(table.record(2), with_old)
    assert (found.log_signed, found.by) == (False, "owner")
    assert ("signature", "owner") in words(found)
    by_host = records.verify(table.record(2), signed_anew(log))
    assert (by_host.log_signed, by_host.by, by_host.proof) == (True, "host", True)
    assert {("mark", "host"), ("told", "host")} <= words(by_host)
    other = records.verify(table.record(2), signed_anew(log, KEYS[5]))
    assert (other.log_signed, other.by) == (False, "owner")


@pytest.mark.parametrize(
    "change", [{"engine": "another"}, {"layout": 2}, {"fork": {"match": "another", "seq": 20}}], ids=str
)
def test_what_weakens_the_check_is_bound_by_the_roster(table: Table, change: dict[str, Any]) -> None:
    log = edited(table, lambda log: log[0].update(change))
    assert ("head", "owner") in words(records.verify(table.record(0), put_together(log)))
    assert ("head", "host") in words(records.verify(table.record(0), signed_anew(log)))


@pytest.mark.parametrize("kind", [records.EVENT, records.LOOK])
def test_notes_and_views_are_held_to_the_program_that_the_host_says_has_told_them(table: Table, kind: int) -> None:
    own = read_log(table.log).header["engine"]
    record = records.read_bytes(table.record(0))
    place = [at for at, each in enumerate(record.entries) if each.kind == kind][-1]
    entry = record.entries[place]
    *parts, lie = entry.value()
    lie = [["a lie", None, [], None]] if kind == records.EVENT else dict.fromkeys(lie)
    for program, by, partial in (([], "host", False), (["another"], None, True), ([own], "host", False)):
        told = table.evidence._told(0, kind, entry.number, canonical([*parts, lie, *program]), entry.mark)
        entries = (*record.entries[:place], told, *record.entries[place + 1 :])
        found = records.verify(evolve(record, entries=entries), table.log)
        assert (found.by, found.partial, found.signed) == (by, partial, True)


def test_events_that_were_not_told_are_named(table: Table) -> None:
    record = records.read_bytes(table.record(2))
    missing = {8, 9, 13}
    kept = tuple(each for each in record.entries if each.kind != records.EVENT or each.number not in missing)
    verdict = records.verify(evolve(record, entries=kept).packed(), table.log)
    assert (verdict.findings, verdict.gaps, verdict.partial) == ((), ((8, 9), (13, 13)), True)
    assert records.verify(table.record(2), table.log).gaps == ()


def test_two_keys_of_a_host_are_no_proof_against_either() -> None:
    one, other = cake(5, engine=None), cake(5, engine=None)
    one.play(8)
    keys = list(other.keys)
    match = held("cake", (0, 0, 0), Random(5), keys=keys, host_key=KEYS[5], engine=None)
    other = Table(match, keys, KEYS[5], Random(9))
    other.play(8)
    found = records.compare(one.record(0), other.record(1))
    assert found.findings
    assert (found.by, found.proof, found.host_key) == ("owner", False, None)


def test_two_histories_under_one_key_are_proof() -> None:
    one, other = cake(5, engine=None), cake(5, engine=None)
    for at in (one, other):
        at.play(6)
    other.random = Random(99)
    for at in (one, other):
        at.play(12)
    found = records.compare(records.public(one.record(0)), records.public(other.record(1)))
    assert (found.by, found.proof, found.host_key) == ("host", True, HOST.public)


def answers(table: Table, replaced: bytes | None, mark: bytes | None = None) -> bytes:
    """Return the record of seat 0 with two answers to one moment, the second with this hash of the first."""
    first = next(each for each in table.entries[0] if each.kind == records.SENT)
    _, _, seat, at, its_mark, tag, fields, *_ = first.value()
    mark = mark or its_mark
    message = command_message(table.of, seat, at, mark, tag, fields, bytes(16), replaced)
    return with_entry(table, 0, [records.SENT, first.number, message, None, mark, KEYS[0].sign(message)])


@pytest.mark.parametrize("names_it", [False, True])
def test_two_answers_in_whatever_files_are_the_seat_s_word_unless_one_names_the_other(
    table: Table, names_it: bool
) -> None:
    first = next(each for each in table.entries[0] if each.kind == records.SENT)
    both = answers(table, sha256(first.told).digest() if names_it else None)
    *entries, second = records.read_bytes(both).entries
    entries[entries.index(first)] = second
    forged = evolve(records.read_bytes(table.record(0)), entries=entries).packed()
    found = {} if names_it else {("signature", first.number): "seat"}
    honest, log = table.record(0), table.log
    for record, other in ((both, log), (forged, log), (forged, honest), (honest, forged)):
        assert by_both(record, other) == found
    for fine in (records.verify(forged), records.compare(forged, table.record(1))):
        assert fine.findings == ()


def test_a_host_that_shows_a_seat_two_histories_has_no_two_answers_of_it(table: Table) -> None:
    """Who answers a moment again, as the host has put its store back, has not answered one moment twice."""
    assert records.verify(answers(table, None, mark=b"m" * 32), table.log).by != "seat"


def test_a_command_that_names_what_it_replaces_verifies(table: Table) -> None:
    at = cake(8, engine=None)
    at.play(5)
    while min(at.match.to_act) != 0:
        at.play(at.count + 1)
    at.command(0, at.match.legal(0)[0], replaced=bytes(32))
    at.abandon(None)
    assert audit(at.log).findings == []
    log = taken_apart(at.log)
    event = next(each for each in log[1] if each[2] and len(each[2].get("sign", ())) == 3)
    event[2] = {**event[2], "sign": event[2]["sign"][:2]}
    assert ("signature", None) not in {(each.kind, each.seq) for each in audit(put_together(log)).findings}
    assert "signature" in {each.kind for each in audit(put_together(log)).findings}


def test_a_seat_that_has_not_signed_the_roster_is_found(table: Table) -> None:
    for signed in (None, [None] * 3, [bytes(64)] * 3, [bytes(64), None, None]):
        log = edited(table, lambda log, signed=signed: log[0]["sign"].update(roster=signed))
        assert ("signature", None) in {(each.kind, each.seq) for each in audit(put_together(log)).findings}


def test_a_key_that_others_may_read_is_refused(tmp_path: Any) -> None:
    path = tmp_path / "host.pem"
    HOST.save(path)
    assert SigningKey.load(path).public == HOST.public
    path.chmod(0o640)
    with pytest.raises(TrustError, match="others may read it"):
        SigningKey.load(path)


def unknown(name: str) -> Any:
    raise GameError(name, "it is not installed here")


def test_what_a_program_cannot_read_is_not_the_host_s_word(table: Table) -> None:
    found = records.verify(table.record(0), table.log, find=unknown)
    assert (found.log_signed, words(found)) == (True, {("header", "owner")})
    failing = table.match.game.altered(apply=lambda *_: 1 // 0)
    found = records.verify(table.record(0), table.log, find=lambda _: failing)
    assert (found.log_signed, words(found)) == (True, {("game", "owner")})
    header, events, end = taken_apart(table.log)
    newer = [len(events), -1, None, ".rules", {"to": 99, "layout": 1}, None]
    later = [len(events) + 1, 0, {"by": "bot"}, "dance", {}, None]
    log = signed_anew((header, [*events, newer, later], {**end, "events": len(events) + 2}))
    told = canonical([later[0], 0, "dance", {}, True, None, "bot", []])
    entry = table.evidence._told(0, records.EVENT, later[0], told, records.marks(log)[later[0] + 1])
    record = msgpack.packb(records.read_bytes(table.record(0)).head()) + entry.packed()
    assert ("rules", "owner") in words(records.verify(record, log))
    assert "told" not in {each.kind for each in records.verify(record, log).findings}


def test_a_log_that_another_key_has_signed_convicts_nobody(table: Table) -> None:
    header, events, end = taken_apart(table.log)
    header = {**header, "sign": {**header["sign"], "host": KEYS[5].public}}
    found = records.verify(table.record(0), signed_anew((header, events, end), KEYS[5]))
    assert (found.by, found.proof, found.log_signed) == ("owner", False, False)
    assert {"head", "fair", "signature"} <= {each.kind for each in found.findings}


@pytest.mark.ci
def test_whatever_passes_for_the_parent_convicts_nobody() -> None:
    old = forked.parent(ended=True)
    fork = forked.fork_of(old, [], version=2)
    assert records.verify_fork(fork.log, old.log).findings == ()
    header, events, end = taken_apart(old.log)
    meta = {**(events[1][2] or {}), "by": "Zoe"}
    changed = put_together((header, [events[0], [*events[1][:2], meta, *events[1][3:]], *events[2:]], end))
    stranger = cake(14, engine=None)
    stranger.play(9)
    stranger.abandon(None)
    for parent in (changed, stranger.log, old.log[:-3]):
        found = records.verify_fork(fork.log, parent)
        assert (found.by, found.log_signed) == ("owner", True)
    other = signed_anew((header, [*events[:3], *events[4:]], {**end, "events": len(events) - 1}))
    assert records.verify_fork(fork.log, other).by == "owner", "what is wrong with the parent may be another's word"


def with_end(log: bytes, change: Callable[[dict[str, Any]], bytes], chain: bytes | None = None) -> bytes:
    """Return the log with its end record packed otherwise, and linked to what is before it."""
    read = read_log(log)
    assert read.end is not None
    body = change(read.end)[:-18]
    return log[: -len(read.end_raw)] + body + b"\xc4\x10" + (chain or next_chain(read.events[-1].raw[-16:], body))


def with_long_int(end: dict[str, Any]) -> bytes:
    return msgpack.packb(end).replace(
        b"events" + msgpack.packb(end["events"]), b"events\xcd\0" + bytes([end["events"]])
    )


FORGED_ENDS: dict[str, Callable[[bytes], bytes]] = {
    "a byte more": lambda log: log + b"\0",
    "torn": lambda log: log + b"\x97",
    "no object": lambda log: log + b"\xc1",
    "another end": lambda log: log + msgpack.packb({"end": "over"}),
    "a long int": lambda log: with_end(log, with_long_int),
    "another order": lambda log: with_end(log, lambda end: msgpack.packb(dict(sorted(end.items(), reverse=True)))),
    "another chain": lambda log: with_end(log, msgpack.packb, bytes(16)),
}


@pytest.mark.parametrize("how", FORGED_ENDS)
def test_a_signed_log_is_its_bytes_and_nothing_behind_them(table: Table, how: str) -> None:
    log = FORGED_ENDS[how](table.log)
    for viewer in table.viewers:
        found = records.verify(table.record(viewer), log)
        assert (found.by, found.proof, found.log_signed) == ("owner", False, False)
    assert not audit(log).log_signed
    assert set(by_both(table.record(0), log).values()) <= {"owner"}


def test_consents_of_another_history_end_no_match_by_consent() -> None:
    table = cake(3, engine=None)
    table.play(9)
    mark = b"m" * 32
    signed = [
        [seat, key.sign(wish_message(table.of, seat, table.count, mark, "abandon", 0))]
        for seat, key in enumerate(table.keys)
        if key is not None
    ]
    consent = [records.WISH, table.count, canonical(["abandon", 0, 1, signed]), None, mark, None]
    table.abandon(None)
    forged = with_entry(table, 2, consent)
    assert records.verify(forged, table.log).ended == "called off"
    assert records.verify(forged).ended == "by consent", "by itself no record says which history it is of"


@pytest.mark.ci
def test_a_seat_may_take_back_alone_as_often_as_it_likes() -> None:
    table = cake(3)
    table.play(6)
    to, seat = table.count - 1, min(table.match.to_act)
    for _ in range(1100):
        table.command(seat, table.match.legal(seat)[0])
        table.take_back(to, seat, [])
    assert audit(table.log).findings == []


def test_of_two_words_for_the_same_reason_a_finding_has_the_stronger() -> None:
    findings = Findings()
    for word in ("owner", "host", "owner"):
        findings.add("signature", 3, "it is signed, but seat 1 has no key", word)
    assert [each.by for each in findings.sorted()] == ["host"]
