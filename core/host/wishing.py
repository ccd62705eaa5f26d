"""What needs the consent of the others: taking back what they saw, forking a match that goes on, abandoning it."""

from __future__ import annotations

from contextlib import suppress

from attrs import evolve

from ..errors import MatchError, NoMatch, Why
from ..game import Seat
from ..header import Fork, unsigned
from ..log import log_bytes
from ..log.objects import Objects
from ..match import Match
from .desk import Desk, check_goes_on
from .folds import Live
from .opening import keep
from .papers import Kind, Wish
from .undoing import is_free
from .wishes import wish_now


def take_back(desk: Desk, live: Live, seat: Seat, to: int) -> Wish:
    """Restore the state after event `to`: at once if nobody has learnt anything since, else once all agree."""
    check_goes_on(live)
    match = live.match
    if not -1 <= to < live.count:
        raise MatchError(
            Why("no-event-back", "there is no event {to} to go back to: there are {count}", to=to, count=live.count)
        )
    if live.ended:
        raise MatchError(Why("over-fork-it", "the match is over: fork it to play on from before its end"))
    if match.states[to + 1] is match.state:
        raise MatchError(
            Why("nothing-to-take-back", "there is nothing to take back: the table is as it was after event {to}", to=to)
        )
    free = is_free(match, seat, to)
    if free:
        desk.take_back(live, to, seat)
        return Wish(0, "take_back", seat, to, live.count, (seat,), (), "done")
    return _wish(desk, live, seat, "take_back", to)


def fork(desk: Desk, live: Live, seat: Seat, at: int) -> Wish:
    """Begin another match with the first `at` events of this one: at once if it is over, else once all agree."""
    if not 0 <= at <= live.count:
        raise MatchError(Why("events-are", "there are {count} events, not {at}", count=live.count, at=at))
    if live.game.result(live.match.states[at]) is not None:
        raise MatchError(Why("over-after", "after {at} events the game is over: fork it before its end", at=at))
    return _wish(desk, live, seat, "fork", at)


def abandon(desk: Desk, live: Live, seat: Seat) -> Wish:
    """End the match without a result, once all agree."""
    _check_not_ended(live)
    return _wish(desk, live, seat, "abandon", 0)


def call_off(desk: Desk, live: Live) -> None:
    """End the match without a result, whatever the seats wish."""
    _check_not_ended(live)
    _abandon(desk, live, None)


def _check_not_ended(live: Live) -> None:
    if live.sheet.status in ("over", "abandoned"):
        raise MatchError(Why("match-already", "the match is {status} already", status=live.sheet.status))


def _wish(desk: Desk, live: Live, seat: Seat, kind: Kind, at: int) -> Wish:
    """Make a wish; it is fulfilled once nobody has to agree any more."""
    last = wish_now(live)
    if last and last[0].state == "pending":
        wish = last[0]
        if (wish.kind, wish.at) == (kind, at):
            return _agreed(desk, live, seat, wish)
        english = "the wish of {name} comes first ({kind}): agree or refuse"
        raise MatchError(Why("other-wish-first", english, name=repr(live.papers.names[wish.by]), kind=wish.kind))
    number = last[0].number + 1 if last else 1
    waits_for = () if kind == "fork" and live.ended else tuple(each for each in live.papers.held if each != seat)
    child = desk.entropy(8).hex() if kind == "fork" else None
    return _settle(desk, live, Wish(number, kind, seat, at, live.count, (seat,), waits_for, fork=child))


def answer(desk: Desk, live: Live, seat: Seat, number: int, *, agrees: bool) -> Wish:
    """Agree to a wish, or refuse it."""
    wish = next(iter(wish_now(live)), None)
    if wish is None or wish.number != number:
        raise MatchError(Why("no-wish", "there is no wish {number}", number=number))
    if wish.state != "pending":
        raise MatchError(Why("wish-already", "wish {number} is {state} already", number=number, state=wish.state))
    if agrees:
        return _agreed(desk, live, seat, wish)
    if not wish.waits_for:
        raise MatchError(Why("being-fulfilled", "wish {number} is being fulfilled: all have agreed", number=number))
    refused = evolve(wish, state="refused", fork=None)
    live.revise(evolve(live.papers, wish=refused), desk.clock())
    return refused


def _agreed(desk: Desk, live: Live, seat: Seat, wish: Wish) -> Wish:
    if not wish.waits_for:  # somebody was killed while it was fulfilled
        return _settle(desk, live, wish)
    if seat not in wish.waits_for:
        return wish
    left = tuple(each for each in wish.waits_for if each != seat)
    return _settle(desk, live, evolve(wish, agreed=(*wish.agreed, seat), waits_for=left))


def _settle(desk: Desk, live: Live, wish: Wish) -> Wish:
    """Write the wish down, and do what is wished if all have agreed."""
    if wish.waits_for:
        live.revise(evolve(live.papers, wish=wish), desk.clock())
        return wish
    done = evolve(wish, state="done")
    papers = evolve(live.papers, wish=done)
    if wish.kind == "take_back":
        desk.take_back(live, wish.at, wish.by, papers)
    elif wish.kind == "abandon":
        _abandon(desk, live, done)
    else:
        if live.papers.wish != wish:
            live.revise(evolve(live.papers, wish=wish), desk.clock())  # from here on nobody can refuse any more
        _fork(desk, live, done)
        live.revise(papers, desk.clock())
    return done


def _abandon(desk: Desk, live: Live, wish: Wish | None) -> None:
    papers = live.papers if wish is None else evolve(live.papers, wish=wish)
    if live.folded is None:
        live.revise(papers, desk.clock(), "abandoned")
        return
    live.match.abandon()
    live.commit(desk.clock(), papers)


def _fork(desk: Desk, live: Live, wish: Wish) -> None:
    """Write down a match of the same seats, keys and first events, whose deals to come are drawn anew.

    No other key of the header goes along: some open the log that they stand in, which goes on.
    """
    old, game, child = live.match, live.game, str(wish.fork)
    with suppress(NoMatch):
        if desk.store.read(child).head:
            return  # who began to fulfil the wish has come so far
    header = evolve(
        old.header,
        rules=game.rules,
        layout=game.layout,
        engine=desk.engine,
        match=child,
        seed=None,
        fork=Fork(live.id, wish.at - 1),
        more=(),
    )
    match: Match[object, object, object] = Match(game, header)
    for event in old.events[: wish.at]:
        match.fold(event.seat, event.command, unsigned(event.meta))
    desk.deal(match, desk.now(live))
    raw = log_bytes(match)
    papers = evolve(live.papers, opened=desk.clock(), result=None, wish=None)
    keep(desk, child, [raw[start:end] for _, start, end in Objects(raw)], papers, game, "going")
