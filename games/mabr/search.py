"""Find what letters can spell: abbreviations from the stacks, words of a lexicon from a row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import product, repeat
from operator import getitem, itemgetter, or_
from zlib import crc32

from attrs import frozen

from .lexicon import Lexicon
from .model import FIXED, KANA, LETTER, LETTERS, Kanas, laid, value

MAX_OF_LETTER = 6
"""The most cards of one letter."""

CHUNK = 2048
"""So many words share a chunk of the index: who needs only the first few reads only the first chunks."""

LETTERS_OF = str.maketrans({**LETTER, **dict.fromkeys(FIXED.values())})
"""Turns a word, as laid, into the letters of the stacks that it needs: fixed cards are always there."""

FIXED_KANA = frozenset(FIXED.values())
CARDS = FIXED_KANA.union(LETTER)

# For each number of cards of a letter that there may be: turns the number that a word needs into the digit 1 if there
# are too few.
_LACKS = [bytes(b"01"[need > have] for need in range(256)) for have in range(MAX_OF_LETTER + 1)]


@frozen(eq=False)
class WordIndex:
    """The words of a lexicon, in an order that is the same everywhere but has no meaning: the first are a fair sample.

    They are found by ints with a bit for each word of a chunk, the first word's the highest.
    """

    words: Sequence[str]
    laid: Sequence[str]
    """Their kana in full size."""
    needs: Sequence[tuple[int, ...]]
    """For each letter that a word needs, the number `need_of` the letter and of how many cards."""
    lacking: Sequence[Sequence[Sequence[int]]]
    """By chunk, letter, and number of cards of it: the words that need more."""
    doubled: frozenset[int]
    """The places of the words that have some kana twice, which cannot be right: each is on one card."""
    shortest: int
    """The letters of the shortest word."""

    def layable(self, letters: str) -> Iterator[list[int]]:
        """Yield, by chunk, the places of the words that cards of these letters and the fixed cards may be able to lay.

        Whether they are the right kana is not asked: whoever lays them may not know.
        """
        have = [letters.count(letter) for letter in LETTERS]
        for number, chunk in enumerate(self.lacking):
            yield self._others(number, reduce(or_, map(getitem, chunk, have)))

    def _others(self, number: int, words: int) -> list[int]:
        """Return the places of the words of a chunk but these, ascending."""
        begin = number * CHUNK
        end = min(begin + CHUNK, len(self.words))
        places, left = [], words ^ ((1 << end - begin) - 1)
        while left:
            bits = left.bit_length()
            places.append(end - bits)
            left ^= 1 << bits - 1
        return places


def need_of(letter: str, cards: int) -> int:
    """Return the number of a need: of so many cards of a letter."""
    return LETTERS.index(letter) * MAX_OF_LETTER + cards - 1


@lru_cache(maxsize=16)
def word_index(lexicon: Lexicon, *, common: bool = False) -> WordIndex:
    """Index the words of a lexicon, or only its common ones; leaves out what the deck cannot spell."""
    ranked = sorted((crc32(word.encode()), word) for word in (lexicon.common if common else lexicon.words))
    pairs = [(word, kanas) for _, word in ranked if _can_be_spelled(kanas := laid(word))]
    letters = ["".join(sorted(kanas.translate(LETTERS_OF))) for _, kanas in pairs]
    needs = {each: _needs(each) for each in set(letters)}
    return WordIndex(
        words=[word for word, _ in pairs],
        laid=[kanas for _, kanas in pairs],
        needs=list(map(needs.__getitem__, letters)),
        lacking=[_lacking(letters[begin : begin + CHUNK]) for begin in range(0, len(letters), CHUNK)],
        doubled=frozenset(at for at, (_, kanas) in enumerate(pairs) if len(set(kanas)) < len(kanas)),
        shortest=min((len(word) for word, _ in pairs), default=0),
    )


def _can_be_spelled(kanas: str) -> bool:
    """Return whether every kana is on a card, one of them at least on a stack's, and the deck has so many."""
    if not CARDS.issuperset(kanas) or FIXED_KANA.issuperset(kanas):
        return False
    if len(set(kanas)) == len(kanas):  # each kana is on one card
        return True
    letters = kanas.translate(LETTERS_OF)
    return _can_exist(letters) and all(kanas.count(fixed) <= 1 for fixed in FIXED_KANA)


def _can_exist(letters: str) -> bool:
    """Return whether there may be so many cards of each letter."""
    return all(letters.count(letter) <= MAX_OF_LETTER for letter in set(letters))


def _needs(letters: str) -> tuple[int, ...]:
    return tuple([need_of(letter, letters.count(letter)) for letter in sorted(set(letters))])


def _lacking(words: Sequence[str]) -> list[list[int]]:
    """Return by letter, and by number of cards of it, which of these words, given as letters, need more."""
    lacking = []
    for letter in LETTERS:
        needs = bytes(map(str.count, words, repeat(letter)))
        most = max(needs)
        lacking.append([int(needs.translate(lacks), 2) if have < most else 0 for have, lacks in enumerate(_LACKS)])
    return lacking


