"""The words that a seat may declare of its row: counted, and any one of them made, without listing them all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial, reduce
from itertools import islice, product
from math import prod
from operator import and_
from typing import overload

from attrs import frozen

from ...core.game import Index
from .lexicon import Lexicon
from .model import FIXED, GOAL_WORD, KANA, LETTER, LETTERS, Kanas, Places, Word, value
from .search import LETTERS_OF, WordIndex, places, word_index
from .ways import WAYS, Counted, OfLetter, WayCounts, of_letter

Cards = tuple[Index | str, ...]
FIXED_LETTERS = {kana: letter for letter, kana in FIXED.items()}


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

    asked: Wanted
    index: WordIndex
    down: Mapping[str, Sequence[Index]]
    """By letter: the places that are face down."""
    up: Mapping[str, Index]
    """By kana: the place that shows it."""
    letters: Sequence[OfLetter]
    """For each letter the words whose kana of it the cards can say."""
    layable: int
    """The words to list; one that is too short to claim so many points may have no way."""
    ways_of: WayCounts

    def words(self) -> Iterator[Word]:
        """Yield each word in each way of saying which card is which of its letters (MABR-7, MABR-8)."""
        for at in places(self.layable, len(self.index.words)):
            yield from map(partial(Word, self.index.words[at]), self.ways(at))

    def ways(self, at: int) -> Iterator[Cards]:
        """Yield the ways of saying which card is which letter of a word, each card once, at least one face down."""
        kanas, below = self.index.laid[at], self.asked.below
        ways: Iterator[Cards] = product(*map(self._cards, kanas))
        if len(set(map(LETTER.get, kanas, kanas))) < len(kanas):  # two of one letter
            ways = filter(_are_different, ways)
        if not self.up.keys().isdisjoint(kanas):
            known = {*self.up.values(), *FIXED}
            ways = (cards for cards in ways if not known.issuperset(cards))
        if below is not None and len(kanas) < GOAL_WORD:
            ways = (cards for cards in ways if self._claimed(kanas, cards) < below)
        return ways

    def _cards(self, kana: str) -> Cards:
        """Return the cards that can be said to be a kana: of its letter and face down, or showing it."""
        if kana not in LETTER:
            return (FIXED_LETTERS[kana],)
        down = self.down[LETTER[kana]]
        return (*down, self.up[kana]) if kana in self.up else tuple(down)

    def _claimed(self, kanas: str, cards: Cards) -> int:
        """Return the points that a word brings if every card is what is said (MABR-9)."""
        own = {*self.up.values(), *FIXED}
        return sum([value(kana) for kana, card in zip(kanas, cards, strict=True) if card not in own])

    def __contains__(self, word: object) -> bool:
        """Return whether `words` yields this word, without going through its ways."""
        if not isinstance(word, Word) or (at := self.index.place_of.get(word.word)) is None:
            return False
        if not self.layable >> len(self.index.words) - 1 - at & 1:
            return False
        kanas, cards = self.index.laid[at], word.cards
        if len(cards) != len(kanas) or not _are_different(cards):
            return False
        if not all(card in self._cards(kana) for kana, card in zip(kanas, cards, strict=True)):
            return False
        if {*self.up.values(), *FIXED}.issuperset(cards):  # face-up cards alone turn none up (MABR-7)
            return False
        return self.asked.below is None or len(kanas) >= GOAL_WORD or self._claimed(kanas, cards) < self.asked.below

    def word(self, at: int, number: int) -> Word:
        """Return the word at this place of the index in one of its ways, by number."""
        return Word(self.index.words[at], self._way(at, number))

    def _way(self, at: int, number: int) -> Cards:
        """Return one of the ways, by number, without going through those before it.

        A kana is said of each face-down card of its letter, and at last of the one that shows it. Each is followed by
        all ways of saying the others.
        """
        kanas = self.index.laid[at]
        if self.index.is_doubled(at) or (self.asked.below is not None and len(kanas) < GOAL_WORD):
            return next(islice(self.ways(at), number, None))
        letters = kanas.translate(LETTERS_OF)
        left = {letter: letters.count(letter) for letter in letters}
        down = {letter: [*self.down[letter]] for letter in left}
        shown = [LETTER[kana] for kana in kanas if kana in self.up]
        ways = {letter: WAYS[shown.count(letter)] for letter in left}
        """By letter: in how many ways to say the rest of its kana, by face-down cards and kana that are left."""
        others = prod([ways[letter][len(down[letter])][left[letter]] for letter in left])
        cards: list[Index | str] = []
        for kana in kanas:
            if kana not in LETTER:
                cards.append(FIXED_LETTERS[kana])
                continue
            letter = LETTER[kana]
            free = down[letter]
            others //= ways[letter][len(free)][left[letter]]
            if kana in self.up:
                shown.remove(letter)
                ways[letter] = WAYS[shown.count(letter)]
            left[letter] -= 1
            after = others * ways[letter][max(len(free) - 1, 0)][left[letter]]
            if number < after * len(free):
                chosen, number = divmod(number, after)
                cards.append(free.pop(chosen))
            else:
                number -= after * len(free)
                cards.append(self.up[kana])
            others *= ways[letter][len(free)][left[letter]]
        return tuple(cards)

    def has_words(self) -> bool:
        """Return whether there is a word that can be said."""
        words = self.layable
        while words:
            length = words.bit_length()
            if self._count(len(self.index.words) - length):
                return True
            words ^= 1 << length - 1
        return False

    def _count(self, at: int) -> int:
        """Return in how many ways a word can be said: how many `ways` yields."""
        if self.index.is_doubled(at):
            return sum(1 for _ in self.ways(at))
        kanas = self.index.laid[at]
        return self.ways_of.count(
            kanas.translate(LETTERS_OF), frozenset(self.up.keys() & kanas), len(kanas) < GOAL_WORD
        )

    def counted(self, limit: int) -> Counted:
        """Count the first words: all, or as many as make `limit` commands."""
        choices = sum([letter.is_choice for letter in self.letters])
        most = max(limit >> choices // 2, 1)  # the words of a long row can be said in many ways
        while self.layable.bit_count() > most:
            size, _ = Counted(len(self.index.words), {1: self.layable}).find(most)
            counted = self._counted(size)
            if counted.total() >= limit:
                return counted
            most *= 4
        return self._counted(len(self.index.words))

    def _counted(self, size: int) -> Counted:
        """Count the words among the first `size` of the index."""
        later = len(self.index.words) - size
        words, special = self.layable >> later, self.index.doubled
        if self.asked.below is not None:
            special |= self.index.all ^ self.index.longer(GOAL_WORD)
        special = special >> later & words
        counted = Counted(size, {1: words ^ special})
        for letter in self.letters:
            if letter.is_choice:
                counted = counted.split(letter, later)
        if self.up:
            counted = counted.less_one(reduce(and_, [letter.shown for letter in self.letters]) >> later)
        for at in places(special, size):
            counted.add(self._count(at), 1 << size - 1 - at)
        return counted


def _are_different(cards: Cards) -> bool:
    return len(set(cards)) == len(cards)


@lru_cache(maxsize=128)
def row_of(cards: str, asked: Wanted) -> Row:
    """Return the row of these cards, as `shown`."""
    index = word_index(asked.lexicon, common=asked.most is not None)
    down: dict[str, list[Index]] = {letter: [] for letter in KANA}
    up: dict[str, Index] = {}
    for place, card in enumerate(cards):
        if card in LETTER:
            up[card] = Index(place)
        else:
            down[card].append(Index(place))
    showing = frozenset(up)
    letters = [
        of_letter(index, letter, showing.intersection(kanas), len(down[letter])) for letter, kanas in KANA.items()
    ]
    layable = reduce(and_, [letter.layable for letter in letters], index.longer(asked.least))
    if asked.most is not None:
        layable &= _suggested(index, cards.translate(LETTERS_OF), asked.least, asked.most)
    return Row(asked, index, down, up, letters, layable, WayCounts(down, asked.below))


def _suggested(index: WordIndex, letters: str, least: int, most: int) -> int:
    """Return the first words that need no other letters, of at least so many; what face-up cards show is not asked."""
    each = [of_letter(index, letter, frozenset(), letters.count(letter)).layable for letter in LETTERS]
    words = reduce(and_, each, index.longer(least))
    if words.bit_count() <= most:
        return words
    first, _ = Counted(len(index.words), {1: words}).find(most)
    later = len(index.words) - first
    return words >> later << later


@lru_cache(maxsize=128)
def _counted(row: Row, limit: int) -> tuple[Counted, int]:
    """Return the first words of a row, counted, and how many commands they make, `limit` at most."""
    counted = row.counted(limit)
    return counted, min(counted.total(), limit)


@lru_cache(maxsize=128)
def _has_words(row: Row) -> bool:
    return row.has_words()


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
        _, total = _counted(self.row, self.counted)
        return min(self.limit, total)

    def __contains__(self, word: object) -> bool:
        if self.limit < len(self):
            return any(word == each for each in self)
        return word in self.row

    def __iter__(self) -> Iterator[Word]:
        return islice(self.row.words(), self.limit)

    @overload
    def __getitem__(self, number: int, /) -> Word: ...
    @overload
    def __getitem__(self, number: slice, /) -> Sequence[Word]: ...
    def __getitem__(self, number: int | slice, /) -> Word | Sequence[Word]:
        if isinstance(number, slice):
            return [self[each] for each in range(*number.indices(len(self)))]
        if not 0 <= number < len(self):
            raise IndexError(number)
        counted, _ = _counted(self.row, self.counted)
        return self.row.word(*counted.find(number))
