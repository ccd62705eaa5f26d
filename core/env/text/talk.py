"""What is said around a command at a table: turns of talk, how a card compares, and `the third pile` for pile 3."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Set

from .japanese import counted, is_japanese
from .reasons import is_harmless

_ORDINALS = {
    word: number
    for number, word in enumerate(
        str.split("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"), 1
    )
}
_NO_PLACES = frozenset(["card", "seat", "number"])
"""Things whose numbers are not their places: the first seat is seat 0."""
_NTH = re.compile(
    rf"(?i)\bthe (?:(?P<word>{'|'.join(_ORDINALS)})|(?P<digits>\d{{1,6}})(?:st|nd|rd|th)) (?P<noun>[a-z]+)\b"
)
_NUMBERED = re.compile(r"(?i)\b(?P<noun>[a-z]+) (?:numbered|number|no\.) (?=\d)")
_COMPARED = (
    r"(?:(?:my|the|our|a|which is an?|which is the) )?(?:very )?"
    r"(?:highest|lowest|biggest|smallest|strongest|weakest|best|worst|last|only|high|low|whole|plain|lie|truth)"
    r"(?: (?:card|one|number|hand|truth|lie|of (?:them|all)))?(?: (?:in|of) the list)?"
)
_BEFORE = re.compile(rf"(?i)\b{_COMPARED}(?: [a-z]+)?, (?:the |that is,? )?(?=\W?\w{{1,3}}\b)")
"""How a card compares, before it: `my lowest card, the ♣4`."""
_BEHIND = re.compile(rf"(?i), {_COMPARED}(?: [a-z]+)?(?=[.!]?$)")
"""The same behind it: `♠3, my only spade`."""
_MADE = re.compile(r"(?i)\b(?:an?|one) (?:(?!second|third|other)[a-z]+ )?(?P<noun>[a-z]+) (?:of|from|with|out of) ")
"""What is made of cards: `a small palace of`."""
_PHRASE = re.compile(
    r"(?i)(?:\b(?:this time|on the table|once more|like this|as follows|with my (?:whole|entire) hand,?)"
    r"|\bfor me(?=[.,]?$)|\bit is(?=[.]?$))[:,]?\s*"
)
_MY = re.compile(r"(?i)^my (?P<word>[a-z]+) is (?=\w)")
"""What leads to a command by its name: `my vote is content`."""
_ASIDE = re.compile(r"(?i)\((?P<said>(?:its?|i|we|there|my|this|to)\b[^()（）0-9#♠♥♦♣★☾]*)\)")
"""What stands in brackets, and has no number."""
_ME = re.compile(
    r"(?i)(?P<me>me|myself|i|自分|私) ?[(（](?P<seat>[^()（）]+)[)）]"
    r"|(?P<own>\b\w[\w ]{0,24}?) ?[(（](?:me|myself|自分|私)[)）]"
)
"""My seat and I, one in brackets behind the other: `席0（自分）`."""
_TALK = frozenset(
    str.split(
        "please okay ok well alright yes sure here again still quite very fully simply also happily gladly hereby sir "
        "everyone folks thanks thank"
    )
)
"""Words of talk, which say neither which command nor that it is none."""
_WORD = re.compile(r"(?i)(?<![\w#'-])[a-z]+(?![\w'-]),?\s*")

_OF_NUMBER = re.compile("(?P<number>[0-9]+)番目?の(?P<noun>(?!席)[一-鿿]{1,4})(?![0-9])")
_BEGINNING = re.compile(
    "(?:^|(?<=[、。 ]))(?:それでは|では|じゃあ?|えーと|えっと|はい|ええ|うん|さて|よし|まずは?|とりあえず|よって|"
    "だから|お先に|おとりとして|つまり|そして|ここ(?:では|は|で)|今(?:回)?(?:は|も)?|次(?:は|も|に)|最後(?:は|に)|"
    "(?:私|僕|俺)(?:は|が)|もう(?=[1一]枚))、?"
)
_BIGGER = re.compile(
    "(?:(?:手札|この中|今ある中|中)で)?(?:いちばん|一番|最も)?"
    "(?:小さい|大きい|小さな|大きな|低い|高い|弱い|強い)(?:(?:ほう|方)の?)?(?:[0-9]枚、)?(?:カード|札)?の?|"
    "残(?:った|りの|っている)|最後の(?:[1一]枚の?、?|手札の)?|先頭の|最後まで取っておいた"
)
"""How a card compares: `いちばん小さい♣3`."""
_POLITENESS = re.compile(
    "さん(?=[のにはがを、。]|$)|(?:場に|同時に)(?=[^。]*[ぁ-ん]ます)|(?<=を)ひとつ(?=[建作])"
    "|、?これで(?=いき|お願い|決)|(?<=[うい])と思います|席の順に、?|の[0-9]枚(?:全部)?(?=で)|(?<=[でに])、"
    "|の(?:2つ|二つ|ふたつ)(?=[をに])|どちらも(?=「)|(?<=に)対して|(?<=：)表の"
)
_ALL = re.compile("[0-9]+枚(?:とも|全部|すべて)を?")
_SEAT = re.compile(r"(?i)\bseat (?=\d)")
_WHOSE = re.compile("(?P<what>[^、。：:\\s]{1,40}?)は(?P<who>席[0-9]+|私|自分)(?=[、。に]|$)に?")
"""`♠9は席2` for `席2に♠9`."""
_IT_IS = re.compile("^(?P<stem>[一-鿿ァ-ヶー]+)[すくぶむるう]の?は(?P<what>[^、。]+?)(?:です|だ)?。?$")
"""`出すのは★3です` for `★3を出す`."""


def without_talk(
    line: str, told: Collection[str], things: Set[str], own_seat: str, names_command: Callable[[str], bool]
) -> str:
    """Return a line without what is said around its command; no word in `told`, which names a command, is talk.

    `the third pile` is pile 3 if piles are among the `things` that have a number.
    """
    line = _ME.sub(lambda found: _once(found, own_seat), line)
    line = _ASIDE.sub(lambda found: "" if is_harmless(found["said"], names_command) else found[0], line)
    return _without_japanese_talk(line, told) if is_japanese(line) else _without_english_talk(line, told, things)


def _once(found: re.Match[str], own_seat: str) -> str:
    """Return what is said of me without its brackets, if they have my own seat; what was found otherwise."""
    own, me = own_seat.casefold(), found["me"]
    if me:
        return me if found["seat"].casefold() == own else found[0]
    return found["own"] if found["own"].casefold().endswith(own) else found[0]


def _without_english_talk(line: str, told: Collection[str], things: Set[str]) -> str:
    line = _MY.sub(lambda found: f"{found['word']} " if found["word"].casefold() in told else found[0], line)
    line = _BEHIND.sub("", _BEFORE.sub("", _PHRASE.sub("", line)))
    if len(_MADE.findall(line)) == 1:
        line = _MADE.sub(lambda found: "" if found["noun"].casefold() in things else found[0], line)
    line = _NTH.sub(lambda found: _nth(found, things), _NUMBERED.sub(r"\g<noun> ", line))
    return _WORD.sub(lambda found: _untold(found[0], told), line).strip(" ,")


def _without_japanese_talk(line: str, told: Collection[str]) -> str:
    line = counted(line)
    for talk in (_BIGGER, _BEGINNING, _POLITENESS):
        line = talk.sub("", line)
    if not any("とも" in each for each in told):
        line = _ALL.sub("", line)
    line = _WHOSE.sub(r"\g<who>に\g<what>", _IT_IS.sub(r"\g<what>を\g<stem>す", _SEAT.sub("席", line)))
    return _OF_NUMBER.sub(r"\g<noun>\g<number>", line).strip()


def _nth(found: re.Match[str], things: Set[str]) -> str:
    """Return `pile 3` of `the third pile`; what was found if no such thing has a number here."""
    number = _ORDINALS[found["word"].casefold()] if found["word"] else int(found["digits"])
    return f"{found['noun']} {number}" if found["noun"].casefold() in things - _NO_PLACES else found[0]


def _untold(text: str, told: Collection[str]) -> str:
    """Return nothing of a word of talk; the text of another as it is."""
    word = text.rstrip(" ,").casefold()
    return "" if word in _TALK and word not in told else text
