"""The rules of Marie's cake, in the order of the rulebook; every judgement names its rule."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import chain, combinations, combinations_with_replacement
from typing import Literal

from ...core import game as k
from .model import Cards, Claim, Command, Deal, Message, Open, Options, Rule, Settle, State, Take, Vote, all_voted

RANKS = tuple(k.Card(rank) for rank in range(1, 8))
DECK: Cards = tuple(rank for rank in RANKS for _ in range(8))
"""The cards in ascending order; a card is its rank, and cards of one rank are alike."""
PILES = {3: (6, 6), 4: (5, 8), 5: (5, 10)}
"""For each number of seats how many piles there are, and of how many cards (CAKE-1)."""
MAX_EATEN = 2
VALUES = (0, -3, -1, 1, 3, 5, 6, 7, 8)
"""The score of none, one … eight kept cards of a rank (CAKE-15)."""

TAKES = {cards: Take(cards) for cards in combinations_with_replacement(RANKS, 2)}
SETTLES = {eat: Settle(eat) for eat in chain([()], combinations(RANKS, 1), TAKES)}
OPENS = tuple(Open(k.Index(pile)) for pile in range(max(piles for piles, _ in PILES.values())))
CLAIMS = tuple(Claim(k.Seat(owner)) for owner in range(max(PILES)))
VOTES = (Vote(content=True), Vote(content=False))

Phase = Literal["deal", "open", "take", "vote", "claim", "settle", "over"]
"""What is due: the tag of a command, or that the game is over."""


def start(options: Options, seats: int) -> State:
    """Set the table before the deal."""
    nothing: tuple[Cards, ...] = ((),) * seats
    return State(options, k.Seat(options.first), (), (), (), nothing, (None,) * seats, (), nothing, nothing)


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


def to_act(state: State) -> frozenset[int]:
    """Return the table for the deal, the elder, the brother in turn, the voters, or nobody once the game is over."""
    match phase(state):
        case "deal":
            return k.DEALER
        case "open":
            return k.ALONE[state.elder]
        case "take":
            return k.ALONE[state.taker]
        case "vote":
            return _to_vote(state.votes, None if state.options.elder_votes else state.elder)
        case "claim" | "settle":
            return k.ALONE[acquirer(state)]
        case "over":
            return k.NOBODY


def _deal(state: State, seat: int, deal: Deal) -> State:
    """Lay out the piles; the rest is out of the game (CAKE-1, CAKE-2)."""
    k.check_count(seat, deal.cards, len(DECK))
    k.check_deck(to_act(state), seat, deal.cards, DECK)

    piles, size = PILES[state.seats]
    out = tuple(sorted(deal.cards[piles * size :]))
    return k.evolve(state, piles=k.deal_hands(deal.cards, piles, size), out=out)


def youngest(state: State) -> int:
    """Return the elder's right neighbour (CAKE-3)."""
    return k.Seat((state.elder - 1) % len(state.pairs))


def _open(state: State, seat: int, command: Open) -> State:
    """Open a pile for the elder to look at (CAKE-4)."""
    piles, _ = PILES[state.seats]
    if not 0 <= command.pile < piles:
        why = Message("no-such-pile", "there are piles 1 to {last}, not {given}", last=piles, given=command.pile + 1)
        raise k.malformed_command(seat, why)
    k.check_order(to_act(state), seat, "open", phase(state))
    pile = state.piles[command.pile]
    if not pile:
        unopened = tuple(i for i, each in enumerate(state.piles) if each)
        raise k.RuleViolation(Rule.CAKE_4, seat, pile=command.pile, unopened=unopened)

    return k.evolve(state, piles=k.replace_at(state.piles, command.pile, ()), hand=pile)


def _take(state: State, seat: int, take: Take) -> State:
    """Lay two cards down and hand the rest on; the last two are the youngest's (CAKE-5, CAKE-6)."""
    if take.cards not in TAKES:
        why = Message("two-ranks", "it takes two ranks, ascending, not {given}", given=_brief(take.cards))
        raise k.malformed_command(seat, why)
    k.check_order(to_act(state), seat, "take", phase(state))
    if not k.contains_cards(state.hand, take.cards):
        raise k.RuleViolation(Rule.CAKE_5, seat, cards=take.cards, hand=state.hand)

    rest = k.remove_cards(state.hand, take.cards)
    pairs = k.replace_at(state.pairs, seat, take.cards)
    if len(rest) == 2:
        return k.evolve(state, hand=(), pairs=k.replace_at(pairs, youngest(state), rest))
    return k.evolve(state, hand=rest, pairs=pairs)


@cache
def _to_vote(votes: tuple[bool | None, ...], silent: int | None) -> frozenset[int]:
    """Return the seats whose votes are due: all, or all but the elder (CAKE-8, CAKE-R3)."""
    return frozenset([k.Seat(seat) for seat, vote in enumerate(votes) if vote is None and seat != silent])


def _vote(state: State, seat: int, vote: Vote) -> State:
    """Record the vote; once all are in, the pairs are acquired (CAKE-8)."""
    k.check_order(to_act(state), seat, "vote", phase(state))

    voted = k.evolve(state, votes=k.replace_at(state.votes, seat, vote.content))
    return _go_on(voted) if all_voted(voted) else voted


