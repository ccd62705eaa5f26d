"""A fork says what of it nobody has checked, and is held against its parent; no header switches checks off unseen."""

from __future__ import annotations

import pytest
from kifu.core.host import Host, Terms
from kifu.core.stores import MemoryStore
from kifu.core.trust import records, signing
from kifu.core.trust.audit import audit
from kifu.core.trust.formulas import commitment, roster_digest

from .playing import Table, cake, put_together, taken_apart


@pytest.fixture(scope="module")
def table() -> Table:
    """A table of three, two of whom sign."""
    table = cake(5)
    table.play(12)
    while (seat := min(table.match.to_act)) not in (0, 1):
        table.play(table.count + 1)
    table.command(seat, table.match.legal(seat)[0], by="stand-in")
    table.play(18)
    return table


def unsigned(log: bytes, shared: int) -> bytes:
    """Zero every signature, and say that so many events are shared with another match."""
    header, events, end = taken_apart(log)
    more = {key: header.pop(key) for key in ("fair", "veil", "sign")}
    fork = {"match": "another", "seq": shared}
    header = {**header, "seed": None, "fork": fork, "veil": more["veil"], "sign": more["sign"]}
    for event in events:
        if event[2] and "sign" in event[2]:
            at, _ = event[2]["sign"]
            event[2] = {**event[2], "sign": [at, bytes(64)]}
    return put_together((header, events, end))


def test_who_claims_to_be_a_fork_is_told_to_be_unchecked(table: Table) -> None:
    count = table.count
    found = audit(unsigned(table.log, count - 1))
    assert found.findings == []
    assert [str(each) for each in found.unchecked] == [
        f"events 0 to {count - 1}, which a fork shares: signatures and deals are in its parent's log"
    ]
    assert {each.kind for each in audit(unsigned(table.log, 4)).findings} == {"signature"}
    assert audit(table.log).unchecked == ()


@pytest.mark.parametrize("beyond", [0, 10**6])
def test_no_fork_shares_more_than_it_has(table: Table, beyond: int) -> None:
    found = audit(unsigned(table.log, table.count + beyond)).findings
    assert [(each.kind, each.seq) for each in found] == [("signature", None)]
    assert "says to share" in found[0].message


def test_commands_of_others_for_a_seat_with_a_key_are_counted(table: Table) -> None:
    found = audit(table.log)
    assert found.findings == []
    ((seat, names),) = found.played_for.items()
    assert names == {"stand-in": 1}
    verdict = records.verify(table.record(seat), table.log)
    assert verdict.played_for == {seat: {"stand-in": 1}}


# --- forks of a host ------------------------------------------------------------------------------------------------


def forked(share: int) -> tuple[Host, str, str]:
    """Deal fairly at a host, play a few events, end the match and fork it; the host, and both matches."""
    host = Host(MemoryStore(), sign=signing.SigningKey.new())
    opened = host.open("cake", 3, {}, Terms(fair=True)).match
    secrets = [bytes([seat + 1]) * 32 for seat in range(3)]
    keys = [
        host.join(opened, name, seat, commitment=commitment(opened, 1, seat, secrets[seat])).key
        for seat, name in enumerate(("Aki", "Ren", "Mio"))
    ]
    for key, secret in zip(keys, secrets, strict=True):
        host.reveal(opened, key, 1, roster_digest(host.about(opened).trust.roster), secret)
    for number in range(4):
        seat = min(host.about(opened).to_act)
        seen = host.observe(opened, keys[seat])
        host.submit(opened, keys[seat], seen.legal[0], seen.count, bytes([number]) * 16)
    host.force_abandon(opened)
    proposal = host.fork(opened, keys[0], share)
    return host, opened, str(proposal.fork)


@pytest.mark.parametrize("share", [0, 3])
def test_a_fork_of_a_fair_match_is_never_called_fair(share: int) -> None:
    host, parent, child = forked(share)
    assert host.about(parent).trust.attempt == 1
    about = host.about(child)
    assert (about.terms.fair, about.trust.attempt, about.trust.shared) == (False, 0, share)
    found = audit(host.export_log(child))
    assert found.findings == []
    assert bool(found.unchecked) == bool(share)
    verdict = records.verify_fork(host.export_log(child), host.export_log(parent))
    assert (verdict.ok, verdict.match, verdict.unchecked) == (True, child, ())
