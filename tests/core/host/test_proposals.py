"""Takebacks, forks and abandonment: what is free of consent, and what becomes of proposals."""

from __future__ import annotations

import pytest
from attrs import evolve
from high_card import GAME, Lay
from kifu.core.errors import LogError, MatchError, Rewound
from kifu.core.game import TABLE, RedactedCommand, Takeback
from kifu.core.game import evolve as changed
from kifu.core.host import Proposal, Terms, deadlines, is_stand_in
from kifu.core.log import log_bytes, read_bytes
from kifu.core.match import Match
from kifu.core.match.header import Fork
from kifu.games.cake.model import Vote

from .conftest import FIRST


def voting(table, seats=4):
    """Return a table where several seats are to vote, the number of events, and those seats."""
    at = table("cake", seats)
    observation = at.play_until(lambda observation: len(observation.to_act) > 2)
    return at, observation.count, sorted(observation.to_act)


def views(at):
    return [at.observe(seat).view for seat in (None, *range(len(at.keys)))]


def test_a_vote_is_taken_back_freely_before_another_has_voted(table):
    at, count, (one, *_) = voting(table)
    before = views(at)
    at.play(one, Vote(content=True))
    proposal = at.take_back(one, count - 1)
    assert (proposal.status, proposal.by, proposal.waiting_for) == ("accepted", one, ())
    assert views(at) == before
    history = at.history(None, count)
    assert [each.command for each in history][1:] == [Takeback(count - 1)]
    assert history[1].actor == f"seat {one}"
    at.play(one, Vote(content=False))
    assert at.take_back(one, count - 1).status == "accepted"
    at.play_on()
    assert read_bytes(at.host.log(at.match)).ok


def test_what_a_deadline_costs_does_not_grow_with_the_votes_that_were_taken_back(table, monkeypatch):
    at = table("cake", 4, terms=Terms(turn_limit_ms=60_000))
    at.play_until(lambda observation: len(observation.to_act) > 2)
    count, (one, other, *_) = at.count, sorted(at.observe().to_act)
    looked_at, looks = deadlines._is_private_to_one_seat, []
    monkeypatch.setattr(deadlines, "_is_private_to_one_seat", lambda *given: looks.append(1) or looked_at(*given))
    at.clock.now += 500
    before = at.observe(other).deadline_at_ms
    for _ in range(10):
        at.clock.now += 500
        at.play(one)
        assert at.observe(other).deadline_at_ms == before, "nobody gains time by it"
        at.take_back(one, count - 1)
        assert at.observe(other).deadline_at_ms == before
    assert len(looks) == 10, "each takeback once"
    at.clock.now = before
    at.host.run_due()
    assert is_stand_in(at.history()[-1].actor)


AFTER_THE_VOTES = {
    "another has voted since": ((0, 1), (), 0, "pending"),
    "the first may not go behind the second, whose vote was taken back": ((0, 1), (1,), 0, "pending"),
    "all see that a vote is restored, and did not see the vote": ((0,), (0,), 1, "pending"),
    "the same seat has voted twice": ((0, 0), (), 0, "accepted"),
}
"""Which of the voters vote, which take that back, and whether the first may go back, by how many events after these."""


@pytest.mark.parametrize(("votes", "undone", "to", "status"), AFTER_THE_VOTES.values(), ids=AFTER_THE_VOTES)
def test_a_vote_is_taken_back_freely_only_where_nobody_has_learnt_anything_since(table, votes, undone, to, status):
    at, count, voters = voting(table)
    for place, vote in enumerate(votes):
        if vote in votes[:place]:
            at.take_back(voters[vote], count - 1)
        at.play(voters[vote], Vote(content=True))
    for vote in undone:
        assert at.take_back(voters[vote], count - 1 + vote).status == "accepted"
    assert at.take_back(voters[0], count - 1 + to).status == status


@pytest.mark.ci
def test_what_another_seat_saw_is_taken_back_by_consent_only(table):
    for game, seats in (("take_and_share", 3), ("cake", 3), ("palace", 3), ("gosne", 4), ("mabr", 2)):
        at = table(game, seats)
        for _ in range(8):
            count, to_act = at.count, at.observe().to_act
            before = views(at)
            at.play_on(1)
            if at.observe().result is not None:
                break
            (seat,) = to_act if len(to_act) == 1 else [at.history(None, count)[0].seat]
            proposal = at.take_back(seat, count - 1)
            if proposal.status == "accepted":
                assert len(to_act) > 1, "only one of several votes looks the same to all"
                assert views(at) == before
                continue
            assert proposal.waiting_for == tuple(each for each in range(seats) if each != seat)
            at.reject((seat + 1) % seats, proposal.number)


def test_a_draw_is_not_taken_back_freely_though_no_other_seat_saw_the_card(table):
    """The seat itself has learnt something."""
    at = table("palace", 3)
    at.play_until(lambda observation: any(type(each).__name__ == "Draw" for each in observation.legal))
    (seat,) = at.observe().to_act
    draw = next(each for each in at.observe(seat).legal if type(each).__name__ == "Draw")
    count = at.count
    at.play(seat, draw)
    assert at.take_back(seat, count - 1).status == "pending"


