"""Find what letters can spell: abbreviations from the stacks, words of a lexicon from a row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, reduce
from itertools import product, repeat
from operator import getitem, or_
from zlib import crc32

from attrs import frozen

from .lexicon import Lexicon
from .model import FIXED, LETTER, LETTERS, Kanas, laid

MAX_OF_LETTER = 6
"""The most cards of one letter."""

CHUNK = 2048
"""So many words share a chunk of the index: who needs only the first few reads only the first chunks."""

LETTERS_OF = str.maketrans({**LETTER, **dict.fromkeys(FIXED.values())})
"""Turns a word, as laid, into the letters of the stacks that it needs: fixed cards are always there."""

CARDS = frozenset({*LETTER, *FIXED.values()})

# For each number of cards of a letter that there may be: turns the number that a word needs into the digit 1 if there
# are too few.
_LACKS = [bytes(b"01"[need > have] for need in range(256)) for have in range(MAX_OF_LETTER + 1)]


@frozen(eq=False)
class WordIndex:
    """The words of a lexicon by the letters that they need, in an order that is the same everywhere but has no meaning.

    So the first few that a row can lay are a fair sample. A chunk has for each letter, and each number of cards of it,
    an int of a bit for each of its words, the first word's the highest: set if the word needs more cards of the letter.
    """

    words: Sequence[str]
    laid: Sequence[str]
    """Their kana in full size."""
    needs: Sequence[tuple[int, ...]]
    """For each letter that a word needs, the number `need_of` the letter and of how many cards."""
    repeats: Sequence[bool]
    """Whether a word needs two cards of one letter: then a card could be named twice."""
    chunks: Sequence[Sequence[Sequence[int]]]
    shortest: int
    """The letters of the shortest word."""

    def layable(self, letters: str) -> Iterator[list[int]]:
        """Yield, by chunk, the places of the words that cards of these letters and the fixed cards may be able to lay.

        Whether they are the right kana is not asked: whoever lays them may not know.
        """
        have = [letters.count(letter) for letter in LETTERS]
        for begin, chunk in zip(range(0, len(self.words), CHUNK), self.chunks, strict=True):
            lacking = reduce(or_, map(getitem, chunk, have))
            end = min(begin + CHUNK, len(self.words))
            found, left = [], lacking ^ ((1 << end - begin) - 1)
            while left:
                bits = left.bit_length()
                found.append(end - bits)
                left ^= 1 << bits - 1
            yield found


def need_of(letter: str, cards: int) -> int:
    """Return the number of a need: of so many cards of a letter."""
    return LETTERS.index(letter) * MAX_OF_LETTER + cards - 1


@lru_cache(maxsize=16)
def word_index(lexicon: Lexicon, *, common: bool = False) -> WordIndex:
    """Index the words of a lexicon, or only its common ones; leaves out what the deck cannot spell."""
    ranked = sorted((crc32(word.encode()), word) for word in (lexicon.common if common else lexicon.words))
    pairs = [(word, kanas) for _, word in ranked if _can_be_spelled(kanas := laid(word))]
    letters = [kanas.translate(LETTERS_OF) for _, kanas in pairs]
    needs = {each: _needs(each) for each in set(letters)}
    repeats = {each: len(set(each)) < len(each) for each in needs}
    return WordIndex(
        [word for word, _ in pairs],
        [kanas for _, kanas in pairs],
        list(map(needs.__getitem__, letters)),
        list(map(repeats.__getitem__, letters)),
        [_chunk(letters[begin : begin + CHUNK]) for begin in range(0, len(letters), CHUNK)],
        min((len(word) for word, _ in pairs), default=0),
    )


def _can_be_spelled(kanas: str) -> bool:
    """Return whether every kana is on a card, one of them at least on a stack's, and the deck has so many."""
    if not CARDS.issuperset(kanas) or any(kanas.count(fixed) > 1 for fixed in FIXED.values()):
        return False
    letters = kanas.translate(LETTERS_OF)
    return letters != "" and _can_exist(letters)


def _can_exist(letters: str) -> bool:
    """Return whether the deck has so many cards of each letter at all."""
    return len(letters) <= MAX_OF_LETTER or all(letters.count(letter) <= MAX_OF_LETTER for letter in set(letters))


def _needs(letters: str) -> tuple[int, ...]:
    return tuple(sorted(need_of(letter, letters.count(letter)) for letter in set(letters)))


def _chunk(words: Sequence[str]) -> list[list[int]]:
    chunk = []
    for letter in LETTERS:
        needs = bytes(map(str.count, words, repeat(letter)))
        chunk.append([int(needs.translate(lacks), 2) for lacks in _LACKS])
    return chunk


@lru_cache(maxsize=16)
def _abbreviations(lexicon: Lexicon) -> list[tuple[int, str]]:
    """List the abbreviations that the deck can spell, ascending, each with its letters as `_stock`."""
    spelled = [each for each in sorted(lexicon.abbreviations) if len(each) > 1 and not each.strip(LETTERS)]
    return [(_stock(map(each.count, LETTERS)), each) for each in spelled if _can_exist(each)]


def _stock(counts: Iterable[int]) -> int:
    """Put counts by letter into one int, so that `&` tells whether one stock holds another: a bit for each card."""
    return sum(((1 << cards) - 1) << MAX_OF_LETTER * at for at, cards in enumerate(counts))


def drawable(lexicon: Lexicon, stacks: Iterable[Kanas]) -> list[str]:
    """List the abbreviations of a lexicon that the stacks can spell, used or not, ascending (MABR-4)."""
    lacking = ~_stock(map(len, stacks))
    return [abbreviation for need, abbreviation in _abbreviations(lexicon) if not need & lacking]


def spellings(stacks: Sequence[Kanas]) -> Iterator[str]:
    """Go through all that the stacks can spell, in or out of any lexicon, the shortest first: it is a lot."""
    left = {letter: len(stack) for letter, stack in zip(LETTERS, stacks, strict=True) if stack}
    for length in range(2, sum(left.values()) + 1):
        for letters in product(left, repeat=length):
            if all(letters.count(letter) <= left[letter] for letter in letters):
                yield "".join(letters)
