"""Hearts keeps the laws of kifu, and the laws catch every mutant of it."""

from pathlib import Path

from hearts import GAME, Deal, Pass, Play
from kifu.core.game import TABLE, Card
from kifu.core.testing import Case, game_laws

DECK = tuple(map(Card, range(52)))


def cards(*numbers):
    """Return some cards."""
    return tuple(map(Card, numbers))


def passed(deck):
    """Deal this deck; every seat passes its three lowest cards to the left, so that ♣2 goes from seat 0 to seat 1."""
    state = GAME.apply(START, TABLE, Deal(deck))
    for seat in range(4):
        state = GAME.apply(state, seat, Pass(state.hands[seat][:3]))
    return state


def played(state, *numbers):
    """Play some cards, each by the seat whose turn it is."""
    for number in numbers:
        (seat,) = GAME.to_act(state)
        state = GAME.apply(state, seat, Play(Card(number)))
    return state


START = GAME.start(GAME.options(), 4)
PASSING = GAME.apply(GAME.apply(START, TABLE, Deal(DECK)), 0, Pass(cards(0, 1, 2)))
SUITS = passed(DECK)  # seat 1 has ♣2 ♣3 ♣4 and diamonds, seat 2 no clubs
MIXED = passed(tuple(sorted(DECK, key=lambda card: card % 4)))

CASES = [
    Case("FORM", "a card that there is not", SUITS, 1, Play(Card(52))),
    Case("FORM", "a card to pass that there is not", PASSING, 1, Pass(cards(13, 14, 52))),
    Case("FORM", "two cards to pass", PASSING, 1, Pass(cards(13, 14))),
    Case("FORM", "one card three times", PASSING, 1, Pass(cards(13, 13, 13))),
    Case("TURN", "a seat that has passed", PASSING, 0, Pass(cards(3, 4, 5))),
    Case("TURN", "a seat whose turn it is not", SUITS, 2, Play(Card(29))),
    Case("ORDER", "a card before all have passed", PASSING, 1, Play(Card(13))),
    Case("ORDER", "cards to pass once all have", SUITS, 1, Pass(cards(0, 1, 2))),
    Case("DEAL", "a card twice", START, TABLE, Deal((Card(1),) * 52)),
    Case("HEARTS-2", "cards of another hand", PASSING, 1, Pass(cards(13, 14, 26))),
    Case("HEARTS-3", "another card to begin with", SUITS, 1, Play(Card(1))),
    Case("HEARTS-4", "a card of another hand", played(MIXED, 0), 2, Play(Card(3))),
    Case("HEARTS-5", "a diamond to a club", played(MIXED, 0), 2, Play(Card(14))),
    Case("HEARTS-6", "the queen of spades to the first trick", played(SUITS, 0), 2, Play(Card(36))),
    Case("HEARTS-7", "a heart led too early", played(MIXED, 0, 1, 2, 12), 0, Play(Card(40))),
]

TestLaws = game_laws(GAME, cases=CASES, golden=Path(__file__).parent / "golden")
