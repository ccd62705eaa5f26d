"""What forgers have tried since is judged alike by both verifiers, and convicts no honest host or player."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from random import Random
from typing import Any

import msgpack
import pytest
from attrs import evolve, field, frozen
from kifu.core.errors import MatchError
from kifu.core.game import Note, Seat
from kifu.core.host import Host, Terms
from kifu.core.log.framing import parse_strict
from kifu.core.log.reader import MAX_STRANGE
from kifu.core.match import takebacks
from kifu.core.stores import MemoryStore
from kifu.core.trust import compare as compare_room
from kifu.core.trust import fork_audit, records, signing
from kifu.core.trust.audit import audit
from kifu.core.trust.canonical import canonical
from kifu.core.trust.raw_log import read_log
from kifu.core.trust.signature_audit import audit_signatures
from kifu.games.cake import GAME as CAKE

from ..host.test_trust import Client, seated
from . import forked
from .judges import by_both
from .playing import HOST, KEYS, Table, back_and_forth, cake, called_off, held, put_together, taken_apart


def in_base64(value: bytes) -> str:
    return b64encode(value).decode()


TEXTS: dict[str, Callable[[dict[str, Any]], object]] = {
    "veil": lambda header: header.update(veil=in_base64(header["veil"])),
    "key": lambda header: header["sign"].update(host=in_base64(header["sign"]["host"])),
    "commitment": lambda header: header["fair"].update(host=[*map(in_base64, header["fair"]["host"])]),
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_in_base64_is_no_bytes(name: str) -> None:
    table = called_off(5, 14)
    header, events, end = taken_apart(table.log)
    TEXTS[name](header)
    log = put_together((header, events, end))
    assert by_both(None, log)
    assert by_both(table.record(0), log)


INTS_AS_KEYS = {"a": {1: 2}}


@pytest.mark.parametrize(
    ("value", "is_fit"),
    [
        ({"options": INTS_AS_KEYS}, True),
        ({"options": [INTS_AS_KEYS["a"]]}, False),
        ([{"options": INTS_AS_KEYS}], False),
        ({"x": {"options": INTS_AS_KEYS}}, False),
    ],
    ids=str,
)
def test_only_the_options_of_a_header_may_have_ints_as_keys(value: Any, is_fit: bool) -> None:
    independent = pytest.importorskip(f"{__package__}.independent", reason="needs kifu[web]")
    raw = msgpack.packb(value)
    assert (parse_strict(raw) == value) == (independent.unpacked(raw) == value) == is_fit


@pytest.mark.parametrize("engine", [None, "kifu of yesterday"])
def test_a_command_that_another_program_hid_is_the_owner_s_word_by_both(engine: str | None) -> None:
    table = called_off(5, 14, engine)
    place, told = next(
        (at, each.value())
        for at, each in enumerate(table.entries[2])
        if each.kind == records.EVENT and each.value()[4] and each.value()[1] >= 0
    )
    told[2] = "x"
    table.tell_anew(2, place, told)
    assert by_both(table.record(2), table.log) == {("told", told[0]): "owner" if engine else "host"}


@frozen
class Coins:
    """Coins that are equal whatever they show."""

    count: int = field(eq=False)


@pytest.mark.parametrize(("one", "other"), [(1, True), (False, 0), (Coins(1), Coins(2))], ids=repr)
def test_notes_that_are_equal_in_python_are_told_to_each_seat_as_they_are(one: Any, other: Any) -> None:
    """What is signed tells them apart: the host would be convicted of the seat to which it told another's."""
    game = CAKE.altered(explain=lambda _, viewer: (Note.of("taken", count=one if viewer == 0 else other),))
    at = seated(Host(MemoryStore(), sign=HOST, find=lambda _: game))
    at.play(4)
    at.host.force_abandon(at.match)
    at.listen()
    for each in (*at.clients, at.watcher):
        assert records.verify(each.record(), at.log, find=lambda _: game).findings == ()


