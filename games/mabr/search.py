"""Find what letters can spell: abbreviations from the stacks, words of a lexicon from a row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import product
from zlib import crc32

from attrs import frozen

from .lexicon import Lexicon
from .model import FIXED, LETTER, LETTERS, Kanas, laid

MOST = 6
"""The most cards of one letter."""

STACK_LETTERS = str.maketrans({**LETTER, **dict.fromkeys(FIXED.values())})
"""Turns a word into the letters of the stacks that it needs: fixed cards are always there."""


def stock(letters: str) -> int:
    """Put letters into one int, so that one comparison tells whether a stock holds another.

    Each letter has `MOST` bits; as many of its lowest are set as there are cards.
    """
    return sum(((1 << letters.count(letter)) - 1) << MOST * at for at, letter in enumerate(LETTERS))


def holds(have: int, need: int) -> bool:
    return not need & ~have


def can_exist(letters: str) -> bool:
    """Tell whether the deck has so many cards of each letter at all."""
    return all(letters.count(letter) <= MOST for letter in set(letters))


@frozen
class Spelled:
    """A word of a lexicon, prepared for the search."""

    word: str
    laid: str
    """Its kana in full size."""
    repeats: bool
    """Whether it has two kana of one letter, or one kana twice: then a card could be named twice."""


@frozen
class Index:
    """A lexicon by the stock of letters that its words and abbreviations need."""

    abbreviations: tuple[tuple[int, str], ...]
    words: tuple[tuple[int, tuple[Spelled, ...]], ...]


@lru_cache(maxsize=16)
def index(lexicon: Lexicon, *, common: bool = False) -> Index:
    """Prepare a lexicon for the search, or only its common words."""
    drawn = [each for each in sorted(lexicon.abbreviations) if len(each) > 1 and not each.strip(LETTERS)]
    words: dict[str, list[Spelled]] = {}
    for word in lexicon.common if common else lexicon.words:
        kanas = laid(word)
        letters = kanas.translate(STACK_LETTERS)
        if letters and not letters.strip(LETTERS):
            repeats = len(set(letters)) < len(letters) or len(set(kanas)) < len(kanas)
            words.setdefault("".join(sorted(letters)), []).append(Spelled(word, kanas, repeats))
    return Index(
        tuple((stock(each), each) for each in drawn if can_exist(each)),
        tuple((stock(letters), tuple(group)) for letters, group in words.items() if can_exist(letters)),
    )


def drawable(lexicon: Lexicon, stacks: Iterable[Kanas]) -> list[str]:
    """List the abbreviations of a lexicon that the stacks can spell, used or not (MABR-4)."""
    have = 0
    for at, stack in enumerate(stacks):
        have |= ((1 << len(stack)) - 1) << MOST * at
    return [abbreviation for need, abbreviation in index(lexicon).abbreviations if holds(have, need)]


def spellings(stacks: Iterable[Kanas]) -> Iterator[str]:
    """Go through all that the stacks can spell, in or out of any lexicon, the shortest first: it is a lot."""
    left = {letter: len(stack) for letter, stack in zip(LETTERS, stacks, strict=True) if stack}
    for length in range(2, sum(left.values()) + 1):
        for letters in product(left, repeat=length):
            if all(letters.count(letter) <= left[letter] for letter in letters):
                yield "".join(letters)


@lru_cache(maxsize=64)
def layable(lexicon: Lexicon, letters: str, *, common: bool = False) -> list[Spelled]:
    """List the words that cards of these letters, and the fixed cards, may be able to lay.

    Whether they are the right kana is not asked: whoever lays them may not know. The order is the same everywhere but
    has no meaning, so that the first few are a fair sample.
    """
    have = stock(letters)
    found = [each for need, group in index(lexicon, common=common).words if holds(have, need) for each in group]
    return sorted(found, key=_rank)


def _rank(spelled: Spelled) -> tuple[int, str]:
    return crc32(spelled.word.encode()), spelled.word
