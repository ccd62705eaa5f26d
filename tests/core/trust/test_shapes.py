"""What has the wrong shape is refused whole: rosters, keys, heads and entries of records."""

from __future__ import annotations

from typing import Any

import msgpack
import pytest
from kifu.core.errors import TrustError
from kifu.core.trust import records
from kifu.core.trust.audit import audit
from kifu.core.trust.canonical import canonical, from_canonical
from kifu.core.trust.header_keys import read_keys, read_veil
from kifu.core.trust.roster import read_roster, roster_of
from kifu.core.trust.seat_record import entry_error
from kifu.core.trust.signing import SigningKey

from .playing import put_together, taken_apart
from .vectors import FILES, WEAK_KEYS

RECORD = records.read_bytes(FILES["seat0.seat"])
ROSTER = RECORD.roster.packed()
HEADER = taken_apart(FILES["base.log"])[0]
ODD: list[Any] = [None, True, -1, 1.5, "x", b"x", bytes(31), [], [None], [b"x"], {}, [[bytes(32)]], [["x", []]]]


def test_a_roster_is_read_and_made_again() -> None:
    assert read_roster(ROSTER).packed() == ROSTER == roster_of(HEADER).packed()


@pytest.mark.parametrize("place", range(14))
def test_a_part_of_the_wrong_kind_makes_no_roster(place: int) -> None:
    parts = from_canonical(ROSTER)
    fine = {4: [{}], 6: [None, []], 8: [[]], 9: [None], 10: [None, [], [None]], 11: [None], 12: [None]}
    for odd in ODD:
        if odd in fine.get(place, []) or (place in (1, 2) and odd == "x") or odd == 1.5:
            continue
        raw = canonical([*parts[:place], odd, *parts[place + 1 :]])
        with pytest.raises(TrustError, match="not a roster"):
            read_roster(raw)
    for raw in (canonical(parts[:13]), canonical([*parts, None]), b"", ROSTER[:-1]):
        with pytest.raises(TrustError):
            read_roster(raw)


@pytest.mark.parametrize("key", ["match", "game", "rules", "options", "seats", "fair", "veil", "sign"])
def test_a_header_whose_parts_are_wrong_has_no_roster(key: str) -> None:
    for odd in (1.5, True, -1, b"x", [1], {"v": 2}):
        if (key, odd) not in [("options", {"v": 2}), ("rules", True)]:
            with pytest.raises(TrustError):
                roster_of({**HEADER, key: odd})


KEY = SigningKey(bytes(32)).public


@pytest.mark.parametrize(
    "sign",
    [
        *ODD,
        {"v": 1},
        {"v": 3, "host": None, "seats": [None] * 3},
        {"v": True, "host": None, "seats": [None] * 3},
        {"v": 1, "seats": [None] * 3},
        {"v": 1, "host": None},
        {"v": 1, "host": None, "seats": [None] * 2},
        {"v": 1, "host": None, "seats": [None] * 4},
        {"v": 1, "host": None, "seats": {}},
        {"v": 1, "host": KEY[:31], "seats": [None] * 3},
        {"v": 1, "host": None, "seats": [None, "x", None]},
        *({"v": 1, "host": key, "seats": [None] * 3} for key in WEAK_KEYS),
        {"v": 1, "host": None, "seats": [None, None, bytes((*WEAK_KEYS[1][:-1], 0x80))]},
    ],
    ids=str,
)
def test_a_malformed_sign_is_one_finding_and_nothing_else_is_checked(sign: Any) -> None:
    with pytest.raises(TrustError):
        read_keys({**HEADER, "sign": sign})
    if sign != 1.5:
        log = taken_apart(FILES["base.log"])
        log[0]["sign"] = sign
        assert [(each.kind, each.seq) for each in audit(put_together(log)).findings if each.kind == "signature"] == [
            ("signature", None)
        ]


