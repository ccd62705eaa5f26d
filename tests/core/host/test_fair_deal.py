"""A fair deal at a host: its phases, its deadlines, and what is left of it after a kill at any moment."""

from __future__ import annotations

from hashlib import sha256
from secrets import token_bytes
from typing import Any

import pytest
from attrs import define, field
from kifu import games
from kifu.core.errors import MatchError, StoreError, TrustError
from kifu.core.game import Past, Upcast
from kifu.core.host import Host, Terms
from kifu.core.host.metadata import metadata_of
from kifu.core.host.scheduler import RETRY_MS
from kifu.core.log import read_bytes
from kifu.core.trust import signing
from kifu.core.trust.audit import audit
from kifu.core.trust.formulas import commitment, reveal_message, roster_digest
from kifu.core.trust.roster import read_roster

from .conftest import FIRST
from .failing import Failing

FAIR = Terms(fair=True, reveal_ms=1000)
NAMES = ["Aki", "Ren", "Mio"]


@define
class Players:
    """Those who join a match with a fair deal, each with the secrets that it draws."""

    host: Host
    match: str
    keys: dict[int, str] = field(factory=dict)
    drawn: int = 0

    def secret(self, seat: int, attempt: int) -> bytes:
        return sha256(f"{self.match} {seat} {attempt}".encode()).digest()

    def commitment(self, seat: int, attempt: int) -> bytes:
        return commitment(self.match, attempt, seat, self.secret(seat, attempt))

    @property
    def trust(self) -> Any:
        return self.host.about(self.match).trust

    def join(self, *seats: int) -> None:
        for seat in seats:
            joined = self.host.join(self.match, NAMES[seat], seat, commitment=self.commitment(seat, 1))
            assert not joined.begun
            self.keys[seat] = joined.key

    def renew(self, *seats: int) -> None:
        for seat in seats:
            attempt = self.trust.attempt
            self.host.renew(self.match, self.keys[seat], attempt, self.commitment(seat, attempt))

    def reveal(self, *seats: int) -> Any:
        for seat in seats:
            status = self.trust
            digest = roster_digest(status.roster)
            answer = self.host.reveal(
                self.match, self.keys[seat], status.attempt, digest, self.secret(seat, status.attempt)
            )
        return answer


def opened(host: Host, seats: Any = 3, terms: Terms = FAIR) -> Players:
    return Players(host, host.open("cake", seats, {}, terms).match)


def test_from_joining_to_the_deal(host):
    at = opened(host)
    assert (at.trust.phase, at.trust.attempt, at.trust.roster) == ("joining", 1, None)
    first = at.trust
    at.join(0, 2)
    assert at.trust.phase == "joining"
    at.join(1)
    status = at.trust
    assert (status.phase, status.deadline_at_ms, host.about(at.match).status) == ("revealing", 1_001_000, "open")
    roster = read_roster(status.roster)
    assert (roster.names, roster.host, roster.veil) == (tuple(NAMES), first.host, first.veil)
    assert roster.seats == tuple(at.commitment(seat, 1) for seat in range(3))
    at.reveal(1, 0)
    assert [each.revealed for each in at.trust.seats] == [True, True, False]
    assert host.about(at.match).status == "open"
    status, receipt = at.reveal(2)
    assert (status.phase, status.attempt, status.roster, receipt) == ("dealt", 1, at.trust.roster, None)
    assert all(each.revealed for each in status.seats)
    assert host.about(at.match).status == "going"
    log = host.export_log(at.match)
    assert audit(log).findings == []
    assert [key for key, _ in read_bytes(log).header.more] == ["fair", "veil"]


def test_a_player_who_was_removed_has_committed_to_nothing(host):
    opened_match = host.open("cake", 3, {}, FAIR)
    at = Players(host, opened_match.match)
    at.join(0)
    host.remove_player(at.match, opened_match.opener_key, 0)
    assert [each.commitment for each in at.trust.seats] == [None, None, None]
    host.join(at.match, "Zoe", 0, commitment=commitment(at.match, 1, 0, bytes(32)))
    host.remove_player(at.match, opened_match.opener_key, 0)
    at.join(0, 1, 2)
    with pytest.raises(MatchError, match="nobody can be removed any more"):
        host.remove_player(at.match, opened_match.opener_key, 1)
    at.reveal(0, 1, 2)
    assert host.about(at.match).status == "going"
    assert audit(host.export_log(at.match)).findings == []


