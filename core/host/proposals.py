"""Proposals: takebacks, forks and abandonments, which need the consent of the other players."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from attrs import evolve

from ..errors import MatchError, Message, NoMatch
from ..game import Meta, Seat
from ..log.writer import log_objects
from ..match import before_last_command
from ..match.fork import check_fork, fork_match
from ..match.header import Fork
from ..match.takebacks import why_consent_is_needed
from ..stores.store import HEADER_ALONE, Change
from ..trust.formulas import SECRET_BYTES
from .context import HostContext, check_in_progress, checked_int
from .job import Then
from .lifecycle import log_changes
from .live_match import LiveMatch, current_proposal
from .metadata import Kind, Proposal
from .signatures import check_can_sign, check_consent

Made = Proposal | Then[Proposal]
"""A proposal; or what makes the fork that it is for."""


def propose_takeback(
    context: HostContext, live: LiveMatch, seat: Seat, to: int, signature: bytes | None = None
) -> Made:
    """Propose to restore the state after event `to`; carried out at once if nobody has learnt anything since.

    As with every proposal, a seat with a public key signs its consent; else it raises `TrustError`.
    """
    check_in_progress(live)
    match = live.match
    if not -1 <= checked_int(to, "to") < live.count:
        raise MatchError(
            Message("no-event-back", "there is no event {to} to go back to: there are {count}", to=to, count=live.count)
        )
    if live.ended:
        raise MatchError(Message("over-fork-it", "the match is over: fork it to play on from before its end"))
    if match.states[to + 1] is match.state:
        raise MatchError(
            Message(
                "nothing-to-take-back", "there is nothing to take back: the table is as it was after event {to}", to=to
            )
        )
    check_can_sign(live)
    if why_consent_is_needed(match, seat, to) is None:
        proposal = Proposal(0, "take_back", seat, to, live.count, (seat,), (), "accepted")
        context.append_takeback(live, to, seat, check_consent(live, seat, proposal, signature))
        return evolve(proposal, count=live.count)
    return _propose(context, live, seat, "take_back", to, signature)


def propose_undo(context: HostContext, live: LiveMatch, seat: Seat, signature: bytes | None = None) -> Made:
    """Propose to take back the seat's last effective command, with all that followed it."""
    check_in_progress(live)
    return propose_takeback(context, live, seat, before_last_command(live.match, seat), signature)


def propose_fork(
    context: HostContext, live: LiveMatch, seat: Seat, events: int, signature: bytes | None = None
) -> Made:
    """Propose a new match with the first events of this one; carried out at once if this match is over."""
    check_fork(live.match, checked_int(events, "events"))
    return _propose(context, live, seat, "fork", events, signature)


def propose_abandon(context: HostContext, live: LiveMatch, seat: Seat, signature: bytes | None = None) -> Made:
    """Propose to end the match without a result."""
    _check_not_ended(live)
    return _propose(context, live, seat, "abandon", 0, signature)


def force_abandon(context: HostContext, live: LiveMatch) -> None:
    """End the match without a result and without consent."""
    _check_not_ended(live)
    _abandon(context, live, None)


def _check_not_ended(live: LiveMatch) -> None:
    if live.is_finished:
        raise MatchError(Message("match-already", "the match is {status} already", status=live.row.status))


def _propose(
    context: HostContext, live: LiveMatch, seat: Seat, kind: Kind, target: int, signature: bytes | None
) -> Made:
    """Make a proposal, or accept an equal one that is pending; it is carried out once all have consented."""
    last = current_proposal(live)
    if last is not None and last.state == "pending":
        if (last.kind, last.target) == (kind, target):
            return _accept(context, live, seat, last, signature)
        english = "a proposal of {name} is pending ({kind}): accept or reject it first"
        raise MatchError(
            Message("other-proposal-first", english, name=repr(live.metadata.names[last.by]), kind=last.kind)
        )
    number = 1 if last is None else last.number + 1
    waiting_for = (
        () if kind == "fork" and live.ended else tuple(each for each in live.metadata.held_seats if each != seat)
    )
    child = context.entropy(8).hex() if kind == "fork" else None
    proposal = Proposal(number, kind, seat, target, live.count, (seat,), waiting_for, fork=child)
    signed = evolve(proposal, signatures=check_consent(live, seat, proposal, signature))
    return _store_or_execute(context, live, signed)