def test_keys_may_have_other_keys_beside_them_and_be_none_at_all() -> None:
    keys = read_keys({**HEADER, "sign": {"v": 1, "host": KEY, "seats": [None, KEY, None], "agreed": []}})
    assert (keys.host, keys.of(1), keys.of(0), keys.of(3), keys.of(-1), keys.of("x")) == (KEY, KEY, *[None] * 4)
    none = read_keys({"seats": ["A", "B"]})
    assert (none.some, none.seats) == (False, (None, None))


@pytest.mark.parametrize("veil", ODD, ids=str)
def test_a_malformed_veil_is_a_finding(veil: Any) -> None:
    with pytest.raises(TrustError, match="'veil' is not 32 bytes"):
        read_veil({"veil": veil})
    assert read_veil({}) is None


def test_an_entry_has_its_shape_or_none_after_it_is_read() -> None:
    for place, entry in enumerate(RECORD.entries):
        parts = msgpack.unpackb(entry.packed())
        assert entry_error(parts, "full") is None
        wrong = [parts[:5], [*parts, None], {}, None]
        wrong += [[kind, *parts[1:]] for kind in (-1, 5, True, None)]
        wrong += [[parts[0], number, *parts[2:]] for number in (-1, True, None, "1")]
        wrong += [
            [*parts[:2], told, *parts[3:]] for told in (None, b"", "x", b"\xc0\xc0", canonical([]), canonical({}))
        ]
        wrong += [[*parts[:4], mark, parts[5]] for mark in (None, bytes(31), "x")]
        wrong += [[*parts[:5], sig] for sig in (bytes(63), "x", 0)]
        wrong += [[*parts[:3], salt, *parts[4:]] for salt in (bytes(15), "x", bytes(16) if parts[3] is None else None)]
        for each in wrong:
            assert entry_error(each, "full") is not None, (place, each)


def test_what_was_told_has_the_parts_of_its_kind() -> None:
    """The second verifier has its own shapes of them."""
    independent = pytest.importorskip(f"{__package__}.independent", reason="needs kifu[web]")
    seen = set()
    for entry in (*RECORD.entries, *records.read_bytes(FILES["consent.seat"]).entries):
        told = [entry.value(), [*entry.value(), None], entry.value()[:-1]]
        told += [[*told[0][:at], odd, *told[0][at + 1 :]] for at in range(len(told[0])) for odd in ODD if odd != 1.5]
        for each in told:
            parts = [entry.kind, 0, canonical(each), entry.salt, bytes(32), None]
            fine = any(independent.fits(each, shape) for shape in independent.TOLD[entry.kind])
            assert (entry_error(parts, "full") is None) == fine, each
            seen.add((entry.kind, fine))
    assert seen == {(kind, fine) for kind in range(5) for fine in (False, True)}


@pytest.mark.parametrize("form", ["full", "public"])
def test_entries_stand_in_the_order_of_time(form: str) -> None:
    record = RECORD if form == "full" else RECORD.public()
    told = {entry.time: entry for entry in record.entries if entry.time is not None}
    for early, late in ((1, 5), (13, 35), (13, 48), (2, 7)):  # events, an end, a look
        raw = msgpack.packb(record.head()) + told[late].packed() + told[early].packed()
        found = [(each.kind, each.seq) for each in records.read_bytes(raw).findings]
        assert found == [("record", told[early].number)]


def test_how_a_match_ended_is_said_by_its_record_alone() -> None:
    ended = {name: records.verify(FILES[f"{name}.seat"]).ended for name in ("whole-seat1", "consent", "seat0-until-10")}
    assert ended == {"whole-seat1": "over", "consent": "by consent", "seat0-until-10": None}
    assert records.verify(FILES["seat0.seat"]).ended == "called off"
    assert records.verify(FILES["seat0-public.seat"]).ended is None, "the public form does not show it"


def test_two_records_are_compared_as_far_as_both_go() -> None:
    marks = records.marks(FILES["base.log"])
    early, late = records.read_bytes(FILES["seat0-until-10.seat"]), records.read_bytes(FILES["seat1.seat"])
    for pair in ((early, late), (late, early)):
        verdict = records.compare(*pair)
        assert (verdict.first, verdict.last, verdict.code) == (0, 9, records.code(marks[10]))
        assert verdict.signed
