"""What a line of Japanese names: its words have no blanks between them, and its verb stands at the end."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from attrs import frozen

_MARKS = "\\s\\w、。「」（）()：:,.・*_`"
_PIECES = re.compile(
    f"(?<![0-9])[1-9]枚|[^{_MARKS}#-]?[0-9]+|(?<=[0-9])枚|[a-z]+|[ァ-ヶー]+|[一-鿿々]+|[ぁ-ん]+|[^{_MARKS}-]"
)
"""A count is a piece of its own, and no value: the `2枚` of `2枚とも食べる：1 2`."""
_FACE_UP, _FACE_DOWN = re.compile("(?:表|オモテ)(?:向き?)?"), re.compile("(?:裏|ウラ)(?:向き?)?")
"""How a card lies, which is written in several ways."""
_PLEASE = re.compile("で?お願い(?:いた)?します")
_WITH_PARTICLE = re.compile("^([ぁ-ん]{2,}?)(?:として|で|を|に)$")
_OR = re.compile("[ぁ-ん]+か")
_KANA = re.compile("[ぁ-んァ-ヶ一-鿿]")
_ENDINGS = frozenset(
    str.split(
        "を に と は で へ の が も には から として です だ にする にします とする とします "
        "する します し して す る ます り ります "
        "く き きます いて って ぶ び びます む み みます う い います "
        "べ べる べます べて け ける けます けて せ せる せます "
        "て てる てます だけ させ させる させます させて"
    )
)
"""What stands behind a word and says neither no nor perhaps; whatever else does is a word of its own."""
_INFLECTED = re.compile(
    "(?!やめ|さけ|よし|いや)[ぁ-ん]{0,2}?(?:(?:ます|いきます|ましょう|たい(?:です|と)?|うと|て(?:ください|おきます|みます)|"
    "せて(?:ください|いただきます|もらいます)|ことに(?:します|する)|つもりです|だけです)[ねよ]?)"
    "|ということに(?:します|する)|を?だ(?:す|します)|[ぁ-ん]?る|[ぁ-ん]?って|[ぁ-ん]て|[ぁ-ん]?[おこごそとのぼもよろ]う"
)
"""Verbs as they are said politely: `引きましょう`, `出させてください`."""
_NOUN = re.compile("[一-鿿]{2,}")
_OTHERWISE = re.compile(
    "(?<!確定)させ(?:ます|る)|見せ|られ(?:ます|る)|(?<=[一-鿿])[かがさたなばまらわ]れ(?:ます|る)|(?<=[一-鿿])[かがたなばまらわ]せ(?:ます|る)"
    "|でき(?:ます|る)|(?:引け|取れ|選べ|渡せ|出せ|撃て|切れ|置け|残せ|言え|隠せ|配れ|戻せ|使え)(?:ます|る)"
    "|(?<=[うくすつぬふむるぐぶ])みたい|(?<=[0-9A-Z]) ?が|(?:相手|相方|パートナー)(?:が|は|から)"
    "|席[0-9]+は(?=[^、。]{0,20}(?:獲得|[0-9]枚|ペア))|もらいます"
)
"""What makes a verb passive, or possible, or somebody else's: `出されます`, `出せます`, `席1は獲得する`."""
_DENIED = re.compile("(?:ません|ないで|(?<!ま)ずに?)$")
_ALL_OF = re.compile("(全部|全て|両方)(?=[一-鿿])")
_COUNTED = re.compile("[一二三四五六七八九](?=[枚番])")
_NOTHING_BUT = re.compile("しか(?:ない|ありません)(?:です)?")
_CHOSEN = frozenset(
    str.split("私 僕 答 えは 答え 回答 最終回答 選択 選 選択肢 番 番号 番目 決定 決 めます める 手 行動 コマンド んで")
)
"""What is said of a number that is chosen."""
_NUMBERED = re.compile("(?:#|番号)\\s?([0-9]{1,6})(?![0-9])|(?<![0-9])([0-9]{1,6})\\s?番(?!目)")


def is_japanese(line: str) -> bool:
    """Return True if a line has a letter of Japanese."""
    return _KANA.search(line) is not None


def counted(text: str) -> str:
    """Return a text with its counts in digits: `一枚` as `1枚`."""
    return _COUNTED.sub(lambda found: str("一二三四五六七八九".index(found[0]) + 1), text)


def pieces(text: str) -> list[str]:
    """Return the pieces of a text that tell something: runs of one script, without particles and endings."""
    text = _PLEASE.sub(" ", counted(_OTHERWISE.sub(" 別 ", text).casefold()))
    text = _ALL_OF.sub(r"\1 ", _NOTHING_BUT.sub("", text))
    found = map(_denial, _PIECES.findall(_FACE_DOWN.sub("ウラ", _FACE_UP.sub("オモテ", text))))
    bare = [_WITH_PARTICLE.sub(r"\1", each) for each in found if each not in _ENDINGS]
    return [each for each in bare if each not in _ENDINGS and not _INFLECTED.fullmatch(each)]


