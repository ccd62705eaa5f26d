"""No honest table is accused: whatever is played, by whom, under which options, its log and all records verify."""

from __future__ import annotations

from random import Random

import pytest
from kifu.core.trust import records
from kifu.core.trust.audit import audit

from .playing import ENGINE, HOST, KEYS, Table, cake, held

GAMES = [
    ("cake", (0, 0, 0), {"elder_votes": False}),
    ("cake", (0, 0, 1, 2), {"first": 2}),
    ("gosne", (0, 0, 0, 0), {"hands": 4}),
    ("gosne", (0, 2, 1, 0), {"whistleblower": True}),
    ("mabr", (0, 0), {}),
    ("palace", (0, 0, 0), {}),
    ("take_and_share", (0, 0, 0, 0), {"long": True}),
]


def check_all(table: Table) -> list[records.Verdict]:
    """Verify the log and everybody's record in every form, by itself, against the log and with each other."""
    assert audit(table.log).findings == []
    verdicts = [records.verify(table.record(viewer), table.log, engine=ENGINE) for viewer in table.viewers]
    forms = [(table.record(viewer), records.public(table.record(viewer))) for viewer in table.viewers]
    verdicts += [records.verify(public, table.log, engine=ENGINE) for _, public in forms]
    verdicts += [records.verify(each) for form in forms for each in form]
    verdicts += [records.compare(one, other) for one in forms[0] for form in forms[1:] for other in form]
    for verdict in verdicts:
        assert verdict.findings == ()
        assert not verdict.proof
    return verdicts[: len(table.viewers)]


@pytest.mark.ci
@pytest.mark.parametrize(("game", "who", "options"), GAMES, ids=[f"{game}-{len(who)}" for game, who, _ in GAMES])
@pytest.mark.parametrize("signed", [True, False])
def test_a_random_match_verifies(game: str, who: tuple[int, ...], options: dict[str, object], signed: bool) -> None:
    random = Random(f"{game}{who}{signed}")
    keys = [KEYS[seat] if signed and kind == 0 else None for seat, kind in enumerate(who)]
    host_key = HOST if signed else None
    match = held(game, who, random, options=options, keys=keys, host_key=host_key, refusals=random.randrange(3))
    table = Table(match, keys, host_key, random)
    table.look()
    table.play(15)
    table.look()
    table.play(30)
    if table.evidence.end_mark is None:
        table.abandon(None)
    for verdict in check_all(table):
        assert verdict.signed is signed
        assert verdict.unchecked == ()


@pytest.mark.ci
def test_takebacks_stand_ins_and_new_keys_verify() -> None:
    table = cake()
    table.play(4)
    table.take_back(2, table.match.events[-1].seat, [0, 1])
    table.play(9)
    table.take_back(4, 0, [0, 1])
    table.take_back(8, 1, [0, 1])  # what was taken back is restored
    table.play(14)
    seat = min(table.match.to_act)
    table.command(seat, table.match.legal(seat)[0], by="stand-in")
    seat = min(table.match.to_act)
    table.command(seat, table.match.legal(seat)[0], by="new key")
    table.play(25)
    table.abandon(0)
    assert [verdict.ended for verdict in check_all(table)] == ["by consent"] * 4


def test_where_no_seat_has_a_key_nothing_shows_a_consent() -> None:
    table = Table(held("cake", (0, 0, 0), Random(7), keys=[None] * 3, host_key=HOST, engine=ENGINE), [None] * 3, HOST)
    table.play(4)
    table.abandon(0)
    assert [verdict.ended for verdict in check_all(table)] == ["called off"] * 4


@pytest.mark.ci
def test_commands_given_together_may_answer_an_earlier_moment() -> None:
    table = cake()
    while len(table.match.to_act) < 2:
        table.play(table.count + 1)
    at = table.count
    for seat in sorted(table.match.to_act):
        table.command(seat, table.match.legal(seat)[0], at=at)
    table.play(30)
    table.abandon(None)
    assert [verdict.ended for verdict in check_all(table)] == ["called off"] * 4


@pytest.mark.parametrize("first", [0, 3, 17])
def test_a_late_record_verifies_as_far_as_it_goes(first: int) -> None:
    table = cake()
    table.play(20)
    table.abandon(None)
    full = records.read_bytes(table.record(2))
    late = b"".join([table.record(2)[: -sum(len(each.packed()) for each in full.entries)]])
    late += b"".join(each.packed() for each in full.entries if each.number >= first)
    verdict = records.verify(late, table.log)
    assert (verdict.findings, verdict.first, verdict.last) == ((), first, 20)


def test_a_record_of_a_match_that_goes_on_verifies_against_its_log_later() -> None:
    table = cake()
    table.play(6)
    early = {viewer: table.record(viewer) for viewer in table.viewers}
    for record in early.values():
        assert records.verify(record, table.log).ok
    table.play(20)
    table.abandon(None)
    for viewer, record in early.items():
        assert records.verify(record, table.log).ok
        assert records.compare(record, table.record(viewer)).ok