def test_players_take_nothing_back_that_a_bot_in_a_seat_with_a_key_cannot_sign() -> None:
    """Else the host that resumed a match with a bot in that seat would be convicted of a takeback without consent."""
    before = seated(Host(MemoryStore(), sign=HOST))
    before.play(8)
    host = Host(MemoryStore(), sign=HOST, bots={"hasty": lambda state: state.legal[0]})
    opened = host.import_log(before.log, Terms(bots={Seat(0): "hasty"}))
    match, *others = opened.match, *(Client(host, opened.match, at, opened.keys[at], KEYS[at]) for at in (1, 2))
    clients = [evolve(each, signing=before.clients[each.seat].signing) for each in others]
    for each in clients:
        each.listen()
    mine, count = clients[0], host.observe(match).count
    assert [seat.signs for seat in host.about(match).trust.seats] == [False, True, True]
    with pytest.raises(MatchError, match="nothing can be taken back"):
        host.take_back(match, mine.key, count - 3, mine.consent("take_back", count - 3, count))
    with pytest.raises(MatchError, match="seat 0 is a bot's now, which signs nothing: fork the match once it has"):
        host.fork(match, mine.key, 3, mine.consent("fork", 3, count))
    host.force_abandon(match)
    fork = str(host.fork(match, mine.key, 3).fork)
    host.force_abandon(fork)
    for each in clients:
        each.listen()
        assert records.verify(each.record(), host.export_log(match)).findings == ()
    assert records.verify_fork(host.export_log(fork), host.export_log(match)).findings == ()


