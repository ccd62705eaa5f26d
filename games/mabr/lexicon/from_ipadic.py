"""Build the word list of kifu-ja-1 from the dictionary mecab-ipadic (its licence: `LICENSE.ipadic`).

    python -m kifu.games.mabr.lexicon.from_ipadic FOLDER_WITH_THE_CSVS OUTPUT

A list that was released never changes: a better one gets a new name.
"""

from __future__ import annotations

import csv
import sys
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from ..model import FIXED, LETTER, laid
from . import COMMON

FILES = ("Noun.csv", "Noun.verbal.csv", "Noun.adjv.csv", "Noun.adverbal.csv")
"""Nouns of all kinds but names of people, places, organizations and works."""

COST, READING = 3, 11
BY_RULE = 60
"""A cost that so many entries of a file share was given by a rule, not learnt from texts: they are no common words."""

FIRST, LAST, STEP = ord("ァ"), ord("ヶ"), ord("ァ") - ord("ぁ")
CARDS = {*LETTER, *FIXED.values()}


def build(folder: Path) -> dict[str, bool]:
    """Collect the words that can be laid, each with whether it is a common one."""
    words: dict[str, bool] = {}
    for name in FILES:
        entries = list(_entries(folder / name))
        shared = Counter(cost for cost, _ in entries)
        for cost, reading in entries:
            word = hiragana(reading)
            if can_be_laid(word):
                words[word] = words.get(word, False) or shared[cost] < BY_RULE
    return words


def _entries(path: Path) -> Iterator[tuple[str, str]]:
    with path.open(encoding="euc_jp", newline="") as lines:
        for row in csv.reader(lines):
            yield row[COST], row[READING]


def hiragana(reading: str) -> str:
    """Return a reading with its katakana as hiragana; other characters stay."""
    return "".join(chr(ord(kana) - STEP) if FIRST <= ord(kana) <= LAST else kana for kana in reading)


def can_be_laid(word: str) -> bool:
    """Tell whether the deck has the cards: every kana on a card and, since each card exists once, none twice."""
    cards = laid(word)
    return len(cards) > 1 and len(set(cards)) == len(cards) and CARDS.issuperset(cards)


def main(folder: str, output: str) -> None:
    """Write the list to a file, and how many words it has to stdout."""
    words = build(Path(folder))
    lines = (word + COMMON if words[word] else word for word in sorted(words))
    Path(output).write_bytes(zlib.compress("\n".join(lines).encode(), 9))
    common = sum(words.values())
    sys.stdout.write(f"{len(words)} words, {common} of them common\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
