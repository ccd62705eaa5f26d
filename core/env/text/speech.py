"""How cards are said: `two of hearts`, `YYG`, `both 3s`, `a blue one`, `スペードの5`, `赤を1枚`; and what is for me."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from unicodedata import name as unicode_name

from .japanese import is_japanese

_JAPANESE = {
    "♠": ("スペード",),
    "♥": ("ハート",),
    "♦": ("ダイヤモンド", "ダイヤ"),
    "♣": ("クラブ", "クローバー"),
    "★": ("スター", "星"),
    "☾": ("ムーン", "月"),
}
_NUMBERS = {
    word: str(number)
    for number, word in enumerate(str.split("ace two three four five six seven eight nine ten eleven twelve"), 1)
}
"""Numbers as they are said of cards: `two of hearts`."""
_NUMBER_WORD = re.compile(
    rf"(?i)(?<![\w#'-])(?P<word>{'|'.join(list(_NUMBERS)[2:])}|two(?=,? and )|(?<=\band )two)(?![\w'-])"
    r"(?!\s+(?:of|more|other|others|cards?|different)\b)"
)
"""A number said by itself, as a card may be; `one` may mean any, and `two` may count, but for `three and two`."""
_RUN = re.compile(r"(?<![\w#])[A-Z]{2,12}(?!\w)")
"""Letters that may be one card each: `YYG`."""
_RUN_OF_KANJI = re.compile("[一-鿿]{2,12}")
_ONLY_RUN = re.compile(r"(?P<before>(?:(?P<word>[a-zA-Z]+):?\s+)?)(?P<run>[a-z]{2,12})[.\s]*")
"""The same in small letters, if nothing else is said but what a command is called: `build ygg`."""
_SHORT_WORDS = frozenset(str.split("AM AN AS AT BY DO GO IN IS IT ME MY NO OF ON OR SO TO UP US WE"))
_NO_NAME = frozenset(["BLACK", "WHITE", "SUIT", "FIRST", "LAST", "QUARTER", "SIGN", "SYMBOL", "HEAVY", "OUTLINED"])
_I_GET = re.compile(r"(?i)\bi (?:get|receive|take)\b(?= (?:the )?[^\w\s]\d)")
_MINE = re.compile(
    r"(?i)(?<=\bto )(?:me|myself)\b|\bfor (?:me|myself)\b|(?:自分|私)(?=[にへ])"
    "|(?<=は)(?:自分|私)(?=[、。]|$|が(?:もら|取))"
)
_KEPT = re.compile(
    r"(?i)\b(?:i(?:'ll| will)? )?keep(?:ing)? (?:the )?(?P<said>[^\s,;.]+)(?: (?:for|to) (?:me|myself))?"
)
_TIMES = {
    "pair of": 2,
    "both": 2,
    "two": 2,
    "three": 3,
    "four": 4,
    "ペア": 2,
    **dict(zip("一二三四", range(1, 5), strict=True)),
}
_SEVERAL = re.compile(
    r"(?i)\b(?:the +)?(?:(?:a +)?(?P<pair>pair of)|(?P<times>both|two|three|four)|(?P<digit>[2-4])) +(?:the +)?"
    r"(?P<said>[\w'\u2019]+)(?: +cards)?"
)
_SEVERAL_IN_JAPANESE = re.compile(
    "(?<![席0-9])(?P<said>[^\\s0-9]?[0-9]{1,2}|[A-Za-z]|[ァ-ヶー一-鿿]{1,6}?)(?:の(?:カード|札))?[のを]?"
    "(?:(?P<pair>ペア)(?!の)|(?P<times>[1-4一二三四])枚)(?!目|とも)(?P<digit>)"
)
_SINGLE = (re.compile(r"(?i)\b(?:one|(?:a )?single) (?P<said>\w+)"), re.compile(r"(?i)\b(?P<said>\w+) one\b"))
_PLEASE = re.compile(r"(?i)(?<=[\s,])please$")
_MORE = re.compile(r"\s*(?:,|and\b|&|\+|or\b)")
_THINGS = re.compile(
    r"(?i)\b(?:(?P<owner>seat \d+)(?:['\u2019]s)? )?(?P<noun>[a-z]+)s (?P<one>\d+)(?:,? and |, ?| ?& ?)(?P<other>\d+)"
    r"(?: of (?P<of>seat \d+))?"
)
"""Two things of one seat: `palaces 1 and 3 of seat 2`."""
_THINGS_IN_JAPANESE = re.compile(r"(?P<noun>席\d+の[^\d\s、]+)(?P<one>\d+)[と・、](?P<other>\d+)(?!枚)")


class Speech:
    """Says a line over with each card as its face; `faces` maps the text of a face, and a name, to its cards."""

    def __init__(
        self, faces: Mapping[str, Collection[int]], pieces: Mapping[str, list[str]], called: str, own_seat: str
    ) -> None:
        """Know the faces, the two pieces of a face (a suit and a number), and what the cards are called besides."""
        self._faces, self._own_seat = faces, own_seat
        self.suits = {piece: piece for each in pieces.values() for piece in each if not piece.isalnum()}
        """The suits, by their signs and what else they are called."""
        for suit in list(self.suits):
            for word in unicode_name(suit, "").split() if len(suit) == 1 else ():
                if word not in _NO_NAME:
                    self.suits |= {word.casefold(): suit, f"{word.casefold()}s": suit}
            self.suits |= dict.fromkeys(_JAPANESE.get(suit, ()), suit)
        self._by_pieces = {tuple(sorted(each)): face for face, each in pieces.items()}
        names, nouns = "|".join(sorted(map(re.escape, faces))), "|".join(map(re.escape, called.split()))
        self._noun = re.compile(rf"(?i)(?<![\w])({names}) (?:{nouns})\b") if names and nouns else None

    def plain(self, line: str, words: Collection[str]) -> str:
        """Return a line with each card as its face, as often as it is said; `words` are those that name a command."""
        line = _PLEASE.sub("", line).rstrip(" ,")
        for run in (_RUN, _RUN_OF_KANJI):
            line = run.sub(lambda found: self._spread(found[0]), line)
        only = _ONLY_RUN.fullmatch(line)
        if only is not None and (only["word"] or "run").casefold() in (*words, "run") and only["run"] not in words:
            line = only["before"] + self._spread(only["run"])
        line = self._noun.sub(r"\1", line) if self._noun else line
        for single in _SINGLE:
            line = single.sub(self._one, line)
        line = _SEVERAL.sub(self._several, line)
        line = self._suited(_SEVERAL_IN_JAPANESE.sub(self._several, line) if is_japanese(line) else line)
        line = _NUMBER_WORD.sub(self._numbered, line)
        if not self._own_seat:
            return line
        line = line if "keep" in words else _KEPT.sub(self._kept, line)
        return _MINE.sub(self._mine, _I_GET.sub(f"{self._own_seat} gets", line))

    def _spread(self, letters: str) -> str:
        """Return the cards that letters are, `Y Y G` of `YYG`; the letters as they are if they may be a word."""
        if (
            letters.upper() in _SHORT_WORDS
            or letters.casefold() in self._faces
            or not all(len(self._faces.get(each.casefold(), ())) == 1 for each in letters)
        ):
            return letters
        return " ".join(letters)

    def _kept(self, found: re.Match[str]) -> str:
        """Return a card that is kept as one that is given to the own seat."""
        return f"{found['said']} to {self._own_seat}" if found["said"].casefold() in self._faces else found[0]

    def _mine(self, found: re.Match[str]) -> str:
        """Return my seat, behind the word that leads to it."""
        return f"to {self._own_seat}" if found[0][:4].casefold() == "for " else self._own_seat

    def _one(self, found: re.Match[str]) -> str:
        """Return a card that is said to be one, `a blue one`; numbers are not: `one 3`."""
        said = found["said"]
        return said if said.casefold() in self._faces and not said.isdecimal() else found[0]

    def _numbered(self, found: re.Match[str]) -> str:
        """Return the face that a number is as a word, the word itself if no card has it."""
        number = _NUMBERS[found["word"].casefold()]
        return number if number in self._faces else found[0]

    def _several(self, found: re.Match[str]) -> str:
        """Return a face as often as it is said; what was found if it is none, or may be one of two: `both 2 and 5`."""
        said, behind = found["said"].casefold().replace("\u2019", "'"), found.string[found.end() :]
        count = (found["pair"] or found["times"] or found["digit"]).casefold()
        times = int(count) if count.isascii() and count.isdecimal() else _TIMES[count]
        for stem in dict.fromkeys((said, *map(said.removesuffix, ("'s", "s", "es")))):
            face = next((each for each in (stem, _NUMBERS.get(stem, "")) if each in self._faces), None)
            if face is not None:
                is_other = count == "both" and _MORE.match(behind)
                is_one = stem == said and (is_other or (face.isdecimal() and not found["pair"]))
                is_one = is_one and not is_japanese(found[0])
                is_counted = face.isdecimal() and (found["digit"] or times > 2)
                return found[0] if is_one or is_counted else f"{face} " * times
        return found[0]

    def _suited(self, line: str) -> str:
        if not self.suits:
            return line
        suit = "|".join(map(re.escape, sorted(self.suits, key=len, reverse=True)))
        symbols = "".join(re.escape(each) for each in self.suits if not each.isalnum())
        number, ascii_word = rf"\d+|{'|'.join(_NUMBERS)}", "a-zA-Z0-9_"  # Japanese words have no blank between them
        first = re.search(rf"(?<![{ascii_word}])(?:({number})|{suit})(?![{ascii_word}])", line.casefold())
        forms = [
            rf"(?<![{ascii_word}{symbols}])({number})\s*(?:of\s+|の\s*)?({suit})(?![{ascii_word}])",
            rf"(?<![{ascii_word}])({suit})\s*(?:の\s*)?({number})(?![{ascii_word}{symbols}])",
        ]
        for form in forms if first is not None and first[1] else reversed(forms):
            line = re.sub(form, self._joined, line, flags=re.IGNORECASE)
        return line

    def _joined(self, found: re.Match[str]) -> str:
        said = [str(each).casefold() for each in found.groups()]
        pieces = [self.suits.get(each, _NUMBERS.get(each, each)) for each in said]
        face = self._by_pieces.get(tuple(sorted(pieces)))
        return found[0] if face is None else face if found.string[found.end() :].strip() == "" else f"{face} "


def things_apart(line: str) -> str:
    """Return a line with two things of one seat each with its own: `palaces 1 and 3 of seat 2`, `席2の宮殿1と3`."""
    return _THINGS.sub(_each, _THINGS_IN_JAPANESE.sub(r"\g<noun>\g<one>、\g<noun>\g<other>", line))


def _each(found: re.Match[str]) -> str:
    """Return two things of one seat each with its own: `palace 1 of seat 2, palace 3 of seat 2`."""
    owner = found["of"] or found["owner"]
    if owner is None or (found["of"] and found["owner"]):
        return found[0]
    return ", ".join(f"{found['noun']} {each} of {owner}" for each in (found["one"], found["other"]))
