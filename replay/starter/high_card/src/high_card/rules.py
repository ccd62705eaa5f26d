"""The data and the rules of High Card: what there is, who sees it, and what a command does."""

from typing import Literal

from kifu.core import game as k


class Rule(k.RuleBook):
    """The rulebook, a sentence a member: `HC_1` is rule HC-1. A ruling of your own is `HC_R1`."""

    HC_1 = "Every seat gets a hand; the rest of the thirty cards stays face down."
    HC_2 = "Everybody lays one card of the hand face down, in any order."
    HC_3 = "When all have laid a card, all are turned up, and the highest scores one point."
    HC_4 = "When the hands are empty the most points win; ties share the victory."


Cards = tuple[k.Card, ...]
DECK: Cards = tuple(map(k.Card, range(1, 31)))


@k.options
class Options:
    """The options of the game; each has a default."""

    hand: Literal[1, 3, 5] = 3
    """How many cards each seat is dealt."""


@k.command("deal", rule="HC-1")
class Deal:
    """The shuffled deck: each seat's hand in turn, then the rest."""

    cards: Cards = k.secret()


@k.command("lay", rule="HC-2")
class Lay:
    """A card of the hand, face down."""

    card: k.Card = k.secret()


@k.state
class State:
    """The whole table. What can be derived is not stored."""

    options: Options
    hands: tuple[Cards, ...] = k.own()
    laid: tuple[k.Card | None, ...] = k.own()
    turned: tuple[Cards, ...] = k.public()
    """Each seat's cards that were turned up, round by round."""
    rest: Cards = k.nobody()
    """The cards that nobody has; before the deal there are none."""


def start(options: Options, seats: int) -> State:
    """Return the state before the first event."""
    return State(options, hands=((),) * seats, laid=(None,) * seats, turned=((),) * seats, rest=())


def to_act(state: State) -> frozenset[int]:
    """Return the seats that are to act: the table before the deal, then all who have not laid a card yet."""
    if not state.rest:
        return k.DEALER
    return frozenset(seat for seat, hand in enumerate(state.hands) if hand and state.laid[seat] is None)


def deal(state: State, shuffler: k.Shuffler) -> Deal:
    """Return the table's command."""
    return Deal(shuffler.shuffle(DECK))


def legal(state: State, seat: int) -> list[Lay]:
    """List exactly the commands that `apply` accepts from a seat that is to act."""
    return [Lay(card) for card in state.hands[seat]]


def apply(state: State, seat: int, command: Deal | Lay) -> State:
    """Return the state after a command of a seat that is to act; raises `Illegal` if a rule forbids it."""
    return _deal(state, command) if isinstance(command, Deal) else _lay(state, seat, command.card)


def _deal(state: State, deal: Deal) -> State:
    """Deal the hands (HC-1)."""
    k.check_deck(k.DEALER, k.TABLE, deal.cards, DECK)

    seats, size = len(state.hands), state.options.hand
    return k.evolve(state, hands=k.deal_hands(deal.cards, seats, size), rest=deal.cards[seats * size :])


def _lay(state: State, seat: int, card: k.Card) -> State:
    """Lay a card face down; the last one turns all of them up (HC-2, HC-3)."""
    k.check_cards(seat, [card], DECK)
    if card not in state.hands[seat]:
        raise k.Illegal("HC-2", card=card)

    hands = k.replace_at(state.hands, seat, k.remove_card(state.hands[seat], card))
    laid = k.replace_at(state.laid, seat, card)
    if None in laid:
        return k.evolve(state, hands=hands, laid=laid)
    turned = tuple((*cards, card) for cards, card in zip(state.turned, laid, strict=True) if card is not None)
    return k.evolve(state, hands=hands, laid=(None,) * len(laid), turned=turned)


def scores(state: State) -> tuple[int, ...]:
    """Return for each seat the number of rounds in which its card was the highest (HC-3)."""
    highest = [max(cards) for cards in zip(*state.turned, strict=True)]
    return tuple(sum(card in highest for card in cards) for cards in state.turned)


def result(state: State) -> k.Result | None:
    """Return the points and the seats with the most, once nobody is to act (HC-4)."""
    return None if to_act(state) else k.Result(scores(state), k.winners_by(scores(state)))
