"""What a seat answered: its last line, read as a number of the list, as JSON, as words, or as a tag and values."""

from __future__ import annotations

import json
import re
import types
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import Any, Literal, Union, get_args, get_origin

import attrs

from ...game import AnyGame, Card, Index, Seat
from ...text.plain_text import card_face
from ...wire import wire_of

MAX_LINE = 10_000
"""The most letters of an answer's last line that are read."""

MAX_JSON_LINES = 40
"""The most lines of an object of JSON."""

_WRAPPED = re.compile(r"(?i)(?:\\boxed\{(.*)\}|<answer>(.*)</answer>)[\s$.。)\]\\*_`!]*$")
_LATEX = re.compile(r"\\(?:text|texttt|textbf|mathrm|mathbf)\{([^{}]*)\}")
_FENCE = re.compile(r"(```|~~~)\s*\w*")
_NUMBER = re.compile(r"#\s?([0-9]{1,6})(?:[.:)。\uff1a]|(?=\s|$))\s*(.*)")
_ANY_NUMBER = re.compile(r"#\s?([0-9]{1,6})(?![0-9])")
_SEPARATORS = re.compile('[\\s,、&+()\\[\\]"「」\u201c\u201d]+')
_PUNCTUATION = re.compile(r"(?<![:,、\uff1a])[:,、\uff1a]+(?=\s|$)")
_MARKS = re.compile('[:\uff1a.。「」()"]')
_NARROW = {code: code - 0xFEE0 for code in map(ord, "\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f\uff03")}
_WIDE: dict[int, int | None] = {
    **{code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F) if chr(code - 0xFEE0).isalnum() or code == 0xFF03},
    **dict.fromkeys((0xFE0E, 0xFE0F)),
}
"""A full-width `#`, full-width digits and letters; and what only says how the letter before it is drawn: `♠️`."""
_OPTION = re.compile(r"(?i)(?:\boption|選択肢)\s?#?([0-9]{1,6})(?![0-9])")
"""A number of the list as it is said: `option 2`."""
_EMPHASIS = re.compile(r"[*_]{2,}|`+")
_QUOTED = re.compile("\"([^\"]*)\"|'([^']*)'|「([^「」]*)」|\u201c([^\u201c\u201d]*)\u201d")
_BARE_NUMBER = re.compile(r"\(?([0-9]{1,6})[.):。\uff1a]{0,2}")
_ITEM = re.compile(r"\(?([0-9]{1,6})[.):]\s+(.+)")
_NAMED_LIST = re.compile(r"\"?(\w{1,40})\"?\s*(?:[:=]\s*)?(\[.*\])[.。]?")
"""The only field of a command and its list: `eat: []`."""
_CALLED = frozenset(str.split("answer final_answer move action command choice decision"))
"""Keys under which an object of JSON may have the command."""
_REASONS = frozenset(str.split("thought thoughts reason reasons reasoning rationale explanation analysis why comment"))
"""Keys of an object of JSON that are never read."""
_FILLERS, _ARTICLES = ("the", "and"), ("a", "an")
"""Words that stand before a value, and tell nothing."""
_WITH = frozenset(["with", "using", "my", "own", "from"])
"""Words that stand before the values of a list, behind those of other fields."""
_TRUE, _FALSE, _NONE = ("true", "yes"), ("false", "no"), ("null", "none", "nil", "nothing")
_GROUP = "|"
"""What stands between two lists of a list: `build R Y | B`."""


def last_line(answer: str) -> str:
    """Return the last line that is neither blank nor a fence, without emphasis; "" if there is none.

    An object of JSON over several lines is one line; exclamation marks are left out, and so are the box and the tags
    of `\\boxed{…}` and `<answer>…</answer>` at its end.
    """
    lines = answer.splitlines()
    for place in reversed(range(len(lines))):
        line = lines[place].strip()[:MAX_LINE]
        bare = line.strip("*_`").strip() if not _FENCE.fullmatch(line) else ""
        if bare:
            return _json_that_ends(lines[: place + 1])[:MAX_LINE] or _unwrapped(bare).rstrip("!\uff01 ") or bare
    return ""


