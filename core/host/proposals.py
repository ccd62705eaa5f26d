"""What needs the consent of the others: taking back what they saw, forking a match that goes on, abandoning it."""

from __future__ import annotations

from contextlib import suppress

from attrs import evolve

from ..errors import MatchError, Message, NoMatch
from ..game import Meta, Seat
from ..header import Fork
from ..log.writer import log_objects
from ..match import Match
from .context import HostContext, check_in_progress
from .lifecycle import store_log
from .match_cache import LiveMatch, current_proposal
from .metadata import Kind, Proposal
from .takebacks import is_free_of_consent


def take_back(context: HostContext, live: LiveMatch, seat: Seat, to: int) -> Proposal:
    """Restore the state after event `to`: at once if nobody has learnt anything since, else once all agree."""
    check_in_progress(live)
    match = live.match
    if not -1 <= to < live.count:
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
    free = is_free_of_consent(match, seat, to)
    if free:
        context.take_back(live, to, seat)
        return Proposal(0, "take_back", seat, to, live.count, (seat,), (), "accepted")
    return _proposal(context, live, seat, "take_back", to)


def fork(context: HostContext, live: LiveMatch, seat: Seat, events: int) -> Proposal:
    """Begin another match with the first `at` events of this one: at once if it is over, else once all agree."""
    if not 0 <= events <= live.count:
        raise MatchError(Message("events-are", "there are {count} events, not {at}", count=live.count, at=events))
    if live.game.result(live.match.states[events]) is not None:
        raise MatchError(Message("over-after", "after {at} events the game is over: fork it before its end", at=events))
    return _proposal(context, live, seat, "fork", events)


def abandon(context: HostContext, live: LiveMatch, seat: Seat) -> Proposal:
    """End the match without a result, once all agree."""
    _check_not_ended(live)
    return _proposal(context, live, seat, "abandon", 0)


def force_abandon(context: HostContext, live: LiveMatch) -> None:
    """End the match without a result, whatever the seats wish."""
    _check_not_ended(live)
    _abandon(context, live, None)


def _check_not_ended(live: LiveMatch) -> None:
    if live.row.status in ("over", "abandoned"):
        raise MatchError(Message("match-already", "the match is {status} already", status=live.row.status))


def _proposal(context: HostContext, live: LiveMatch, seat: Seat, kind: Kind, at: int) -> Proposal:
    """Make a wish; it is fulfilled once nobody has to agree any more."""
    last = current_proposal(live)
    if last and last[0].state == "pending":
        proposal = last[0]
        if (proposal.kind, proposal.target) == (kind, at):
            return _agreed(context, live, seat, proposal)
        english = "the wish of {name} comes first ({kind}): agree or refuse"
        raise MatchError(
            Message("other-wish-first", english, name=repr(live.metadata.names[proposal.by]), kind=proposal.kind)
        )
    number = last[0].number + 1 if last else 1
    waiting_for = (
        () if kind == "fork" and live.ended else tuple(each for each in live.metadata.held_seats if each != seat)
    )
    child = context.entropy(8).hex() if kind == "fork" else None
    return _settle(context, live, Proposal(number, kind, seat, at, live.count, (seat,), waiting_for, fork=child))


def respond(context: HostContext, live: LiveMatch, seat: Seat, number: int, *, agrees: bool) -> Proposal:
    """Agree to a wish, or refuse it."""
    proposal = next(iter(current_proposal(live)), None)
    if proposal is None or proposal.number != number:
        raise MatchError(Message("no-wish", "there is no wish {number}", number=number))
    if proposal.state != "pending":
        raise MatchError(
            Message("wish-already", "wish {number} is {state} already", number=number, state=proposal.state)
        )
    if agrees:
        return _agreed(context, live, seat, proposal)
    if not proposal.waiting_for:
        raise MatchError(Message("being-fulfilled", "wish {number} is being fulfilled: all have agreed", number=number))
    refused = evolve(proposal, state="rejected", fork=None)
    live.update_metadata(evolve(live.metadata, proposal=refused), context.clock())
    return refused


def _agreed(context: HostContext, live: LiveMatch, seat: Seat, proposal: Proposal) -> Proposal:
    if not proposal.waiting_for:  # somebody was killed while it was fulfilled
        return _settle(context, live, proposal)
    if seat not in proposal.waiting_for:
        return proposal
    left = tuple(each for each in proposal.waiting_for if each != seat)
    return _settle(context, live, evolve(proposal, accepted_by=(*proposal.accepted_by, seat), waiting_for=left))


def _settle(context: HostContext, live: LiveMatch, proposal: Proposal) -> Proposal:
    """Write the wish down, and do what is wished if all have agreed."""
    if proposal.waiting_for:
        live.update_metadata(evolve(live.metadata, proposal=proposal), context.clock())
        return proposal
    done = evolve(proposal, state="accepted")
    metadata = evolve(live.metadata, proposal=done)
    if proposal.kind == "take_back":
        context.take_back(live, proposal.target, proposal.by, metadata)
    elif proposal.kind == "abandon":
        _abandon(context, live, done)
    else:
        if live.metadata.proposal != proposal:
            live.update_metadata(
                evolve(live.metadata, proposal=proposal), context.clock()
            )  # from here on nobody can refuse any more
        _fork(context, live, done)
        live.update_metadata(metadata, context.clock())
    return done


def _abandon(context: HostContext, live: LiveMatch, proposal: Proposal | None) -> None:
    metadata = live.metadata if proposal is None else evolve(live.metadata, proposal=proposal)
    if live.folded is None:
        live.update_metadata(metadata, context.clock(), "abandoned")
        return
    live.match.abandon()
    live.commit(context.clock(), metadata)


def _fork(context: HostContext, live: LiveMatch, proposal: Proposal) -> None:
    """Write down a match of the same seats, keys and first events, whose deals to come are drawn anew."""
    old, game, child = live.match, live.game, str(proposal.fork)
    with suppress(NoMatch):
        if context.store.read(child).header:
            return  # who began to fulfil the wish has come so far
    header = evolve(
        old.header,
        rules=game.rules,
        layout=game.layout,
        engine=context.engine,
        match=child,
        seed=None,
        fork=Fork(live.id, proposal.target - 1),
    )
    match: Match[object, object, object] = Match(game, header)
    for event in old.events[: proposal.target]:
        match.apply(event.seat, event.command, event.meta)
    match.deal(Meta(context.now(live)), context.entropy)
    metadata = evolve(live.metadata, opened_at_ms=context.clock(), result=None, proposal=None)
    store_log(context, child, list(log_objects(match)), metadata, game, "going")
