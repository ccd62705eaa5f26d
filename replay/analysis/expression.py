"""The expressions of `replay when`: paths into a state, comparisons, `len`, `and`, `or`, `not`; no Python.

    hands[0]    palaces[1][0].cards    len(pile) < 5    totals[1] > 20 and not '♠3' in hands[0]

A path begins with a name and continues with `[index]` and `.name`. A value that does not exist (an index beyond the
end of a list) equals nothing, has no order and counts as false.
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
"""The value of a path that leads nowhere."""


@frozen
class Literal:
    """A number, a text, true, false or none; `card` is the card whose face is the text, if there is one."""

    value: Any
    card: Any = None


@frozen
class Path:
    """A name, then indexes and names."""

    steps: tuple[str | int, ...]
    text: str


@frozen
class Length:
    """The length of a list or a text."""

    of: Expression


@frozen
class Comparison:
    """Two operands and one of the `OPERATORS`."""

    left: Expression
    operator: str
    right: Expression
    text: str


@frozen
class Not:
    """A negated condition."""

    of: Expression


@frozen
class Junction:
    """Several conditions, joined by `and` (`every`) or by `or`."""

    conditions: tuple[Expression, ...]
    every: bool


Expression = Literal | Path | Length | Comparison | Not | Junction

CONDITIONS = (Comparison, Not, Junction)
ORDER: Mapping[str, Callable[[Any, Any], bool]] = {"<": lt, "<=": le, ">": gt, ">=": ge}
OPERATORS = ("==", "!=", *ORDER, "in", "not in")
WORDS = {"true": True, "false": False, "none": None}
RESERVED = {*WORDS, "and", "or", "not", "in", "len"}

_TOKEN = re.compile(r"""\s*(?:(\d+)|([^\W\d]\w*)|('[^']*'|"[^"]*")|(==|!=|<=|>=|[<>()\[\].-]))""")


def parse(text: str, cards: Mapping[str, Any] | None = None) -> Expression:
    """Parse an expression; `cards` maps faces to cards. Raises `CallError` with the position of the error."""
    if len(text) > MAX_LETTERS:
        raise CallError(
            "expression-too-long",
            "the expression has {letters} letters: at most {most} are allowed",
            letters=len(text),
            most=MAX_LETTERS,
        )
    return _Parser(text, cards or {}).whole()


def names(expression: Expression) -> set[str]:
    """Return the first names of all paths in an expression."""
    match expression:
        case Path():
            return {str(expression.steps[0])}
        case Length(of) | Not(of):
            return names(of)
        case Comparison(left, _, right):
            return names(left) | names(right)
        case Junction(conditions):
            return set().union(*map(names, conditions))
        case Literal():
            return set()


def evaluate(expression: Expression, look_up: Callable[[str], Any]) -> Any:
    """Evaluate an expression; `look_up` returns the value of a path's first name.

    Returns `ABSENT` for a path that leads nowhere; raises `CallError` if a value has the wrong type.
    """
    match expression:
        case Literal(value):
            return value
        case Path():
            return _follow(expression, look_up)
        case Length(of):
            return _length_of(evaluate(of, look_up))
        case Comparison():
            return _compare(expression, look_up)
        case Not(of):
            return not _truth(of, look_up)
        case Junction(conditions, every):
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
                "has-none", "{text}: {value} has no {what}", text=path.text, value=_describe(value), what=what
            )
    if isinstance(value, frozenset):
        return tuple(sorted(value))
    return value.value if isinstance(value, Enum) and value is not ABSENT else value


def _length_of(value: Any) -> Any:
    if value is None or value is ABSENT:
        return ABSENT
    if isinstance(value, tuple | str):
        return len(value)
    raise CallError("no-length", "len: {value} has no length", value=_describe(value))


def _truth(expression: Expression, look_up: Callable[[str], Any]) -> bool:
    value = evaluate(expression, look_up)
    if value is None or value is ABSENT:
        return False
    if isinstance(value, bool):
        return value
    raise CallError("no-condition", "{value} is not a condition: compare it with something", value=_describe(value))


def _compare(comparison: Comparison, look_up: Callable[[str], Any]) -> bool:
    left, right = _operand_values(comparison.left, look_up), _operand_values(comparison.right, look_up)
    match comparison.operator:
        case "==" | "!=":
            equal = any(_same(one, other) for one in left for other in right)
            return equal is (comparison.operator == "==")
        case "in" | "not in":
            return _contains(right[0], left, comparison) is (comparison.operator == "in")
        case operator:
            return _ordered(left[0], right[0], operator, comparison)


