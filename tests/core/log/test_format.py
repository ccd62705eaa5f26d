"""The bytes of a log are those of the contract (docs/log-format.md)."""

from hashlib import blake2b

import attrs
import kifu
import msgpack
from kifu.core.game import Past
from kifu.core.log import log_bytes, read_bytes
from kifu.core.match import Match

from .rewriting import pieces


def objects(data: bytes) -> list:
    return [msgpack.unpackb(raw, strict_map_key=False) for raw in pieces(data)]


def test_header_keys_come_in_their_order(going_bytes: bytes) -> None:
    header = objects(going_bytes)[0]
    keys = ["kifu", "game", "rules", "seats", "options", "seed", "match", "started", "engine", "layout"]
    assert list(header) == keys
    assert header["options"] == {"first": 0, "long": False, "deals": 1}


def test_each_chain_is_of_the_one_before_and_of_its_own_bytes(over: kifu.Match) -> None:
    header, *rest = pieces(log_bytes(over))
    chain = blake2b(header, digest_size=16).digest()
    for raw in rest:
        chain = blake2b(chain + raw[:-18], digest_size=16).digest()
        assert raw[-18:] == b"\xc4\x10" + chain


def test_digest_is_of_the_fields_of_the_state_as_arrays(going: kifu.Match) -> None:
    def arrays(value: object) -> object:
        if attrs.has(type(value)):
            return [arrays(getattr(value, field.name)) for field in attrs.fields(type(value))]
        return [arrays(each) for each in value] if isinstance(value, tuple) else value

    recorded = objects(log_bytes(going))[-1][5]
    assert recorded == blake2b(msgpack.packb(arrays(going.state)), digest_size=8).digest()


def test_end_record_has_the_result(over: kifu.Match) -> None:
    end = objects(log_bytes(over))[-1]
    assert list(end) == ["end", "events", "points", "winners", "chain"]
    assert end["end"] == "over"
    assert end["events"] == len(over.events)
    assert (end["points"], end["winners"]) == (list(over.result.points), list(over.result.winners))


def test_abandoned_match_ends_without_a_result(going: kifu.Match) -> None:
    going.abandon()
    data = log_bytes(going)
    end = objects(data)[-1]
    assert (end["end"], end["points"], end["winners"]) == ("abandoned", None, None)
    reading = read_bytes(data)
    assert reading.ok
    assert reading.ended == "abandoned"
    assert reading.match.abandoned


def test_meta_is_nil_where_there_is_nothing_in_it(begun: kifu.Match) -> None:
    begun.play(0, begun.legal(0)[0], kifu.Meta())
    begun.play(1, begun.legal(1)[0], kifu.Meta(at=5, id=b"\x01", by="stand-in", more=(("x", [1]),)))
    data = log_bytes(begun)
    assert [event[2] for event in objects(data)[1:]] == [
        None,
        None,
        {"at": 5, "id": b"\x01", "by": "stand-in", "x": [1]},
    ]
    assert read_bytes(data).match.events[-1].meta == begun.events[-1].meta


def test_what_is_read_is_written_again_byte_for_byte(over: kifu.Match, going_bytes: bytes) -> None:
    for data in (log_bytes(over), going_bytes):
        assert log_bytes(read_bytes(data).match) == data


def test_layout_and_fork_stand_in_the_header_where_they_say_something(going: kifu.Match) -> None:
    game = going.game.altered(past=Past(7))
    header = attrs.evolve(going.header, seed=None, layout=7, fork=kifu.Fork("m0", 12), more=(("site", "x"),))
    forked = Match(game, header)
    for event in going.events:
        forked.apply(event.seat, event.command)
    data = log_bytes(forked)
    assert list(objects(data)[0])[9:] == ["layout", "fork", "site"]
    reading = read_bytes(data)
    assert reading.ok
    assert reading.header == header
    assert reading.digests == "unchecked"