def test_each_event_is_looked_at_once_of_however_many_takebacks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seat that votes, takes that back and votes again, and goes back to before its first vote again and again."""
    keys = [KEYS[0], None, None]
    table = Table(held("cake", (0, 0, 0), Random(3), keys=keys, engine=None), keys)
    while takebacks.why_consent_is_needed(table.match, 1, table.count - 2) is not None:
        seat = min(table.match.to_act)
        table.command(seat, table.match.legal(seat)[0])
    at, vote = table.count - 1, table.match.events[-1].command
    for _ in range(10):
        table.take_back(at - 1, 1, [])
        table.command(1, vote)
    for _ in range(10):
        table.take_back(at, 1, [])
        table.take_back(at - 1, 1, [])
    looks: dict[str, list[Any]] = {"_faces": [], "_is_secret": []}
    for name, seen in looks.items():
        asked = getattr(takebacks, name)
        monkeypatch.setattr(takebacks, name, lambda *given, asked=asked, seen=seen: seen.append(given) or asked(*given))
    audit(table.log)
    assert len(looks["_is_secret"]) == 11, "each vote"
    assert len(looks["_faces"]) == 4 * 12, "four viewers: before the votes, and after each"


SEVEN = (b"\x97", b"\xdc\x00\x07", b"\xdd\x00\x00\x00\x07")
"""The heads of a list of seven."""


@pytest.mark.parametrize("head", SEVEN, ids=bytes.hex)
@pytest.mark.parametrize("item", [b"\xc0", b"\xa1\xff"], ids=["nil", "no text"])
def test_a_list_of_seven_counts_as_one_for_every_reader(head: bytes, item: bytes) -> None:
    table = cake(5, engine=None)
    table.play(8)
    header, events, _ = taken_apart(table.log)
    junk = (head + item * 7) * (MAX_STRANGE + 1)
    unsigned = msgpack.packb([0, 0, None, "vote", {}, None, b""])
    log = put_together((header, events, None)) + junk + unsigned
    assert by_both(None, log) == {("signature", len(events) + MAX_STRANGE + 1): "owner"}


def test_true_is_no_seat_that_may_take_its_own_event_back() -> None:
    keys = [KEYS[0], None, None]
    table = Table(held("cake", (0, 0, 0), Random(5), keys=keys, host_key=HOST, engine=None), keys, HOST)
    table.play(8)
    header, events, _ = taken_apart(table.log)
    count = len(events)
    more = [
        [count, True, None, "vote", {}, None],
        [count + 1, -1, {"by": "seat 1"}, ".takeback", {"to": count - 1}, None],
    ]
    log = put_together((header, [*events, *more], None))
    assert by_both(None, log) == {("signature", count + 1): "owner"}


def test_the_keys_of_an_option_may_be_ints_in_a_header_alone() -> None:
    table = cake(5, engine=None)
    table.play(8)
    fields = {"options": {"x": {1: 2}}}
    told = canonical([3, 0, "vote", fields, False, None, None, []])
    entry = records.Entry(records.EVENT, 3, told, bytes(16), bytes(32), None)
    record = evolve(records.read_bytes(table.record(0)), entries=(entry,)).packed()
    assert by_both(record, table.log) == {("record", None): "owner"}
    header, events, _ = taken_apart(table.log)
    log = put_together((header, [*events, [len(events), 0, None, "vote", fields, None]], None))
    assert by_both(None, log) == {}


class Counted(list[Any]):
    """A list that counts how many of its items are asked for."""

    asked = 0

    def __getitem__(self, at: Any) -> Any:
        found = super().__getitem__(at)
        self.asked += len(found) if isinstance(at, slice) else 1
        return found


def test_who_takes_one_vote_back_and_forth_has_no_event_looked_at_again() -> None:
    table = cake(3, engine=None)
    at, seat = back_and_forth(table, 50)
    table.match.events = events = Counted(table.match.events)
    learnt = takebacks.Learnt(table.match)
    for seq in range(at + 1, table.count, 2):
        assert learnt.why_consent_is_needed(seat, at - 1, seq) is None
    assert events.asked < 3 * table.count


def test_the_seats_of_a_fair_deal_are_gone_through_once_however_often_it_is_taken_back() -> None:
    class Who(tuple[int, ...]):
        rounds = 0

        def __iter__(self) -> Any:
            Who.rounds += 1
            return super().__iter__()

    table = cake(5, engine=None)
    header, events, _ = taken_apart(table.log)
    back = [[1 + at, -1, {"by": "seat 2"}, ".takeback", {"to": -(at % 2)}, None] for at in range(1, 41)]
    log, left = read_log(put_together((header, [*events, *back], None))), list[Any]()
    assert log.deal is not None
    log.__dict__["deal"] = evolve(log.deal, who=Who(log.deal.who))
    audit_signatures(log, lambda *_: None, left.append)
    assert len(left) > 30
    assert Who.rounds < 5


def test_what_was_told_in_many_ways_is_packed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read = records.read_bytes(cake(5).record(0))
    read = evolve(read, roster=evolve(read.roster, host_key=None), sig=None)
    packed: list[Any] = []

    def counted(*values: Any, pack: Any) -> Any:
        packed.append(values)
        return pack(*values)

    for name in ("canonical", "same"):
        pack = getattr(compare_room, name)
        monkeypatch.setattr(compare_room, name, lambda *values, pack=pack: counted(*values, pack=pack))

    def telling(prefix: str) -> bytes:
        fields = [{f"{prefix}{field}": at for field in range(100)} for at in range(16)]
        tolds = [canonical([0, -1, "deal", each, False, None, None, []]) for each in fields]
        entries = [records.Entry(records.EVENT, 0, told, bytes(16), bytes(32), None) for told in tolds]
        return evolve(read, entries=tuple(entries)).packed()

    (finding,) = records.compare(telling("a"), telling("b")).findings
    assert (finding.kind, finding.seq) == ("told", 0)
    assert len(packed) < 2 * 16 * 110 + 16 * 16 * 5


def test_consents_are_not_looked_for_in_a_parent_that_is_no_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """Events that cost nine bytes would each take the time of a signature."""
    live = forked.parent()
    fork = forked.fork_of(live, live.consent("fork", forked.SHARED, range(3)), version=2)
    junk = b"".join(msgpack.packb([at, None, None, "", {}, None, None]) for at in range(500))
    asked: list[Any] = []
    check = signing.check
    monkeypatch.setattr(fork_audit.signing, "check", lambda *given: asked.append(given) or check(*given))
    verdict = records.verify_fork(fork.log, live.objects[0] + junk)
    assert ("head", None) in {(each.kind, each.seq) for each in verdict.findings}
    assert len(asked) < 100


@pytest.mark.parametrize("tail", [b"\xa5x", b"\xc9\xff\xff\xff\xff\x01"], ids=bytes.hex)
@pytest.mark.parametrize("strange", [0, MAX_STRANGE, MAX_STRANGE + 1])
def test_a_torn_end_is_found_by_both_unless_the_reader_has_stopped_before(tail: bytes, strange: int) -> None:
    log = cake(5, engine=None).objects[0] + bytes(strange) + tail
    assert by_both(None, log) == ({} if strange > MAX_STRANGE else {("torn", None): "owner"})


@pytest.mark.parametrize("engine", [5, None, {}], ids=repr)
def test_what_is_no_text_names_no_program(engine: Any) -> None:
    """Two records whose rosters name no program are of one, as far as anybody knows."""

    def told(seat: int, engine: Any, tag: str) -> bytes:
        read = records.read_bytes(cake(5).record(seat))
        roster = evolve(read.roster, host_key=None, engine=engine)
        entry = records.Entry(
            records.EVENT, 0, canonical([0, -1, tag, {}, True, None, None, []]), bytes(16), bytes(32), None
        )
        return evolve(read, roster=roster, sig=None, entries=(entry,)).packed()

    assert ("told", 0) in by_both(told(0, engine, "deal"), told(1, 6, "other"))
