"""Helpers that many games share: move cards, show a seat its own, draw hidden cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TypeVar

from .seats import TABLE

T = TypeVar("T")


def replace_at(row: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    """Return the row with another value at one place."""
    others = list(row)
    others[place] = value
    return tuple(others)


def add_each(row: Iterable[int], other: Iterable[int]) -> tuple[int, ...]:
    """Return the sums of two rows of equal length, element by element: the totals and the new points."""
    return tuple([one + more for one, more in zip(row, other, strict=True)])


def contains_cards(cards: Sequence[T], some: Sequence[T]) -> bool:
    """Return True if all of `some` are among the cards, each as often as it is named."""
    return all(cards.count(card) >= some.count(card) for card in some)


def remove_card(cards: tuple[T, ...], card: T) -> tuple[T, ...]:
    """Return the cards without the first one that equals `card`; raises `ValueError` if none does."""
    rest = list(cards)
    rest.remove(card)
    return tuple(rest)


def remove_cards(cards: Iterable[T], some: Iterable[T]) -> tuple[T, ...]:
    """Return the cards without some of them, in order; raises `ValueError` if one of these is missing."""
    rest = list(cards)
    for card in some:
        rest.remove(card)
    return tuple(rest)


def deal_hands(cards: Sequence[T], hands: int, size: int) -> tuple[tuple[T, ...], ...]:
    """Return `hands` hands of `size` cards each from the top of the deck, each ascending."""
    return tuple([tuple(sorted(cards[top : top + size])) for top in range(0, hands * size, size)])  # type: ignore[type-var]


# What a seat may see, and which hidden state may lie behind it.


def visible_to(viewer: int | None, *owners: int) -> bool:
    """Return True if the viewer is the table or one of the owners."""
    return viewer == TABLE or viewer in owners


def unseen_cards(deck: Iterable[T], *shown: Iterable[T] | None) -> list[T]:
    """Return the cards of the deck that lie in none of the shown places, in deck order; a hidden place is None."""
    counts = Counter(chain.from_iterable([cards for cards in shown if cards]))
    unseen = []
    for card in deck:
        if count := counts.get(card):
            counts[card] = count - 1
        else:
            unseen.append(card)
    return unseen


def draw_cards(shown: tuple[T, ...] | None, size: int, pool: list[T], *, ascending: bool = True) -> tuple[T, ...]:
    """Return the cards of a place if they are shown; else `size` cards, removed from the end of the pool."""
    if shown is not None:
        return shown
    drawn = [pool.pop() for _ in range(size)]
    return tuple(sorted(drawn) if ascending else drawn)  # type: ignore[type-var]


def draw_rows(
    shown: Iterable[tuple[T, ...] | None], sizes: Iterable[int], pool: list[T], *, ascending: bool = True
) -> tuple[tuple[T, ...], ...]:
    """Return the cards of several places, such as the hands, each as `draw_cards` does."""
    rows = zip(shown, sizes, strict=True)
    return tuple([draw_cards(cards, size, pool, ascending=ascending) for cards, size in rows])
