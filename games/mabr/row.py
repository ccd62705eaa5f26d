"""The words that a seat may declare of its row: counted, and any one of them made, without listing them all."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from itertools import accumulate, chain, compress, count, islice, product
from math import comb, perm, prod
from operator import not_
from typing import overload

from attrs import frozen

from .lexicon import Lexicon
from .model import FIXED, GOAL_WORD, KANA, LETTER, LETTERS, Kanas, Places, Word, value
from .search import FIXED_KANA, LETTERS_OF, MAX_OF_LETTER, WordIndex, word_index

Cards = tuple[int | str, ...]


def _ways(face_up: int, down: int, kanas: int) -> int:
    """Count the ways of saying so many kana of a letter, some of them face up, each of another card."""
    return sum(comb(face_up, own) * perm(down, kanas - own) for own in range(min(face_up, kanas) + 1))


CARDS = range(MAX_OF_LETTER + 1)
WAYS = [[[_ways(face_up, down, kanas) for kanas in CARDS[1:]] for down in CARDS] for face_up in CARDS]
"""By the face-up kana of a letter, its face-down cards, and one less than the kana to be said."""


@lru_cache(maxsize=4096)
def shown(row: Kanas, turned: Places) -> str:
    """Return a row as all may see it, by place: the letter of a face-down card, the kana of a face-up one."""
    return "".join([kana if place in turned else LETTER[kana] for place, kana in enumerate(row)])


@frozen
class Wanted:
    """What decides which words are listed of a row, besides its cards."""

    lexicon: Lexicon
    least: int
    """The least letters of a word."""
    below: int | None
    """The points that a word too short to reach the goal must stay below; None: it cannot claim as many (MABR-12)."""
    most: int | None
    """So many of the common words at most; None: all words."""


@frozen(eq=False)
class Row:
    """The cards of a seat, and the words that it may be able to lay with them."""

    letters: str
    asked: Wanted
    index: WordIndex
    down: frozenset[int]
    """The places that are face down."""
    up: frozenset[str]
    """The kana that are face up."""
    sources: dict[str, Cards]
    """For each kana the cards that can be said to be it: of its letter and face down, or showing it."""
    ways_of: WaysOf

    def words(self) -> Iterator[Word]:
        """Yield each word in each way of saying which card is which of its letters (MABR-7, MABR-8)."""
        for at in chain.from_iterable(self.places()):
            yield from self.declarations(at)

    def declarations(self, at: int) -> Iterator[Word]:
        """Yield the word at this place of the index in each way."""
        return map(partial(Word, self.index.words[at]), self.ways(at))

    def places(self) -> Iterator[list[int]]:
        """Yield, by chunk, the places in the index of the words that the cards may be able to lay."""
        words, least, left = self.index.words, self.asked.least, self.asked.most
        for chunk in self.index.layable(self.letters):
            places = chunk if least <= self.index.shortest else [at for at in chunk if len(words[at]) >= least]
            yield places[:left]
            if left is not None:
                left = max(left - len(places), 0)

    def ways(self, at: int) -> Iterator[Cards]:
        """Yield the ways of saying which card is which letter of a word, each card once, at least one face down."""
        kanas, below = self.index.laid[at], self.asked.below
        ways: Iterator[Cards] = product(*map(self.sources.__getitem__, kanas))
        if len(self.index.needs[at]) + len(FIXED_KANA.intersection(kanas)) < len(kanas):  # two of one letter
            ways = filter(_are_different, ways)
        if not self.up.isdisjoint(kanas):
            ways = (cards for cards in ways if not self.down.isdisjoint(cards))
        if below is not None and len(kanas) < GOAL_WORD:
            ways = (cards for cards in ways if self._claimed(kanas, cards) < below)
        return ways

    def _claimed(self, kanas: str, cards: Cards) -> int:
        """Return the points that a word brings if every card is what is said (MABR-9)."""
        return sum([value(kana) for kana, card in zip(kanas, cards, strict=True) if card in self.down])

    def counts(self, places: list[int]) -> list[int]:
        """Return for each of these words in how many ways it can be said: as many as `declarations` yields."""
        counts = list(map(self.ways_of.__getitem__, map(self.index.needs.__getitem__, places)))
        for number in self._others(places):
            counts[number] = self._count(places[number])
        return counts

    def _others(self, places: list[int]) -> Iterator[int]:
        """Yield which of these words can be said in other ways than those of face-down cards, or not in all of them."""
        kanas = list(map(self.index.laid.__getitem__, places))
        if self.up:
            yield from compress(count(), map(not_, map(self.up.isdisjoint, kanas)))
        if self.asked.below is not None:
            yield from compress(count(), map(GOAL_WORD.__gt__, map(len, kanas)))
        if self.index.doubled:
            yield from compress(count(), map(self.index.doubled.__contains__, places))

    def _count(self, at: int) -> int:
        kanas, needs, below = self.index.laid[at], self.index.needs[at], self.asked.below
        face_up = self.up.intersection(kanas)
        if at in self.index.doubled or (face_up and below is not None and len(kanas) < GOAL_WORD):
            return sum(1 for _ in self.ways(at))
        if below is not None and len(kanas) < GOAL_WORD:  # all of it is face down, so each way claims as much
            claim = sum([value(kana) for kana in kanas if kana in LETTER])
            return self.ways_of[needs] if claim < below else 0
        return self.ways_of.with_face_up(needs, face_up)


def _are_different(cards: Cards) -> bool:
    return len(set(cards)) == len(cards)


class WaysOf(dict[tuple[int, ...], int]):
    """In how many ways a word of these needs can be said with the face-down cards of a row; each counted once."""

    def __init__(self, shown: str) -> None:
        super().__init__()
        self.down = [shown.count(letter) for letter in LETTERS]
        self.each = [ways for cards in self.down for ways in WAYS[0][cards]]
        self.face_up: dict[tuple[tuple[int, ...], frozenset[str]], int] = {}

    def __missing__(self, needs: tuple[int, ...]) -> int:
        ways = self[needs] = prod(map(self.each.__getitem__, needs))
        return ways

    def with_face_up(self, needs: tuple[int, ...], kanas: frozenset[str]) -> int:
        """Return the ways if these kana of the word are face up: each is its own card, or a face-down one."""
        if (needs, kanas) not in self.face_up:
            letters = [LETTERS.index(LETTER[kana]) for kana in kanas]
            ways, total = 1, 0
            for need in needs:
                letter, more = divmod(need, MAX_OF_LETTER)
                ways *= WAYS[letters.count(letter)][self.down[letter]][more]
                total += more + 1
            self.face_up[needs, kanas] = ways - (total == len(kanas))  # face-up cards alone turn none up
        return self.face_up[needs, kanas]


@lru_cache(maxsize=128)
def row_of(cards: str, asked: Wanted) -> Row:
    """Return the row of these cards, as `shown`."""
    down = [place for place, card in enumerate(cards) if card in KANA]
    sources: dict[str, Cards] = {kana: (letter,) for letter, kana in FIXED.items()}
    for letter, kanas in KANA.items():
        sources.update(dict.fromkeys(kanas, tuple([place for place in down if cards[place] == letter])))
    for place, card in enumerate(cards):
        if card in LETTER:
            sources[card] += (place,)
    return Row(
        cards.translate(LETTERS_OF),
        asked,
        word_index(asked.lexicon, common=asked.most is not None),
        frozenset(down),
        frozenset([card for card in cards if card in LETTER]),
        sources,
        WaysOf(cards),
    )


@lru_cache(maxsize=128)
def _counted(row: Row, limit: int) -> tuple[list[int], list[int]]:
    """Return the places of a row's first words, until they make `limit` commands, and where each one's commands end."""
    places: list[int] = []
    ends = [0]
    for chunk in row.places():
        places += chunk
        ends += islice(accumulate(row.counts(chunk), initial=ends[-1]), 1, None)
        if ends[-1] >= limit:
            break
    return places, ends[1:]


@lru_cache(maxsize=128)
def _has_words(row: Row) -> bool:
    return next(row.words(), None) is not None


@frozen(eq=False)
class FirstWords(Sequence[Word]):
    """The first words of a row, each in each way: counted when their number is asked for, made when they are."""

    row: Row
    limit: int
    counted: int
    """Up to so many are counted: the same number each time, so that the words of a row are counted once."""

    def __bool__(self) -> bool:
        return self.limit > 0 and _has_words(self.row)

    def __len__(self) -> int:
        _, ends = _counted(self.row, self.counted)
        return min(self.limit, ends[-1] if ends else 0)

    @overload
    def __getitem__(self, number: int, /) -> Word: ...
    @overload
    def __getitem__(self, number: slice, /) -> Sequence[Word]: ...
    def __getitem__(self, number: int | slice, /) -> Word | Sequence[Word]:
        if isinstance(number, slice):
            return [self[each] for each in range(*number.indices(len(self)))]
        if not 0 <= number < len(self):
            raise IndexError(number)
        places, ends = _counted(self.row, self.counted)
        at = bisect_right(ends, number)
        before = ends[at - 1] if at else 0
        return next(islice(self.row.declarations(places[at]), number - before, None))
