"""The words that a seat may declare of its row: counted, and any one of them made, without listing them all."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from itertools import accumulate, chain, islice, product
from math import comb, perm, prod
from typing import overload

from attrs import frozen

from .lexicon import Lexicon
from .model import FIXED, GOAL_WORD, KANA, LETTER, LETTERS, Kanas, Places, Word, value
from .search import LETTERS_OF, MAX_OF_LETTER, WordIndex, word_index

Cards = tuple[int | str, ...]


@lru_cache(maxsize=4096)
def shown(row: Kanas, turned: Places) -> str:
    """Return a row as all may see it, by place: the letter of a face-down card, the kana of a face-up one."""
    return "".join([kana if place in turned else LETTER[kana] for place, kana in enumerate(row)])


@frozen
class Asked:
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
    asked: Asked
    index: WordIndex
    down: frozenset[int]
    """The places that are face down."""
    up: frozenset[str]
    """The kana that are face up."""
    sources: dict[str, Cards]
    """For each kana the cards that can be said to be it: of its letter and face down, or showing it."""
    by_needs: WaysByNeeds

    def words(self) -> Iterator[Word]:
        """Yield each word in each way of saying which card is which of its letters (MABR-7, MABR-8)."""
        for at in chain.from_iterable(self.places()):
            yield from self.said(at)

    def said(self, at: int) -> Iterator[Word]:
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
        ways: Iterator[Cards] = product(*[self.sources[kana] for kana in kanas])
        if self.index.repeats(at):
            ways = (cards for cards in ways if len(set(cards)) == len(cards))
        if not self.up.isdisjoint(kanas):
            ways = (cards for cards in ways if not self.down.isdisjoint(cards))
        if below is not None and len(kanas) < GOAL_WORD:
            ways = (cards for cards in ways if self._claimed(kanas, cards) < below)
        return ways

    def _claimed(self, kanas: str, cards: Cards) -> int:
        """Return the points that a word brings if every card is what is said (MABR-9)."""
        return sum([value(kana) for kana, card in zip(kanas, cards, strict=True) if card in self.down])

    def counts(self, places: list[int]) -> list[int]:
        """Return for each of these words in how many ways it can be said: as many as `said` yields."""
        counts = list(map(self.by_needs.__getitem__, map(self.index.needs.__getitem__, places)))
        laid, up, short = self.index.laid, self.up, GOAL_WORD if self.asked.below is not None else 0
        if up or short:
            for number, at in enumerate(places):
                if len(laid[at]) < short:
                    counts[number] = sum(1 for _ in self.ways(at))
                elif not up.isdisjoint(laid[at]):
                    counts[number] = self._count_with_face_up(laid[at])
        return counts

    def _count_with_face_up(self, kanas: str) -> int:
        """Return in how many ways a word can be said of which some kana are face up."""
        ways = 1
        for letter, cards in Counter(kanas.translate(LETTERS_OF)).items():
            face_up = sum(1 for kana in kanas if kana in self.up and LETTER[kana] == letter)
            down = self.by_needs.down[letter]
            ways *= sum(comb(face_up, used) * perm(down, cards - used) for used in range(face_up + 1))
        return ways - self.up.union(FIXED.values()).issuperset(kanas)  # a word of face-up cards alone turns none up


class WaysByNeeds(dict[tuple[int, ...], int]):
    """In how many ways the face-down cards can be said to be the kana of a word, by its needs; each counted once."""

    def __init__(self, letters: str) -> None:
        super().__init__()
        self.down = {letter: letters.count(letter) for letter in LETTERS}
        self.each = [perm(self.down[letter], cards + 1) for letter in LETTERS for cards in range(MAX_OF_LETTER)]

    def __missing__(self, needs: tuple[int, ...]) -> int:
        ways = self[needs] = prod(map(self.each.__getitem__, needs))
        return ways


@lru_cache(maxsize=256)
def row_of(cards: str, asked: Asked) -> Row:
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
        frozenset(cards).intersection(LETTER),
        sources,
        WaysByNeeds(cards),
    )


@frozen(eq=False)
class WordsOfRow(Sequence[Word]):
    """The first words of a row, each in each way; a word is made when it is asked for."""

    row: Row
    places: list[int]
    """Their places in the index."""
    ends: list[int]
    """After so many commands a word's ways end."""
    length: int

    def __len__(self) -> int:
        return self.length

    @overload
    def __getitem__(self, number: int, /) -> Word: ...
    @overload
    def __getitem__(self, number: slice, /) -> Sequence[Word]: ...
    def __getitem__(self, number: int | slice, /) -> Word | Sequence[Word]:
        if isinstance(number, slice):
            return [self[each] for each in range(*number.indices(self.length))]
        if not 0 <= number < self.length:
            raise IndexError(number)
        at = bisect_right(self.ends, number)
        before = self.ends[at - 1] if at else 0
        return next(islice(self.row.said(self.places[at]), number - before, None))


@lru_cache(maxsize=256)
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


def first_words(row: Row, limit: int, length: int) -> WordsOfRow:
    """Return the first `length` of the first `limit` words of a row, or as many as there are."""
    places, ends = _counted(row, limit)
    return WordsOfRow(row, places, ends, min(length, ends[-1] if ends else 0))
