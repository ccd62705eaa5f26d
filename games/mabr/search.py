"""Find what letters can spell: abbreviations from the stacks, words of a lexicon from a row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache, reduce
from itertools import product
from operator import itemgetter, or_
from zlib import crc32

from attrs import frozen

from .lexicon import Lexicon
from .model import FIXED, KANA, LETTER, LETTERS, Kanas, laid, value

MAX_OF_LETTER = 6
"""The most cards of one letter."""

CHUNK = 1024
"""So many words of an index are looked through at once."""

LETTERS_OF = str.maketrans({**LETTER, **dict.fromkeys(FIXED.values())})
"""Turns a word, as laid, into the letters of the stacks that it needs: fixed cards are always there."""

FIXED_KANA = frozenset(FIXED.values())
CARDS = FIXED_KANA.union(LETTER)


@frozen(eq=False)
class WordIndex:
    """The words of a lexicon, in an order that is the same everywhere but has no meaning: the first are a fair sample.

    Sets of them are ints with a bit for each word, the first word's the highest.
    """

    words: Sequence[str]
    laid: Sequence[str]
    """Their kana in full size."""
    all: int
    with_kana: Mapping[str, Sequence[int]]
    """By kana: the words that have it, those that have it twice or more, and so on."""
    doubled: int
    """The words that have some kana twice, which cannot be right: each is on one card."""
    of_length: Sequence[int]
    """By number of kana: the words that have as many or more."""

    @cached_property
    def place_of(self) -> Mapping[str, int]:
        """The place of each word."""
        return {word: place for place, word in enumerate(self.words)}

    def longer(self, least: int) -> int:
        """Return the words of at least so many kana."""
        return self.of_length[least] if least < len(self.of_length) else 0

    def is_doubled(self, place: int) -> bool:
        """Return whether a word has some kana twice."""
        return bool(self.doubled and self.doubled >> len(self.words) - 1 - place & 1)

    def needing(self, letter: str, up: frozenset[str]) -> list[int]:
        """Return, by number of cards, the words that need as many of a letter besides those that show the kana `up`."""
        at_least = [self.all]
        for kana in KANA[letter]:
            for words in self.with_kana[kana][kana in up :]:
                at_least.append(0)
                for cards in range(len(at_least) - 1, 0, -1):
                    at_least[cards] |= at_least[cards - 1] & words
        return [words & ~more for words, more in zip(at_least, [*at_least[1:], 0], strict=True)]


def places(words: int, size: int) -> Iterator[int]:
    """Yield the places of a set's words, ascending; of a set of `size` words the first one's bit is the highest."""
    whole = -(-size // CHUNK) * CHUNK
    bits = (words << whole - size).to_bytes(whole // 8, "big")
    for end in range(CHUNK, whole + 1, CHUNK):
        left = int.from_bytes(bits[(end - CHUNK) // 8 : end // 8], "big")
        while left:
            length = left.bit_length()
            yield end - length
            left ^= 1 << length - 1


@lru_cache(maxsize=16)
def word_index(lexicon: Lexicon, *, common: bool = False) -> WordIndex:
    """Index the words of a lexicon, or only its common ones; leaves out what the deck cannot spell."""
    ranked = sorted((crc32(word.encode()), word) for word in (lexicon.common if common else lexicon.words))
    pairs = [(word, kanas) for _, word in ranked if _can_be_spelled(kanas := laid(word))]
    spelled = [kanas for _, kanas in pairs]
    with_kana = _with_kana(spelled)
    return WordIndex(
        words=[word for word, _ in pairs],
        laid=spelled,
        all=(1 << len(pairs)) - 1,
        with_kana=with_kana,
        doubled=reduce(or_, [words for _, *again in with_kana.values() for words in again], 0),
        of_length=_of_length(spelled),
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


def _with_kana(words: Sequence[str]) -> dict[str, list[int]]:
    """Return by kana which of these words have it, have it twice or more, and so on."""
    rows = {kana: [bytearray(b"0" * (len(words) + 1))] for kana in sorted(CARDS)}
    for at, kanas in enumerate(words, 1):
        for number, kana in enumerate(kanas):
            again = kanas.count(kana, 0, number)
            if again == len(rows[kana]):
                rows[kana].append(bytearray(b"0" * (len(words) + 1)))
            rows[kana][again][at] = ord("1")
    return {kana: [int(row, 2) for row in each] for kana, each in rows.items()}


def _of_length(words: Sequence[str]) -> list[int]:
    """Return by number of kana which of these words have as many or more."""
    lengths = bytes(map(len, words))
    digits = [bytes(b"01"[size >= least] for size in range(256)) for least in range(max(lengths, default=0) + 1)]
    return [int(b"0" + lengths.translate(each), 2) for each in digits]


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
    with_kana = {kana: each[0] for kana, each in _with_kana([kanas for kanas, _ in words]).items()}
    return WordSets(
        words=words,
        with_kana=with_kana,
        within=[_within(kanas, with_kana, (1 << len(words)) - 1) for kanas in KANA.values()],
        of_length=_of_length([kanas for kanas, _ in words]),
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
    return sum([((1 << cards) - 1) << MAX_OF_LETTER * at for at, cards in enumerate(counts)])


WHOLE_STOCK = stock_of([MAX_OF_LETTER] * len(LETTERS))
"""As if there were so many cards of every letter."""


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
