"""The words that a seat may declare of its row: counted, and any one of them made, without listing them all."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial, reduce
from itertools import islice, product
from math import comb, perm, prod
from operator import and_
from typing import overload

from attrs import frozen

from ...core.game import Index
from .lexicon import Lexicon
from .model import FIXED, FIXED_LETTERS, KANA, LETTER, LETTERS, Kanas, Places, Word, value
from .rules import GOAL_WORD
from .search import LETTERS_OF, MAX_OF_LETTER, WordIndex, places, sayable, word_index

Cards = tuple[Index | str, ...]


def _ways(face_up: int, down: int, kanas: int) -> int:
    """Count the ways of saying so many kana of a letter, some of them face up, each of another card."""
    return sum(comb(face_up, own) * perm(down, kanas - own) for own in range(min(face_up, kanas) + 1))


_CARDS = range(MAX_OF_LETTER + 1)
WAYS = [[[_ways(face_up, down, kanas) for kanas in _CARDS] for down in _CARDS] for face_up in _CARDS]
"""By the face-up kana of a letter, its face-down cards, and the kana to be said."""


@lru_cache(maxsize=4096)
def shown(row: Kanas, turned: Places) -> str:
    """Return a row as all may see it, by place: the letter of a face-down card, the kana of a face-up one."""
    return "".join([kana if place in turned else LETTER[kana] for place, kana in enumerate(row)])


@frozen(eq=False)
class Row:
    """The cards of a seat, and the words that it may be able to lay with them."""

    index: WordIndex
    down: Mapping[str, Sequence[Index]]
    """By letter: the places that are face down."""
    up: Mapping[str, Index]
    """By kana: the place that shows it."""
    known: frozenset[Index | str]
    """The cards that a word turns up no more: those that show their kana, and the fixed ones."""
    below: int | None
    """The points that a word too short to reach the goal must stay below; None: it cannot claim as many (MABR-12)."""
    layable: int
    """The words to list; one that is too short to claim so many points may have no way."""

    def words(self) -> Iterator[Word]:
        """Yield each word in each way of saying which card is which of its letters (MABR-7, MABR-8)."""
        for at in places(self.layable, len(self.index.words)):
            yield from map(partial(Word, self.index.words[at]), self.ways(at))

    def ways(self, at: int) -> Iterator[Cards]:
        """Yield the ways of saying which card is which letter of a word, each card once, at least one face down."""
        kanas, below, known = self.index.laid[at], self.below, self.known
        ways: Iterator[Cards] = product(*map(self._cards, kanas))
        if len(set(map(LETTER.get, kanas, kanas))) < len(kanas):  # two of one letter
            ways = (cards for cards in ways if len(set(cards)) == len(cards))
        if not self.up.keys().isdisjoint(kanas):
            ways = (cards for cards in ways if not known.issuperset(cards))
        if below is not None and len(kanas) < GOAL_WORD:
            ways = (
                cards
                for cards in ways
                if sum([value(kana) for kana, card in zip(kanas, cards, strict=True) if card not in known]) < below
            )
        return ways

    def _cards(self, kana: str) -> Cards:
        """Return the cards that can be said to be a kana: of its letter and face down, or showing it."""
        if kana not in LETTER:
            return (FIXED_LETTERS[kana],)
        down = self.down[LETTER[kana]]
        return (*down, self.up[kana]) if kana in self.up else tuple(down)

    def __contains__(self, word: object) -> bool:
        """Return whether `words` yields this word, without going through the others."""
        if not isinstance(word, Word) or (at := self.index.place_of.get(word.word)) is None:
            return False
        return bool(self.layable >> len(self.index.words) - 1 - at & 1) and word.cards in self.ways(at)

    def word(self, at: int, number: int) -> Word:
        """Return the word at this place of the index in one of its ways, by number."""
        return Word(self.index.words[at], next(islice(self.ways(at), number, None)))

    def count(self, at: int) -> int:
        """Return in how many ways a word can be said: how many `ways` yields."""
        kanas = self.index.laid[at]
        if self.index.is_doubled(at) or (self.below is not None and len(kanas) < GOAL_WORD):
            return sum(1 for _ in self.ways(at))
        letters = kanas.translate(LETTERS_OF)
        shown = [LETTER[kana] for kana in kanas if kana in self.up]
        each = [WAYS[shown.count(letter)][len(self.down[letter])][letters.count(letter)] for letter in set(letters)]
        return prod(each) - (len(shown) == len(letters))  # face-up cards alone turn none up


@lru_cache(maxsize=128)
def row_of(cards: str, lexicon: Lexicon, least: int, below: int | None, most: int | None) -> Row:
    """Return the row of these cards, as `shown`, with the words of at least so many letters.

    With `most` they are so many of the common words at most; None: all words.
    """
    index = word_index(lexicon, common=most is not None)
    down: dict[str, list[Index]] = {letter: [] for letter in KANA}
    up: dict[str, Index] = {}
    for place, card in enumerate(cards):
        if card in LETTER:
            up[card] = Index(place)
        else:
            down[card].append(Index(place))
    showing = frozenset(up)
    sayables = [
        sayable(index, letter, showing.intersection(kanas), len(down[letter])) for letter, kanas in KANA.items()
    ]
    layable = reduce(and_, sayables, index.longer(least))
    if most is not None:
        layable &= _suggested(index, cards.translate(LETTERS_OF), least, most)
    return Row(index, down, up, frozenset({*up.values(), *FIXED}), below, layable)


def _suggested(index: WordIndex, letters: str, least: int, most: int) -> int:
    """Return the first words that need no other letters, of at least so many; what face-up cards show is not asked."""
    each = [sayable(index, letter, frozenset(), letters.count(letter)) for letter in LETTERS]
    words = reduce(and_, each, index.longer(least))
    if words.bit_count() <= most:
        return words
    last = next(islice(places(words, len(index.words)), most, None))
    later = len(index.words) - last
    return words >> later << later


@lru_cache(maxsize=512)
def _counted(row: Row, limit: int) -> tuple[list[int], list[int]]:
    """Return the places of the first words of a row, and by place how many commands there are up to it.

    There are all words, or as many as make `limit` commands.
    """
    at, ends, total = [], [], 0
    for place in places(row.layable, len(row.index.words)):
        if ways := row.count(place):
            total += ways
            at.append(place)
            ends.append(total)
            if total >= limit:
                break
    return at, ends


def _counted_to(row: Row, limit: int) -> tuple[list[int], list[int]]:
    """Return what `_counted` does, of at least so many commands: a power of two, so that a row is counted few times."""
    return _counted(row, max(64, 1 << (min(limit, 1 << 62) - 1).bit_length()))


@lru_cache(maxsize=128)
def _has_words(row: Row) -> bool:
    return any(True for _ in row.words())


@frozen(eq=False)
class FirstWords(Sequence[Word]):
    """The first words of a row, each in each way: counted when their number is asked for, made when they are."""

    row: Row
    limit: int

    def __bool__(self) -> bool:
        return self.limit > 0 and _has_words(self.row)

    def __len__(self) -> int:
        _, ends = _counted_to(self.row, self.limit)
        return min(self.limit, ends[-1]) if ends else 0

    def __contains__(self, word: object) -> bool:
        return word in self.row

    def __iter__(self) -> Iterator[Word]:
        return islice(self.row.words(), self.limit)

    @overload
    def __getitem__(self, number: int, /) -> Word: ...
    @overload
    def __getitem__(self, number: slice, /) -> Sequence[Word]: ...
    def __getitem__(self, number: int | slice, /) -> Word | Sequence[Word]:
        if isinstance(number, slice):
            return [self[each] for each in range(len(self))[number]]
        if not 0 <= number < self.limit:
            number = range(len(self))[number]
        at, ends = _counted_to(self.row, number + 1)
        if not ends or number >= ends[-1]:
            raise IndexError(f"there are {len(self)} words, and none has the number {number}")
        word = bisect_right(ends, number)
        return self.row.word(at[word], number - (ends[word - 1] if word else 0))
