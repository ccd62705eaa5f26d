"""The cards of Take & Share."""

from __future__ import annotations

from ...core.game import Card, Face

SUITS = "♠♥♦♣★☾"
TINTS = ("ink", "red", "orange", "green", "blue", "purple")


def suit(card: Card) -> int:
    """Return the suit 0-5 of a card, which is `suit * 100 + number` (TS-R1)."""
    return card // 100


def number(card: Card) -> int:
    """Return the number 1-10 of a card; the ace counts 1."""
    return card % 100


def face(card: Card) -> Face:
    """Return how a card looks."""
    return Face(f"{SUITS[suit(card)]}{number(card)}", TINTS[suit(card)])


def deck(seats: int) -> tuple[Card, ...]:
    """List the cards in ascending order: numbers 1-10 with 4 seats, 3-10 with 3."""
    lowest = 1 if seats == 4 else 3
    return tuple(Card(each * 100 + value) for each in range(len(SUITS)) for value in range(lowest, 11))


def hand_size(seats: int) -> int:
    """Count the cards of a hand, which are also the tricks of a deal (TS-1)."""
    return 14 if seats == 4 else 15
