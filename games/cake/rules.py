"""The rules of Marie's cake, in the order of the rulebook; every judgement names its rule."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import chain, combinations, combinations_with_replacement
from typing import assert_never

from ...core.game import (
    ALONE,
    DEALER,
    NOBODY,
    TABLE,
    Card,
    Index,
    Result,
    RuleViolation,
    Seat,
    Shuffler,
    check_count,
    check_deck,
    check_order,
    check_seat,
    contains_cards,
    deal_hands,
    evolve,
    malformed_command,
    remove_cards,
    replace_at,
    winners_by,
)
from .model import (
    DECK,
    PILES,
    RANKS,
    Cards,
    Claim,
    Command,
    Deal,
    Message,
    Open,
    Options,
    Phase,
    Rule,
    Settle,
    State,
    Take,
    Vote,
)

MAX_EATEN = 2
VALUES = (0, -3, -1, 1, 3, 5, 6, 7, 8)
"""The score of none, one … eight kept cards of a rank (CAKE-15)."""

TAKES = {cards: Take(cards) for cards in combinations_with_replacement(RANKS, 2)}
SETTLES = {eat: Settle(eat) for eat in chain([()], combinations(RANKS, 1), TAKES)}
OPENS = tuple(Open(Index(pile)) for pile in range(max(piles for piles, _ in PILES.values())))
CLAIMS = tuple(Claim(Seat(owner)) for owner in range(max(PILES)))
VOTES = (Vote(content=True), Vote(content=False))


def start(options: Options, seats: int) -> State:
    """Set the table before the deal."""
    nothing: tuple[Cards, ...] = ((),) * seats
    return State(options, Seat(options.first), (), (), (), nothing, (None,) * seats, (), nothing, nothing)


def phase(state: State) -> Phase:
    """Return what is due, by where the cards lie and who has voted."""
    if state.hand:
        return "take"
    if state.acquired:
        return "settle"
    if any(state.pairs):
        return "claim" if all_voted(state) else "vote"
    if not state.piles:
        return "deal"
    return "open" if any(state.piles) else "over"


def to_act(state: State) -> frozenset[Seat]:
    """Return the table for the deal, the elder, the brother in turn, the voters, or nobody once the game is over."""
    match phase(state):
        case "deal":
            return DEALER
        case "open":
            return ALONE[state.elder]
        case "take":
            return ALONE[taker(state)]
        case "vote":
            return _to_vote(state.votes, voters(state))
        case "claim" | "settle":
            return ALONE[acquirer(state)]
        case "over":
            return NOBODY


def apply(state: State, seat: Seat, command: Command) -> State:
    """Return the state after the command, or raise `RuleViolation`."""
    match command:
        case Take():
            return _take(state, seat, command)
        case Vote():
            return _vote(state, seat, command)
        case Claim():
            return _claim(state, seat, command)
        case Settle():
            return _settle(state, seat, command)
        case Open():
            return _open(state, seat, command)
        case Deal():
            return _deal(state, seat, command)
        case _:
            assert_never(command)


def _deal(state: State, seat: Seat, deal: Deal) -> State:
    """Lay out the piles; the rest is out of the game (CAKE-1, CAKE-2)."""
    check_count(seat, deal.cards, len(DECK))
    check_deck(to_act(state), seat, deal.cards, DECK)

    piles, size = PILES[state.seats]
    out = tuple(sorted(deal.cards[piles * size :]))
    return evolve(state, piles=deal_hands(deal.cards, piles, size), out=out)


def youngest(state: State) -> Seat:
    """Return the elder's right neighbour (CAKE-3)."""
    return Seat((state.elder - 1) % len(state.pairs))


def _open(state: State, seat: Seat, command: Open) -> State:
    """Open a pile for the elder to look at (CAKE-4)."""
    piles, _ = PILES[state.seats]
    if not 0 <= command.pile < piles:
        raise malformed_command(
            seat,
            Message("no-such-pile", "there are piles 1 to {last}, not {given}", last=piles, given=command.pile + 1),
        )
    check_order(to_act(state), seat, "open", phase(state))
    pile = state.piles[command.pile]
    if not pile:
        unopened = tuple(i for i, each in enumerate(state.piles) if each)
        raise RuleViolation(Rule.CAKE_4, seat, pile=command.pile, unopened=unopened)

    return evolve(state, piles=replace_at(state.piles, command.pile, ()), hand=pile)