def test_a_takeback_that_all_accept_restores_the_state(table):
    at = table("take_and_share", 3)
    at.play_on(3)
    before, count = views(at), at.count
    at.play_on(4)
    proposal = at.take_back(0, count - 1)
    assert at.observe(2).proposals == (proposal,)
    assert proposal == Proposal(1, "take_back", 0, count - 1, count + 4, (0,), (1, 2))
    assert at.accept(2, proposal.number).waiting_for == (1,)
    assert at.accept(2, proposal.number).waiting_for == (1,)
    assert at.accept(0, proposal.number).waiting_for == (1,)
    assert views(at) != before
    assert at.take_back(1, count - 1).status == "accepted"
    assert at.count == count + 5
    assert views(at) == before
    assert at.observe().proposals[0].status == "accepted"


def test_one_rejection_is_enough(table):
    at = table("take_and_share", 3)
    at.play_on(2)
    proposal = at.take_back(0, 0)
    at.accept(1, proposal.number)
    assert at.reject(2, proposal.number).status == "rejected"
    with pytest.raises(MatchError, match="rejected already"):
        at.accept(2, proposal.number)
    with pytest.raises(MatchError, match="no proposal 7"):
        at.accept(2, 7)
    assert at.count == 3
    again = at.take_back(0, 0)
    assert (again.number, again.accepted_by) == (proposal.number + 1, (0,))


def test_a_proposed_takeback_expires_with_the_next_event(table):
    at = table("take_and_share", 3)
    at.play_on(2)
    proposal = at.take_back(0, 0)
    with pytest.raises(MatchError, match="a proposal of 'Aki' is pending"):
        at.abandon(1)
    with pytest.raises(MatchError, match="accept or reject it first"):
        at.take_back(1, 1)  # another one
    at.play_on(1)
    assert at.observe().proposals[0].status == "expired"
    with pytest.raises(MatchError, match="expired already"):
        at.accept(1, proposal.number)
    assert at.abandon(1).status == "pending"
    at.play_on(1)
    assert at.observe().proposals[0].status == "pending"


@pytest.mark.parametrize(("to", "why"), [(-2, "no event -2"), (2, "nothing to take back")])
def test_there_must_be_something_to_take_back(table, to, why):
    at = table("take_and_share", 3)
    at.play_on(2)
    with pytest.raises(MatchError, match=why):
        at.take_back(0, to)


def test_the_deal_is_taken_back_by_consent_and_another_is_dealt(table):
    at = table("take_and_share", 3)
    before = at.observe(0).view
    at.agree(at.take_back(0, -1))
    assert at.observe(0).view.hands[0] != before.hands[0]
    at.play_on()
    assert read_bytes(at.host.log(at.match)).ok


def test_a_match_is_abandoned_by_consent(table):
    at = table("take_and_share", 3)
    at.play_on(2)
    proposal = at.abandon(0)
    assert at.about.status == "going"
    at.agree(proposal)
    about = at.about
    assert (about.status, about.result, about.to_act) == ("abandoned", None, frozenset())
    assert read_bytes(at.host.log(at.match)).ended == "abandoned"
    for call in (lambda: at.play(2, ("play", {"card": 101})), lambda: at.abandon(0)):
        with pytest.raises(MatchError, match="abandoned"):
            call()
    assert list(at.host.watch(at.match)) == list(at.history())


def test_a_match_that_has_not_begun_is_abandoned_by_those_who_joined(host):
    match = host.open("cake", 3).match
    keys = [host.join(match, name).key for name in ("Aki", "Ren")]
    proposal = host.abandon(match, keys[0])
    assert host.accept(match, keys[1], proposal.number).status == "accepted"
    assert host.about(match).status == "abandoned"
    with pytest.raises(MatchError, match="no seat is free"):
        host.join(match, "Mio")
    with pytest.raises(MatchError, match="not begun"):
        host.log(match)
    assert list(host.watch(match)) == []


def test_a_proposal_expires_when_another_player_joins(host):
    match = host.open("cake", 4).match
    keys = [host.join(match, name).key for name in ("Aki", "Ren")]
    proposal = host.abandon(match, keys[0])
    keys.append(host.join(match, "Mio").key)
    with pytest.raises(MatchError, match="expired already"):
        host.accept(match, keys[1], proposal.number)
    assert host.abandon(match, keys[0]).waiting_for == (1, 2)


def test_bots_are_not_asked_for_consent(make_host, table):
    host = make_host(bots=FIRST)
    at = table("take_and_share", 3, at=host, terms=Terms(bots={1: "first", 2: "first"}, bot_delay_ms=0))
    at.play_on(1)
    host.run_due()
    assert at.take_back(0, 0).status == "accepted"
    assert at.abandon(0).status == "accepted"