def test_before_the_deal_nobody_is_told_a_secret(host):
    at = opened(host)
    at.join(0, 1, 2)
    at.reveal(0, 1)
    told = repr(host.about(at.match)) + repr(host.observe(at.match, at.keys[2]))
    preparation = metadata_of(host._context.store.read(at.match).row, at.match).preparation
    for secret in (preparation.veil, preparation.deal["now"]["host"][1], at.secret(0, 1), at.secret(1, 1)):
        assert repr(secret)[2:-1] not in told


def test_named_seats_and_bots_contribute_nothing(make_host):
    host = make_host(bots=FIRST)
    at = opened(host, ["Aki", None, None], Terms(fair=True, bots={2: "first"}))
    assert [each.who for each in at.trust.seats] == [1, 0, 2]
    at.join(1)
    at.reveal(1)
    assert host.about(at.match).status == "going"
    assert audit(host.export_log(at.match)).findings == []


def test_a_fair_deal_needs_a_seat_that_joins(host):
    with pytest.raises(MatchError, match="a fair deal needs a seat that joins"):
        host.open("cake", NAMES, {}, FAIR)
    assert host._context.store._logs == {}


def test_what_is_refused_while_joining(host):
    at = opened(host)
    good = at.commitment(0, 1)
    for call, refusal in (
        (lambda: host.join(at.match, "Aki"), "join with a seat and a commitment"),
        (lambda: host.join(at.match, "Aki", 0), "join with a seat and a commitment"),
        (lambda: host.join(at.match, "Aki", commitment=good), "join with a seat and a commitment"),
        (lambda: host.join(at.match, "Aki", 0, commitment=b"short"), "a commitment is 32 bytes"),
    ):
        with pytest.raises((MatchError, TrustError), match=refusal):
            call()
    at.join(0)
    with pytest.raises(MatchError, match="seat 0 has committed already"):
        host.renew(at.match, at.keys[0], 1, bytes(32))
    with pytest.raises(MatchError, match="it waits for the commitments of seats 1 and 2"):
        host.reveal(at.match, at.keys[0], 1, bytes(32), at.secret(0, 1))
    plain = host.open("cake", 3)
    with pytest.raises(MatchError, match="has no fair deal"):
        host.join(plain.match, "Aki", 0, commitment=good)


def test_who_refuses_is_named_and_all_commit_anew(host, clock):
    at = opened(host)
    at.join(0, 1, 2)
    digest = roster_digest(at.trust.roster)
    at.reveal(0, 2)
    clock.now += 999
    host.run_due()
    assert at.trust.phase == "revealing"
    clock.now += 1
    host.run_due()
    status = at.trust
    assert (status.phase, status.attempt, status.past) == ("renewing", 2, ((digest, (1,)),))
    assert (status.roster, status.deadline_at_ms) == (None, clock.now + 1000)
    assert [(each.commitment, each.revealed) for each in status.seats] == [(None, False)] * 3
    at.renew(0, 1)
    clock.now += 500
    at.renew(2)
    assert (at.trust.phase, at.trust.deadline_at_ms) == ("revealing", clock.now + 1000)
    assert read_roster(at.trust.roster).past == status.past
    at.reveal(0, 1, 2)
    log = host.export_log(at.match)
    assert audit(log).findings == []
    assert at.trust.past == status.past


def test_after_eight_failed_attempts_nothing_is_dealt(host, clock):
    at = opened(host)
    at.join(0, 1, 2)
    for _ in range(8):
        clock.now += 1000
        host.run_due()
    assert (at.trust.phase, len(at.trust.past), host.about(at.match).status) == ("failed", 8, "abandoned")
    with pytest.raises(MatchError, match="eight attempts have failed"):
        host.renew(at.match, at.keys[0], 8, at.commitment(0, 8))
    with pytest.raises(MatchError, match="it has no log"):
        host.log(at.match)
    assert host.run_due() is None


def test_a_secret_that_comes_too_late_is_refused_even_if_nothing_was_due_yet(host, clock):
    at = opened(host)
    at.join(0, 1, 2)
    clock.now += 1000
    with pytest.raises(MatchError, match="attempt 2 is on, not 1"):
        host.reveal(at.match, at.keys[0], 1, roster_digest(at.trust.roster), at.secret(0, 1))
    assert at.trust.phase == "renewing"