def _denial(piece: str) -> str:
    """Return the same piece for each way to deny: `食べません`, `食べずに`, `食べない`."""
    return _DENIED.sub("ない", piece)


def is_label(piece: str) -> bool:
    """Return True unless a piece of what a command is called ends in or: `べるか` of `食べるか決める`."""
    return _OR.fullmatch(piece) is None


def number_chosen(line: str) -> tuple[int, set[str]] | None:
    """Return the one number in a line, and what is said besides that it is chosen; None if there is none."""
    found = list(_NUMBERED.finditer(line))
    if len(found) != 1:
        return None
    rest = {*pieces(line[: found[0].start()]), *pieces(line[found[0].end() :])}
    return int(found[0][1] or found[0][2]), rest - _CHOSEN


@frozen
class JapaneseWords:
    """The words of one command: its values in their order, its other pieces, and those of what it is called."""

    clauses: Sequence[list[str]]
    """The pieces of each clause, of words that are a sentence of several: `3を食べ、もう1枚を確定させる`."""
    values: Sequence[str]
    others: frozenset[str]
    called: frozenset[str]
    unordered: bool
    """True if all values stand beside each other, `1 7`: they may be said in any order."""

    @classmethod
    def of(
        cls, words: str, label: str, also: str, faces: Collection[str], shortest: Mapping[str, str]
    ) -> JapaneseWords:
        """Take the words of a command apart; `label` is what all of its tag are called, `also` what else."""
        rest = [shortest.get(each, each) for each in pieces(words.removeprefix(label))]
        values, others = _parted(rest, faces)
        clauses = [] if words.startswith(label) else [pieces(each) for each in words.split("、")]
        named = frozenset(filter(is_label, _parted(pieces(f"{label} {also}"), faces)[1]))
        unordered = len(values) > 1 and " ".join(values) in words.casefold()
        return cls(clauses if len(clauses) > 1 else [], values, others, named, unordered)

    def has(self, said: Sequence[str], faces: Collection[str], *, own: bool) -> bool:
        """Return True if all that is said is of this command, values in their order; with `own`, not by its label."""
        values, others = self._parted(said, faces)
        rest = iter(self.values)
        in_order = all(any(each == other for other in rest) for each in values)
        return in_order and others <= (self.others if own else self.others | self.called)

    def is_enough(self, said: Collection[str]) -> bool:
        """Return True if a part of the words may name the command: of a sentence of several clauses none may.

        Who denies says so as the command does.
        """
        return not self.clauses and _denials(said) == _denials(self.others)

    def is_said(self, said: Sequence[str], faces: Collection[str]) -> bool:
        """Return True if nothing of the command is left out but of what it is called, and nothing else is said.

        Of several clauses one may be left out.
        """
        values, others = self._parted(said, faces)
        is_whole = values == list(self.values) and others - self.called == self.others - self.called
        return is_whole or list(said) in self.clauses

    def _parted(self, said: Sequence[str], faces: Collection[str]) -> tuple[list[str], frozenset[str]]:
        """Take what is said apart, values in the order that the command has them in if any order is the same."""
        values, others = _parted(said, faces)
        alike = self.unordered and Counter(values) == Counter(self.values)
        if alike or (len(values) > 2 and _pairs(values) == _pairs(self.values)):
            values = list(self.values)
        return values, others


def _parted(all_pieces: Sequence[str], faces: Collection[str]) -> tuple[list[str], frozenset[str]]:
    """Return the values, and the other pieces; a noun that is said again is one more, as it tells of another thing."""
    values = [each for each in all_pieces if each.isdecimal() or each in faces]
    repeated = Counter(filter(_NOUN.fullmatch, all_pieces))
    again = (each * times for each, most in repeated.items() for times in range(2, most + 1))
    return values, frozenset([*all_pieces, *again]).difference(values)


def _pairs(values: Sequence[str]) -> list[tuple[str, ...]]:
    """Return each seat with its card, sorted, of `0 ♠7 1 ♠6`; values that are no such pairs as one."""
    pairs = [tuple(values[at : at + 2]) for at in range(0, len(values), 2)]
    is_paired = all(len(pair) == 2 and pair[0].isdecimal() and not pair[1].isdecimal() for pair in pairs)
    return sorted(pairs) if is_paired else [tuple(values)]


def _denials(words: Collection[str]) -> set[str]:
    return {each for each in words if re.search("な[いくし]|ず|ませ", each)}
