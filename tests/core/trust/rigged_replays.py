"""Hosts that sign twice, or use again what was signed for something else; all else that they tell and record fits."""

from __future__ import annotations

from functools import partial
from random import Random
from types import SimpleNamespace
from typing import Any

from kifu.core.game import Meta
from kifu.core.trust import records
from kifu.core.trust.formulas import command_message
from kifu.core.wire import wire_of

from .playing import Table
from .rigged import Case, begun, crime, place_of, table, untouched
from .test_tampering import put_together, taken_apart


@crime("missing")
def tells_one_of_the_end_and_goes_on_with_the_others() -> Case:
    """One is told that the match is called off, the other plays on."""
    one, other = begun(12), begun(12)
    one.abandon(None)
    other.play(24)
    return one.record(0), other.record(1)


@crime("mark")
def withholds_what_it_told_one_and_tells_another_something_new() -> Case:
    """What one has lost does not stand: the others are shown another way on, each record right by itself."""
    one, other = begun(12), begun(12)
    one.play(20)
    other.random = Random(99)
    other.play(20)
    return records.public(one.record(0)), records.public(other.record(1))


def open_event(at: Table, *, redacted: bool) -> int:
    """Find what seat 0 was told of another's command: the place in its record."""

    def holds(entry: records.Entry) -> bool:
        return entry.kind == records.EVENT and entry.value()[1] not in (-1, 0) and entry.value()[4] is redacted

    return place_of(at, 0, holds)


@crime("told")
def tells_one_seat_two_things_of_one_event() -> Case:
    at = table()
    place = open_event(at, redacted=False)
    seq, actor, tag, fields, *rest = at.entries[0][place].value()
    at.entries[0].insert(place, at.entries[0][place])
    at.tell_anew(0, place + 1, [seq, actor, tag, {**fields, "other": 1}, *rest])
    return at.record(0), at.log


@crime("signature")
def gives_one_seat_what_it_told_another() -> Case:
    at = table()
    at.entries[0] = [*at.entries[1]]
    return at.record(0), at.log


@crime("head")
def shows_one_seat_the_roster_of_before_another_came_anew() -> Case:
    """One is shown a seat as it was before its player left and another sat down."""
    other = table()
    other.show(other.roster.replace(b"Mio", b"Emi"))
    return untouched().record(0), other.record(1)


def shows_otherwise(*, hidden: bool) -> Case:
    """Tell a seat all of a hidden command, or of an open one that it is hidden."""
    at = table()
    place = open_event(at, redacted=hidden)
    told = at.entries[0][place].value()
    told[3:5] = [taken_apart(at.log)[1][told[0]][4], False] if hidden else [{}, True]
    at.tell_anew(0, place, told)
    return at.record(0), at.log


crime("told", "told", name="shows a seat a hidden vote")(partial(shows_otherwise, hidden=True))
crime("told", "told", name="hides from a seat what is open")(partial(shows_otherwise, hidden=False))


def take_back(at: Table, to: int, signed: list[list[Any]]) -> None:
    meta = Meta(at=10 * at.count, by="seat 0", more=(("sign", signed),))
    at.match.take_back(to, meta)
    at._store(meta)


@crime("signature")
def swaps_two_consents_to_a_takeback() -> Case:
    at = begun(10)
    (_, mine), (_, its) = at.consent("take_back", 6, [0, 1])
    take_back(at, 6, [[0, its], [1, mine]])
    return at.record(1), at.log


@crime("signature")
def takes_back_further_than_was_agreed() -> Case:
    at = begun(10)
    take_back(at, 4, at.consent("take_back", 6, [0, 1]))
    return at.record(1), at.log


@crime("signature")
def takes_back_by_the_consent_to_an_earlier_takeback() -> Case:
    at = begun(10)
    signed = at.consent("take_back", 6, [0, 1])
    take_back(at, 6, signed)
    at.play(at.count + 3)
    take_back(at, 6, signed)
    return at.record(1), at.log