def test_every_message_may_be_sent_again(host):
    at = opened(host)
    at.join(0, 1, 2)
    digest = roster_digest(at.trust.roster)
    for seat in range(3):
        answers = [host.reveal(at.match, at.keys[seat], 1, digest, at.secret(seat, 1)) for _ in range(2)]
        assert answers[0] == answers[1]
    with pytest.raises(MatchError, match="attempt 1 is on, not 2"):
        host.reveal(at.match, at.keys[0], 2, digest, at.secret(0, 1))
    with pytest.raises(TrustError, match="another roster"):
        host.reveal(at.match, at.keys[0], 1, bytes(32), at.secret(0, 1))
    with pytest.raises(TrustError, match="does not open the commitment of seat 0"):
        host.reveal(at.match, at.keys[0], 1, digest, at.secret(1, 1))


def test_a_match_that_was_abandoned_while_it_waited_deals_nothing(host):
    at = opened(host)
    at.join(0, 1, 2)
    digest = roster_digest(at.trust.roster)
    host.force_abandon(at.match)
    with pytest.raises(MatchError, match="was abandoned"):
        host.reveal(at.match, at.keys[0], 1, digest, at.secret(0, 1))
    assert at.trust.phase == "failed"
    assert host.run_due() is None


LAYOUT = {"past": Past(2)}
RULES = {"version": 2, "past": Past(1, {1: Upcast(dict)})}


@pytest.mark.parametrize(("newer", "why"), [(RULES, "rules version 1, today's is 2"), (LAYOUT, "another layout of")])
def test_a_host_with_other_rules_or_layouts_of_states_signs_no_second_roster(signing_host, make_host, newer, why):
    at = opened(signing_host)
    at.join(0, 1, 2)
    before, game = at.trust, games.find("cake").altered(**newer)
    context = signing_host._context
    other = make_host(context.store, find=lambda name: game, sign=context.sign)
    after = other.about(at.match).trust
    assert (after.phase, after.roster, after.roster_sig) in [
        ("failed", None, None),
        (before.phase, before.roster, before.roster_sig),
    ]
    with pytest.raises(MatchError, match=f"opened under {why}"):
        other.reveal(at.match, at.keys[0], 1, roster_digest(before.roster), at.secret(0, 1))


def test_the_host_signs_the_roster_and_each_receipt(signing_host):
    at, key = opened(signing_host), signing_host._context.sign
    at.join(0, 1, 2)
    digest = roster_digest(at.trust.roster)
    assert at.trust.host_key == key.public
    for seat in (0, 1, 2):
        _, receipt = at.reveal(seat)
        assert signing.check(key.public, reveal_message(digest, 1, seat), receipt)
    assert at.trust.roster_sig is not None
    assert audit(signing_host.export_log(at.match)).findings == []


LATE = "the deadline passes"
STEPS = [
    *[("join", seat) for seat in (0, 1, 2)],
    ("reveal", 0),
    LATE,
    *[("renew", seat) for seat in (0, 1, 2)],
    *[("reveal", seat) for seat in (2, 0, 1)],
]
"""A whole ceremony, in which seats 1 and 2 refuse once."""


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("place", range(len(STEPS)))
def test_a_host_that_is_killed_at_any_step_goes_on(make_host, clock, place, after):
    """Killed before its change is stored, or after it but before the answer is out."""
    store = Failing()
    at = opened(make_host(store, entropy=token_bytes))
    for number, step in enumerate(STEPS):
        if number == place and not after:
            store.left = 0
            with pytest.raises(StoreError):
                _step(at, step, clock)
            store.left = None
        if number == place and after and step not in STEPS[:3]:  # who joined twice would need two seats
            _step(at, step, clock)
        at.host = make_host(store, entropy=token_bytes)
        _step(at, step, clock)
    assert (at.trust.phase, at.trust.attempt) == ("dealt", 2)
    assert [refused for _, refused in at.trust.past] == [(1, 2)]
    assert audit(at.host.export_log(at.match)).findings == []


def _step(at: Players, step: Any, clock: Any) -> None:
    """Take a step; at the deadline, let it pass."""
    if step is not LATE:
        method, seat = step
        getattr(at, method)(seat)
        return
    if at.trust.attempt == 1:
        clock.now = max(at.trust.deadline_at_ms, clock.now + RETRY_MS)  # what a dead host has claimed is due again
    at.host.run_due()
    if at.trust.attempt == 1:
        raise StoreError("failing", "killed")


def test_the_new_holder_of_a_seat_can_commit_anew(host, clock):
    at = opened(host)
    at.join(0, 1, 2)
    at.keys[1] = host.rotate_keys(at.match, [1]).keys[1]
    clock.now += 1000
    host.run_due()
    at.renew(0, 1, 2)
    at.reveal(0, 1, 2)
    assert host.about(at.match).status == "going"
