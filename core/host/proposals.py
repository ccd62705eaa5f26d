"""Proposals: takebacks, forks and abandonments, which need the consent of the other players."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from attrs import evolve, frozen

from ..errors import MatchError, Message, NoMatch
from ..game import Meta
from ..log.writer import log_objects
from ..match import before_last_command
from ..match.fork import check_fork, fork_match
from ..match.header import Fork as Origin
from ..match.takebacks import why_consent_is_needed
from ..stores.store import HEADER_ALONE, Change
from ..trust.formulas import SECRET_BYTES
from .context import HostContext, match_in_progress
from .lifecycle import log_changes
from .live_match import LiveMatch, current_proposal
from .metadata import Kind, Proposal, checked_int
from .submission import check_can_sign, check_consent, check_fork_has_holders
from .writer import MatchChange, SeatChange

Made = Proposal | MatchChange[Proposal]
"""A proposal; or what makes the fork that it is for."""


@frozen
class TakeBack(SeatChange[Proposal]):
    """The wish to restore the state after event `to`; carried out at once if nobody has learnt anything since.

    Where seats sign, only the program that recorded the log can say that. As with every proposal, a seat with a public
    key signs its consent; else it raises `TrustError`.
    """

    to: int
    signature: bytes | None = None

    def apply_by(self, context: HostContext, live: LiveMatch, seat: int) -> Made:
        """Propose it, or carry it out."""
        match_in_progress(live)
        _check_can_go_back(live, self.to)
        is_anothers = live.trust is not None and any(live.seat_keys) and live.trust.evidence.program
        if not is_anothers and why_consent_is_needed(live.match, seat, self.to) is None:
            proposal = Proposal(0, "take_back", seat, self.to, live.count, (seat,), (), "accepted")
            context.append_takeback(live, self.to, seat, check_consent(live, seat, proposal, self.signature))
            return evolve(proposal, count=live.count)
        return _propose(context, live, seat, "take_back", self.to, self.signature)


def _check_can_go_back(live: LiveMatch, to: int) -> None:
    """Raise `Rewound` or `MatchError` unless event `to` left another state, and all can sign their consent."""
    match = live.match
    live.check_not_rewound(checked_int(to, "to") + 1)
    if to < -1:
        english = "there is no event {to} to go back to: there are {count}"
        raise MatchError(Message("no-event-back", english, to=to, count=live.count))
    if live.ended:
        raise MatchError(Message("over-fork-it", "the match is over: fork it to play on from before its end"))
    if match.states[to + 1] is match.state:
        english = "there is nothing to take back: the table is as it was after event {to}"
        raise MatchError(Message("nothing-to-take-back", english, to=to))
    check_can_sign(live)


@frozen
class Undo(SeatChange[Proposal]):
    """The wish to take back the seat's last effective command, with all that followed it, as `Match.undo` does.

    A seat that signs its consents names the event: `TakeBack`. Raises `MatchError` if no command is left.
    """

    signature: bytes | None = None

    def apply_by(self, context: HostContext, live: LiveMatch, seat: int) -> Made:
        """Propose it, or carry it out."""
        last = before_last_command(match_in_progress(live), seat)
        return TakeBack(self.match, self.key, last, self.signature).apply_by(context, live, seat)


@frozen
class Fork(SeatChange[Proposal]):
    """The wish for a new match with the first events of this one; carried out at once if this match is over."""

    events: int
    signature: bytes | None = None

    def apply_by(self, context: HostContext, live: LiveMatch, seat: int) -> Made:
        """Propose it."""
        match = live.match
        live.check_not_rewound(checked_int(self.events, "events"))
        check_fork(match, self.events)
        if not live.ended:
            check_fork_has_holders(live)
        return _propose(context, live, seat, "fork", self.events, self.signature)


@frozen
class Abandon(SeatChange[Proposal]):
    """The wish to end the match without a result."""

    signature: bytes | None = None

    def apply_by(self, context: HostContext, live: LiveMatch, seat: int) -> Made:
        """Propose it."""
        _check_not_ended(live)
        return _propose(context, live, seat, "abandon", 0, self.signature)


@frozen
class ForceAbandon(MatchChange[None]):
    """The end of the match without a result and without consent: for the operator only."""

    def apply(self, context: HostContext, live: LiveMatch) -> None:
        """End it."""
        _check_not_ended(live)
        _abandon(context, live, None)


@frozen
class Accept(SeatChange[Proposal]):
    """The consent of a seat to the proposal of this number; with the last one it is carried out."""

    number: int
    signature: bytes | None = None

    def apply_by(self, context: HostContext, live: LiveMatch, seat: int) -> Made:
        """Add it; raises `MatchError` if the proposal is not pending."""
        return _accept(context, live, seat, _pending(live, self.number), self.signature)


@frozen
class Reject(SeatChange[Proposal]):
    """The refusal of a seat, or its proposer's withdrawal, of the proposal of this number."""

    number: int

    def apply_by(self, context: HostContext, live: LiveMatch, seat: int) -> Proposal:  # noqa: ARG002
        """Reject it; raises `MatchError` if it is not pending."""
        proposal = _pending(live, self.number)
        if not proposal.waiting_for:
            english = "proposal {number} has been accepted by all"
            raise MatchError(Message("all-accepted", english, number=self.number))
        rejected = evolve(proposal, status="rejected", fork=None)
        live.update_metadata(evolve(live.metadata, proposal=rejected), context.clock())
        return rejected