def with_seat_0_to_act() -> Table:
    at = begun(10)
    while min(at.match.to_act) != 0:
        at.play(at.count + 1)
    return at


@crime("signature")
def plays_a_signed_command_again_after_it_was_taken_back() -> Case:
    """All have agreed to the takeback."""
    at = with_seat_0_to_act()
    before, command = at.count, at.match.legal(0)[0]
    at.command(0, command)
    meta = at.match.events[before].meta
    at.take_back(before - 1, 0, [0, 1])
    at.match.play(0, command)
    at._store(Meta(10 * at.count, meta.id, None, meta.more))
    return at.record(1), at.log


@crime("signature")
def answers_for_a_seat_at_a_moment_that_it_had_not_seen() -> Case:
    """The host keeps what a seat had signed until later, and says that it answers a moment of today."""
    at = with_seat_0_to_act()
    command, ident, now, key = at.match.legal(0)[0], bytes(16), at.count, at.keys[0]
    tag, fields = wire_of(at.match.game).encode(command)
    assert key is not None
    message = command_message(at.of, 0, now - 1, at.evidence.marks[now - 1], tag, fields, ident)
    at.match.play(0, command)
    at._store(Meta(10 * now, ident, None, (("sign", [now, key.sign(message)]),)))
    return at.record(1), at.log


@crime("signature")
def plays_two_commands_of_a_seat_that_answer_one_moment() -> Case:
    """The seat acts at a moment, others act, and then it acts as if it had not."""
    at, first = begun(10), -1
    while True:
        seat = min(at.match.to_act)
        if seat == 0 and first >= 0 and all(event.seat > 0 for event in at.match.events[first + 1 :]):
            at.command(0, at.match.legal(0)[0], at=first)
            return at.record(1), at.log
        first = at.count if seat == 0 else first
        at.play(at.count + 1)


@crime("signature")
def plays_a_command_of_before_a_takeback_after_it() -> Case:
    """The moment that the seat had answered was taken back since; what it says is played all the same."""
    at, moments = begun(10), list[int]()
    while len(moments) < 2:
        if min(at.match.to_act) == 1:
            moments.append(at.count)
        at.play(at.count + (len(moments) < 2))
    at.take_back(moments[0] - 1, 0, [0, 1])
    at.command(1, at.match.legal(1)[0], at=moments[1])
    return at.record(0), at.log


@crime("signature")
def plays_two_commands_under_one_id() -> Case:
    at = begun(10)
    at.random = SimpleNamespace(randbytes=bytes)  # type: ignore[assignment]
    at.play(20)
    return at.record(1), at.log


@crime("missing")
def ends_the_match_for_one_before_the_last_event() -> Case:
    one, other = begun(10), begun(10)
    one.abandon(None)
    other.play(other.count + 1)
    return one.record(0), other.record(1)


@crime("missing")
def signs_two_ends() -> Case:
    """The end is told twice: once before the last event, once after it."""
    at, other = begun(10), begun(10)
    other.abandon(None)
    at.play(at.count + 1)
    at.abandon(None)
    at.entries[0].insert(-2, other.entries[0][-1])
    return at.record(0), at.log


def passes_a_fork_off(**veil: bytes) -> Case:
    """Give out another way on from the middle as the match itself; with its own veil, or the match's."""
    header, events, _ = taken_apart(untouched().log)
    other = begun(7)
    other.random = Random(99)
    other.play(24)
    other.abandon(1)
    _, ways, end = taken_apart(other.log)
    assert [each[:5] for each in events[:7]] == [each[:5] for each in ways[:7]]
    assert [each[:5] for each in events] != [each[:5] for each in ways]
    return untouched().record(0), put_together(({**header, **veil}, ways, end))


crime("veil", "told", name="passes a fork off as the match")(partial(passes_a_fork_off, veil=bytes(range(32))))
crime("mark", "told", name="passes a fork off as the match, its veil too")(passes_a_fork_off)