def _unwrapped(line: str) -> str:
    """Return a line with what stands in its box or its tags in their place; as it is if anything else follows."""
    found = _WRAPPED.search(line)
    if found is None:
        return line
    within = _LATEX.sub(r"\1", found[1] or found[2] or "").strip()
    before = line[: found.start()].rstrip(" $([\\")
    return f"{before} {within}".strip()


def _json_that_ends(lines: Sequence[str]) -> str:
    """Return the object of JSON that ends with the last of these lines and began before it; "" if there is none."""
    if not lines[-1].strip().endswith("}"):
        return ""
    for begin in range(len(lines) - 2, max(len(lines) - MAX_JSON_LINES, 0) - 1, -1):
        if lines[begin].lstrip().startswith("{"):
            text = " ".join(lines[begin:]).strip()
            if json_in(text[:MAX_LINE]) is not None:
                return text
    return ""


def cleaned(line: str) -> str:
    """Return a line without the quotation marks around it, and what its marks say in plain ones: `\\#3`, `＃３`."""
    line = _EMPHASIS.sub("", line.translate(_WIDE).replace("\\#", "#")).rstrip(";\uff1b ").strip()
    line = _OPTION.sub(r"#\1", line)
    quoted = _QUOTED.fullmatch(line)
    if quoted is not None:
        line = next(each for each in quoted.groups() if each is not None).strip()
    bare = _BARE_NUMBER.fullmatch(line)
    return bare[1] if bare is not None else line


def is_question(line: str) -> bool:
    """Return True if a line asks: who asks has not chosen."""
    return line.rstrip(" .。!\uff01\"'」)）").endswith(("?", "\uff1f"))


def item_in(line: str) -> tuple[int, str] | None:
    """Return the number before a line, as before one of a list (`1. draw`), and the rest; None if there is none."""
    found = _ITEM.fullmatch(line)
    return (int(found[1]), found[2]) if found else None


def answer_within(line: str, forms: Mapping[str, set[str]]) -> str:
    """Return the answer that an object of JSON has under one key, and else only reasons; the line itself if none.

    `{"action": "play", "card": 3}` is a tag and its fields; `forms` has the fields of each command by its tag.
    """
    named = _NAMED_LIST.fullmatch(line)
    if named is not None and {named[1]} in forms.values():
        return f'{{"{named[1]}": {named[2]}}}'
    value = json_in(line)
    if value is None or "tag" in value or set(value) in forms.values():
        return line
    called = [key for key in value if key.casefold() in _CALLED]
    if len(called) != 1:
        return line
    answer, others = value[called[0]], set(value) - {called[0]}
    if isinstance(answer, str) and forms.get(answer) == others:
        return json.dumps({"tag": answer, **{key: value[key] for key in others}})
    if any(key.casefold() not in _REASONS for key in others) or isinstance(answer, bool):
        return line
    return str(answer) if isinstance(answer, str | int) else json.dumps(answer) if isinstance(answer, dict) else line


def number_in(line: str) -> tuple[int, str] | None:
    """Return the number of the list that a line names (`#3`) and what stands behind it; None if it names none."""
    found = _NUMBER.fullmatch(line)
    return (int(found[1]), found[2]) if found else None


def without_marks(line: str) -> str:
    """Return a line as it is compared, and without the marks around its words."""
    return folded(_MARKS.sub(" ", line))


def numbers_in(line: str) -> set[int]:
    """Return each number that a line names as one of the list, `#3`."""
    return {int(each) for each in _ANY_NUMBER.findall(line)}


def looks_like_json(line: str) -> bool:
    """Return True if a line has JSON in it, whole or broken: its numbers are other ones than those of words."""
    return "{" in line or re.search(r'"\w{1,40}"\s*:', line) is not None