def respond(
    context: HostContext, live: LiveMatch, seat: Seat, number: int, *, accepts: bool, signature: bytes | None = None
) -> Made:
    """Accept or reject the proposal of this number; raises `MatchError` if it is not pending."""
    proposal = current_proposal(live)
    if proposal is None or proposal.number != number:
        raise MatchError(Message("no-proposal", "there is no proposal {number}", number=number))
    if proposal.state != "pending":
        raise MatchError(
            Message("proposal-already", "proposal {number} is {state} already", number=number, state=proposal.state)
        )
    if accepts:
        return _accept(context, live, seat, proposal, signature)
    if not proposal.waiting_for:
        raise MatchError(Message("all-accepted", "proposal {number} has been accepted by all", number=number))
    rejected = evolve(proposal, state="rejected", fork=None)
    live.update_metadata(evolve(live.metadata, proposal=rejected), context.clock())
    return rejected


def _accept(context: HostContext, live: LiveMatch, seat: Seat, proposal: Proposal, signature: bytes | None) -> Made:
    """Add the consent of a seat; with the last one the proposal is carried out."""
    if not proposal.waiting_for:  # a host was killed while it carried it out
        return _store_or_execute(context, live, proposal)
    if seat not in proposal.waiting_for:
        return proposal
    signatures = check_consent(live, seat, proposal, signature)
    left = tuple(each for each in proposal.waiting_for if each != seat)
    accepted_by = (*proposal.accepted_by, seat)
    accepted = evolve(proposal, accepted_by=accepted_by, waiting_for=left, signatures=signatures)
    return _store_or_execute(context, live, accepted)


def _store_or_execute(context: HostContext, live: LiveMatch, proposal: Proposal) -> Made:
    """Store the proposal, and do what it proposes if all have consented; return it."""
    if proposal.waiting_for:
        live.update_metadata(evolve(live.metadata, proposal=proposal), context.clock())
        return proposal
    accepted = evolve(proposal, state="accepted")
    metadata = evolve(live.metadata, proposal=accepted)
    if proposal.kind == "take_back":
        context.append_takeback(live, proposal.target, proposal.by, proposal.signatures, metadata)
    elif proposal.kind == "abandon":
        _abandon(context, live, accepted)
    else:
        if live.metadata.proposal != proposal:
            # from here on it cannot be rejected
            live.update_metadata(evolve(live.metadata, proposal=proposal), context.clock())
        return Then(lambda live: _fork(context, live, accepted))
    return accepted


def _abandon(context: HostContext, live: LiveMatch, proposal: Proposal | None) -> None:
    """End the match, with the end record if it has begun."""
    metadata = live.metadata if proposal is None else evolve(live.metadata, proposal=proposal)
    if live.folded is None:
        live.update_metadata(metadata, context.clock(), "abandoned")
        return
    live.match.abandon()
    live.record(context.clock(), metadata)


def _fork(context: HostContext, live: LiveMatch, proposal: Proposal) -> Made:
    """Make the match that an accepted proposal is for; once it is stored, note that, and return the proposal."""
    if _is_to_be_made(live, proposal):
        live.changes += _forked(context, live, proposal)
    return Then(lambda live: _note_fork(context, live, proposal))


def _note_fork(context: HostContext, live: LiveMatch, proposal: Proposal) -> Proposal:
    """Note that the match which a proposal is for is made; return the proposal."""
    if _is_to_be_made(live, proposal):
        live.update_metadata(evolve(live.metadata, proposal=proposal), context.clock())
    return proposal


def _is_to_be_made(live: LiveMatch, proposal: Proposal) -> bool:
    known = live.metadata.proposal
    return known is not None and known.number == proposal.number and known.state == "pending"


def _forked(context: HostContext, live: LiveMatch, proposal: Proposal) -> list[Change]:
    """Return what stores a match with the same seats, keys and first events; its later deals are drawn anew.

    The fork has a veil of its own, the keys of its parent, and the signatures of all who agreed to it.
    """
    child = str(proposal.fork)
    with suppress(NoMatch):
        if context.store.read(child, HEADER_ALONE).header:
            return []  # a host that was killed had stored it already
    more = _fork_trust(context, live, proposal)
    match = fork_match(live.match, child, Fork(live.id, proposal.target - 1), engine=context.engine, more=more)
    match.deal(Meta(context.elapsed_ms(live)), context.entropy)
    terms = evolve(live.metadata.terms, fair=False)  # its later deals are the host's alone
    metadata = evolve(live.metadata, terms=terms, opened_at_ms=context.clock(), result=None, proposal=None)
    return log_changes(context, child, list(log_objects(match)), metadata, live.game, "going")


def _fork_trust(context: HostContext, live: LiveMatch, proposal: Proposal) -> tuple[tuple[str, Any], ...]:
    """Return the header keys `veil` and `sign` of a fork."""
    veil = ("veil", context.entropy(SECRET_BYTES))
    if live.trust is None or not live.trust.keys.some:
        return (veil,)
    agreed = [list(pair) for pair in sorted(proposal.signatures)]
    return (veil, ("sign", {**live.trust.keys.header(), **({"agreed": agreed} if agreed else {})}))