def taker(state: State) -> Seat:
    """Return the brother who holds the hand: the elder, then clockwise who has no pair yet (CAKE-5)."""
    seats = len(state.pairs)
    return Seat((state.elder + seats - state.pairs.count(())) % seats)


def _take(state: State, seat: Seat, take: Take) -> State:
    """Lay two cards down and hand the rest on; the last two are the youngest's (CAKE-5, CAKE-6)."""
    if take.cards not in TAKES:
        raise malformed_command(
            seat, Message("two-ranks", "two ranks, ascending, are called for, not {given}", given=_brief(take.cards))
        )
    check_order(to_act(state), seat, "take", phase(state))
    if not contains_cards(state.hand, take.cards):
        raise RuleViolation(Rule.CAKE_5, seat, cards=take.cards, hand=state.hand)

    rest = remove_cards(state.hand, take.cards)
    pairs = replace_at(state.pairs, seat, take.cards)
    if len(rest) == 2:
        return evolve(state, hand=(), pairs=replace_at(pairs, youngest(state), rest))
    return evolve(state, hand=rest, pairs=pairs)


def voters(state: State) -> tuple[Seat, ...]:
    """Return the seats that vote: all, or all but the elder (CAKE-8, CAKE-R3)."""
    return _seats_without(len(state.votes), None if state.options.elder_votes else state.elder)


@cache
def _seats_without(seats: int, left_out: Seat | None) -> tuple[Seat, ...]:
    return tuple([Seat(seat) for seat in range(seats) if seat != left_out])


@cache
def _to_vote(votes: tuple[bool | None, ...], voting: tuple[Seat, ...]) -> frozenset[Seat]:
    return frozenset([seat for seat in voting if votes[seat] is None])


def all_voted(state: State) -> bool:
    """Return True if every vote is in, so that all may be seen (CAKE-8)."""
    return state.votes.count(None) == (0 if state.options.elder_votes else 1)


def _vote(state: State, seat: Seat, vote: Vote) -> State:
    """Record the vote; once all are in, the pairs are acquired (CAKE-8)."""
    check_order(to_act(state), seat, "vote", phase(state))

    voted = evolve(state, votes=replace_at(state.votes, seat, vote.content))
    return _go_on(voted) if all_voted(voted) else voted


def is_disputed(state: State) -> bool:
    """Return True if two or more are discontent, so that pairs are claimed (CAKE-9, CAKE-11)."""
    return state.votes.count(False) >= 2


def acquirers(state: State) -> list[Seat]:
    """Return the seats in the order in which they acquire: from the youngest counter-clockwise (CAKE-9, CAKE-R1)."""
    seats = len(state.pairs)
    return [Seat((state.elder - place) % seats) for place in range(1, seats + 1)]


def acquirer(state: State) -> Seat:
    """Return the seat that is next to acquire a pair, or to settle the one he has acquired."""
    gone = state.pairs.count(())
    place = gone - 1 if state.acquired else gone
    return Seat((state.elder - 1 - place) % len(state.pairs))


def claimable(state: State, seat: Seat) -> list[Seat]:
    """Return the seats whose pairs this seat may claim: the others', or its own if it is the last (CAKE-9, CAKE-10)."""
    pairs = state.pairs
    others = [Seat(owner) for owner in range(len(pairs)) if pairs[owner] and owner != seat]
    return others or [seat]


def _claim(state: State, seat: Seat, claim: Claim) -> State:
    """Acquire the pair before another brother (CAKE-9, CAKE-10)."""
    check_seat(seat, claim.owner, state.seats)
    check_order(to_act(state), seat, "claim", phase(state))
    if claim.owner not in claimable(state, seat):
        raise RuleViolation(Rule.CAKE_9, seat, owner=claim.owner, left=tuple(claimable(state, seat)))

    return _acquire(state, claim.owner)


