"""What a reader does with a bad log: every row of the contract's table."""

import os
import tracemalloc
from pathlib import Path

import kifu
import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kifu.core.log import Reading, load, log_bytes, read, read_bytes
from kifu.core.log.format import next_chain
from kifu.core.log.framing import ObjectStream

from .conftest import play_on
from .rewriting import chained, pieces, unchained


def kinds(reading: Reading) -> list[str]:
    return [finding.kind for finding in reading.findings]


def found(reading: Reading) -> list[tuple[str, int | None]]:
    return [(finding.kind, finding.seq) for finding in reading.findings]


def test_a_file_cut_inside_an_object_is_torn_and_the_rest_is_kept(going_bytes: bytes) -> None:
    reading = read_bytes(going_bytes[:-5])
    assert kinds(reading) == ["torn"]
    assert reading.events == 29
    assert len(reading.match.events) == 29


@pytest.mark.parametrize("keep", [True, False])
def test_every_flipped_bit_is_found(going_bytes: bytes, keep: bool) -> None:
    for place in range(0, len(going_bytes), 3):
        damaged = bytearray(going_bytes)
        damaged[place] ^= 1 << place % 8
        assert read_bytes(bytes(damaged), keep_states=keep).findings, place


@pytest.mark.usefixtures("plants")
@pytest.mark.parametrize("junk", [b"\x01", b"\x90", b"\x80", b"\xc0"])
def test_much_that_is_no_event_ends_the_reading(
    going_bytes: bytes, junk: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kifu.core.log import reader

    streams = []

    class Noted(ObjectStream):
        def __init__(self, data: bytes) -> None:
            super().__init__(data)
            streams.append(self)

    monkeypatch.setattr(reader, "ObjectStream", Noted)
    reading = read_bytes(going_bytes + junk * 100_000)
    assert kinds(reading) == ["form"]
    assert streams[0].end < len(going_bytes) + 5_000


def test_removed_inserted_and_moved_events_break_the_chain(going_bytes: bytes) -> None:
    header, *events = pieces(going_bytes)
    removed = [*events[:5], *events[6:]]
    inserted = [*events[:5], events[2], *events[5:]]
    moved = [*events[:5], events[6], events[5], *events[7:]]
    for changed in (removed, inserted, moved):
        found = kinds(read_bytes(header + b"".join(changed)))
        assert "chain" in found
        assert "form" in found  # the numbers have a gap


def test_each_broken_link_is_reported_against_the_recorded_one_before_it(going_bytes: bytes) -> None:
    header, *events = pieces(going_bytes)
    events[4] = events[4][:-1] + bytes([events[4][-1] ^ 1])
    reading = read_bytes(header + b"".join(events))
    assert found(reading) == [("chain", 4), ("chain", 5)]


def test_after_a_refusal_the_fold_stops_and_the_chain_is_still_checked(going_bytes: bytes) -> None:
    header, objects = unchained(going_bytes)
    objects[3][4] = {"card": objects[1][4]["card"]}
    data = chained(header, objects)
    reading = read_bytes(data)
    assert [(each.kind, each.seq, each.rule) for each in reading.findings] == [("rule", 3, "TS-2")]
    assert reading.events == 30
    assert len(reading.match.events) == 3
    broken = bytearray(data)
    broken[-1] ^= 1
    assert kinds(read_bytes(bytes(broken))) == ["rule", "chain"]


def test_first_differing_digest_is_reported_once(going_bytes: bytes) -> None:
    header, objects = unchained(going_bytes)
    for event in objects[7:9]:
        event[5] = bytes(8)
    reading = read_bytes(chained(header, objects))
    assert found(reading) == [("digest", 7)]
    assert reading.digests == "checked"


def test_digests_are_compared_only_if_that_is_asked(going_bytes: bytes) -> None:
    header, objects = unchained(going_bytes)
    objects[7][5] = bytes(8)
    other = chained(header, objects)
    reading = read_bytes(other, digests=False)
    assert (reading.ok, reading.digests) == (True, "unchecked")
    assert kinds(read_bytes(other[:-1] + bytes([other[-1] ^ 1]), digests=False)) == ["chain"], "all else is"


def test_a_log_without_digests_is_reported_as_such(going: kifu.Match) -> None:
    reading = read_bytes(log_bytes(going, digests=False))
    assert reading.ok
    assert reading.digests == "absent"


@pytest.mark.parametrize(
    "change",
    [
        *[{"events": 3}, {"end": "lost"}, {"end": "abandoned", "points": None, "winners": None}],
        *[{"points": [9, 9, 9]}, {"points": [1, 2]}, {"points": [True, False, False]}],
        *[{"winners": [0, 1, 2]}, {"winners": [2, 1]}],
    ],
    ids=str,
)
def test_an_end_record_that_disagrees_with_the_fold(over: kifu.Match, change: dict) -> None:
    header, objects = unchained(log_bytes(over))
    objects[-1].update(change)
    reading = read_bytes(chained(header, objects))
    assert found(reading) == [("result", None)]
    assert reading.result == over.result


def test_a_chain_that_is_not_the_last_of_the_end_record_is_not_taken_unchecked(over: kifu.Match) -> None:
    *objects, end = pieces(log_bytes(over))
    moved = {"chain": bytes(16), **{key: each for key, each in msgpack.unpackb(end).items() if key != "chain"}}
    assert kinds(read_bytes(b"".join(objects) + msgpack.packb(moved))) == ["result"]
    longer = end[:-18] + b"\xc5\x00\x10" + bytes(16)  # the same, by a longer head
    assert kinds(read_bytes(b"".join(objects) + longer)) == ["result"]


def test_an_end_record_before_the_end_is_a_wrong_result(going_bytes: bytes) -> None:
    header, objects = unchained(going_bytes)
    end = {"end": "over", "events": 30, "points": [0, 0, 0, 0], "winners": [0, 1, 2, 3]}
    assert kinds(read_bytes(chained(header, [*objects, end]))) == ["result"]


@pytest.mark.parametrize("extra", [b"\xc0", b"\x00" * 50, b"\xc1", b"\x93\x01", b"\x81\xa3end\xa4over"])
def test_nothing_may_follow_the_end_record(over: kifu.Match, extra: bytes) -> None:
    reading = read_bytes(log_bytes(over) + extra)
    assert found(reading) == [("form", None)]


BAD_PARTS = {
    "seq": [6, 8, -7, True, 7.0, 2**63],
    "seat": [4, -2, "0", None],
    "meta": [
        *[{}, [], {"at": -1}, {"at": 1.5}, {"at": True}, {"at": 1, "by": 2}, {"at": 1, 2: 3}, {"more": 0.5}],
        *[{"id": "text"}, {"id": bytes(33)}, {"by": "x" * 65}, {"by": b"x"}, {"other": 1.5}, {"other": {1: 2}}],
    ],
    "tag": ["no such command", ".undo", b"play", None],
    "fields": [{}, [], None, {"card": 110, "x": 1}, {"Card": 110}],
    "card": [
        *[True, "110", None, 1.0, float("nan"), [110], 9999, 2**64 - 1],
        *[msgpack.ExtType(5, b"abc"), msgpack.Timestamp(0, 0)],
    ],
    "digest": [bytes(7), bytes(9), "12345678", 0],
}
"""What cannot stand in the place of a part of an event; a card is the only field of a play."""


@pytest.mark.parametrize(("part", "value"), [(part, value) for part, bad in BAD_PARTS.items() for value in bad])
def test_an_event_of_the_wrong_shape_is_a_form_finding(going_bytes: bytes, part: str, value: object) -> None:
    header, objects = unchained(going_bytes)
    place = 4 if part == "card" else ("seq", "seat", "meta", "tag", "fields", "digest").index(part)
    objects[7][place] = {"card": value} if part == "card" else value
    for keep in (True, False):
        reading = read_bytes(chained(header, objects), keep_states=keep)
        assert found(reading) == [("form", 7)]
        assert reading.findings[0].message
        assert reading.events == 30


def test_a_good_meta_is_read(going_bytes: bytes) -> None:
    header, objects = unchained(going_bytes)
    for good in ({"at": 1}, {"by": "bot", "id": b"1"}, {"at": 1, "more": [1]}):
        objects[7][2] = good
        assert read_bytes(chained(header, objects)).ok


@pytest.mark.parametrize("raw", [b"\x82\xa4card\x6e\xa4card\x6f", b"\x82\x01\x02\x03\x04", b"\x81\xa4card\xcc\x05"])
def test_two_readers_can_never_take_a_log_for_two_matches(going_bytes: bytes, raw: bytes) -> None:
    """A key twice, a key that is no text, an int that is not in its shortest form."""
    header, *events = pieces(going_bytes)
    body = b"\x97\x07\x03\xc0\xa4play" + raw + b"\xc0"
    chain = next_chain(events[6][-16:], body)
    reading = read_bytes(header + b"".join(events[:7]) + body + b"\xc4\x10" + chain)
    assert found(reading) == [("form", 7)]


@pytest.mark.parametrize(
    ("short", "long"),
    [
        (b"\x89", b"\xde\x00\x09"),
        (b"\xa4kifu\x01", b"\xa4kifu\xcc\x01"),
        (b"\xa4game", b"\xd9\x04game"),
        (b"\xc4 ", b"\xc5\x00 "),
    ],
    ids=["map", "int", "text", "bytes"],
)
def test_a_header_is_in_the_shortest_form(short: bytes, long: bytes) -> None:
    match = kifu.new("cake", ["a", "b", "c"], seed=bytes(32))
    header = log_bytes(kifu.Match(match.game, match.header))
    assert read_bytes(header).ok
    if short == b"\x89":
        short, long = header[:1], b"\xde\x00" + bytes([header[0] & 0x0F])
    reading = read_bytes(header.replace(short, long, 1))
    assert found(reading) == [("form", None)]
    assert reading.match is not None


@pytest.mark.parametrize(
    ("part", "longer"),
    [
        (0, b"\xdc\x00\x07"),
        (1, b"\xcc\x07"),
        (2, b"\xd0%(seat)c"),
        (3, b"\x81\xa2at\xcc\x05"),
        (4, b"\xd9\x04play"),
        (5, b"\xde\x00\x01\xa4card%(card)b"),
        (6, b"\xc5\x00\x08%(digest)b"),
        (7, b"\xc5\x00\x10"),
    ],
)
def test_only_ints_and_the_chain_must_be_in_their_shortest_form(going_bytes: bytes, part: int, longer: bytes) -> None:
    expected = [("form", 7)] if part in (1, 2, 3, 7) else []
    header, *events = pieces(going_bytes)
    _, seat, _, tag, fields, digest, _ = msgpack.unpackb(events[7])
    parts = [b"\x97", *map(msgpack.packb, (7, seat, None, tag, fields, digest)), b"\xc4\x10"]
    parts[part] = longer % {b"seat": seat, b"card": msgpack.packb(fields["card"]), b"digest": digest}
    body = b"".join(parts[:7])
    log = header + b"".join(events[:7]) + body + parts[7] + next_chain(events[6][-16:], body)
    for keep in (True, False):
        assert found(read_bytes(log, keep_states=keep)) == expected


HEADER = {
    "kifu": 1,
    "game": "take_and_share",
    "rules": 1,
    "seats": ["a", "b", "c"],
    "options": {},
    "seed": None,
    "match": "m",
    "started": None,
    "engine": "e",
}


def test_an_absent_option_takes_its_default() -> None:
    reading = read_bytes(msgpack.packb(HEADER))
    assert reading.ok
    assert (reading.header.options.first, reading.header.options.long) == (0, False)


BAD_HEADERS = {
    "kifu": [2, True, "1"],
    "game": ["no such game", 1, None],
    "rules": [0, 3, -1, True, 2**63],
    "seats": [[], ["a", "b"], ["a"] * 5, ["a", "b", 3], "abc"],
    "options": [None, [], {"first": 3}, {"first": -1}, {"first": True}, {"first": "0"}, {"long": 1}, {"other": 1}],
    "seed": [bytes(31), "x" * 32, 0],
    "match": [1, None],
    "started": [-1, 1.5, "now"],
    "engine": [None],
    "layout": ["1"],
    "fork": [{}, None, {"match": "m", "seq": "1"}, {"match": "m", "seq": -2}],
}


@pytest.mark.parametrize(("key", "value"), [(key, value) for key, bad in BAD_HEADERS.items() for value in bad])
def test_a_header_that_cannot_be_used(key: str, value: object) -> None:
    reading = read_bytes(msgpack.packb({**HEADER, key: value}))
    assert found(reading) == [("header", None)]
    assert (reading.events, reading.match) == (0, None)


def test_a_fork_has_no_seed() -> None:
    fork = {"match": "m", "seq": -1}
    assert read_bytes(msgpack.packb({**HEADER, "fork": fork})).ok
    assert kinds(read_bytes(msgpack.packb({**HEADER, "fork": fork, "seed": bytes(32)}))) == ["header"]


@pytest.mark.parametrize("key", list(HEADER))
def test_a_header_without_a_key(key: str) -> None:
    assert kinds(read_bytes(msgpack.packb({each: HEADER[each] for each in HEADER if each != key}))) == ["header"]


BOMBS = {
    "empty": b"",
    "text": b"not a log\n",
    "picture": b"\x89PNG\r\n\x1a\n" + bytes(100),
    "zip": b"PK\x03\x04" + bytes(100),
    "array of 2^31": b"\xdd\x80\x00\x00\x00",
    "map of 2^31": b"\xdf\x80\x00\x00\x00",
    "map of 2^31 with some": b"\xdf\x80\x00\x00\x00" + b"\xa1a\x01" * 1000,
    "bin of 2 GiB": b"\xc6\x80\x00\x00\x00abc",
    "text of 4 GiB": b"\xdb\xff\xff\xff\xffabc",
    "nested lists": b"\x91" * 100_000 + b"\xc0",
    "nested lists, open": b"\x91" * 100_000,
    "lists of long lists": b"\xdd\x00\x01\x00\x00" * 20_000,
    "maps of long maps": b"\xdf\x00\x01\x00\x00" * 20_000,
    "bad text": b"\xa2\xff\xfe",
    "never used": b"\xc1",
    "extension": b"\xd4\x05\x00",
    "timestamp": b"\xd7\xff" + b"\xff" * 8,
    "not a number": b"\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00",
    "map with a list as key": b"\x81\x90\x01",
    "map with a map as key": b"\x81\x80\x01",
    "giant int": b"\xcf" + b"\xff" * 8,
}


@pytest.mark.parametrize("bomb", list(BOMBS))
def test_a_file_that_is_no_log(bomb: str) -> None:
    assert kinds(read_bytes(BOMBS[bomb])) == ["header"]


@pytest.mark.parametrize("bomb", [bomb for bomb in BOMBS if bomb != "empty"])
@pytest.mark.parametrize("more", [False, True])
def test_a_bomb_in_the_place_of_an_event(bomb: str, more: bool, going_bytes: bytes) -> None:
    header, *events = pieces(going_bytes)
    data = header + b"".join(events[:5]) + BOMBS[bomb] + (b"".join(events[5:]) if more else b"")
    reading = read_bytes(data)
    assert {"form", "torn"} & set(kinds(reading))
    assert len(reading.match.events) == 5


GREEDY = {
    "lists of empty lists": b"\xdc\x00\x40" + (b"\xdc\x0f\xff" + b"\x90" * 4095) * 64,
    "a list of empty maps": b"\xdd\x00\x04\x00\x00" + b"\x80" * (1 << 18),
    "a map of ints": b"\xdf\x00\x01\x00\x00" + b"".join(b"\xcd" + n.to_bytes(2) + b"\xc0" for n in range(1 << 16)),
}


@pytest.mark.ci
@pytest.mark.parametrize("place", ["header", "event"])
@pytest.mark.parametrize(
    "greedy", ["a map of ints", *[pytest.param(each, marks=pytest.mark.long) for each in GREEDY][:2]]
)
def test_an_object_never_takes_many_times_its_size(greedy: str, place: str, going_bytes: bytes) -> None:
    data = (going_bytes if place == "event" else b"") + GREEDY[greedy]
    tracemalloc.start()
    reading = read_bytes(data, keep_states=False)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert kinds(reading) == ["form" if place == "event" else "header"]
    assert "parts" in reading.findings[0].message
    assert peak < 8 * len(data) + 8_000_000


def test_after_an_unusual_object_reading_goes_on(going_bytes: bytes) -> None:
    """One that is too long for the quick way, in the middle; both ways take turns and lose nothing."""
    header, *events = pieces(going_bytes)
    long = b"\xdc\x20\x00" + bytes(0x2000)
    data = header + b"".join(events[:9]) + (long + b"".join(events) * 100) * 3 + b"\xc1"
    objects = ObjectStream(data)
    ends = [end for _, _, end in objects]
    assert len(ends) == 10 + 3 * (1 + 100 * len(events))
    assert ends[-1] == len(data) - 1
    assert objects.noise is not None


@pytest.mark.parametrize(
    ("key", "called"), [(b"\x90", "a list or a map"), (b"\x80", "a list or a map"), (b"\x01", "the key 1")]
)
def test_a_wrong_key_is_reported_in_the_terms_of_the_format(key: bytes, called: str) -> None:
    finding = read_bytes(b"\x81" + key + b"\x01").findings[0]
    assert called in finding.message
    assert "unhashable" not in finding.message


@given(st.binary(max_size=300))
def test_no_bytes_make_the_reader_raise(data: bytes) -> None:
    assert read_bytes(data).findings


LOG = log_bytes(play_on(kifu.new("take_and_share", ["a", "b", "c"], seed=bytes(32), match="m", started=0), 20, 5))


@given(st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), min_size=1, max_size=8), st.data())
def test_no_damage_makes_the_reader_raise(places: list, data: st.DataObject) -> None:
    changed = bytearray(LOG)
    for place, byte in places:
        changed[place % len(changed)] = byte
    cut = bytes(changed[: data.draw(st.integers(0, len(changed)))])
    assert read_bytes(cut).findings or cut == LOG[: len(cut)], "the damage was not found"


