"""Market: buy the card on offer for a coin, or pass and take one. When the deck is out the discards are dealt."""

from typing import Literal

from kifu.core import game as k

Cards = tuple[k.Card, ...]
DECK: Cards = tuple(map(k.Card, range(1, 11)))
COINS = 3
TURNS = 60


@k.options
class Options:
    goal: Literal[3, 4] = 3


@k.command("deal")
class Deal:
    """The deck, or the discards, shuffled."""

    cards: Cards = k.secret()


@k.command("offer")
class Offer:
    """The top card of the deck is turned up."""


@k.command("buy")
class Buy:
    """For a coin."""


@k.command("pass")
class Pass:
    """The card is discarded; a coin of the bank, if it has one."""


@k.state
class State:
    options: Options
    coins: tuple[int, ...] = k.public()
    bought: tuple[Cards, ...] = k.public()
    bank: int = k.public()
    turn: int = k.public()
    deck: Cards = k.nobody()
    discards: Cards = k.public()
    offered: Cards = k.public()


def start(options: Options, seats: int) -> State:
    return State(options, (COINS,) * seats, ((),) * seats, 0, 0, (), (), ())


def to_act(state: State) -> frozenset[int]:
    if state.turn == TURNS or max(map(len, state.bought)) == state.options.goal:
        return k.NOBODY
    return k.ALONE[state.turn % len(state.coins)] if state.offered else k.DEALER


def deal(state: State, shuffler: k.Shuffler) -> Deal | Offer:
    return Offer() if state.deck else Deal(shuffler.shuffle(state.discards or DECK))


def apply(state: State, seat: int, command: Deal | Offer | Buy | Pass) -> State:
    k.check_turn(to_act(state), seat, deals=isinstance(command, Deal | Offer))
    match command:
        case Deal():
            k.check_deck(k.DEALER, seat, command.cards, tuple(sorted(state.discards)) or DECK)
            if state.deck:
                raise k.Illegal("there are cards in the deck")
            return k.evolve(state, deck=command.cards, discards=())
        case Offer():
            if not state.deck:
                raise k.Illegal("the deck is empty")
            return k.evolve(state, deck=state.deck[1:], offered=state.deck[:1])
        case Buy():
            if not state.coins[seat]:
                raise k.Illegal("you have no coin")
            bought = k.replace_at(state.bought, seat, state.bought[seat] + state.offered)
            return paid(k.evolve(state, bought=bought), seat, 1)
        case Pass():
            return paid(k.evolve(state, discards=state.discards + state.offered), seat, -min(1, state.bank))


def paid(state: State, seat: int, coins: int) -> State:
    row = k.replace_at(state.coins, seat, state.coins[seat] - coins)
    return k.evolve(state, coins=row, bank=state.bank + coins, turn=state.turn + 1, offered=())


def legal(state: State, seat: int) -> list[Buy | Pass]:
    return [Buy(), Pass()] if state.coins[seat] else [Pass()]


def scores(state: State) -> tuple[int, ...]:
    return tuple(map(len, state.bought))


def result(state: State) -> k.Result | None:
    return None if to_act(state) else k.Result(scores(state), k.winners_by(scores(state)))


GAME = k.Game.of(__name__, seats=range(2, 4), state=State)