def _acquire(state: State, owner: Seat) -> State:
    return evolve(state, pairs=replace_at(state.pairs, owner, ()), acquired=state.pairs[owner])


def _settle(state: State, seat: Seat, settle: Settle) -> State:
    """Eat some of the acquired cards and keep the others (CAKE-12, CAKE-13)."""
    if settle.eat not in SETTLES:
        english = "up to two ranks, ascending, are called for, not {given}"
        raise malformed_command(seat, Message("up-to-two-ranks", english, given=_brief(settle.eat)))
    check_order(to_act(state), seat, "settle", phase(state))
    if not contains_cards(state.acquired, settle.eat):
        raise RuleViolation(Rule.CAKE_12, seat, eat=settle.eat, acquired=state.acquired)
    eaten = state.eaten[seat]
    if len(eaten) + len(settle.eat) > MAX_EATEN:
        raise RuleViolation(Rule.CAKE_13, seat, eat=settle.eat, eaten=len(eaten), most=MAX_EATEN)

    keep = remove_cards(state.acquired, settle.eat)
    settled = evolve(
        state,
        acquired=(),
        kept=replace_at(state.kept, seat, tuple(sorted(state.kept[seat] + keep))),
        eaten=replace_at(state.eaten, seat, tuple(sorted(eaten + settle.eat))),
    )
    return _go_on(settled)


def _go_on(state: State) -> State:
    """Apply what follows a vote or a settled pair without a choice: the next acquires his own, or the round ends."""
    if not any(state.pairs):
        return evolve(state, elder=youngest(state), votes=(None,) * state.seats)  # CAKE-14
    if is_disputed(state):
        return state  # a claim follows
    return _acquire(state, acquirer(state))  # CAKE-11


def score(kept: Cards, eaten: int) -> int:
    """Count a seat's points from its kept cards and the number of those eaten (CAKE-15)."""
    return eaten + sum([VALUES[kept.count(rank)] for rank in RANKS])


def totals(state: State) -> tuple[int, ...]:
    """Return each seat's points so far (CAKE-15)."""
    return tuple([score(kept, len(eaten)) for kept, eaten in zip(state.kept, state.eaten, strict=True)])


def result(state: State) -> Result | None:
    """Return the totals and the winners: the highest total, then more kept 7s, then 6s … 1s (CAKE-16, CAKE-R2)."""
    if phase(state) != "over":
        return None
    points = totals(state)
    counts = [[kept.count(rank) for rank in reversed(RANKS)] for kept in state.kept]
    return Result(points, winners_by(zip(points, counts, strict=True)))


def legal(state: State, seat: Seat) -> Iterator[Command]:
    """Yield every command that the seat may give now."""
    if seat == TABLE or seat not in to_act(state):
        return iter(())
    match phase(state):
        case "open":
            return (OPENS[i] for i, pile in enumerate(state.piles) if pile)
        case "take":
            return map(TAKES.__getitem__, dict.fromkeys(combinations(state.hand, 2)))
        case "vote":
            return iter(VOTES)
        case "claim":
            return map(CLAIMS.__getitem__, claimable(state, seat))
        case "settle":
            most = MAX_EATEN - len(state.eaten[seat])
            choices = chain.from_iterable(combinations(state.acquired, number) for number in range(most + 1))
            return map(SETTLES.__getitem__, dict.fromkeys(choices))
        case _:
            return iter(())


def deal(state: State, shuffler: Shuffler) -> Deal:
    """Return a deal of the shuffled deck."""
    return Deal(shuffler.shuffle(DECK))


def cards(state: State) -> Iterator[Card]:
    """Yield the cards of all places together."""
    return chain(*state.piles, state.out, state.hand, *state.pairs, state.acquired, *state.kept, *state.eaten)


def _brief(cards: Cards) -> str:
    """Show a stranger's list, which may be of any length, no further than to see what is wrong with it."""
    return (" ".join(map(str, cards)) or "none") if len(cards) <= 3 else f"{len(cards)} cards"
