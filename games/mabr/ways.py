"""In how many ways words can be said with cards: of all words of a lexicon at once, and of one."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, chain, combinations
from math import comb, perm, prod

from attrs import frozen

from .model import KANA, LETTER, value
from .search import MAX_OF_LETTER, WordIndex, places


def _ways(face_up: int, down: int, kanas: int) -> int:
    """Count the ways of saying so many kana of a letter, some of them face up, each of another card."""
    return sum(comb(face_up, own) * perm(down, kanas - own) for own in range(min(face_up, kanas) + 1))


CARDS = range(MAX_OF_LETTER + 1)
WAYS = [[[_ways(face_up, down, kanas) for kanas in CARDS] for down in CARDS] for face_up in CARDS]
"""By the face-up kana of a letter, its face-down cards, and the kana to be said."""

VALUES = {letter: value(kanas[0]) for letter, kanas in KANA.items()}
"""By letter: what each of its cards is worth."""

MANY = 8
"""Of more numbers of ways, words are listed: the most ways are those of many cards, and these say few words each."""


@frozen(eq=False)
class OfLetter:
    """Sets of the words whose kana of one letter can be said with the cards of a row, each kana of another card."""

    by_ways: tuple[tuple[int, int], ...]
    """In how many ways, and which words; not true of a word that has a kana twice."""
    layable: int
    """All of them."""
    shown: int
    """Those whose kana of this letter are all face up."""
    is_choice: bool
    """True if some can be said in several ways."""


@lru_cache(maxsize=256)
def of_letter(index: WordIndex, letter: str, up: frozenset[str], down: int) -> OfLetter:
    """Return the words of an index that can be said: with so many face-down cards of a letter, and the kana `up`."""
    needing, besides = index.needing(letter, frozenset()), index.needing(letter, up)
    by_ways: dict[int, int] = {}
    for others, words in enumerate(besides[: down + 1]):
        for own, all_kanas in enumerate(needing[others : others + len(up) + 1]):
            if both := words & all_kanas:
                ways = WAYS[own][down][others + own]
                by_ways[ways] = by_ways.get(ways, 0) | both
    return OfLetter(tuple(by_ways.items()), sum(by_ways.values()), besides[0], max(by_ways, default=1) > 1)


@frozen(eq=False)
class Counted:
    """Words by in how many ways each can be said: of the first words of an index, so that sets of them are small."""

    size: int
    """How many words of the index these are, the first one's bit the highest."""
    by_ways: dict[int, int]

    def split(self, letter: OfLetter, later: int) -> Counted:
        """Return them by the ways of saying their kana of one letter too; `later` words of the index are left out."""
        finer = Counted(self.size, {})
        for more, some in letter.by_ways:
            first = some >> later
            for ways, words in self.by_ways.items():
                finer.add(ways * more, words & first)
        return finer

    def less_one(self, words: int) -> Counted:
        """Return them with one way less for these words: face-up cards alone turn none up (MABR-7)."""
        less = Counted(self.size, {})
        for ways, each in self.by_ways.items():
            less.add(ways, each & ~words)
            less.add(ways - 1, each & words)
        return less

    def add(self, ways: int, words: int) -> None:
        """Add words that can be said in so many ways."""
        if words and ways:
            self.by_ways[ways] = self.by_ways.get(ways, 0) | words

    def total(self) -> int:
        """Return in how many ways the words can be said, together."""
        return sum([ways * words.bit_count() for ways, words in self.by_ways.items()])

    def find(self, number: int) -> tuple[int, int]:
        """Return the place of the word that is said in one of all ways, by number, and its number among its own."""
        if len(self.by_ways) > MANY:
            places, ends = _listed(self)
            at = bisect_right(ends, number)
            return places[at], number - (ends[at - 1] if at else 0)
        place, size, by_ways = 0, self.size, self.by_ways
        while size > 1:
            later = size // 2
            sooner = {ways: some for ways, words in by_ways.items() if (some := words >> later)}
            before = sum([ways * words.bit_count() for ways, words in sooner.items()])
            if number < before:
                by_ways, size = sooner, size - later
            else:
                rest = (1 << later) - 1
                by_ways = {ways: some for ways, words in by_ways.items() if (some := words & rest)}
                place, size, number = place + size - later, later, number - before
        return place, number


@lru_cache(maxsize=32)
def _listed(counted: Counted) -> tuple[list[int], list[int]]:
    """Return the places of all words, and by place how many ways there are up to it."""
    pairs = sorted([(place, ways) for ways, words in counted.by_ways.items() for place in places(words, counted.size)])
    return [place for place, _ in pairs], list(accumulate([ways for _, ways in pairs]))


class WayCounts:
    """In how many ways a word can be said with the cards of a row, each counted once."""

    def __init__(self, down: Mapping[str, Sequence[int]], below: int | None) -> None:
        self._down = {letter: len(places) for letter, places in down.items()}
        self._below = below
        self._counted: dict[tuple[str, frozenset[str], bool], int] = {}

    def count(self, letters: str, own: frozenset[str], short: bool) -> int:
        """Return the ways of saying a word of these letters, each kana once; its kana `own` are face up.

        A short one claims fewer points than `below`.
        """
        key = "".join(sorted(letters)), own, short
        if key not in self._counted:
            count = self._of_short if short and self._below is not None else self._of_any
            self._counted[key] = count(letters, own)
        return self._counted[key]

    def _of_any(self, letters: str, own: frozenset[str]) -> int:
        up = [LETTER[kana] for kana in own]
        each = [WAYS[up.count(letter)][self._down[letter]][letters.count(letter)] for letter in set(letters)]
        return prod(each) - (len(own) == len(letters))  # face-up cards alone turn none up

    def _of_short(self, letters: str, own: frozenset[str]) -> int:
        shown = chain.from_iterable(combinations(sorted(own), cards) for cards in range(len(own) + 1))
        return sum([self._with_shown(letters, each) for each in shown])

    def _with_shown(self, letters: str, shown: Iterable[str]) -> int:
        """Return the ways in which just these kana are laid with the cards that show them."""
        down = list(letters)
        for kana in shown:
            down.remove(LETTER[kana])
        claim = sum([VALUES[letter] for letter in down])
        if not claim or (self._below is not None and claim >= self._below):
            return 0
        return prod([perm(self._down[letter], down.count(letter)) for letter in set(down)])
