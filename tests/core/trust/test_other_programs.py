"""What was told again and again, or by another program than the one that judges, hides no lie and convicts nobody."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve
from kifu.core.game import RedactedCommand
from kifu.core.trust import canonical as canonical_room
from kifu.core.trust import records
from kifu.core.trust.canonical import canonical
from kifu.core.trust.formulas import command_message, told_digest, told_message, wish_message
from kifu.core.wire import wire_of

from ..log import bids
from .judges import by_both
from .playing import HOST, KEYS, cake, called_off, put_together, taken_apart
from .test_more_forgers import evening, found

judged = pytest.importorskip(f"{__package__}.independent", reason="needs kifu[web]").judged


def test_two_programs_are_two_however_long_their_names_are() -> None:
    early, late, *_ = evening(bids.OLD, bids.NEW, "The Grand Card Club of Northern Europe, table server, " * 9)
    compared = records.compare(early, late)
    assert (compared.findings, [each.key for each in compared.unchecked]) == ((), ["two-programs"])  # type: ignore[attr-defined]
    assert by_both(early, late) == {}


@pytest.mark.parametrize("ends", [True, False], ids=["had ended", "goes on"])
def test_what_a_newer_program_has_told_by_its_names_is_left_to_that_program(ends: bool) -> None:
    """The host names the program that tells it: neither the old one nor a third can say what it should have told."""
    _, late, log, _ = evening(bids.OLD, bids.NEW, ends=ends)
    for game, engine in ((bids.OLD, "kifu 1"), (bids.NEW, "kifu 2"), (bids.NEW, "kifu 3")):
        verdict = records.verify(late, log, find=lambda _, game=game: game, engine=engine)
        assert {kind for kind, _, _ in found(verdict)} <= {"rules"}
        by_others = [
            each for each in verdict.unchecked if each.startswith("what was shown of commands: they were told")
        ]
        assert (verdict.proof, len(by_others)) == (False, engine != "kifu 2")
    assert judged(late, log) == {}, "it knows no game"


def test_what_is_shown_by_another_program_than_the_one_that_told_it_is_no_proof() -> None:
    """A later program of the same rules hides a command more, and shows another number in its views."""
    table = called_off(5, 16, "kifu of yesterday")
    game = table.match.game

    def redact(step: Any, viewer: Any) -> Any:
        return game.redact(step, viewer) if step.seat < 0 else RedactedCommand(game.wire[type(step.command)], ())

    def view(state: Any, viewer: Any) -> Any:
        return evolve(game.view(state, viewer), pile_sizes=())

    later = game.altered(redact=redact, view=view)
    for engine, word in (("kifu of yesterday", "host"), ("kifu of tomorrow", "owner")):
        verdict = records.verify(table.record(0), table.log, engine=engine, find=lambda _: later)
        assert {(kind, by) for kind, _, by in found(verdict)} == {("told", word), ("view", word)}


def test_a_lie_of_a_command_that_was_shown_whole_needs_no_rules() -> None:
    table = called_off(5, 8, "kifu of yesterday")
    read = records.read_bytes(table.record(0))
    true = next(each for each in read.entries if each.kind == records.EVENT and each.value()[3] and not each.value()[4])
    told = true.value()
    told[3] = {**told[3], "lie": 1}
    lie = table.evidence._told(0, records.EVENT, true.number, canonical(told), true.mark)
    record = evolve(read, entries=tuple(lie if each == true else each for each in read.entries)).packed()
    assert by_both(record, table.log) == {("told", true.number): "host"}


@pytest.mark.parametrize("kind", [records.EVENT, records.END])
def test_a_lie_that_is_told_after_many_repeats_is_found(kind: int) -> None:
    """Repeats that differ in what is not compared, the notes and the salt, crowd nothing out."""
    table = called_off(5, 14)
    read = records.read_bytes(table.record(0))
    true = next(each for each in read.entries if each.kind == kind and (kind == records.END or not each.value()[4]))

    def again(number: int, *, lie: bool = False) -> records.Entry:
        told, given = true.value(), bytes([number]) * 16
        if kind == records.EVENT:
            told[7] = [[f"note {number}", None, [], None]]
        if lie:
            told[1] = "over" if kind == records.END else 2 - told[1]
        raw = canonical(told)
        message = told_message(table.of, 0, kind, true.number, true.mark, told_digest(given, raw))
        return evolve(true, told=raw, salt=given, sig=HOST.sign(message))

    place = read.entries.index(true)
    repeats = [*map(again, range(20)), again(20, lie=True)]
    crowd = evolve(read, entries=(*read.entries[:place], *repeats, *read.entries[place + 1 :])).packed()
    assert by_both(crowd, table.record(1)) == {("told", true.number): "host"}


def test_what_the_log_gives_is_packed_once_however_often_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    table = called_off(5, 4)
    header, events, end = taken_apart(table.log)
    events[1][4] = fat = {"x": list(range(1000))}
    read, lie = records.read_bytes(table.record(0)), canonical([1, 0, "x", {}, False, None, None, []])
    repeats = [records.Entry(records.EVENT, 1, lie, bytes(16), bytes(32), None)] * 100
    packings, ordered = list[Any](), canonical_room.ordered
    monkeypatch.setattr(canonical_room, "ordered", lambda value: packings.append(value) or ordered(value))
    records.verify(evolve(read, entries=tuple(repeats)).packed(), put_together((header, events, end)))
    assert 0 < packings.count(fat) <= 2


def test_going_back_to_new_rules_that_changed_no_state_is_free_for_both() -> None:
    """An earlier takeback has stepped over them, but the state after them is on the way to the present."""
    table = cake(5, engine="another")
    while min(table.match.to_act) != 0:
        table.play(table.count + 1)
    header, events, _ = taken_apart(table.log)
    rules, parts = len(events), wire_of(table.match.game).encode(table.match.legal(0)[0])
    events.append([rules, -1, None, ".rules", {"to": header["rules"], "layout": header.get("layout", 1)}, None])
    for to in (rules - 1, rules):
        at, marks = len(events), records.marks(put_together((header, events, None)))
        message = command_message(table.of, 0, at, marks[at], *parts, bytes([at]) * 16)
        events.append([at, 0, {"id": bytes([at]) * 16, "sign": [at, KEYS[0].sign(message)]}, *parts, None])
        mark = records.marks(put_together((header, events, None)))[-1]
        wish = KEYS[0].sign(wish_message(table.of, 0, at + 1, mark, "take_back", to))
        events.append([at + 1, -1, {"by": "seat 0", "sign": [[0, wish]]}, ".takeback", {"to": to}, None])
    log = put_together((header, events, None))
    assert by_both(None, log) == {}
