"""`.rules` and `.refused` in a log: their form, what holds, and that nothing that is done with a log loses them."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy, deepcopy
from pathlib import Path
from typing import Any

import kifu
import pytest
from attrs import evolve
from kifu.core.errors import MatchError
from kifu.core.game import TABLE, Event, Meta, Seat
from kifu.core.game.timeline import effective, origins
from kifu.core.log import log_bytes, read_bytes
from kifu.core.log.format import linked_event
from kifu.core.log.framing import ObjectStream
from kifu.core.log.json_form import from_json, to_json
from kifu.core.log.recovery import is_torn_tail
from kifu.core.match import Match
from kifu.core.match.witness import Difference, first_difference, view_names, witness_of
from kifu.replay.logs.anonymized import anonymized

from .bids import NEW, OLD, Bid, Offer
from .rewriting import followed, unchained

RULES: list[Any] = [TABLE, None, ".rules", {"to": 2, "layout": 2}]
REFUSED: list[Any] = [TABLE, None, ".refused", {"to": 2, "event": 2, "seat": None, "field": "view.bids"}]
EVENTS = 4


def new(_: str) -> Any:
    return NEW


def old(_: str) -> Any:
    return OLD


def witnessed(match: Match[Any, Any, Any]) -> list[Event[Any]]:
    """Return the events of a match with the witnesses that a host of an older kifu would give them."""
    seats, names = len(match.header.seats), view_names(match.game, match.states[0])
    events = []
    for step in match.steps:
        meta = with_witness(step.event.meta, witness_of(step, seats, names), names if step.seq == 0 else None)
        events.append(evolve(step.event, meta=meta))
    return events


def with_witness(meta: Any, witness: bytes, names: Any) -> Meta:
    """Return the meta with the witness of its event, as an older kifu wrote it, and the names of the view's fields."""
    named = () if names is None else (("view", list(names)),)
    return evolve(meta or Meta(), more=(*named, ("witness", witness)))


def begun(*, witnesses: bool = True) -> bytes:
    """Return the log of a match of version 1: a deal and three bids."""
    match: Any = kifu.new(OLD, ["Aki", "Ren", "Mio"], seed=bytes(32), match="m1", started=0, engine="kifu 0.1.0")
    for seat, coins in enumerate((3, 1, 3)):
        match.play(seat, Bid(coins))
    match.events[:] = witnessed(match) if witnesses else match.events
    return log_bytes(match)


def hashes(seqs: Sequence[int]) -> bytes:
    """Return the witnesses of these events, one after the other."""
    match = read_bytes(begun(witnesses=False), old).match
    return b"".join(witness_of(match.steps[seq], 3, view_names(OLD, match.states[0])) for seq in seqs)


NAMES = ["viewer", "cards", "bids", "pile"]
BEHIND: list[Any] = [
    TABLE,
    {"at": 1, "witnesses": [[0, NAMES, hashes([0])], [1, NAMES, hashes([1, 2, 3])]]},
    *RULES[2:],
]
"""A change of the rules with the witnesses of all events before it, written at two times."""
OFFER: list[Any] = [0, None, "offer", {"coins": 1}]
TAKEBACK: list[Any] = [TABLE, None, ".takeback", {"to": 1}]
CHANGED = followed(begun(), RULES, OFFER, TAKEBACK, [1, None, "offer", {"coins": 4}])
WRITTEN_BEHIND = followed(begun(witnesses=False), BEHIND, OFFER, TAKEBACK, [1, None, "offer", {"coins": 4}])


def test_each_event_is_read_by_the_version_that_it_was_recorded_under() -> None:
    reading = read_bytes(CHANGED, new)
    assert reading.ok
    match = reading.match
    assert [type(event.command).__name__ for event in match.events] == [
        *["Deal", "Offer", "Offer", "Offer", "RulesChange", "Offer", "Takeback", "Offer"]
    ]
    assert (match.header.rules, match.rules, match.layout, match.state.bids) == (1, 2, 2, (3, 4))
    assert match.header.options.equal == "first"


def test_it_is_no_game_event_and_no_takeback_undoes_it() -> None:
    events = read_bytes(CHANGED, new).match.events
    assert origins(events) == [0, 1, 2, 3, 3, 5, 1, 7]
    assert [event.seq for event in effective(events)] == [0, 1, 7]


