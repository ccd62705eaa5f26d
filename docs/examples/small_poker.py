"""Kuhn's and Leduc poker for two, as one game of kifu: games whose exact values are published.

Kuhn (1950): a card each of J, Q, K; one round of bets of 1. Leduc (Southey and others 2005): a card each of
two J, two Q, two K; bets of 2, then an open card, then bets of 4, at most two in a round. Both ante 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from kifu.core import game as k

RULES = """
POK-1 Both put 1 into the pot and get a card, face down; the first seat begins every round of bets.
POK-2 Who is to act may call, that is, match the other's stake, or raise by the bet of the round.
POK-3 Who would have to pay to call may fold instead, and loses what lies in the pot.
POK-4 A round has one raise at most, in Leduc two; it ends when a raise is called, or both check.
POK-5 In Leduc a card is turned up after the first round; bets are 2 before, 4 after it; in Kuhn's poker 1.
POK-6 At the end a pair with the open card wins the pot, else the higher card; equal cards share it.
"""


@k.options
class Options:
    """Which of the two is played."""

    variant: Literal["kuhn", "leduc"] = "kuhn"


@k.command("deal", rule="POK-1")
class Deal:
    """The shuffled deck: a card for each seat, then the one that is turned up."""

    cards: tuple[k.Card, ...] = k.secret()


@k.command("fold", rule="POK-3")
class Fold:
    """Give up."""


@k.command("call", rule="POK-2")
class Call:
    """Match the other's stake; a check if there is nothing to match."""


@k.command("raise", rule="POK-2")
class Raise:
    """Match the other's stake and put in the bet of the round."""


Command = Deal | Fold | Call | Raise
Action = Literal["fold", "call", "raise"]


def dealt_to(state: State, viewer: int | None) -> tuple[bool, ...]:
    """Its owner, and everybody at the end unless somebody folded; the open card after the first round."""
    shown = bool(state.deck) and is_over(state) and state.rounds[-1][-1] != "fold"
    hands = tuple(shown or viewer == seat for seat in range(2))
    return (*hands, len(state.rounds) > 1, *(False,) * 3)[: len(state.deck)]


@k.state
class State:
    """The whole table."""

    options: Options
    deck: tuple[k.Card, ...] = k.seen_by(dealt_to, sizes="", in_order=True, rule="POK-5")
    """A card for each seat, then the one that is turned up; before the deal it is empty."""
    rounds: tuple[tuple[Action, ...], ...] = k.public()
    """What was done in each round so far."""


DECKS = {"kuhn": tuple(map(k.Card, (0, 1, 2))), "leduc": tuple(map(k.Card, (0, 0, 1, 1, 2, 2)))}
BETS = {"kuhn": (1,), "leduc": (2, 4)}
RAISES = {"kuhn": 1, "leduc": 2}


def start(options: Options, seats: int) -> State:
    return State(options, (), ((),))


def is_closed(actions: tuple[Action, ...]) -> bool:
    """Return True if a round of bets is over: a raise was called, or both checked."""
    return len(actions) > 1 and actions[-1] == "call"


def is_over(state: State) -> bool:
    last = state.rounds[-1]
    return last[-1:] == ("fold",) or (is_closed(last) and len(state.rounds) == len(BETS[state.options.variant]))


def to_act(state: State) -> frozenset[int]:
    if not state.deck:
        return k.DEALER
    return k.NOBODY if is_over(state) else k.ALONE[len(state.rounds[-1]) % 2]


def stakes(state: State) -> tuple[int, int]:
    """Return what each seat has put into the pot."""
    paid = [1, 1]
    for bet, actions in zip(BETS[state.options.variant], state.rounds, strict=False):
        for place, action in enumerate(actions):
            if action != "fold":
                paid[place % 2] = max(paid) + (bet if action == "raise" else 0)
    return paid[0], paid[1]


def apply(state: State, seat: int, command: Command) -> State:
    if isinstance(command, Deal):
        k.check_deck(k.DEALER, seat, command.cards, DECKS[state.options.variant])
        return k.evolve(state, deck=command.cards)
    actions = state.rounds[-1]
    if isinstance(command, Raise) and actions.count("raise") == RAISES[state.options.variant]:
        raise k.Illegal("POK-4")
    if isinstance(command, Fold) and len(set(stakes(state))) == 1:
        raise k.Illegal("POK-3")
    done: Action = "raise" if isinstance(command, Raise) else "fold" if isinstance(command, Fold) else "call"
    after = k.evolve(state, rounds=(*state.rounds[:-1], (*actions, done)))
    return after if is_over(after) or not is_closed(after.rounds[-1]) else k.evolve(after, rounds=(*after.rounds, ()))


def legal(state: State, seat: int) -> Iterator[Command]:
    if len(set(stakes(state))) == 2:
        yield Fold()
    yield Call()
    if state.rounds[-1].count("raise") < RAISES[state.options.variant]:
        yield Raise()


def deal(state: State, shuffler: k.Shuffler) -> Deal:
    return Deal(shuffler.shuffle(DECKS[state.options.variant]))


def result(state: State) -> k.Result | None:
    if to_act(state):
        return None
    last, paid = state.rounds[-1], stakes(state)
    if last[-1] == "fold":
        winner = len(last) % 2  # who folded acted last
    else:
        paired = [len(state.rounds) > 1 and state.deck[seat] == state.deck[2] for seat in range(2)]
        strength = [(pair, state.deck[seat]) for seat, pair in enumerate(paired)]
        if strength[0] == strength[1]:
            return k.Result((0, 0), (0, 1))
        winner = strength.index(max(strength))
    lost = paid[1 - winner]
    return k.Result((lost, -lost) if winner == 0 else (-lost, lost), (winner,))


def face(card: k.Card) -> k.Face:
    return k.Face("JQK"[card])


GAME = k.Game.of(__name__, seats=range(2, 3), state=State, book=RULES)
