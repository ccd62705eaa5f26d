"""What the words of an answer mean at a table: cards by face, name or suit, and words that tell nothing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from .answers import folded
from .japanese import is_japanese, is_label, pieces
from .speech import Speech

FILLERS = frozenset(
    str.split(
        "the a an and i my to of it with then card cards in front from for number now only just "
        "on them those these having using "
        "を を出す を出します を選ぶ にする にします です だ"
    )
)
"""Words that tell nothing beside others; `as` tells which of two is meant for the other."""

LABELS = frozenset(
    str.split(
        "so then therefore thus hence my the chosen final best answer move action choice command decision is i i'll "
        "i'd i'm will would must shall am like want to choose chose pick select go with let me us let's 回答 最終回答 "
        "答え 選択"
    )
)
"""Words that lead to a command, and say neither which nor that it is none."""

CHOICES = LABELS.union(
    FILLERS,
    str.split("we we'll us shall be play take pick select go option number 私は 答えは 回答は 最終回答は 選択は"),
)
"""Words that may stand before a number of the list; any other could reject it: a list of denials has no end."""

NEGATIONS = frozenset(
    str.split("not never no none nothing neither don't dont won't wont cannot can't without except but or")
)
"""Words after which a line does not mean the only command that is legal."""

_OBJECTS = frozenset(["nothing", "none", "neither"])
"""Those that stand behind what they deny."""

_WORDS = re.compile(
    r"(?:[\s,、&+:.。\uff1a;\uff1b!\uff01?\uff1f()\uff08\uff09「」\[\]{}\"`→←]|[-=]>|<-|(?<=\s)[\u2013\u2014-](?=\s))+"
)
_PIECES = re.compile(r"\d+|[^\W\d_]+|[^\w\s]")
_NO = re.compile("ない|ません|やめ|以外|なく|嫌|避け")
"""What a Japanese word has that denies."""
_SAID = re.compile(r"([^\s*_`,:.;()\[\]\u3001\u3002\uff1a\uff1b\u2013\u2014-]+)[\s*_`,:\uff1a]*")
_ITEM = re.compile(r"^(?:[>*\u2022\u2013\u2014-]\s+)+")
_TAGGED = re.compile(r"^<(\w{1,40})>([^<>]*)</\1>$")
"""A command as an element: `<play>♥7</play>`."""
_ELEMENT = re.compile(r"(?i)<((?:final_?)?(?:answer|move|action|command|choice|decision))>(.*)</\1>")


class Wording:
    """The words of one game; `faces` maps the text of a face, and the name of a card, to the cards that have it."""

    def __init__(
        self,
        faces: dict[str, set[int]],
        commands: Mapping[str, str],
        also: Mapping[str, str],
        own_seat: str = "",
        nouns: str = "",
    ) -> None:
        """Know the words; `commands` has what a command is called, `also` what else it may be, by its tag.

        `nouns` has what cards are called besides, with blanks between: `pillar pillars`.
        """
        self.faces, self.own_seat = faces, own_seat
        self._called = also
        self._also = dict[str, str]()
        """The first word of what a command is called, by a word that it may be called as well."""
        by_cards: dict[frozenset[int], list[str]] = {}
        for face, cards in faces.items():
            by_cards.setdefault(frozenset(cards), []).append(face)
        self.shortest = {face: min(same, key=len) for same in by_cards.values() for face in same}
        """The shortest of the texts that name the same cards: `R` of `red`."""
        self._pieces = {each: pieces for each in faces if len(pieces := _PIECES.findall(each)) == 2}
        """The two pieces of a face: a suit and a number."""
        self._speech = Speech(faces, self._pieces, nouns, own_seat)
        self._suits = self._speech.suits
        called = [(word, tag) for tag, said in also.items() for word in self.tokens(said)]
        words = Counter(word for word, _ in called)
        self._tag_called = {word: tag for word, tag in called if words[word] == 1}
        for tag, said in also.items():
            self._also |= dict.fromkeys(self.tokens(said), self.tokens(commands[tag])[0])
        self.commands = {tag.casefold(): {tag.casefold(), *self.tokens(said)} for tag, said in commands.items()}
        """The words that name a command, by its tag."""
        self._labelled = {tag.casefold() for tag, said in commands.items() if self.tokens(said)[:1] == [tag.casefold()]}
        """The tags of the commands that are called by their tag and more: `draw by an abbreviation`."""
        self._labels = LABELS.difference(faces, *self.commands.values())
        self.command_words = set(self._also).union(*self.commands.values())
        """The words that name any command."""

    def said(self, text: str) -> list[str]:
        """Return the words of a text that tell something, in Japanese its pieces."""
        return [self.shortest.get(each, each) for each in pieces(text)] if is_japanese(text) else self.tokens(text)

    def called(self, tag: str, head: str) -> set[str]:
        """Return the words that only say which tag a command is of: the tag, what else it is called, and its head."""
        words = {tag.casefold(), *pieces(self._called.get(tag, "")), *self.said(head)}
        return set(filter(is_label, words.difference(self.values(list(words)))))

    def tag_called(self, word: str) -> str | None:
        """Return the tag of the one command that may be called by this word as well; None if there is none."""
        return self._tag_called.get(word)

    def without_label(self, values: str, tag: str, field: str) -> str:
        """Return what stands behind a tag without what a command is called, and the name of its only field.

        `by an abbreviation: BB` is BB where the command is called `draw by an abbreviation`. Words in which a command
        is a choice, `keep or eat`, tell something, and stay.
        """
        words, own = values.split(), {self._token(field), self._token(field.removesuffix("s"))} - {""}
        if tag.casefold() in self._labelled:
            own |= self.commands[tag.casefold()]
        while words:
            word = words[0].casefold().rstrip(":\uff1a")
            if word in self.faces or word.isdecimal() or (word not in FILLERS and self._token(word) not in own):
                break
            words.pop(0)
        return " ".join(words)

    def spoken(self, line: str) -> str:
        """Return a line with each card that is said as the face meant, and what is for me as for my seat."""
        return self._speech.plain(line, self.command_words)

    def tokens(self, text: str) -> list[str]:
        """Return the words of a text that tell something, a card's name as its face, plurals as one."""
        return [
            self._token(each)
            for each in map(_bare, _WORDS.split(text.casefold().replace("|", " | ").replace("_", " ")))
            if self._tells(each)
        ]

    def _tells(self, word: str) -> bool:
        return bool(word) and (word in self.faces or word not in FILLERS)

    def _token(self, word: str) -> str:
        word = self._suits.get(word, word).replace("color", "colour")
        if word in self.faces or len(word) < 4 or not word.isascii():
            return self.shortest.get(word, self._also.get(word, word))
        return self._also.get(word.removesuffix("s"), word.removesuffix("s"))

    def values(self, tokens: Sequence[str]) -> list[str]:
        """Return those of the words that are numbers or cards."""
        return [each for each in tokens if each.isdecimal() or each in self.faces or each in self._suits]

    def values_after(self, tokens: Sequence[str]) -> list[tuple[str, str]]:
        """Return the values in their order, each behind the word that it follows: `palace 1`."""
        values = set(self.values(tokens))
        named = [(word, each) for word, each in pairwise(["", *tokens]) if each in values]
        return [("" if word in values else word, each) for word, each in named]

    def same_values(self, some: Sequence[str], whole: Sequence[str]) -> bool:
        """Return True if both have the same values behind the same words, in any order if no word is behind two."""
        one, other = self.values_after(some), self.values_after(whole)
        names = {word for word, _ in one}
        return one == other or (len(names - {""}) == len(one) and sorted(one) == sorted(other))

    def is_part(self, some: Sequence[str], whole: Sequence[str]) -> bool:
        """Return True if all of `some` are among the words of `whole`, in this order; `6` is among those of `♠6`."""
        rest = iter(whole)
        return all(any(self.is_in(each, other) for other in rest) for each in some)

    def is_in(self, token: str, other: str) -> bool:
        """Return True if a word is another, or one piece of it that is no face itself."""
        return token == other or (token not in self.faces and token in self._pieces.get(other, ()))

    def denies_the_same(self, some: Sequence[str], whole: Sequence[str]) -> bool:
        """Return True if `some` deny what `whole` deny of their words, and nothing else: `red` is not `no red`."""
        said, meant = _denied(some), _denied(whole)
        return said <= meant and set(some).isdisjoint(word for _, word in meant - said)

    def denies(self, text: str) -> bool:
        """Return True if a text has a word by which it may mean something else than it names."""
        said = _WORDS.split(text.casefold().replace("\u2019", "'"))
        return not NEGATIONS.isdisjoint(said) or any(map(_NO.search, said))

    def names_any_command(self, text: str) -> bool:
        """Return True if a text has a word, in Japanese a piece, that names any command."""
        known = self.command_words.union(*map(pieces, self.command_words)) if is_japanese(text) else self.command_words
        return not known.isdisjoint([*folded(text).split(), *self.said(text)])

    def names_command(self, tokens: Sequence[str], but: str) -> bool:
        """Return True if a word names a command of another tag than `but`."""
        own = self.commands.get(but.casefold(), set())
        return any(not words.isdisjoint(set(tokens) - own) for words in self.commands.values())

    def tells_only(self, text: str, tag: str) -> bool:
        """Return True if a text has no word but those of a tag, and those that tell nothing."""
        return set(self.tokens(text)) <= self.commands[tag.casefold()]

    def is_choice(self, text: str, tag: str, tags: Iterable[str]) -> bool:
        """Return True if a text only says that a command is chosen, in words of choice and of its tag; of no other."""
        rest = set(map(_plain, _SAID.findall(text))) - (self.commands[tag.casefold()] - NEGATIONS)
        others = set[str]().union(*(self.commands[each.casefold()] for each in tags))
        return rest <= CHOICES and rest.isdisjoint(others | self.faces.keys())

    def chosen(self, line: str) -> str:
        """Return a line without the labels that lead to its command: `draw` of `So my answer is: draw`."""
        begin = 0
        for found in _SAID.finditer(line):
            word = _plain(found[1])
            if word not in self._labels:
                break
            begin = begin if word == "the" else found.end()
        return line[begin:]


def _denied(tokens: Sequence[str]) -> set[tuple[str, str]]:
    """Return each word that denies and the one that it denies: `no red`, and `eat nothing` the other way round."""
    pairs = set(pairwise(tokens))
    before = {(one, other) for one, other in pairs if one in NEGATIONS and one not in _OBJECTS}
    return before | {(other, one) for one, other in pairs if other in _OBJECTS}


def _bare(word: str) -> str:
    """Return a word without the ending of whose something is: `1` of `1's`."""
    return word.replace("\u2019", "'").removesuffix("'s")


def _plain(word: str) -> str:
    return word.casefold().replace("\u2019", "'")


def undressed(line: str) -> str:
    """Return a line without the mark of an item or a quotation, and out of the element that it stands in."""
    bare = _ITEM.sub("", line)
    found = _ELEMENT.fullmatch(bare)
    return found[2].strip() if found else _TAGGED.sub(r"\1 \2", bare)


def readings(line: str, wording: Wording) -> list[str]:
    """List what a line may be read as, the line as it is first: without labels, and with cards as they are said."""
    forms = (form for each in (line, wording.chosen(line)) for form in (each, wording.spoken(each)))
    return [form for form in dict.fromkeys(forms) if form]