WRONG: dict[str, tuple[list[Any], str, str]] = {
    "a seat": ([0, *RULES[1:]], "rule", "TURN"),
    "an earlier version": ([TABLE, None, ".rules", {"to": 0, "layout": 1}], "form", ""),
    "no layout": ([TABLE, None, ".rules", {"to": 2}], "form", ""),
    "a layout of none": ([TABLE, None, ".rules", {"to": 2, "layout": 0}], "form", ""),
    "a text": ([TABLE, None, ".rules", {"to": "2", "layout": 2}], "form", ""),
    "one more field": ([TABLE, None, ".rules", {"to": 2, "layout": 2, "of": 1}], "form", ""),
    "another tag": ([TABLE, None, ".rule", {"to": 2, "layout": 2}], "form", ""),
    "a later event": ([*REFUSED[:3], {**REFUSED[3], "event": EVENTS}], "form", ""),
    "no such seat": ([*REFUSED[:3], {**REFUSED[3], "seat": 3}], "form", ""),
    "a number as field": ([*REFUSED[:3], {**REFUSED[3], "field": 1}], "form", ""),
    "an unknown version": ([TABLE, None, ".rules", {"to": 3, "layout": 2}], "rules", ""),
}


@pytest.mark.parametrize(("event", "kind", "rule"), WRONG.values(), ids=WRONG)
def test_what_is_malformed_stops_the_fold(event: list[Any], kind: str, rule: str) -> None:
    log = followed(begun(), event)
    for keep in (True, False):
        (finding,) = read_bytes(log, new, keep_states=keep).findings
        assert (finding.kind, finding.seq, finding.rule or "") == (kind, EVENTS, rule)


def test_nothing_but_the_end_follows_a_refusal() -> None:
    assert read_bytes(followed(begun(), REFUSED, end=True), old).ok
    for event in (OFFER, TAKEBACK, RULES, REFUSED):
        (finding,) = read_bytes(followed(begun(), REFUSED, event), new).findings
        assert (finding.kind, finding.seq) == ("form", EVENTS + 1)


def test_a_copy_of_a_match_that_newer_rules_could_not_go_on_with_does_not_go_on_either() -> None:
    match = read_bytes(followed(begun(), REFUSED), new).match
    for fold in (match._fold, copy(match._fold), deepcopy(match)._fold):
        assert fold.is_refused
        with pytest.raises(MatchError, match="nothing can follow"):
            fold.apply(0, Offer(1))


@pytest.mark.parametrize("keep", [True, False])
def test_without_witnesses_nothing_says_that_it_holds(keep: bool) -> None:
    (finding,) = read_bytes(followed(begun(witnesses=False), RULES), new, keep_states=keep).findings
    assert (finding.kind, finding.seq) == ("rules", EVENTS)
    assert "after event 0" in finding.message


@pytest.mark.parametrize("keep", [True, False])
def test_the_witnesses_of_the_events_before_stand_in_the_change(keep: bool) -> None:
    assert read_bytes(WRITTEN_BEHIND, new, keep_states=keep).ok


HELD_NOT: dict[str, tuple[Any, str]] = {
    "none": ([], "nothing says what was seen after event 0"),
    "those of another event": ([[0, NAMES, hashes([0, 1, 1, 3])]], "after event 2 the table had another command"),
    "one too few": ([[0, NAMES, hashes([0, 1, 2])]], "nothing says what was seen after event 3"),
    "a gap": ([[0, NAMES, hashes([0])], [2, NAMES, hashes([2, 3])]], "nothing says what was seen after event 1"),
    "other names": ([[0, [*NAMES, "more"], hashes([0, 1, 2, 3])]], "after event 0"),
    "no list": (7, "nothing says what was seen after event 0"),
    "no range": ([[0, NAMES], [-1, NAMES, hashes([0])], [0, [1], b""], [0, NAMES, "x"]], "nothing says"),
}


@pytest.mark.parametrize(("written", "says"), HELD_NOT.values(), ids=HELD_NOT)
def test_what_does_not_hold_is_the_finding_rules(written: Any, says: str) -> None:
    meta = {"at": 1, "witnesses": written}
    for keep in (True, False):
        findings = read_bytes(
            followed(begun(witnesses=False), [TABLE, meta, *RULES[2:]]), new, keep_states=keep
        ).findings
        assert [(each.kind, each.seq) for each in findings] == [("rules", EVENTS)]
        assert says in findings[0].message


def test_later_witnesses_go_on_where_those_in_the_events_of_an_older_kifu_end() -> None:
    header, objects = unchained(begun())
    mixed = [[*each[1:5]] if seq < 2 else [each[1], None, *each[3:5]] for seq, each in enumerate(objects)]
    change = [TABLE, {"witnesses": [[2, NAMES, hashes([2, 3])]]}, *RULES[2:]]
    assert read_bytes(followed(header, *mixed, change), new).ok


def test_a_change_to_the_version_that_it_is_under_needs_no_witness() -> None:
    assert read_bytes(followed(begun(witnesses=False), [TABLE, None, ".rules", {"to": 1, "layout": 1}]), old).ok


