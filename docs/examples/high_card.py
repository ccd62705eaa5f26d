"""High Card: everybody lays a card face down, and the highest scores. The most points win."""

from typing import Literal

from kifu.core import game as k

RULES = """
HC-1 Every seat gets a hand; the rest of the thirty cards stays face down.
HC-2 Everybody lays one card of the hand face down, in any order.
HC-3 When all have laid a card, all are turned up, and the highest scores one point.
HC-4 When the hands are empty the most points win; ties share the victory.
"""
Cards = tuple[k.Card, ...]
DECK: Cards = tuple(map(k.Card, range(1, 31)))


@k.options
class Options:
    hand: Literal[1, 3, 5] = 3


@k.command("deal", rule="HC-1")
class Deal:
    cards: Cards = k.secret()


@k.command("lay", rule="HC-2")
class Lay:
    card: k.Card = k.secret()


@k.state
class State:
    options: Options
    hands: tuple[Cards, ...] = k.own()
    laid: tuple[k.Card | None, ...] = k.own()
    turned: tuple[Cards, ...] = k.public(rule="HC-3")
    rest: Cards = k.nobody()


def start(options: Options, seats: int) -> State:
    return State(options, hands=((),) * seats, laid=(None,) * seats, turned=((),) * seats, rest=())


def to_act(state: State) -> frozenset[int]:
    if not state.rest:
        return k.DEALER
    return frozenset(seat for seat, hand in enumerate(state.hands) if hand and state.laid[seat] is None)


def deal(state: State, shuffler: k.Shuffler) -> Deal:
    return Deal(shuffler.shuffle(DECK))


def legal(state: State, seat: int) -> list[Lay]:
    return [Lay(card) for card in state.hands[seat]]


def apply(state: State, seat: int, command: Deal | Lay) -> State:
    if isinstance(command, Deal):
        k.check_deck(k.DEALER, seat, command.cards, DECK)
        seats, size = len(state.hands), state.options.hand
        return k.evolve(state, hands=k.deal_hands(command.cards, seats, size), rest=command.cards[seats * size :])
    if command.card not in state.hands[seat]:
        raise k.Illegal("HC-2", card=command.card)
    hands = k.replace_at(state.hands, seat, k.remove_card(state.hands[seat], command.card))
    laid = k.replace_at(state.laid, seat, command.card)
    if None in laid:
        return k.evolve(state, hands=hands, laid=laid)
    turned = tuple((*cards, card) for cards, card in zip(state.turned, laid, strict=True) if card is not None)
    return k.evolve(state, hands=hands, laid=(None,) * len(laid), turned=turned)


def scores(state: State) -> tuple[int, ...]:  # everybody is shown these, at any time
    highest = [max(cards) for cards in zip(*state.turned, strict=True)]
    return tuple(sum(card in highest for card in cards) for cards in state.turned)


def result(state: State) -> k.Result | None:
    return None if to_act(state) else k.Result(scores(state), k.winners_by(scores(state)))


GAME = k.Game.of(__name__, seats=range(2, 6), state=State, book=RULES)