def json_in(line: str) -> dict[str, Any] | None:
    """Return the object that a line of JSON is; None if it is none."""
    if not line.startswith("{"):
        return None
    try:
        value = json.loads(line.rstrip(".。 "))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def folded(words: str) -> str:
    """Return words as they are compared: any case and width, one blank between two, no commas, colons or full stop."""
    return " ".join(_PUNCTUATION.sub("", words.translate(_NARROW).casefold().rstrip(".。 ")).split())


def is_nested(kind: type) -> bool:
    """Return True if commands of this class have their fields under `fields` in JSON: a field is called as a key is."""
    return bool({"tag", "fields"} & {field.name for field in attrs.fields(kind)})


def split_json(value: dict[str, Any], game: AnyGame) -> tuple[Any, Any]:
    """Return the tag and the fields of `{"tag": …, NAME: …}` or `{"tag": …, "fields": {…}}`."""
    tag = value.get("tag")
    kind = wire_of(game).tags.get(tag) if isinstance(tag, str) else None
    nested = set(value) == {"tag", "fields"} and isinstance(value["fields"], dict)
    if nested and (kind is None or is_nested(kind) or "fields" not in {each.name for each in attrs.fields(kind)}):
        return tag, value["fields"]
    return tag, {name: each for name, each in value.items() if name != "tag"}


class UnreadValue(Exception):  # noqa: N818 (no error of kifu: `FieldReader` raises it, and its caller refuses)
    """A value that does not fit the field of this name; "" where there are too many values."""

    def __init__(self, field: str) -> None:
        super().__init__(field)
        self.field = field


class FieldReader:
    """Reads the values behind a tag, by the types of its fields; `faces` maps the text of a face to its cards.

    An `Index` is counted from 1 here, as in all words, and a card is called by its face: its code is for JSON alone.
    """

    def __init__(self, faces: dict[str, set[Any]]) -> None:
        self._faces = faces

    def read(self, kind: type, words: str) -> dict[str, Any]:
        """Return the fields of a command of this class; raises `UnreadValue`."""
        tokens = [token for token in _SEPARATORS.split(words.replace(_GROUP, f" {_GROUP} ")) if token]
        fields = attrs.fields(attrs.resolve_types(kind))
        fillers = _FILLERS if any(_may_be_article(field.type) for field in fields) else (*_FILLERS, *_ARTICLES)
        tokens = [token for token in tokens if token.casefold() not in fillers]
        values = {}
        for place, field in enumerate(fields):
            later = sum(_least(each.type) for each in fields[place + 1 :])
            if place and get_origin(field.type) is tuple:  # `declare WORD with cards 3 1`
                labels = _WITH | {field.name, field.name.removesuffix("s")}
                while len(tokens) > later + 1 and tokens[0].casefold().rstrip(":\uff1a") in labels:
                    tokens.pop(0)
            try:
                values[field.name] = self._take(field.type, tokens, later)
            except (IndexError, ValueError):
                raise UnreadValue(field.name) from None
        if tokens:
            raise UnreadValue(fields[-1].name if fields else "")
        return values

    def cards_of(self, kind: Any, value: Any) -> Any:
        """Return a value of JSON with each card that is given by its face as the card itself."""
        origin, args = get_origin(kind), get_args(kind)
        if isinstance(value, list) and origin is tuple:
            items = [args[0]] * len(value) if args[1:] == (Ellipsis,) else args
            return [self.cards_of(*each) for each in zip(items, value, strict=False)] + value[len(items) :]
        if kind is Card and isinstance(value, str):
            cards = self._faces.get(value.strip().casefold(), set())
            return next(iter(cards)) if len(cards) == 1 else value
        return value

    def _take(self, kind: Any, tokens: list[str], later: int) -> Any:
        """Take the tokens of one value from the front, and leave at least so many for later fields."""
        origin, args = get_origin(kind), get_args(kind)
        if origin is tuple and args[1:] == (Ellipsis,):
            return self._take_list(args[0], tokens, later)
        if origin is tuple:
            return [self._take(arg, tokens, later) for arg in args]
        if kind is Seat and tokens[0].casefold() == "seat":  # and nowhere else: `palace 1 seat 2` is not seat 1
            tokens.pop(0)
        return self._one(kind, tokens.pop(0))

    def _take_list(self, item: Any, tokens: list[str], later: int) -> list[Any]:
        taken, tokens[:] = tokens[: len(tokens) - later], tokens[len(tokens) - later :] if later else []
        if len(taken) == 1 and taken[0].casefold() in _NONE:
            return []
        if get_origin(item) is tuple and get_args(item)[1:] == (Ellipsis,):
            return [self._take_list(get_args(item)[0], group, 0) for group in _groups(taken)]
        taken = [token for token in taken if token != _GROUP]
        values = []
        while taken:
            values.append(self._take(item, taken, 0))
        return values

    def _one(self, kind: Any, token: str) -> Any:
        if kind is Card:
            cards = self._faces.get(token.casefold(), set())
            return next(iter(cards)) if len(cards) == 1 else _fail()
        if kind is Index:
            return int(token) - 1 if re.fullmatch(r"[1-9][0-9]{0,17}", token) else _fail()
        while hasattr(kind, "__supertype__"):
            kind = kind.__supertype__
        args = get_args(kind)
        if get_origin(kind) in (Union, types.UnionType):
            return self._first_that_fits(args, token)
        if get_origin(kind) is Literal or (isinstance(kind, type) and issubclass(kind, Enum)):
            choices = args or [member.value for member in kind]
            fitting = [each for each in choices if str(each).casefold() == token.casefold()]
            return fitting[0] if fitting else _fail()
        if kind is bool:
            return _bool(token)
        if kind is type(None):
            return None if token.casefold() in _NONE else _fail()
        if kind is int:
            return int(token) if re.fullmatch(r"-?[0-9]{1,18}", token) else _fail()
        return token.rstrip(":\uff1a")

    def _first_that_fits(self, kinds: Sequence[Any], token: str) -> Any:
        for kind in sorted(kinds, key=lambda each: each is str):
            try:
                return self._one(kind, token)
            except ValueError:
                continue
        raise ValueError(token)


