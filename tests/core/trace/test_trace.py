"""A trace gives back what an engine made of a log, and nothing that was cut or changed passes for one."""

import os
import subprocess
import sys
from hashlib import blake2b

import attrs
import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kifu import games
from kifu.core.errors import LogError, TraceError
from kifu.core.game import TABLE, Seat
from kifu.core.log import log_bytes
from kifu.core.match import Match
from kifu.core.testing import matches
from kifu.core.testing.play import played, prefix
from kifu.core.trace import compare, read_trace, trace_log
from kifu.core.trace.facets import LISTED, MAX_LEGAL, Standing, legal_digest
from kifu.core.trace.shape import shape_of
from kifu.core.trace.trials import Trials
from kifu.core.trace.write import as_data
from kifu.core.wire import wire_of


@pytest.mark.parametrize("name", games.names())
@settings(max_examples=settings().max_examples // 4)  # all games, so a few of each
@given(data=st.data())
def test_a_trace_gives_every_state_note_and_result_again(name, data):
    match = data.draw(matches(games.find(name)))
    if match.events:
        match.take_back(data.draw(st.integers(-1, len(match.events) - 1)))
    trace = read_trace(trace_log(log_bytes(match)))
    assert [step.state for step in trace.steps] == [as_data(state) for state in match.states]
    for step, traced in zip(match.steps, trace.steps[1:], strict=True):
        assert traced.seq == step.seq
        assert [(note.key, note.rule, note.values) for note in traced.notes] == [
            (note.key, note.rule and note.rule.number, as_data(dict(note.values))) for note in step.notes
        ]
    result = match.result
    assert (trace.last.points, trace.last.winners) == (
        (list(result.points), list(result.winners)) if result else (None, None)
    )
    assert trace.refusal is None


def test_a_trace_names_its_log_and_engine(game, match, log):
    trace = read_trace(trace_log(log))
    assert (trace.game, trace.rules, trace.layout, trace.seats) == (game.name, game.version, game.past.layout, 4)
    assert trace.match == match.header.match
    assert trace.shape == shape_of(type(match.state))
    assert trace.shape["hands"] == [["card"]]
    assert trace.shape["lead"] == "seat"


def test_a_refusal_has_its_rule_and_facts(illegal_log):
    trace = read_trace(trace_log(illegal_log))
    assert trace.refusal is not None
    assert (trace.refusal.seq, trace.refusal.rule) == (3, "TS-2")
    assert set(trace.refusal.facts) == {"card"}
    assert len(trace.steps) == 1 + 3


@pytest.fixture
def illegal_log(match) -> bytes:
    """The leader's card is played again by the third seat."""
    short: Match = prefix(match, 3)
    again = attrs.evolve(short.events[1], seq=3, seat=Seat((short.events[1].seat + 2) % 4))
    short.events.append(again)
    short._fold.states.append(short.state)
    return log_bytes(short, digests=False)


def test_what_holds_no_match_has_no_trace():
    for log in (b"", b"\x00", b"no log", msgpack.packb({"kifu": 1, "game": "chess"})):
        with pytest.raises(LogError):
            trace_log(log)


@pytest.fixture(scope="module")
def small(match) -> bytes:
    """The trace of the first three events of a match."""
    return trace_log(log_bytes(prefix(match, 3)))


@pytest.mark.ci
def test_a_trace_cut_anywhere_is_recognized_as_cut(small):
    read_trace(small)
    for end in range(len(small)):
        with pytest.raises(TraceError, match=r"cut short|not a trace"):
            read_trace(small[:end])


@pytest.mark.ci
def test_a_trace_with_any_byte_changed_is_refused(small):
    for place in range(len(small)):
        with pytest.raises(TraceError):
            read_trace(small[:place] + bytes([small[place] ^ 1]) + small[place + 1 :])


def test_a_trace_with_anything_after_it_is_refused(small):
    for more in (b"\x00", b"\x81", b"\xc1", small):
        with pytest.raises(TraceError, match="follows"):
            read_trace(small + more)


@given(st.binary(max_size=200))
def test_noise_is_no_trace(noise):
    with pytest.raises(TraceError):
        read_trace(noise)


def summed(objects: list) -> bytes:
    """A stream of these objects as a trace whose sum is right."""
    raw = b"".join(map(msgpack.packb, objects))
    return raw[:-16] + blake2b(raw[:-16], digest_size=16).digest()


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 300) | st.text(max_size=3) | st.binary(max_size=16),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


