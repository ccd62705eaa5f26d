"""What forgers have tried since is found by both verifiers, or named as unchecked; no honest host is convicted."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import msgpack
import pytest
from attrs import evolve
from kifu.core.game import Meta, Past, RedactedCommand, Upcast, command, secret
from kifu.core.host import Host, Terms
from kifu.core.match import takebacks
from kifu.core.stores import MemoryStore
from kifu.core.trust import compare as compare_room
from kifu.core.trust import records
from kifu.core.trust.audit import audit
from kifu.core.trust.canonical import canonical
from kifu.core.trust.formulas import command_message, roster_digest, seed

from ..host.conftest import Clock, Entropy
from ..log import bids
from . import forked
from .judges import by_both
from .playing import HOST, KEYS, Table, back_and_forth, cake, called_off, held, put_together, signed_anew, taken_apart
from .test_forgers import with_entry


@pytest.fixture(scope="module")
def table() -> Table:
    return called_off(5, 14)


def found(verdict: Any) -> set[tuple[str, int | None, str | None]]:
    return {(each.kind, each.seq, each.by) for each in verdict.findings}


def sent(table: Table, replaced: Any = None) -> list[Any]:
    """Return another answer of seat 0 to the moment that it answered first, replacing what is given."""
    first = next(each for each in table.entries[0] if each.kind == records.SENT)
    _, of, seat, at, mark, tag, fields, *_ = first.value()
    message = canonical(["kifu command 2", of, seat, at, mark, tag, fields, bytes(16), replaced])
    return [records.SENT, first.number, message, None, mark, KEYS[0].sign(message)]


@pytest.mark.parametrize("replaced", [[1], {}, "x", bytes(31)], ids=repr)
def test_a_command_that_replaces_no_hash_is_malformed(table: Table, replaced: Any) -> None:
    forged = with_entry(table, 0, sent(table, replaced))
    assert found(records.verify(forged)) == {("record", None, "owner")}
    assert by_both(forged, table.log) == {("record", None): "owner"}


@pytest.mark.parametrize("kind", [records.SENT, records.WISH])
def test_no_forged_entry_hides_that_a_seat_has_answered_twice(table: Table, kind: int) -> None:
    second = sent(table)
    junk = {
        records.SENT: [*second[:5], bytes(64)],
        records.WISH: [records.WISH, second[1], canonical(["fork", 1, 0, []]), None, bytes(32), None],
    }[kind]
    read = records.read_bytes(with_entry(table, 0, junk))
    forged = evolve(read, entries=(*read.entries, records.Entry(*second))).packed()
    assert by_both(forged, table.log) == {("signature", second[1]): "seat"}


def _signed_by_another(events: list[Any]) -> None:
    meta = next(event[2] for event in events if event[1] == 0 and "sign" in event[2])
    meta.update(by="bot", sign=[meta["sign"][0], bytes(64)])


LOGS: dict[str, Callable[[Any, Any], object]] = {
    "by nobody": lambda _, events: next(event for event in events if event[1] == 0).__setitem__(2, {"by": ""}),
    "by another, and signed wrongly": lambda _, events: _signed_by_another(events),
    "a fork of nothing": lambda header, _: header.update(fork=None),
    **{repr(by): lambda _, events, by=by: events[-1][2].update(by=by) for by in ("seat 00", "seat \u0660", "seat 0\n")},
}


@pytest.mark.parametrize("name", LOGS)
def test_a_log_that_is_forged_is_found_by_both(name: str) -> None:
    table = cake(11, engine=None)
    table.play(10)
    table.take_back(6, 0, [0, 1])
    table.abandon(None)
    header, events, end = taken_apart(table.log)
    LOGS[name](header, events)
    log = signed_anew((header, events, end))
    assert by_both(None, log, {"header"})


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
    fork = forked.fork_of(table, [], shared=5, version=2)
    for verdict in (records.verify(table.record(1), table.log), records.verify_fork(fork.log, table.log)):
        assert [str(each) for each in verdict.unchecked if "taken back" in each] == lines
    assert records.verify(table.record(1), table.log).ok


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


@command("pay")
class Pay:
    coins: int = secret()


def past(game: Any, *event: Any) -> Past:
    """Return the past of the next version of a game, which calls its events otherwise."""
    return Past(game.past.layout, {**game.past.upcasts, game.version: Upcast(dict, *event)})


PAYS = past(bids.NEW, lambda seat, tag, fields: (seat, "pay" if tag == "offer" else tag, fields))
PAYING = bids.game(bids.State, bids.Options, Pay, bids.view, version=3, past=PAYS)
OFFERS = bids.game(bids.State, bids.Options, bids.Offer, bids.view)
SHOWS_BIDS = {"view": lambda state, viewer: evolve(bids.view(state, viewer), bids=state.bids[:2])}
SHOWS_OFFERS = {"redact": lambda step, viewer: RedactedCommand("offer", (("coins", 0),))}


def evening(first: Any, second: Any, club: str = "", *, ends: bool = False) -> list[bytes]:
    """Bid under one version, end under the next; return what seat 0 was told before, and seat 1 after, log and fork."""
    more: dict[str, Any] = {"store": MemoryStore(), "clock": Clock(), "entropy": Entropy(), "sign": HOST}
    old = Host(find=lambda _: first, engine=f"{club}kifu 1", **more)
    new = Host(find=lambda _: second, engine=f"{club}kifu 2", **more)
    opened = old.open("bids", ["Aki", "Ren", "Mio"], {}, Terms())
    match, keys = opened.match, opened.keys

    def told(host: Host, seat: int) -> bytes:
        trust = host.about(match).trust
        entries = [*host.history(match, keys[seat]), host.observe(match, keys[seat])]
        head = records.head(seat, trust.roster, trust.roster_sig)
        return msgpack.packb(head) + b"".join(each.told().packed() for each in entries)

    for coins in (3, 1, 3):
        seen = old.observe(match)
        bid = bids.Bid(coins) if first is bids.OLD else bids.Offer(coins)
        old.submit(match, keys[min(seen.to_act)], bid, seen.count)
        list(old.write_witnesses())
    early = told(old, 0)
    if ends:
        old.force_abandon(match)
    list(new.update_rules())
    late = told(new, 1)
    if not ends:
        new.force_abandon(match)
    fork = str(new.fork(match, keys[0], 4).fork)
    new.force_abandon(fork)
    return [early, late, new.export_log(match), new.export_log(fork)]


def test_commands_that_newer_rules_call_otherwise_convict_nobody() -> None:
    early, late, log, fork = evening(bids.OLD, bids.NEW)
    compared = records.compare(early, late)
    assert (compared.findings, [each.key for each in compared.unchecked]) == ((), ["two-programs"])  # type: ignore[attr-defined]
    for record in (early, late):
        assert records.verify(record, log, find=lambda _: PAYING, engine="kifu 3").findings == ()
    assert records.verify_fork(fork, log, find=lambda _: PAYING).findings == ()


@pytest.mark.parametrize(
    ("first", "kind", "changes"),
    [(bids.OLD, "rules", SHOWS_BIDS), (OFFERS, "view", SHOWS_BIDS), (OFFERS, "told", SHOWS_OFFERS)],
)
def test_what_a_game_of_other_rules_says_is_not_the_host_s_word(first: Any, kind: str, changes: Any) -> None:
    second = bids.NEW if first is bids.OLD else first
    record, _, log, _ = evening(first, second)
    newest = second.altered(version=second.version + 1, past=past(second), **changes)
    verdict = records.verify(record, log, find=lambda _: newest, engine="kifu 3")
    assert kind in {each.kind for each in verdict.findings}
    assert (verdict.log_signed, verdict.by) == (True, "owner")


def test_two_seats_may_each_see_a_row_of_a_redacted_command() -> None:
    table = cake(5, engine=None)
    for seat in (0, 1):
        deal = table.entries[seat][0]
        parts = [*deal.value()[:3], {"hands": [seat]}, *deal.value()[4:]]
        table.entries[seat][0] = table.evidence._told(seat, records.EVENT, 0, canonical(parts), deal.mark)
    assert records.compare(table.record(0), table.record(1)).findings == ()


def test_who_cannot_read_a_fork_finds_no_other_events_in_it() -> None:
    """A fork under newer rules than its parent, held against it by a program that has only the older ones."""
    more: Any = {"store": MemoryStore(), "clock": Clock(), "entropy": Entropy(), "sign": HOST}
    old = Host(find=lambda _: bids.OLD, engine="kifu 1", **more)
    opened = old.open("bids", ["Aki", "Ren", "Mio"], {}, Terms())
    for card in (3, 1, 3):
        seen = old.observe(opened.match)
        old.submit(opened.match, opened.keys[min(seen.to_act)], bids.Bid(card), seen.count)
    old.force_abandon(opened.match)
    parent = old.export_log(opened.match)
    new = Host(find=lambda _: bids.NEW, engine="kifu 2", **more)
    list(new.update_rules())
    fork = str(new.fork(opened.match, opened.keys[0], 3).fork)
    new.force_abandon(fork)
    log = new.export_log(fork)
    assert records.verify_fork(log, parent, find=lambda _: bids.NEW).ok
    by_old = records.verify_fork(log, parent, find=lambda _: bids.OLD)
    assert {kind for kind, _, _ in found(by_old)} == {"header"}
    assert by_old.by == "owner"
    assert any("cannot read both logs" in each for each in by_old.unchecked)


def test_the_work_grows_as_what_is_given_does(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """A record that tells one event again and again, or takes the host's word for many seats, costs no more."""
    read = records.read_bytes(table.record(0))
    unsigned = evolve(read, roster=evolve(read.roster, host_key=None), sig=None)

    def telling(times: int, *program: str) -> bytes:
        tolds = [canonical([0, -1, "deal", {}, True, at, None, [], *program]) for at in range(times)]
        entries = [records.Entry(records.EVENT, 0, told, bytes(16), bytes(32), None) for told in tolds]
        return evolve(unsigned, entries=tuple(entries)).packed()

    pairs: list[Any] = []
    apart = compare_room._parts_apart
    monkeypatch.setattr(compare_room, "_parts_apart", lambda *given, **how: pairs.append(given) or apart(*given, **how))
    verdict = records.compare(telling(50), telling(50, "x"))
    assert found(verdict) == {("told", 0, "owner")}
    assert len(pairs) == compare_room.MOST_TELLINGS**2
    assert len([each for each in verdict.unchecked if "have told it" in each]) == 1
    assert "what was told of event 0: more than 16 times, each time otherwise" in verdict.unchecked

    parts = msgpack.unpackb(read.head()["roster"], strict_map_key=False)
    parts[5], parts[13], parts[12] = ["a"] * 100, [at.to_bytes(32, "big") for at in range(100)], None
    wish = records.Entry(records.WISH, 0, canonical(["abandon", 0, 0, []]), None, bytes(32), None).packed()
    found_by_itself = records.verify(msgpack.packb(records.head(0, canonical(parts), None)) + wish)
    (missing,) = [each for each in found_by_itself.findings if (each.kind, each.seq) == ("signature", 0)]
    assert len(missing.message) < 100, "one reason names the seats"


