"""Seeded shuffles: deals that anyone can reproduce (`docs/log-format.md`, "Deals from a seed")."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from hashlib import blake2b
from itertools import chain, count
from struct import Struct
from typing import Final, TypeVar

from .native import mypyc_attr

T = TypeVar("T")

_EIGHT_WORDS: Final = Struct(">8Q")
_TWO_INTS: Final = Struct(">II")
_WORDS: Final = 2**64
_LIMITS: Final = (0, *(_WORDS - _WORDS % bound for bound in range(1, 256)))
"""By bound: the words that `below` can use are less than this."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Shuffler:
    """A source of random numbers for deal number `deal` of a match with this 32-byte seed.

    Use one shuffler for one deal; a second `shuffle` draws the numbers that follow.
    """

    def __init__(self, seed: bytes, deal: int = 0) -> None:
        self._words = _words(seed, deal)

    def below(self, bound: int) -> int:
        """Return a random int of 0 … bound - 1, each equally likely; raises `ValueError` if there is none."""
        if bound < 1:
            raise ValueError(f"below({bound}): there is nothing to draw from")
        limit = _LIMITS[bound] if 0 < bound < 256 else _WORDS - _WORDS % bound
        for word in self._words:
            if word < limit:
                return word % bound
        raise AssertionError("the words never end")

    def shuffle(self, cards: Iterable[T]) -> tuple[T, ...]:
        """Return the cards in a new order (Fisher-Yates, from the last place down)."""
        order = list(cards)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return tuple(order)


def _words(seed: bytes, deal: int) -> Iterator[int]:
    """Return an iterator over the words, without end."""
    return chain.from_iterable(map(partial(_block, blake2b(b"kifu deal", key=seed), deal), count()))


def _block(keyed: blake2b, deal: int, block: int) -> tuple[int, ...]:
    hashed = keyed.copy()  # costs less than the key once more
    hashed.update(_TWO_INTS.pack(deal, block))
    return _EIGHT_WORDS.unpack(hashed.digest())