def is_disputed(state: State) -> bool:
    """Return True if two or more are discontent, so that pairs are claimed (CAKE-9, CAKE-11)."""
    return state.votes.count(False) >= 2


def acquirers(state: State) -> list[int]:
    """Return the seats in the order in which they acquire: from the youngest counter-clockwise (CAKE-9, CAKE-R1)."""
    seats = len(state.pairs)
    return [k.Seat((state.elder - place) % seats) for place in range(1, seats + 1)]


def acquirer(state: State) -> int:
    """Return the seat that is next to acquire a pair, or to settle the one he has acquired."""
    place = state.pairs.count(()) - bool(state.acquired)
    return k.Seat((state.elder - 1 - place) % len(state.pairs))


def claimable(state: State, seat: int) -> list[k.Seat]:
    """Return the seats whose pairs this seat may claim: the others', or its own if it is the last (CAKE-9, CAKE-10)."""
    pairs = state.pairs
    others = [k.Seat(owner) for owner in range(len(pairs)) if pairs[owner] and owner != seat]
    return others or [k.Seat(seat)]


def _claim(state: State, seat: int, claim: Claim) -> State:
    """Acquire the pair before another brother (CAKE-9, CAKE-10)."""
    k.check_seat(seat, claim.owner, state.seats)
    k.check_order(to_act(state), seat, "claim", phase(state))
    if claim.owner not in claimable(state, seat):
        raise k.RuleViolation(Rule.CAKE_9, seat, owner=claim.owner, left=tuple(claimable(state, seat)))

    return _acquire(state, claim.owner)


def _acquire(state: State, owner: int) -> State:
    return k.evolve(state, pairs=k.replace_at(state.pairs, owner, ()), acquired=state.pairs[owner])


def _settle(state: State, seat: int, settle: Settle) -> State:
    """Eat some of the acquired cards and keep the others (CAKE-12, CAKE-13)."""
    if settle.eat not in SETTLES:
        english = "it takes up to two ranks, ascending, not {given}"
        raise k.malformed_command(seat, Message("up-to-two-ranks", english, given=_brief(settle.eat)))
    k.check_order(to_act(state), seat, "settle", phase(state))
    if not k.contains_cards(state.acquired, settle.eat):
        raise k.RuleViolation(Rule.CAKE_12, seat, eat=settle.eat, acquired=state.acquired)
    eaten = state.eaten[seat]
    if len(eaten) + len(settle.eat) > MAX_EATEN:
        raise k.RuleViolation(Rule.CAKE_13, seat, eat=settle.eat, eaten=len(eaten), most=MAX_EATEN)

    keep = k.remove_cards(state.acquired, settle.eat)
    settled = k.evolve(
        state,
        acquired=(),
        kept=k.replace_at(state.kept, seat, tuple(sorted(state.kept[seat] + keep))),
        eaten=k.replace_at(state.eaten, seat, tuple(sorted(eaten + settle.eat))),
    )
    return _go_on(settled)


def _go_on(state: State) -> State:
    """Apply what follows a vote or a settled pair without a choice: the next acquires his own, or the round ends."""
    if not any(state.pairs):
        return k.evolve(state, elder=youngest(state), votes=(None,) * state.seats)  # CAKE-14
    if is_disputed(state):
        return state  # a claim follows
    return _acquire(state, acquirer(state))  # CAKE-11


apply = k.applying({Deal: _deal, Open: _open, Take: _take, Vote: _vote, Claim: _claim, Settle: _settle})
"""Return the state after the command, or raise `RuleViolation`."""


def score(kept: Cards, eaten: int) -> int:
    """Count a seat's points from its kept cards and the number of those eaten (CAKE-15)."""
    return eaten + sum([VALUES[kept.count(rank)] for rank in RANKS])


def scores(state: State) -> tuple[int, ...]:
    """Return each seat's points so far (CAKE-15)."""
    return tuple([score(kept, len(eaten)) for kept, eaten in zip(state.kept, state.eaten, strict=True)])


def result(state: State) -> k.Result | None:
    """Return the totals and the winners: the highest total, then more kept 7s, then 6s … 1s (CAKE-16, CAKE-R2)."""
    if phase(state) != "over":
        return None
    points = scores(state)
    counts = [[kept.count(rank) for rank in reversed(RANKS)] for kept in state.kept]
    return k.Result(points, k.winners_by(zip(points, counts, strict=True)))


def legal(state: State, seat: int) -> Iterator[Command]:
    """Yield every command that the seat may give now."""
    if seat == k.TABLE or seat not in to_act(state):
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


def deal(state: State, shuffler: k.Shuffler) -> Deal:
    """Return a deal of the shuffled deck."""
    return Deal(shuffler.shuffle(DECK))


def _brief(cards: Cards) -> str:
    """Show a stranger's list, which may be of any length, no further than to see what is wrong with it."""
    return (" ".join(map(str, cards)) or "none") if len(cards) <= 3 else f"{len(cards)} cards"