def _operand_values(expression: Expression, look_up: Callable[[str], Any]) -> tuple[Any, ...]:
    """Return the possible values of an operand: a text may also stand for the card with that face."""
    if isinstance(expression, Literal) and expression.card is not None:
        return (expression.value, expression.card)
    return (evaluate(expression, look_up),)


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and one is not ABSENT and bool(one == other)


def _contains(many: Any, things: tuple[Any, ...], comparison: Comparison) -> bool:
    if many is None or many is ABSENT:
        return False
    if not isinstance(many, tuple):
        raise CallError("nothing-in", "{text}: nothing is in {value}", text=comparison.text, value=_describe(many))
    return any(_same(each, thing) for each in many for thing in things)


def _ordered(one: Any, other: Any, operator: str, comparison: Comparison) -> bool:
    if any(each is None or each is ABSENT for each in (one, other)):
        return False
    if type(one) is not type(other) or type(one) not in (int, str):
        raise CallError(
            "no-order",
            "{text}: {one} and {other} have no order",
            text=comparison.text,
            one=_describe(one),
            other=_describe(other),
        )
    return ORDER[operator](one, other)


def _describe(value: Any) -> str | UserMessage:
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
    """A recursive-descent parser; `at` is the index of the next token."""

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
                raise self._error(UserMessage("no-meaning", "this is not understood here"), text[place], place)
            token = found[0].lstrip()
            self.tokens.append((token, found.end() - len(token)))
            place = found.end()

    @property
    def next(self) -> str:
        """The next token; "" at the end."""
        return self.tokens[self.at][0] if self.at < len(self.tokens) else ""

    @property
    def place(self) -> int:
        """The next token's position in the text."""
        return self.tokens[self.at][1] if self.at < len(self.tokens) else len(self.text)

    def whole(self) -> Expression:
        """Parse the whole text."""
        expression = self._any()
        if self.next:
            raise self._error(UserMessage("end-expected", "the expression should end before this"))
        return expression

    def _any(self) -> Expression:
        return self._joined(self._all, "or")

    def _all(self) -> Expression:
        return self._joined(self._not, "and")

    def _joined(self, part: Callable[[], Expression], word: str) -> Expression:
        conditions = [part()]
        while self._take(word):
            conditions.append(part())
        return conditions[0] if len(conditions) == 1 else Junction(tuple(conditions), word == "and")

    def _not(self) -> Expression:
        if not self._take("not"):
            return self._comparison()
        return Not(self._deeper(self._not))

    def _comparison(self) -> Expression:
        begin = self.place
        left = self._value()
        operator = self.next
        if operator == "not" and self.at + 1 < len(self.tokens) and self.tokens[self.at + 1][0] == "in":
            self.at += 1
            operator = "not in"
        if operator not in OPERATORS:
            return left
        self.at += 1
        right = self._value()
        return Comparison(left, operator, right, self.text[begin : self._end()])

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
            raise self._error(UserMessage("path-expected", "a path, a number or a 'text' is expected here"))
        self.at += 1
        return token

    def _number(self) -> int:
        token = self.next
        if not (token.isascii() and token.isdigit()) or len(token) > MAX_DIGITS:
            raise self._error(
                UserMessage(
                    "number-expected", "a whole number of at most {digits} digits is expected here", digits=MAX_DIGITS
                )
            )
        self.at += 1
        return int(token)

    def _deeper(self, part: Callable[[], Expression]) -> Expression:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self._error(UserMessage("nested", "this is nested more than {depth} deep", depth=MAX_DEPTH))
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
            raise self._error(UserMessage("token-expected", "{token} is expected here", token=repr(token)))

    def _end(self) -> int:
        token, place = self.tokens[self.at - 1]
        return place + len(token)

    def _error(self, why: UserMessage, token: str | None = None, place: int | None = None) -> CallError:
        found = self.next if token is None else token
        where = (self.place if place is None else place) + 1
        text = sanitize(self.text, 120)
        if not found:
            return CallError(
                "expression-at-end", "{text}: at letter {letter}, at the end: {why}", text=text, letter=where, why=why
            )
        return CallError(
            "expression-before",
            "{text}: at letter {letter}, before {met}: {why}",
            text=text,
            letter=where,
            met=repr(sanitize(found, 30)),
            why=why,
        )