@frozen(eq=False)
class WordSets:
    """The words of a lexicon that one card for each kana can lay, and sets of them: ints with a bit for each word.

    The words descend by how they are laid, then by how they are written; the first word's bit is the highest.
    """

    words: Sequence[tuple[str, str]]
    """Each as laid, in full size, and as written."""
    with_kana: Mapping[str, int]
    """By kana: the words that have it."""
    within: Sequence[Sequence[int]]
    """By letter, and by each set of its kana, bit by bit: the words that have no other kana of the letter."""
    of_length: Sequence[int]
    """By number of kana: the words that have as many or more."""

    def most_points(self, row: Iterable[str], down: Iterable[str], least: int) -> Iterator[tuple[int, int]]:
        """Yield how many points can be brought, most first, and the words that do.

        They are laid with the kana of a row, of which `down` lie face down, and have at least so many kana.
        """
        found, held = self.longer(least), [0] * len(LETTERS)
        for kana in row:
            number, bit = _BITS[kana]
            held[number] |= bit
        for within, some in zip(self.within, held, strict=True):
            found &= within[some]
        digits: list[int] = []
        """The points of all words at once: by binary digit, the words of which it is 1."""
        for kana in down:
            carried, at = found & self.with_kana[kana], value(kana) - 1
            while carried:
                digits += [0] * (at + 1 - len(digits))
                digits[at], carried, at = digits[at] ^ carried, digits[at] & carried, at + 1
        return filter(itemgetter(0), _descending(found, digits))

    def longer(self, least: int) -> int:
        """Return the words of at least so many kana."""
        return self.of_length[least] if least < len(self.of_length) else 0

    def listed(self, some: int) -> Iterator[tuple[str, str]]:
        """Yield the words of a set, in their order."""
        while some:
            bits = some.bit_length()
            yield self.words[-bits]
            some ^= 1 << bits - 1


_BITS = {kana: (LETTERS.index(letter), 1 << KANA[letter].index(kana)) for kana, letter in LETTER.items()}


def _descending(some: int, digits: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the numbers of some words, given by digits, the highest first, and the words that have it."""
    if not digits:
        yield 0, some
        return
    *lower, highest = digits
    for part, more in ((some & highest, 1 << len(lower)), (some & ~highest, 0)):
        if part:
            yield from [(number + more, words) for number, words in _descending(part, lower)]


@lru_cache(maxsize=16)
def word_sets(lexicon: Lexicon) -> WordSets:
    """Index the words of a lexicon by the kana that they need."""
    pairs = [(laid(word), word) for word in lexicon.words]
    words = sorted([pair for pair in pairs if _is_once(pair[0]) and _can_be_spelled(pair[0])], reverse=True)
    rows = {kana: bytearray(b"0" * (len(words) + 1)) for kana in sorted(CARDS)}
    for at, (kanas, _) in enumerate(words, 1):
        for kana in kanas:
            rows[kana][at] = ord("1")
    with_kana = {kana: int(row, 2) for kana, row in rows.items()}
    longest = max((len(kanas) for kanas, _ in words), default=0)
    lengths = bytes([len(kanas) for kanas, _ in words])
    return WordSets(
        words=words,
        with_kana=with_kana,
        within=[_within(kanas, with_kana, (1 << len(words)) - 1) for kanas in KANA.values()],
        of_length=[
            int(b"0" + lengths.translate(bytes(b"01"[size >= least] for size in range(256))), 2)
            for least in range(longest + 1)
        ],
    )


def _is_once(kanas: str) -> bool:
    return len({*kanas}) == len(kanas)


def _within(kanas: str, with_kana: Mapping[str, int], words: int) -> list[int]:
    """Return for each set of the kana of a letter, bit by bit, which of these words have no other kana of it."""
    others = [[kana for at, kana in enumerate(kanas) if not held >> at & 1] for held in range(1 << len(kanas))]
    return [words & ~reduce(or_, [with_kana[kana] for kana in each], 0) for each in others]


@lru_cache(maxsize=16)
def abbreviations(lexicon: Lexicon) -> list[tuple[int, str]]:
    """List the abbreviations that the deck can spell, ascending, each with its letters as `stock_of`."""
    spelled = [each for each in sorted(lexicon.abbreviations) if len(each) > 1 and not each.strip(LETTERS)]
    return [(stock_of(map(each.count, LETTERS)), each) for each in spelled if _can_exist(each)]


def stock_of(counts: Iterable[int]) -> int:
    """Put counts by letter into one int, so that `&` tells whether one stock holds another: a bit for each card."""
    return sum(((1 << cards) - 1) << MAX_OF_LETTER * at for at, cards in enumerate(counts))


def drawable(lexicon: Lexicon, stacks: Iterable[Kanas]) -> list[str]:
    """List the abbreviations of a lexicon that the stacks can spell, used or not, ascending (MABR-4)."""
    lacking = ~stock_of(map(len, stacks))
    return [abbreviation for need, abbreviation in abbreviations(lexicon) if not need & lacking]


def spellings(stacks: Sequence[Kanas]) -> Iterator[str]:
    """Go through all that the stacks can spell, in or out of any lexicon, the shortest first: it is a lot."""
    left = {letter: len(stack) for letter, stack in zip(LETTERS, stacks, strict=True) if stack}
    for length in range(2, sum(left.values()) + 1):
        for letters in product(left, repeat=length):
            if all(letters.count(letter) <= left[letter] for letter in letters):
                yield "".join(letters)