@pytest.mark.ci
@given(data=st.data())
def test_a_hostile_trace_with_a_right_sum_is_read_or_refused_and_nothing_else(small, data):
    objects = unpacked(small)
    place = data.draw(st.integers(0, len(objects) - 1))
    thing = objects[place]
    key = data.draw(st.sampled_from(sorted(thing) if isinstance(thing, dict) else range(len(thing))))
    thing[key] = data.draw(VALUES)
    try:
        hostile = read_trace(summed(objects))
        compare(read_trace(small), hostile)
    except TraceError:
        return


def unpacked(raw: bytes) -> list:
    unpacker = msgpack.Unpacker(strict_map_key=False)
    unpacker.feed(raw)
    return list(unpacker)


def test_a_trace_nested_without_end_is_refused(small):
    objects = unpacked(small)
    deep: list = []
    for _ in range(400):
        deep = [deep]
    objects[1][1] = [[[], deep]]
    try:
        compare(read_trace(small), read_trace(summed(objects)))
    except TraceError:
        return
    raise AssertionError("a state nested 400 deep is not the one of the other trace")


@pytest.mark.ci
def test_a_trace_is_the_same_whatever_the_hash_seed(log, tmp_path):
    path = tmp_path / "a.log"
    path.write_bytes(log)
    code = "import sys; from kifu.core.trace import trace_log; from pathlib import Path\n"
    code += "sys.stdout.buffer.write(trace_log(Path(sys.argv[1]).read_bytes()))"
    env = {**os.environ, "PYTHONHASHSEED": "1"}  # here it is another
    traced = subprocess.run([sys.executable, "-c", code, path], env=env, check=True, capture_output=True)
    assert traced.stdout == trace_log(log)


@pytest.mark.parametrize("name", games.names())
def test_a_trace_is_compact(name):
    game = games.find(name)
    log = log_bytes(played(game, game.seats[-1], game.options(), 1))
    assert len(trace_log(log)) < 4.5 * len(log)


def test_the_legal_commands_have_the_digest_of_the_format(match):
    for state in match.states:
        for seat in match.game.to_act(state) - {TABLE}:
            encoded = sorted(
                msgpack.packb(list(wire_of(match.game).encode(each))) for each in match.game.legal(state, seat)
            )
            expected = int.from_bytes(blake2b(b"".join(encoded), digest_size=8).digest()[:4], "big")
            assert legal_digest(match.game, state, seat)[:2] == [len(encoded), expected]


def test_legal_commands_without_number_or_too_many_have_no_digest(game, match):
    state, seat = match.states[1], Seat(0)
    assert legal_digest(game.altered(open_ended=lambda *_: True), state, seat) == []
    one = next(game.legal(state, seat))
    for count, counted in ((LISTED, True), (LISTED + 1, True), (MAX_LEGAL, True), (MAX_LEGAL + 1, False)):
        many = game.altered(legal=lambda *_, count=count: iter([one] * count), legal_by_kind=None)
        assert legal_digest(many, state, seat)[:1] == ([count] if counted else [])


def test_a_command_with_texts_deep_inside_is_changed_or_left_out():
    game = games.find("mabr")
    deal = played(game, 2, game.options(), 0).events[:1]
    tried = [Trials(game, deal, 2, number.to_bytes(16, "big")).after(-1) for number in range(200)]
    assert {len(each) for each in tried} == {2, 3}


def test_every_seat_to_act_has_its_commands_in_a_trace_and_every_viewer_its_view(match, log):
    trace = read_trace(trace_log(log))
    for step, state in zip(trace.steps, match.states, strict=True):
        to_act = match.game.to_act(state)
        assert step.facets["to_act"] == sorted(to_act)
        assert {name for name in step.facets if name.startswith("legal")} == {
            f"legal({seat})" for seat in to_act - {TABLE}
        }
        assert {name.partition(".")[0] for name in step.facets if name.startswith("view")} == {
            f"view({viewer})" for viewer in (*range(4), "spectator")
        }


def test_what_is_hidden_from_a_seat_is_not_in_the_digests_of_its_view(game, match):
    """Hands of two other seats, exchanged before the first trick, change the views of these two alone."""
    state = match.states[1]
    hands = state.hands
    other = attrs.evolve(state, hands=(hands[1], hands[0], *hands[2:]))
    one, another = (Standing(game, 4).of(0, each) for each in (state, other))
    assert {name for name in one if one[name] != another[name] and name[0] == "v"} == {"view(0).hands", "view(1).hands"}