@pytest.mark.ci
def test_a_witness_that_was_changed_is_found() -> None:
    _, objects = unchained(begun())
    for seq in range(EVENTS):
        changed = objects[seq][2]["witness"]
        for at in range(len(changed)):
            other = bytes([*changed[:at], changed[at] ^ 1, *changed[at + 1 :]])
            reading = read_bytes(begun(), new)
            reading.match.events[seq] = evolve(
                (event := reading.match.events[seq]),
                meta=with_witness(event.meta, other, objects[0][2]["view"] if seq == 0 else None),
            )
            found = first_difference(reading.match.steps, 3)
            assert isinstance(found, Difference), (seq, at)
            assert found.event == seq


def test_no_two_viewers_and_no_two_states_have_one_witness() -> None:
    """Whatever one viewer has more than another, and whatever an event changes, shows in the hashes."""
    match = read_bytes(begun(), old).match
    names = view_names(OLD, match.states[0])
    assert names == ["viewer", "cards", "bids", "pile"]
    witnesses = [witness_of(step, 3, names) for step in match.steps]
    assert {len(each) for each in witnesses} == {3 * (5 + 3 + 4)}
    rows = [each[at : at + 3] for each in witnesses for at in range(0, 15, 3)]
    assert len(set(rows)) == len(rows)


def test_the_other_forms_of_a_log_keep_it() -> None:
    for log in (CHANGED, WRITTEN_BEHIND, followed(begun(), REFUSED, end=True)):
        assert from_json(to_json(log).encode()) == log
        clean = anonymized(log, read_bytes(log, new))
        assert read_bytes(clean, new).ok
        again = log_bytes(read_bytes(log, new).match)
        reading = read_bytes(again, new)
        assert (reading.ok, reading.rules, reading.ended) == (True, 2, read_bytes(log, new).ended)
        assert [event.command for event in reading.match.events] == [
            event.command for event in read_bytes(log, new).match.events
        ]


def test_a_writer_goes_on_after_the_change(tmp_path: Path) -> None:
    path = tmp_path / "x.log"
    path.write_bytes(CHANGED)
    with kifu.LogWriter.open(path, new) as writer:
        writer.match.play(2, Offer(2))
        writer.sync()
    reading = read_bytes(path.read_bytes(), new)
    assert (reading.ok, reading.match.state.bids) == (True, (3, 4, 2))


@pytest.mark.ci
@pytest.mark.parametrize(
    "log", [CHANGED, WRITTEN_BEHIND, followed(begun(), REFUSED)], ids=["rules", "behind", "refused"]
)
def test_a_torn_tail_is_the_beginning_of_the_event(log: bytes) -> None:
    for seq, (_, start, stop) in enumerate([*ObjectStream(log)][1:]):
        for size in range(start + 1, stop):
            reading = read_bytes(log[:size], old if seq < EVENTS else new)  # whose command it would be
            assert [each.kind for each in reading.findings][-1] == "torn"
            assert is_torn_tail(log[start:size], reading), (start, size)


def test_it_is_told_in_words_in_both_languages() -> None:
    texts = pytest.importorskip("kifu.core.text.texts")
    match = read_bytes(followed(begun(), REFUSED, end=True), new).match
    changed = read_bytes(CHANGED, new).match.steps[EVENTS]
    for lang, ends, goes in (
        ("en", "The match ends here", "goes on under rules version 2"),
        ("ja", "ここで終わる", "第2版で続く"),
    ):
        said = texts.Texts(lang)
        for step, words in ((match.steps[-1], ends), (changed, goes)):
            assert words in said.note(step.notes_for(Seat(0))[0], NEW, match.header.seats)
            assert said.command(step.command_for(Seat(0)), NEW)


def test_witnesses_are_those_of_the_format_to_the_byte() -> None:
    """The logs of a match that went on under version 2 of Bids: of an older kifu, and as they are written now."""
    versions = Path(__file__).parent / "versions"
    assert (versions / "goes_on.log").read_bytes() == CHANGED
    assert (versions / "goes_on_2.log").read_bytes() == WRITTEN_BEHIND


def test_after_a_change_of_the_layout_alone_digests_are_not_compared() -> None:
    changed = followed(begun(witnesses=False), [TABLE, None, ".rules", {"to": 1, "layout": 2}])
    event = linked_event([EVENTS + 1, 0, None, OLD.wire[Bid], {"n": 1}, bytes(8)], changed[-16:])
    reading = read_bytes(changed + event, old)
    assert (reading.ok, reading.events, reading.digests) == (True, EVENTS + 2, "unchecked")
