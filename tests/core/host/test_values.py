"""What a host returns and raises: no key in any `repr`, and all of it can be pickled."""

from __future__ import annotations

import pickle

import kifu
import pytest
from attrs import evolve
from kifu.core.errors import Conflict, KeyReused, MatchError
from kifu.core.log import log_bytes, read_bytes


def test_no_key_stands_in_a_repr(host):
    opened = host.open("take_and_share", [None, "Ren", "Mio"])
    joined = host.join(opened.match, "Aki")
    shown = repr((opened, joined))
    assert opened.match in shown
    for key in (*opened.keys, opened.opener_key, joined.key):
        assert key is None or key not in shown


@pytest.mark.parametrize("game", ["take_and_share", "mabr"])
def test_what_is_returned_and_raised_can_be_pickled(table, game):
    at = table(game, 3)
    at.play_on(4)
    seat = min(at.observe().to_act)
    command = at.observe(seat).legal[0]
    receipt = at.play(seat, command)
    with pytest.raises(Conflict) as late:
        at.play(seat, command, expected_events=1)
    for each in (at.observe(0), at.history(0), at.about, receipt, late.value.meanwhile):
        again = pickle.loads(pickle.dumps(each))
        assert again == each
    assert pickle.loads(pickle.dumps(at.observe(0))).told() == at.observe(0).told()
    assert pickle.loads(pickle.dumps(late.value)).meanwhile == late.value.meanwhile


def test_an_idempotency_key_is_of_one_command(table, make_host):
    at = table("take_and_share", 3)
    seat = min(at.observe().to_act)
    first, other = at.observe(seat).legal[:2]
    receipt = at.play(seat, first, 1, b"once")
    at.play_on(4)
    restarted = evolve(at, host=make_host(at.host._context.store))
    for each in (at, restarted):
        assert each.play(seat, first, 77, b"once") == receipt
        with pytest.raises(KeyReused, match="another command"):
            each.play(seat, other, 1, b"once")
    assert at.count == 6


@pytest.mark.parametrize("name", ["table 3", "2026-11-28/7", "卓1", "A.b", "x" * 200, "plain-1"])
def test_a_log_that_an_audit_accepts_is_imported_whatever_its_id(host, name):
    match = kifu.new("take_and_share", ["a", "b", "c"], seed=bytes(32), match=name, started=0)
    for _ in range(4):
        seat = min(match.to_act)
        match.play(seat, match.legal(seat)[0])
    opened = host.import_log(log_bytes(match))
    assert (opened.match == name) is (name == "plain-1")
    seat = min(host.observe(opened.match).to_act)
    mine = host.observe(opened.match, opened.keys[seat])
    host.submit(opened.match, opened.keys[seat], mine.legal[0], mine.count)
    host.force_abandon(opened.match)
    assert read_bytes(host.log(opened.match)).header.match == name
    with pytest.raises(MatchError, match="here already"):
        host.import_log(log_bytes(match))