def test_load_raises_the_first_finding_with_what_and_where(going_log: Path) -> None:
    going_log.write_bytes(going_log.read_bytes()[:-1])
    with pytest.raises(kifu.LogError) as caught:
        kifu.load(going_log)
    assert caught.value.kind == "torn"
    assert caught.value.path == str(going_log)
    assert str(going_log) in str(caught.value)


@pytest.mark.parametrize("name", ["absent.log", ".", "a\0b", "x" * 5000])
def test_a_file_that_cannot_be_read(tmp_path: Path, name: str) -> None:
    with pytest.raises(kifu.LogError) as caught:
        load(str(tmp_path / name))
    assert caught.value.kind == "file"


def test_a_log_that_grows_while_it_is_read_is_no_finding(
    going_bytes: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The size is read first; what is torn there is read again when the file has grown."""
    path = tmp_path / "grows.log"
    path.write_bytes(going_bytes[:-30])
    sizes = []

    def fstat(number: int) -> os.stat_result:
        sizes.append(number)
        result = real(number)
        path.write_bytes(going_bytes)
        return result

    real = os.fstat
    monkeypatch.setattr("kifu.core.log.reader.os.fstat", fstat)
    reading = read(path)
    assert sizes
    assert reading.ok
    assert reading.events == 30
