"""The rules of Goofspiel, in the order of their numbers: checks first, then one change."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import assert_never

from kifu.core.game import (
    DEALER,
    TABLE,
    Card,
    Result,
    RuleViolation,
    Seat,
    Shuffler,
    check_cards,
    check_deck,
    check_turn,
    evolve,
    remove_card,
    replace_at,
    winners_by,
)

from .model import Bid, Cards, Command, Deal, Options, Rule, State, deck


def start(options: Options, seats: int) -> State:
    """Return the state before the first event (GOO-1)."""
    known = {"shuffled": (), "ascending": deck(options), "descending": deck(options)[::-1]}
    return State(options, known[options.order], (deck(options),) * seats, (None,) * seats, ((),) * seats)


def to_act(state: State) -> frozenset[Seat]:
    """Return the seats that are to act: the table where prizes are dealt, then all who have not bid yet."""
    if not state.prizes:
        return DEALER
    return frozenset(Seat(seat) for seat, hand in enumerate(state.hands) if hand and state.bids[seat] is None)


def deal(state: State, shuffler: Shuffler) -> Deal:
    """Return the table's command."""
    return Deal(shuffler.shuffle(deck(state.options)))


def apply(state: State, seat: Seat, command: Command) -> State:
    """Return the state after a command; raises `RuleViolation` if a rule forbids it."""
    match command:
        case Deal():
            check_deck(to_act(state), seat, command.prizes, deck(state.options))
            return evolve(state, prizes=command.prizes)
        case Bid():
            return _bid(state, seat, command)
        case _:
            assert_never(command)


def _bid(state: State, seat: Seat, bid: Bid) -> State:
    """Bid a card face down; the last one turns all of them up (GOO-2, GOO-3)."""
    check_cards(seat, [bid.card], deck(state.options))
    check_turn(to_act(state), seat)
    if bid.card not in state.hands[seat]:
        raise RuleViolation(Rule.GOO_2, seat, card=bid.card)

    hands = replace_at(state.hands, seat, remove_card(state.hands[seat], bid.card))
    bids = replace_at(state.bids, seat, bid.card)
    if None in bids:
        return evolve(state, hands=hands, bids=bids)
    shown = tuple((*cards, card) for cards, card in zip(state.shown, bids, strict=True) if card is not None)
    return evolve(state, hands=hands, bids=(None,) * len(bids), shown=shown)


def legal(state: State, seat: Seat) -> Iterator[Command]:
    """Yield exactly the commands that `apply` accepts from a seat."""
    return map(Bid, state.hands[seat]) if seat != TABLE and seat in to_act(state) else iter(())


def taker(bids: Sequence[Card]) -> Seat | None:
    """Return the seat whose bid takes the prize; None if two bid as much (GOO-3)."""
    return Seat(bids.index(max(bids))) if bids.count(max(bids)) == 1 else None


def points(prizes: Sequence[Card | None], shown: tuple[Cards, ...]) -> tuple[int, ...]:
    """Return the sum of the prizes that each seat has taken."""
    takers = [taker(bids) for bids in zip(*shown, strict=True)]
    return tuple(
        sum(prize or 0 for prize, by in zip(prizes, takers, strict=False) if by == seat) for seat in range(len(shown))
    )


def scores(state: State) -> tuple[int, ...]:
    """Return the score of each seat so far."""
    return points(state.prizes, state.shown)


def result(state: State) -> Result | None:
    """Return the points and the seats with the most, once nobody is to act (GOO-4)."""
    return None if to_act(state) else Result(scores(state), winners_by(scores(state)))


def cards(state: State) -> Iterator[tuple[str, Card]]:
    """Yield the cards of all places: always the same, once the prizes lie there."""
    bids = (bid for bid in state.bids if bid is not None)
    return chain(
        (("prize", card) for card in state.prizes), (("bid", card) for card in chain(*state.hands, bids, *state.shown))
    )