def faces_of(game: AnyGame, cards: Iterator[Any]) -> dict[str, set[Any]]:
    """Map the text of each face, in any case, to the cards that have it."""
    faces: dict[str, set[Any]] = {}
    for card in set(cards):
        faces.setdefault(card_face(game, card).casefold(), set()).add(card)
    return faces


def _groups(tokens: list[str]) -> list[list[str]]:
    groups: list[list[str]] = [[]]
    for token in tokens:
        groups.append([]) if token == _GROUP else groups[-1].append(token)
    return groups


def _least(kind: Any) -> int:
    """Count the tokens that a value of this annotation has at least."""
    args = get_args(kind)
    if get_origin(kind) is not tuple:
        return 1
    return 0 if args[1:] == (Ellipsis,) else sum(map(_least, args))


def _bool(token: str) -> bool:
    return token.casefold() in _TRUE if token.casefold() in (*_TRUE, *_FALSE) else _fail()


def _fail() -> Any:
    raise ValueError


def in_order(command: Any) -> Any:
    """Return a command with each list of cards ascending: a seat may name them in any order."""
    return attrs.evolve(
        command, **{name: _sorted(value) for name, value in attrs.asdict(command, recurse=False).items()}
    )


def is_in_other_case(one: Any, other: Any) -> bool:
    """Return True if two commands differ in capitals alone: `draw ntt`."""
    return type(one) is type(other) and str(one).casefold() == str(other).casefold()


def _sorted(value: Any) -> Any:
    if not isinstance(value, tuple):
        return value
    return tuple(sorted(value)) if all(isinstance(each, int) for each in value) else tuple(map(_sorted, value))


def _may_be_article(kind: Any) -> bool:
    """Return True if a value of this type may be called like an article: a kana is called `A`."""
    return kind is str or kind in _ARTICLES or any(map(_may_be_article, get_args(kind)))