def test_a_state_that_takebacks_restore_again_and_again_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    table, looks = cake(3, engine=None), list[Any]()
    faces = takebacks._faces
    monkeypatch.setattr(takebacks, "_faces", lambda *given: looks.append(given) or faces(*given))
    back_and_forth(table, 20)
    looks.clear()
    audit(table.log)
    assert 0 < len(looks) <= 20 * 4 * 4, "four viewers, before and after, of each takeback that needed no consent"


def test_only_a_log_that_the_host_of_the_record_has_signed_is_its_word_beside_a_parent(table: Table) -> None:
    other = KEYS[5]
    parent = Table(held("cake", (0, 0, 0), Random(13), keys=[None] * 3, host_key=other, engine=None), [None] * 3, other)
    parent.play(20)
    parent.abandon(None)
    header, events, end = taken_apart(forked.fork_of(parent, [], version=2).log)
    match = taken_apart(table.log)[0]["match"]
    header = {**header, "match": match, "sign": {**header["sign"], "host": other.public}}
    events[3][2] = {**(events[3][2] or {}), "by": "Zoe"}
    verdict = records.verify(table.record(0), signed_anew((header, events, end), other), parent=parent.log)
    assert ("head", 3, "owner") in found(verdict)
    assert verdict.by == "owner"