def test_a_match_that_is_over_is_forked_at_once_and_the_keys_fit(table):
    at = table("take_and_share", 3)
    at.play_on()
    views = [at.host.observe(at.match, key, 8).view for key in at.keys]
    proposal = at.fork(1, 8)
    assert (proposal.status, at.host.observe(at.match).proposals) == ("accepted", (proposal,))
    fork = evolve(at, match=proposal.fork)
    assert fork.count == 8
    assert [fork.observe(seat).view for seat in range(3)] == views
    header = read_bytes(at.host.export_log(fork.match)).header
    assert (header.fork, header.seed, header.match) == (Fork(at.match, 7), None, fork.match)
    fork.play_on()
    assert read_bytes(at.host.log(fork.match)).ok


@pytest.mark.ci
def test_a_fork_draws_the_deals_to_come_anew(table):
    at = table("gosne", 4, options={"hands": 4})
    at.play_on()
    forks = [evolve(at, match=at.fork(0, events).fork) for events in (2, 2, 0)]
    for each in forks:
        each.play_on()
    deals = [
        [event.command for event in read_bytes(each.log).match.events if event.seat == TABLE] for each in (at, *forks)
    ]
    assert deals[0][0] == deals[1][0] == deals[2][0] != deals[3][0], "the last begins before the deal"
    assert deals[0][1] != deals[1][1] != deals[2][1]
    with pytest.raises(MatchError, match="the game is over"):
        at.fork(0, at.count)
    for none, error in ((-1, MatchError), (at.count + 1, Rewound)):
        with pytest.raises(error):
            at.fork(0, none)


def test_a_log_is_imported_and_played_on(table, make_host):
    at = table("cake", 3)
    at.play_on(20)
    other = make_host()
    opened = other.import_log(at.log)
    assert (opened.match, len(opened.keys)) == (at.match, 3)
    with pytest.raises(MatchError, match="here already"):
        other.import_log(at.log)
    copy = evolve(at, host=other, keys=list(opened.keys))
    assert views(copy) == views(at)
    copy.play_on()
    assert read_bytes(other.log(copy.match)).ok
    assert make_host().import_log(other.log(copy.match)).match == copy.match


def test_an_imported_log_without_its_deal_or_end_record_is_completed(table, make_host):
    at = table("take_and_share", 3)
    at.play_on()
    whole = read_bytes(at.host.log(at.match)).match
    other = make_host()
    other.import_log(log_bytes(whole, ended=False))
    assert other.about(at.match).status == "over"
    assert other.log(at.match) == at.host.log(at.match)
    begun = Match(whole.game, evolve(whole.header, match="begun"))
    other.import_log(log_bytes(begun))
    assert other.about("begun").to_act == {0}


def test_a_log_that_is_wrong_is_not_imported(table, make_host):
    at = table("cake", 3)
    raw = at.log
    bad_id = Match(read_bytes(raw).game, evolve(read_bytes(raw).header, match="../up"))
    for wrong, error in ((raw[:-1], LogError), (raw[:-9] + b"x" * 9, LogError), (b"", LogError)):
        with pytest.raises(error):
            make_host().import_log(wrong)
    assert make_host().import_log(log_bytes(bad_id)).match != "../up"


# In High Card, where all lay a card face down, and in variants of it.


def draws_one(state, seat, command):
    """Apply a command; a seat that lays a card draws another."""
    after = GAME.apply(state, seat, command)
    if not isinstance(command, Lay) or not after.rest:
        return after
    hands = [(*hand, after.rest[0]) if each == seat else hand for each, hand in enumerate(after.hands)]
    return changed(after, hands=tuple(hands), rest=after.rest[1:])


def parity(step, viewer):
    """Redact a command; all see whether the card is even."""
    observed = GAME.redact(step, viewer)
    if observed != RedactedCommand("lay"):
        return observed
    return RedactedCommand("lay", (("even", step.command.card % 2 == 0),))


def loud(step, viewer):
    """Yield notes that name the card to all."""
    for note in GAME.explain(step, viewer):
        values = (*note.values, ("card", step.command.card)) if isinstance(step.command, Lay) else note.values
        yield evolve(note, values=values)


VARIANTS = {
    "as it is": (GAME, "accepted"),
    "a seat that lays a card draws one": (GAME.altered(apply=draws_one), "pending"),
    "the others see something of the card": (GAME.altered(redact=parity), "pending"),
    "a note names the card to the others": (GAME.altered(explain=loud), "pending"),
}


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_card_that_was_laid_face_down(make_host, table, variant):
    game, state = VARIANTS[variant]
    at = table("high_card", 3, at=make_host(find=lambda name: game))
    before = views(at)
    at.play(1)
    assert at.take_back(1, 0).status == state
    assert (views(at) == before) is (state == "accepted")


def test_undo_goes_one_command_further_each_time(make_host, table):
    at = table("high_card", 3, at=make_host(find=lambda name: GAME))
    for seat in range(3):
        at.play(seat)
    for expected in (3, 2):
        proposal = at.undo(expected - 1)
        assert (proposal.target, proposal.status) == (expected - 1, "pending"), "all are turned up, and saw it"
        assert at.agree(proposal).status == "accepted"
    with pytest.raises(MatchError, match="no command of seat 2"):
        at.undo(2)