def _pending(live: LiveMatch, number: int) -> Proposal:
    """Return the proposal of this number; raises `MatchError` if it is not pending."""
    proposal = current_proposal(live)
    if proposal is None or proposal.number != number:
        raise MatchError(Message("no-proposal", "there is no proposal {number}", number=number))
    if proposal.status != "pending":
        english = "proposal {number} is {status} already"
        raise MatchError(Message("proposal-already", english, number=number, status=proposal.status))
    return proposal


def _check_not_ended(live: LiveMatch) -> None:
    if live.is_finished:
        raise MatchError(Message("match-already", "the match is {status} already", status=live.row.status))


def _propose(
    context: HostContext, live: LiveMatch, seat: int, kind: Kind, target: int, signature: bytes | None
) -> Made:
    """Make a proposal, or accept an equal one that is pending; it is carried out once all have consented."""
    last = current_proposal(live)
    if last is not None and last.status == "pending":
        if (last.kind, last.target) == (kind, target):
            return _accept(context, live, seat, last, signature)
        english = "a proposal of {name} is pending ({kind}): accept or reject it first"
        name = repr(live.metadata.names[last.by])
        raise MatchError(Message("other-proposal-first", english, name=name, kind=last.kind))
    number = 1 if last is None else last.number + 1
    asked = () if kind == "fork" and live.ended else live.metadata.held_seats
    waiting_for = tuple(each for each in asked if each != seat)
    child = context.entropy(8).hex() if kind == "fork" else None
    proposal = Proposal(number, kind, seat, target, live.count, (seat,), waiting_for, fork=child)
    signed = evolve(proposal, signatures=check_consent(live, seat, proposal, signature))
    return _store_or_execute(context, live, signed)


def _accept(context: HostContext, live: LiveMatch, seat: int, proposal: Proposal, signature: bytes | None) -> Made:
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
    accepted = evolve(proposal, status="accepted")
    metadata = evolve(live.metadata, proposal=accepted)
    if proposal.kind == "take_back":
        context.append_takeback(live, proposal.target, proposal.by, proposal.signatures, metadata)
    elif proposal.kind == "abandon":
        _abandon(context, live, accepted)
    else:
        if live.metadata.proposal != proposal:
            # from here on it cannot be rejected
            forks = (*live.metadata.forks, *([str(proposal.fork)] if proposal.target > 0 else []))
            live.update_metadata(evolve(live.metadata, proposal=proposal, forks=forks), context.clock())
        return _MakeFork(live.id, accepted)
    return accepted


def _abandon(context: HostContext, live: LiveMatch, proposal: Proposal | None) -> None:
    """End the match, with the end record if it has begun."""
    metadata = live.metadata if proposal is None else evolve(live.metadata, proposal=proposal)
    if live.folded is None:
        live.update_metadata(metadata, context.clock(), "abandoned")
        return
    live.match.abandon()
    live.record(context.clock(), metadata)


@frozen
class _MakeFork(MatchChange[Proposal]):
    """The match that an accepted proposal is for, and the note that it is made; nobody can reject it any more."""

    proposal: Proposal
    reads = True

    def apply(self, context: HostContext, live: LiveMatch) -> Proposal:
        """Make it, unless another host has; return the proposal."""
        known = live.metadata.proposal
        if known is not None and known.number == self.proposal.number and known.status == "pending":
            live.changes += _forked(context, live, self.proposal)
            live.update_metadata(evolve(live.metadata, proposal=self.proposal), context.clock())
        return self.proposal


def _forked(context: HostContext, live: LiveMatch, proposal: Proposal) -> list[Change]:
    """Return what stores a match with the same seats, keys and first events; its later deals are drawn anew.

    The fork has a veil of its own, the keys of its parent, and the signatures of all who agreed to it.
    """
    child = str(proposal.fork)
    with suppress(NoMatch):
        if context.store.read(child, HEADER_ALONE).header:
            return []  # a host that was killed had stored it already
    more: tuple[tuple[str, Any], ...] = (("veil", context.entropy(SECRET_BYTES)),)
    if live.trust is not None and live.trust.roster.keys.some:
        agreed = [list(pair) for pair in sorted(proposal.signatures)]
        more += (("sign", {**live.trust.roster.keys.header(), **({"agreed": agreed} if agreed else {})}),)
    match = fork_match(live.match, child, Origin(live.id, proposal.target - 1), engine=context.engine, more=more)
    match.deal(Meta(context.elapsed_ms(live)), context.entropy)
    terms = evolve(live.metadata.terms, fair=False)  # its later deals are the host's alone
    metadata = evolve(live.metadata, terms=terms, opened_at_ms=context.clock(), result=None, proposal=None, forks=())
    return log_changes(context, child, list(log_objects(match)), metadata, live.game, "going")
