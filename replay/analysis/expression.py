"""The expressions of `replay when`: paths into a state, comparisons, `len`, `and`, `or`, `not`; no Python.

    hands[0]    palaces[1][0].cards    len(pile) < 5    totals[1] > 20 and not '♠3' in hands[0]

A path begins with a name and goes on with `[place]` and `.name`. What is not there (a place of a list that is still
shorter) equals nothing, is in no order with anything and counts as false.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from enum import Enum
from operator import ge, gt, le, lt
from typing import Any

import attrs
from attrs import frozen

from ...core.text.sanitize import sanitize
from ..call_errors import CallError, UserMessage

MAX_LETTERS = 400
MAX_DEPTH = 20
MAX_DIGITS = 15


class _Absent(Enum):
    ABSENT = "-"


ABSENT = _Absent.ABSENT
"""What a path leads to where nothing is there."""


@frozen
class Literal:
    """A number, a text, true, false or none; a text may also be how a card looks."""

    value: Any
    card: Any = None


@frozen
class Path:
    """A name, then places and names."""

    steps: tuple[str | int, ...]
    text: str


@frozen
class Length:
    of: Expression


@frozen
class Comparison:
    left: Expression
    sign: str
    right: Expression
    text: str


@frozen
class Not:
    of: Expression


@frozen
class Joined:
    """Several conditions: `all` of them, or any."""

    conditions: tuple[Expression, ...]
    all: bool


Expression = Literal | Path | Length | Comparison | Not | Joined

CONDITIONS = (Comparison, Not, Joined)
ORDER: Mapping[str, Callable[[Any, Any], bool]] = {"<": lt, "<=": le, ">": gt, ">=": ge}
SIGNS = ("==", "!=", *ORDER, "in", "not in")
WORDS = {"true": True, "false": False, "none": None}
RESERVED = {*WORDS, "and", "or", "not", "in", "len"}

_TOKEN = re.compile(r"""\s*(?:(\d+)|([^\W\d]\w*)|('[^']*'|"[^"]*")|(==|!=|<=|>=|[<>()\[\].-]))""")


def parse(text: str, cards: Mapping[str, Any] | None = None) -> Expression:
    """Read an expression; `cards` are known by how they look. Raises `Unusable`, which tells the place."""
    if len(text) > MAX_LETTERS:
        raise CallError(
            "expression-too-long",
            "the expression has {letters} letters: at most {most} are read",
            letters=len(text),
            most=MAX_LETTERS,
        )
    return _Parser(text, cards or {}).whole()


def names(expression: Expression) -> set[str]:
    """Gather the names that its paths begin with."""
    match expression:
        case Path():
            return {str(expression.steps[0])}
        case Length(of) | Not(of):
            return names(of)
        case Comparison(left, _, right):
            return names(left) | names(right)
        case Joined(conditions):
            return set().union(*map(names, conditions))
        case Literal():
            return set()


def evaluate(expression: Expression, look_up: Callable[[str], Any]) -> Any:
    """Give the value where `look_up` gives that of a first name; raises `Unusable` where it has no sense."""
    match expression:
        case Literal(value):
            return value
        case Path():
            return _follow(expression, look_up)
        case Length(of):
            return _length(evaluate(of, look_up))
        case Comparison():
            return _compare(expression, look_up)
        case Not(of):
            return not _truth(of, look_up)
        case Joined(conditions, every):
            return (all if every else any)(_truth(each, look_up) for each in conditions)


def _follow(path: Path, look_up: Callable[[str], Any]) -> Any:
    value = look_up(str(path.steps[0]))
    for step in path.steps[1:]:
        if value is None or value is ABSENT:
            return ABSENT
        if isinstance(step, int) and isinstance(value, tuple):
            value = value[step] if step < len(value) else ABSENT
        elif isinstance(step, str) and attrs.has(type(value)):
            known = [field.name for field in attrs.fields(type(value))]
            if step not in known:
                raise CallError(
                    "no-part",
                    "{text}: there is no '{name}' in it; there are: {known}",
                    text=path.text,
                    name=step,
                    known=", ".join(known),
                )
            value = getattr(value, step)
        else:
            what = (
                UserMessage("a-place", "place {number}", number=step)
                if isinstance(step, int)
                else UserMessage("a-name", "name '{name}'", name=step)
            )
            raise CallError(
                "has-none", "{text}: {value} has no {what}", text=path.text, value=_called(value), what=what
            )
    if isinstance(value, frozenset):
        return tuple(sorted(value))
    return value.value if isinstance(value, Enum) and value is not ABSENT else value


def _length(value: Any) -> Any:
    if value is None or value is ABSENT:
        return ABSENT
    if isinstance(value, tuple | str):
        return len(value)
    raise CallError("no-length", "len: {value} has no length", value=_called(value))


def _truth(expression: Expression, look_up: Callable[[str], Any]) -> bool:
    value = evaluate(expression, look_up)
    if value is None or value is ABSENT:
        return False
    if isinstance(value, bool):
        return value
    raise CallError("no-condition", "{value} is no condition: compare it with something", value=_called(value))


def _compare(comparison: Comparison, look_up: Callable[[str], Any]) -> bool:
    left, right = _readings(comparison.left, look_up), _readings(comparison.right, look_up)
    match comparison.sign:
        case "==" | "!=":
            equal = any(_same(one, other) for one in left for other in right)
            return equal is (comparison.sign == "==")
        case "in" | "not in":
            return _contains(right[0], left, comparison) is (comparison.sign == "in")
        case sign:
            return _ordered(left[0], right[0], sign, comparison)


def _readings(expression: Expression, look_up: Callable[[str], Any]) -> tuple[Any, ...]:
    """Give what an operand may stand for: a text also for the card that looks so."""
    if isinstance(expression, Literal) and expression.card is not None:
        return (expression.value, expression.card)
    return (evaluate(expression, look_up),)


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and one is not ABSENT and bool(one == other)


def _contains(many: Any, things: tuple[Any, ...], comparison: Comparison) -> bool:
    if many is None or many is ABSENT:
        return False
    if not isinstance(many, tuple):
        raise CallError("nothing-in", "{text}: nothing is in {value}", text=comparison.text, value=_called(many))
    return any(_same(each, thing) for each in many for thing in things)


def _ordered(one: Any, other: Any, sign: str, comparison: Comparison) -> bool:
    if any(each is None or each is ABSENT for each in (one, other)):
        return False
    if type(one) is not type(other) or type(one) not in (int, str):
        raise CallError(
            "no-order",
            "{text}: {one} is neither before nor after {other}",
            text=comparison.text,
            one=_called(one),
            other=_called(other),
        )
    return ORDER[sign](one, other)


def _called(value: Any) -> str | UserMessage:
    match value:
        case bool():
            return str(value).lower()
        case tuple():
            return UserMessage("a-list", "a list of {length}", length=len(value))
        case int():
            return UserMessage("a-number", "the number {number}", number=value)
        case str():
            return UserMessage("a-text", "the text {text}", text=repr(value))
    return UserMessage("a-part", "a part")


class _Parser:
    """One pass over the tokens, by recursive descent."""

    def __init__(self, text: str, cards: Mapping[str, Any]) -> None:
        self.text = text
        self.cards = cards
        self.tokens: list[tuple[str, int]] = []
        self.at = 0
        self.depth = 0
        place = 0
        while text[place:].strip():
            found = _TOKEN.match(text, place)
            if found is None:
                place += len(text[place:]) - len(text[place:].lstrip())
                raise self._wrong(UserMessage("no-meaning", "this has no meaning here"), text[place], place)
            token = found[0].lstrip()
            self.tokens.append((token, found.end() - len(token)))
            place = found.end()

    @property
    def next(self) -> str:
        return self.tokens[self.at][0] if self.at < len(self.tokens) else ""

    @property
    def place(self) -> int:
        return self.tokens[self.at][1] if self.at < len(self.tokens) else len(self.text)

    def whole(self) -> Expression:
        expression = self._any()
        if self.next:
            raise self._wrong(UserMessage("end-expected", "the expression should end before this"))
        return expression

    def _any(self) -> Expression:
        return self._joined(self._all, "or")

    def _all(self) -> Expression:
        return self._joined(self._not, "and")

    def _joined(self, part: Callable[[], Expression], word: str) -> Expression:
        conditions = [part()]
        while self._take(word):
            conditions.append(part())
        return conditions[0] if len(conditions) == 1 else Joined(tuple(conditions), word == "and")

    def _not(self) -> Expression:
        if not self._take("not"):
            return self._comparison()
        return Not(self._deeper(self._not))

    def _comparison(self) -> Expression:
        begin = self.place
        left = self._value()
        sign = self.next
        if sign == "not" and self.at + 1 < len(self.tokens) and self.tokens[self.at + 1][0] == "in":
            self.at += 1
            sign = "not in"
        if sign not in SIGNS:
            return left
        self.at += 1
        right = self._value()
        return Comparison(left, sign, right, self.text[begin : self._end()])

    def _value(self) -> Expression:
        token = self.next
        if self._take("("):
            inner = self._deeper(self._any)
            self._expect(")")
            return inner
        if self._take("len"):
            self._expect("(")
            inner = self._deeper(self._value)
            self._expect(")")
            return Length(inner)
        if token[:1] in ("'", '"') and token:
            self.at += 1
            return Literal(token[1:-1], self.cards.get(token[1:-1]))
        if self.next == "-" or token[:1].isdigit():
            sign = -1 if self._take("-") else 1
            return Literal(sign * self._number())
        if token in WORDS:
            self.at += 1
            return Literal(WORDS[token])
        return self._path()

    def _path(self) -> Path:
        begin = self.place
        steps: list[str | int] = [self._name()]
        while True:
            if self._take("["):
                steps.append(self._number())
                self._expect("]")
            elif self._take("."):
                steps.append(self._name())
            else:
                return Path(tuple(steps), self.text[begin : self._end()])

    def _name(self) -> str:
        token = self.next
        if not token.isidentifier() or token in RESERVED:
            raise self._wrong(UserMessage("path-expected", "a path, a number or a 'text' is expected here"))
        self.at += 1
        return token

    def _number(self) -> int:
        token = self.next
        if not (token.isascii() and token.isdigit()) or len(token) > MAX_DIGITS:
            raise self._wrong(
                UserMessage(
                    "number-expected", "a whole number of at most {digits} digits is expected here", digits=MAX_DIGITS
                )
            )
        self.at += 1
        return int(token)

    def _deeper(self, part: Callable[[], Expression]) -> Expression:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self._wrong(UserMessage("nested", "this is nested more than {depth} deep", depth=MAX_DEPTH))
        inner = part()
        self.depth -= 1
        return inner

    def _take(self, token: str) -> bool:
        if self.next != token:
            return False
        self.at += 1
        return True

    def _expect(self, token: str) -> None:
        if not self._take(token):
            raise self._wrong(UserMessage("token-expected", "{token} is expected here", token=repr(token)))

    def _end(self) -> int:
        token, place = self.tokens[self.at - 1]
        return place + len(token)

    def _wrong(self, why: UserMessage, token: str | None = None, place: int | None = None) -> CallError:
        met = self.next if token is None else token
        where = (self.place if place is None else place) + 1
        text = sanitize(self.text, 120)
        if not met:
            return CallError(
                "expression-at-end", "{text}: at letter {letter}, at the end: {why}", text=text, letter=where, why=why
            )
        return CallError(
            "expression-before",
            "{text}: at letter {letter}, before {met}: {why}",
            text=text,
            letter=where,
            met=repr(sanitize(met, 30)),
            why=why,
        )
