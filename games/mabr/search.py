"""Find what letters can spell: abbreviations from the stacks, words of a lexicon from a row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache, reduce
from itertools import product
from operator import attrgetter, or_
from zlib import crc32

from attrs import frozen

from .lexicon import Lexicon, find, is_known
from .model import FIXED, KANA, LETTER, LETTERS, Draw, Kanas, Options, State, laid

MAX_OF_LETTER = 6
"""The most cards of one letter."""

CHUNK = 1024
"""So many words of an index are looked through at once."""

SUGGESTED = "kifu-ja-2"
"""The lexicon of what `legal` lists before a table judge, who accepts other words too, if the options name none."""

LETTERS_OF = str.maketrans({**LETTER, **dict.fromkeys(FIXED.values())})
"""Turns a word, as laid, into the letters of the stacks that it needs: fixed cards are always there."""

FIXED_KANA = frozenset(FIXED.values())
CARDS = FIXED_KANA.union(LETTER)


@frozen(eq=False)
class WordIndex:
    """Some words, in an order. Sets of them are ints with a bit for each word, the first word's the highest."""

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


@lru_cache(maxsize=256)
def sayable(index: WordIndex, letter: str, up: frozenset[str], down: int) -> int:
    """Return the words whose kana of a letter can be said: by its face-down cards, so many, and the kana `up`."""
    at_least = [index.all, *[0] * (down + 1)]
    """By number of cards: the words that need as many of the letter, or more, besides those that show the kana `up`."""
    for kana in KANA[letter]:
        for words in index.with_kana[kana][kana in up :]:
            for cards in range(down + 1, 0, -1):
                at_least[cards] |= at_least[cards - 1] & words
    return index.all & ~at_least[down + 1]


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
    """Index the words of a lexicon, or only its common ones; leaves out what the deck cannot spell.

    Their order is the same everywhere but has no meaning: the first are a fair sample.
    """
    ranked = sorted((crc32(word.encode()), word) for word in (lexicon.common if common else lexicon.words))
    return index_of([(word, kanas) for _, word in ranked if can_be_spelled(kanas := laid(word))])


def index_of(pairs: Sequence[tuple[str, str]]) -> WordIndex:
    """Index words, each as written and as laid, in this order."""
    spelled = [kanas for _, kanas in pairs]
    with_kana = kana_sets(spelled)
    return WordIndex(
        words=[word for word, _ in pairs],
        laid=spelled,
        all=(1 << len(pairs)) - 1,
        with_kana=with_kana,
        doubled=reduce(or_, [words for _, *again in with_kana.values() for words in again], 0),
        of_length=length_sets(spelled),
    )


def can_be_spelled(kanas: str) -> bool:
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


def kana_sets(words: Sequence[str]) -> dict[str, list[int]]:
    """Return by kana which of these words have it, have it twice or more, and so on."""
    rows = {kana: [bytearray(b"0" * (len(words) + 1))] for kana in sorted(CARDS)}
    for at, kanas in enumerate(words, 1):
        for number, kana in enumerate(kanas):
            again = kanas.count(kana, 0, number)
            if again == len(rows[kana]):
                rows[kana].append(bytearray(b"0" * (len(words) + 1)))
            rows[kana][again][at] = ord("1")
    return {kana: [int(row, 2) for row in each] for kana, each in rows.items()}


def length_sets(words: Sequence[str]) -> list[int]:
    """Return by number of kana which of these words have as many or more."""
    lengths = bytes(map(len, words))
    digits = [bytes(b"01"[size >= least] for size in range(256)) for least in range(max(lengths, default=0) + 1)]
    return [int(b"0" + lengths.translate(each), 2) for each in digits]


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


def spellings(stacks: Sequence[Kanas]) -> Iterator[str]:
    """Go through all that the stacks can spell, in or out of any lexicon, the shortest first: it is a lot."""
    left = {letter: len(stack) for letter, stack in zip(LETTERS, stacks, strict=True) if stack}
    for length in range(2, sum(left.values()) + 1):
        for letters in product(left, repeat=length):
            if all(letters.count(letter) <= left[letter] for letter in letters):
                yield "".join(letters)


def draws_left(state: State) -> tuple[Draw, ...]:
    """List the draws that can be made; before a table judge those that a lexicon suggests, or one if it has none."""
    sizes = tuple(map(len, state.stacks))
    return _draws(known(state.options), sizes, state.used, state.options.judge == "table")


def known(options: Options) -> Lexicon:
    """Return the lexicon that judges, or that suggests words and abbreviations before a table judge."""
    return find(options.lexicon if is_known(options.lexicon) else SUGGESTED)


@lru_cache(maxsize=1024)
def _draws(words: Lexicon, sizes: tuple[int, ...], used: tuple[str, ...], at_table: bool) -> tuple[Draw, ...]:
    """List the draws from stacks of these sizes; before a table judge the shortest spelling that is left, too."""
    draws, bits = _all_draws(words)
    gone = sum({bits[each] for each in used if each in bits}) | WHOLE_STOCK ^ stock_of(sizes)
    left = [draw for need, draw in draws if not need & gone]
    if at_table:
        stacks = [("",) * size for size in sizes]
        shortest = next((each for each in spellings(stacks) if each not in used), None)
        if shortest is not None and shortest not in {each.abbreviation for each in left}:
            left = sorted([*left, Draw(shortest)], key=attrgetter("abbreviation"))
    return tuple(left)


@lru_cache(maxsize=16)
def _all_draws(words: Lexicon) -> tuple[list[tuple[int, Draw]], dict[str, int]]:
    """Return all draws, ascending, each with its letters as `stock_of` and a bit of its own; and that bit of each."""
    known = abbreviations(words)
    bits = {each: WHOLE_STOCK + 1 << number for number, (_, each) in enumerate(known)}
    return [(need | bits[each], Draw(each)) for need, each in known], bits
