"""`replay export --anonymous`: who played, when and where is gone; what was played, and what was wrong, is not."""

import attrs
import kifu
import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kifu.core.log import log_bytes, read_bytes
from kifu.core.match import Match
from kifu.replay.logs.anonymized import anonymized

from ..conftest import CASES, played

SECRET = "Tatsuya"


def with_secrets(match: Match, **changes: object) -> Match:
    """Give the match with a name, a time or an id wherever one can stand."""
    header = attrs.evolve(
        match.header,
        seats=tuple(f"{SECRET} {seat}" for seat in match.header.seats),
        match=f"{SECRET}-match",
        started=1_700_000_000_000,
        engine=f"{SECRET} 1.0",
        more=(("table", SECRET),),
        **changes,
    )
    meta = kifu.Meta(at=123456789, id=SECRET.encode(), by=SECRET, more=(("note", SECRET),))
    events = [attrs.evolve(event, meta=meta) for event in match.events]
    return Match(match.game, header, fold=match._fold, events=events)


def anonymize(data: bytes) -> bytes:
    return anonymized(data, read_bytes(data))


def test_names_times_and_ids_are_gone_and_the_match_is_the_same(match: Match) -> None:
    data = log_bytes(with_secrets(match))
    clean = anonymize(data)
    assert SECRET.encode() in data
    assert SECRET.encode() not in clean
    for number in (123456789, 1_700_000_000_000):
        assert msgpack.packb(number) not in clean
    reading = read_bytes(clean)
    assert reading.ok
    assert reading.digests == "checked"
    assert reading.match.states == match.states
    assert reading.match.result == match.result
    header = reading.match.header
    assert header.seats == ("seat 0", "seat 1", "seat 2", "seat 3")
    assert (header.started, header.engine, header.more) == (None, "replay anonymize", ())
    assert header.seed == match.header.seed
    assert all(event.meta is None for event in reading.match.events)


def test_the_same_match_is_anonymized_to_the_same_bytes_whoever_recorded_it(match: Match) -> None:
    clean = anonymize(log_bytes(match))
    assert anonymize(log_bytes(with_secrets(match))) == clean
    assert anonymize(clean) == clean
    other = played("a", "b", "c")
    assert read_bytes(anonymize(log_bytes(other))).header.match != read_bytes(clean).header.match


def test_a_forked_match_does_not_say_from_which(match: Match) -> None:
    forked = with_secrets(match, seed=None, fork=kifu.Fork(f"{SECRET}-before", 3))
    reading = read_bytes(anonymize(log_bytes(forked)))
    assert reading.ok
    assert (reading.header.fork, reading.header.seed) == (None, None)


@pytest.mark.ci
@pytest.mark.parametrize("folder", sorted({path.parent for path in CASES.rglob("*.log")}), ids=lambda path: path.name)
def test_an_anonymized_case_shows_the_first_thing_that_was_wrong_with_it_and_no_damage(folder) -> None:
    """Of every sample case, illegal and damaged ones too."""
    for path in sorted(folder.glob("*.log")):
        data = path.read_bytes()[:1_000_000]
        before = read_bytes(data)
        if before.header is None:
            continue
        clean = anonymize(data)
        after = read_bytes(clean)
        kinds = {finding.kind for finding in after.findings}
        assert not kinds & {"torn", "chain", "header"}, path
        stopped = [(each.seq, each.rule) for each in before.findings if each.violation][:1]
        assert [(each.seq, each.rule) for each in after.findings if each.violation] == stopped, path
        assert after.result == before.result, path
        digests = [[each.seq for each in of.findings if each.kind == "digest"] for of in (before, after)]
        assert digests[0] == digests[1], "a wrong one is what a report shows"
        assert anonymize(clean) == clean, path


@given(st.data())
def test_a_log_with_any_byte_changed_is_anonymized_or_refused(match: Match, data: st.DataObject) -> None:
    raw = bytearray(log_bytes(match))
    place = data.draw(st.integers(0, len(raw) - 1))
    raw[place] ^= data.draw(st.integers(1, 255))
    if read_bytes(bytes(raw)).header is not None:
        assert "chain" not in {finding.kind for finding in read_bytes(anonymize(bytes(raw))).findings}


def test_an_illegal_log_still_shows_its_violation_and_nothing_after_it(replay, illegal, tmp_path) -> None:
    longer = tmp_path / "longer.log"
    longer.write_bytes(illegal.read_bytes() + b"\x97\x07")
    called = replay("export", longer, "--anonymous", "-o", tmp_path / "new.log", exits=0)
    assert f"{tmp_path / 'new.log'}: 7 events, shows TS-2" in called.out
    assert "damage of the old log that is left out: torn" in called.out
    (finding,) = read_bytes((tmp_path / "new.log").read_bytes()).findings
    assert (finding.kind, finding.seq, finding.rule) == ("rule", 6, "TS-2")


def test_json_tells_what_the_new_log_shows(replay, log, illegal, tmp_path) -> None:
    data = replay("export", log, "--anonymous", "-o", tmp_path / "a.log", "--json").lines[0]
    assert data == {"log": str(log), "anonymized": str(tmp_path / "a.log"), "events": 71, "findings": [], "left": []}
    data = replay("export", illegal, "--anonymous", "-o", tmp_path / "b.log", "--json").lines[0]
    assert data["findings"] == [{"seq": 6, "kind": "rule", "rule": "TS-2"}]
