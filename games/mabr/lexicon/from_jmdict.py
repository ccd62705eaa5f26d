"""Build the word list of kifu-ja-2 from the dictionary JMdict (its credit and licence: `LICENSE.jmdict`).

    pip install jamdict-data==1.5    # JMdict of 17 April 2021 as an SQLite file; the extra `lexicon` names it too
    python -m kifu.games.mabr.lexicon.from_jmdict OUTPUT [DATABASE]

What is a word: a noun, a verb or an adjective in its dictionary form, an adverb or an interjection that JMdict marks as
frequent or as an onomatopoeia, and what `kifu-ja-2.more.txt` adds. What is none: particles, affixes, counters, phrases
that are not frequent, dialect, and what JMdict calls archaic, obsolete, obscure, rare, vulgar, derogatory or sensitive.
A list that was released never changes: a better one gets a new name.
"""

from __future__ import annotations

import sqlite3
import sys
import zlib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from . import COMMON
from .from_ipadic import can_be_laid, hiragana

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


def build(database: Path, more: list[str]) -> dict[str, bool]:
    """Return the words that can be laid, each with whether it is a common one; raises `ValueError` for an added one."""
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
    lines = (files(__package__) / MORE).read_text(encoding="utf-8").split("\n")
    return [word for line in lines if not line.startswith("#") for word in line.split()]


def content(words: dict[str, bool]) -> bytes:
    """Return the words as the list keeps them before it is compressed."""
    return "\n".join(word + COMMON if words[word] else word for word in sorted(words)).encode()


def main(output: str, database: str = "") -> None:
    """Write the list to a file, and how many words it has to stdout."""
    if not database:
        import jamdict_data

        database = jamdict_data.JAMDICT_DB_PATH
    words = build(Path(database), added())
    Path(output).write_bytes(zlib.compress(content(words), 9))
    sys.stdout.write(f"{len(words)} words, {sum(words.values())} of them common\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
