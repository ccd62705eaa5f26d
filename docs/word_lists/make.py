"""Build the word lists of MABR from dictionaries (their credits and licences: `LICENSE.ipadic`, `LICENSE.jmdict`).

    python docs/word_lists/make.py ipadic FOLDER_WITH_THE_CSVS OUTPUT
    pip install jamdict-data==1.5    # JMdict of 17 April 2021 as an SQLite file; of the group `lexicon`
    python docs/word_lists/make.py jmdict OUTPUT [DATABASE]

kifu-ja-1 has nouns of mecab-ipadic. What is a word in kifu-ja-2: a noun, a verb or an adjective in its dictionary form,
an adverb or an interjection that JMdict marks as frequent or as an onomatopoeia, and what `kifu-ja-2.more.txt` adds.
What is none: particles, affixes, counters, phrases that are not frequent, dialect, and what JMdict calls archaic,
obsolete, obscure, rare, vulgar, derogatory or sensitive. A list that was released never changes: a better one gets a
new name.
"""

import csv
import sqlite3
import sys
import zlib
from collections import Counter
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from kifu.games.mabr import lexicon
from kifu.games.mabr.model import FIXED, LETTER, laid

NOUN_FILES = ("Noun.csv", "Noun.verbal.csv", "Noun.adjv.csv", "Noun.adverbal.csv")
"""Nouns of all kinds but names of people, places, organizations and works."""

COST, READING = 3, 11
BY_RULE = 60
"""A cost that so many entries of a file share was given by a rule, not learnt from texts: they are no common words."""

FIRST, LAST, STEP = ord("ァ"), ord("ヶ"), ord("ァ") - ord("ぁ")
CARDS = {*LETTER, *FIXED.values()}


def from_ipadic(folder: Path) -> dict[str, bool]:
    """Collect the words of mecab-ipadic that can be laid, each with whether it is a common one."""
    words: dict[str, bool] = {}
    for name in NOUN_FILES:
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


MORE = "kifu-ja-2.more.txt"

NOUNS = ("noun (common)", "noun or participle", "nouns which", "adjectival nouns", "pronoun", "numeric")
INFLECTED = ("adjective (keiyoushi)", "Ichidan verb", "Godan verb", "Kuru verb", "suru verb")
"""The beginnings of JMdict's parts of speech that are words, whether or not they are frequent."""
SMALL_WORDS = ("adverb", "interjection")
BOUND = ("prefix", "suffix", "particle", "auxiliary", "copula")
"""Parts of speech that make a verb or an adjective of a sense no word of its own, as in ～らしい."""
PHRASES = ("expressions",)

UNUSUAL_KANA = ("out-dated or obsolete kana usage", "word containing irregular kana usage")
IDIOM = "yojijukugo"  # of four characters, as いっせきにちょう
ONOMATOPOEIA = "onomatopoeic or mimetic word"
OLD = frozenset({"archaism", "obscure term", "obsolete term", "rare"})
OFFENSIVE = frozenset({"derogatory", "sensitive", "vulgar expression or word"})
COMMON_MARKS = frozenset({"ichi1", "news1", "spec1", "gai1"})
"""What JMdict itself calls common: words of a basic vocabulary, of newspapers, and loanwords."""

READINGS = """
SELECT Kana.text,
  (SELECT group_concat(text, '|') FROM KNP WHERE kid = Kana.ID),
  (SELECT group_concat(text, '|') FROM KNI WHERE kid = Kana.ID),
  (SELECT group_concat(text, '|') FROM pos WHERE sid = Sense.ID),
  (SELECT group_concat(text, '|') FROM misc WHERE sid = Sense.ID),
  (SELECT group_concat(text, '|') FROM dialect WHERE sid = Sense.ID),
  (SELECT group_concat(text, '|') FROM stagr WHERE sid = Sense.ID),
  (SELECT group_concat(text, '|') FROM misc WHERE sid = (SELECT min(ID) FROM Sense WHERE idseq = Kana.idseq))
FROM Kana JOIN Sense ON Sense.idseq = Kana.idseq
"""
"""Each reading with each sense of its entry: marks, notes; parts of speech, tags, dialects, the readings it is of,
and the tags of the entry's first sense."""


def from_jmdict(database: Path, more: list[str]) -> dict[str, bool]:
    """Return the words of JMdict that can be laid, each with whether it is common; raises `ValueError`."""
    words = dict.fromkeys(more, True)
    if wrong := [word for word in more if not can_be_laid(word)]:
        raise ValueError(f"no cards for {' '.join(wrong)}")
    for word, common in _readings(database):
        words[word] = words.get(word, False) or common
    return words


def _readings(database: Path) -> Iterator[tuple[str, bool]]:
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    try:
        for reading, *texts in connection.execute(READINGS):
            word = hiragana(reading)
            marks, notes, kinds, tags, dialects, of, first = (set(text.split("|")) if text else set() for text in texts)
            if (
                (dialects and not marks)
                or first & OFFENSIVE
                or notes.intersection(UNUSUAL_KANA)
                or (of and reading not in of)
            ):
                continue
            if can_be_laid(word) and not word.endswith("っ") and is_word(kinds, tags, frequent=bool(marks)):
                yield word, not COMMON_MARKS.isdisjoint(marks)
    finally:
        connection.close()


def is_word(kinds: set[str], tags: set[str], *, frequent: bool) -> bool:
    """Return whether a sense of these parts of speech and tags is one of a word to play with."""

    def has(beginnings: tuple[str, ...]) -> bool:
        return any(kind.startswith(beginnings) for kind in kinds)

    if tags & (OLD | OFFENSIVE):
        return False
    if has(PHRASES):
        return IDIOM in tags or (frequent and has(NOUNS + SMALL_WORDS))
    if has(NOUNS) or (has(INFLECTED) and not has(BOUND)):
        return True
    return has(SMALL_WORDS) and (frequent or ONOMATOPOEIA in tags)


def added() -> list[str]:
    """Return the words of `kifu-ja-2.more.txt`."""
    lines = (files(lexicon) / MORE).read_text(encoding="utf-8").split("\n")
    return [word for line in lines if not line.startswith("#") for word in line.split()]


def content(words: dict[str, bool]) -> bytes:
    """Return the words as the list keeps them before it is compressed."""
    return "\n".join(word + lexicon.COMMON if words[word] else word for word in sorted(words)).encode()


def main(dictionary: str, source: str, output: str = "") -> None:
    """Write a list to a file, and how many words it has to stdout."""
    if dictionary == "ipadic":
        words = from_ipadic(Path(source))
    else:
        import jamdict_data

        source, output = output or jamdict_data.JAMDICT_DB_PATH, source
        words = from_jmdict(Path(source), added())
    Path(output).write_bytes(zlib.compress(content(words), 9))
    sys.stdout.write(f"{len(words)} words, {sum(words.values())} of them common\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
