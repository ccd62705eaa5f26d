"""The rules of High Card, in the order of their numbers: checks first, then one change."""

from collections.abc import Iterator
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
    deal_hands,
    evolve,
    remove_card,
    replace_at,
    winners_by,
)

from .model import DECK, Cards, Command, Deal, Lay, Options, Rule, State


def start(options: Options, seats: int) -> State:
    """Return the state before the first event."""
    return State(options, hands=((),) * seats, laid=(None,) * seats, turned=((),) * seats, rest=())


def to_act(state: State) -> frozenset[Seat]:
    """Return the seats that are to act: the table before the deal, then all who have not laid a card yet."""
    if not state.rest:
        return DEALER
    return frozenset(Seat(seat) for seat, hand in enumerate(state.hands) if hand and state.laid[seat] is None)


def deal(state: State, shuffler: Shuffler) -> Deal:
    """Return the table's command."""
    return Deal(shuffler.shuffle(DECK))


def apply(state: State, seat: Seat, command: Command) -> State:
    """Return the state after a command; raises `RuleViolation` if a rule forbids it."""
    match command:
        case Deal():
            return _deal(state, seat, command)
        case Lay():
            return _lay(state, seat, command)
        case _:
            assert_never(command)


def _deal(state: State, seat: Seat, deal: Deal) -> State:
    """Deal the hands (HC-1)."""
    check_deck(to_act(state), seat, deal.cards, DECK)

    size, seats = state.options.hand, len(state.hands)
    return evolve(state, hands=deal_hands(deal.cards, seats, size), rest=deal.cards[seats * size :])


def _lay(state: State, seat: Seat, lay: Lay) -> State:
    """Lay a card face down; the last one turns all of them up (HC-2, HC-3)."""
    check_cards(seat, [lay.card], DECK)
    check_turn(to_act(state), seat)
    if lay.card not in state.hands[seat]:
        raise RuleViolation(Rule.HC_2, seat, card=lay.card)

    hands = replace_at(state.hands, seat, remove_card(state.hands[seat], lay.card))
    laid = replace_at(state.laid, seat, lay.card)
    if None in laid:
        return evolve(state, hands=hands, laid=laid)
    turned = tuple((*cards, card) for cards, card in zip(state.turned, laid, strict=True))
    return evolve(state, hands=hands, laid=(None,) * len(laid), turned=turned)


def legal(state: State, seat: Seat) -> Iterator[Command]:
    """Yield exactly the commands that `apply` accepts from a seat."""
    return map(Lay, state.hands[seat]) if seat != TABLE and seat in to_act(state) else iter(())


def points(turned: tuple[Cards, ...]) -> tuple[int, ...]:
    """Return for each seat the number of rounds in which its card was the highest (HC-3)."""
    highest = [max(cards) for cards in zip(*turned, strict=True)]
    return tuple(sum(card in highest for card in cards) for cards in turned)


def result(state: State) -> Result | None:
    """Return the points and the seats with the most, once nobody is to act (HC-4)."""
    if to_act(state):
        return None
    scored = points(state.turned)
    return Result(scored, winners_by(scored))


def cards(state: State) -> Iterator[Card]:
    """Yield the cards of all places: always the same deck, once it is dealt."""
    return chain(*state.hands, (card for card in state.laid if card is not None), *state.turned, state.rest)