def test_a_log_that_an_upcast_cannot_read_is_not_the_host_s_word() -> None:
    def fails(seat: int, tag: str, fields: Any) -> Any:
        raise ValueError(tag)

    newest = bids.NEW.altered(version=bids.NEW.version + 1, past=past(bids.NEW, fails))
    record, _, log, _ = evening(bids.NEW, bids.NEW)
    verdict = records.verify(record, log, find=lambda _: newest, engine="kifu 3")
    assert "form" in {each.kind for each in verdict.findings}
    assert verdict.by == "owner"


@pytest.mark.parametrize("tag", [{"b": 1, "a": 2}, 5], ids=str)
def test_a_signed_event_with_a_tag_that_is_no_text_is_a_finding_and_raises_nothing(tag: Any) -> None:
    table = called_off(5, 8)
    header, events, end = taken_apart(table.log)
    number = len(events)
    mark = records.marks(table.log)[number]
    message = command_message(table.of, 0, number, mark, tag, {}, bytes(16))
    odd = [number, 0, {"id": bytes(16), "sign": [number, KEYS[0].sign(message)]}, tag, {}, None]
    log = signed_anew((header, [*events, odd], end), HOST)
    verdict = records.verify(table.record(0), log)
    assert {("form", number, "host"), ("signature", number, "host")} <= found(verdict)
    assert by_both(None, log) == {("signature", number): "host"}


def test_the_record_of_a_roster_without_seats_is_a_spectators(table: Table) -> None:
    parts = msgpack.unpackb(table.roster, strict_map_key=False)
    parts[5], parts[12], parts[13] = [], None, []
    raw = msgpack.packb(records.head(None, canonical(parts), None))
    assert by_both(raw, raw) == {}


def test_no_seed_comes_of_a_roster_whose_veil_is_none() -> None:
    independent = pytest.importorskip(f"{__package__}.independent", reason="needs kifu[web]")
    table = cake(11, engine=None)
    header, *rest = taken_apart(table.log)
    header["veil"], fair = bytes(31), header["fair"]
    digest = roster_digest(independent.Log(put_together((header, *rest))).rosters[-1])
    header["seed"] = seed(digest, fair["host"][1], [pair[1] for pair in fair["seats"]])
    log = put_together((header, *rest))
    assert ("fair", None) in by_both(None, log)


def test_two_seats_are_told_one_end(table: Table) -> None:
    ends = [records.read_bytes(table.record(seat)) for seat in (0, 1)]
    told = table.evidence._told(
        1, records.END, table.count, canonical([table.count, "over", [1, 0, 0], [0]]), ends[1].entries[-1].mark
    )
    other = evolve(ends[1], entries=(*ends[1].entries[:-1], told)).packed()
    assert by_both(table.record(0), other) == {("told", table.count): "host"}
