"""The expressions of `replay when`: paths into a state, comparisons, `len`, `and`, `or`, `not`.

    hands[0]    palaces[1][0].cards    len(pile) < 5    totals[1] > 20 and not '♠3' in hands[0]

Python's parser reads them. What else it can read is refused; nothing is run. A path begins with a name and continues
with `[index]` and `.name`. A value that does not exist (an index beyond the end of a list) equals nothing, has
no order and counts as false.
"""

from __future__ import annotations

import ast
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
MAX_DIGITS = 15


class _Absent(Enum):
    ABSENT = "-"


ABSENT = _Absent.ABSENT
"""The value of a path that leads nowhere."""

LookUp = Callable[[str], Any]
"""Returns the value of a path's first name."""

ORDER: Mapping[type[ast.cmpop], Callable[[Any, Any], bool]] = {ast.Lt: lt, ast.LtE: le, ast.Gt: gt, ast.GtE: ge}
OPERATORS: tuple[type[ast.cmpop], ...] = (ast.Eq, ast.NotEq, ast.In, ast.NotIn, *ORDER)
WORDS = {"true": True, "false": False, "none": None}
RESERVED = {*WORDS, "len"}

_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_ASSIGNED = re.compile(r"(?<![=!<>])=(?!=)")
_PIECE = re.compile(r"\w+|.?")


@frozen
class Expression:
    """A parsed expression, and the cards that a text in it may stand for, by their faces."""

    text: str
    node: ast.expr
    cards: Mapping[str, Any]

    @property
    def is_condition(self) -> bool:
        """Whether its value is true or false."""
        match self.node:
            case ast.Compare() | ast.BoolOp() | ast.UnaryOp(ast.Not()):
                return True
        return False

    @property
    def path(self) -> tuple[str | int, ...] | None:
        """The name, indexes and names of a path; None if it is none."""
        return _steps(self.node) if isinstance(self.node, ast.Name | ast.Attribute | ast.Subscript) else None

    @property
    def names(self) -> set[str]:
        """The first names of all paths."""
        return {node.id for node in ast.walk(self.node) if isinstance(node, ast.Name)} - RESERVED

    def evaluate(self, look_up: LookUp) -> Any:
        """Return the value, `ABSENT` for a path that leads nowhere; raises `CallError` if one has the wrong type."""
        return self._value(self.node, look_up)

    def _value(self, node: ast.expr, look_up: LookUp) -> Any:
        match node:
            case ast.Constant(value):
                return value
            case ast.Name(name) if name in WORDS:
                return WORDS[name]
            case ast.UnaryOp(ast.USub(), number):
                return -self._value(number, look_up)
            case ast.UnaryOp(ast.Not(), of):
                return not self._truth(of, look_up)
            case ast.BoolOp(junction, conditions):
                joined = all if isinstance(junction, ast.And) else any
                return joined(self._truth(each, look_up) for each in conditions)
            case ast.Compare():
                return self._compare(node, look_up)
            case ast.Call(args=[of]):
                return _length_of(self._value(of, look_up))
        return self._follow(node, look_up)

    def _follow(self, path: ast.expr, look_up: LookUp) -> Any:
        first, *steps = _steps(path)
        value = look_up(str(first))
        for step in steps:
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
                        text=self._text(path),
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
                    "has-none",
                    "{text}: {value} has no {what}",
                    text=self._text(path),
                    value=_describe(value),
                    what=what,
                )
        if isinstance(value, frozenset):
            return tuple(sorted(value))
        return value.value if isinstance(value, Enum) and value is not ABSENT else value

    def _truth(self, node: ast.expr, look_up: LookUp) -> bool:
        value = self._value(node, look_up)
        if value is None or value is ABSENT:
            return False
        if isinstance(value, bool):
            return value
        raise CallError("no-condition", "{value} is not a condition: compare it with something", value=_describe(value))

    def _compare(self, comparison: ast.Compare, look_up: LookUp) -> bool:
        left = self._operand_values(comparison.left, look_up)
        right = self._operand_values(comparison.comparators[0], look_up)
        match comparison.ops[0]:
            case (ast.Eq() | ast.NotEq()) as operator:
                equal = any(_same(one, other) for one in left for other in right)
                return equal is isinstance(operator, ast.Eq)
            case (ast.In() | ast.NotIn()) as operator:
                return self._contains(right[0], left, comparison) is isinstance(operator, ast.In)
            case operator:
                return self._ordered(left[0], right[0], ORDER[type(operator)], comparison)

    def _operand_values(self, node: ast.expr, look_up: LookUp) -> tuple[Any, ...]:
        """Return the possible values of an operand: a text may also stand for the card with that face."""
        value = self._value(node, look_up)
        is_face = isinstance(node, ast.Constant) and value in self.cards
        return (value, self.cards[value]) if is_face else (value,)

    def _contains(self, many: Any, things: tuple[Any, ...], comparison: ast.Compare) -> bool:
        if many is None or many is ABSENT:
            return False
        if not isinstance(many, tuple):
            text = self._text(comparison)
            raise CallError("nothing-in", "{text}: nothing is in {value}", text=text, value=_describe(many))
        return any(_same(each, thing) for each in many for thing in things)

    def _ordered(self, one: Any, other: Any, are: Callable[[Any, Any], bool], comparison: ast.Compare) -> bool:
        if any(each is None or each is ABSENT for each in (one, other)):
            return False
        if type(one) is not type(other) or type(one) not in (int, str):
            raise CallError(
                "no-order",
                "{text}: {one} and {other} have no order",
                text=self._text(comparison),
                one=_describe(one),
                other=_describe(other),
            )
        return are(one, other)

    def _text(self, node: ast.expr) -> str:
        return ast.get_source_segment(self.text, node) or self.text


def parse(text: str, cards: Mapping[str, Any] | None = None) -> Expression:
    """Parse an expression; `cards` maps faces to cards. Raises `CallError` with the position of the error."""
    if len(text) > MAX_LETTERS:
        raise CallError(
            "expression-too-long",
            "the expression has {letters} letters: at most {most} are allowed",
            letters=len(text),
            most=MAX_LETTERS,
        )
    text = re.sub(r"\s", " ", text.strip())
    if assigned := _ASSIGNED.search(_QUOTED.sub(lambda quoted: "'" * len(quoted[0]), text)):
        raise _error(text, assigned.start(), UserMessage("write-equals", "write == to compare"))
    try:
        node = ast.parse(text.replace("\\", "\\\\"), mode="eval").body  # a backslash is a letter like any other
    except SyntaxError as cause:
        raise _error(text, (cause.offset or len(text) + 1) - 1, _reason(cause)) from None
    except (ValueError, MemoryError, RecursionError):
        raise _error(text, 0, NO_MEANING) from None
    _check(node, text)
    return Expression(text, node, cards or {})


NO_MEANING = UserMessage("no-meaning", "this is not understood here")
PATH_EXPECTED = UserMessage("path-expected", "a path, a number or a 'text' is expected here")
NUMBER_EXPECTED = UserMessage(
    "number-expected", "a whole number of at most {digits} digits is expected here", digits=MAX_DIGITS
)
NEVER_CLOSED = UserMessage("never-closed", "this is never closed")


def _reason(cause: SyntaxError) -> UserMessage:
    if not cause.offset:
        return PATH_EXPECTED
    return NEVER_CLOSED if "never closed" in cause.msg or "unterminated" in cause.msg else NO_MEANING


def _check(node: ast.expr, text: str) -> None:
    """Raise `CallError` for the first part that is none of our expressions."""
    match node:
        case ast.Name(name) if name in WORDS:
            return
        case ast.Constant(value) if isinstance(value, str):
            return
        case ast.Constant() | ast.UnaryOp(ast.USub()):
            _check_number(node.operand if isinstance(node, ast.UnaryOp) else node, text)
        case ast.UnaryOp(ast.Not(), of) | ast.Call(ast.Name("len"), [of], []):
            _check(of, text)
        case ast.BoolOp(_, parts):
            for each in parts:
                _check(each, text)
        case ast.Compare(left, [operator], [right]) if isinstance(operator, OPERATORS):
            _check(left, text)
            _check(right, text)
        case ast.Name() | ast.Attribute() | ast.Subscript():
            _check_path(node, text)
        case _:
            raise _error(text, _place(node, text), NO_MEANING)


def _check_path(node: ast.expr, text: str) -> None:
    match node:
        case ast.Name(name) if name not in RESERVED:
            return
        case ast.Attribute(of):
            _check_path(of, text)
        case ast.Subscript(of, index):
            _check_path(of, text)
            _check_number(index, text)
        case _:
            raise _error(text, _place(node, text), PATH_EXPECTED)


def _check_number(node: ast.expr, text: str) -> None:
    match node:
        case ast.Constant(value) if type(value) is int and value < 10**MAX_DIGITS:
            return
    why = UserMessage(
        "number-expected", "a whole number of at most {digits} digits is expected here", digits=MAX_DIGITS
    )
    raise _error(text, _place(node, text), why)


def _steps(path: ast.expr) -> tuple[str | int, ...]:
    """Return the name, indexes and names of a path that has been checked."""
    match path:
        case ast.Attribute(of, name):
            return (*_steps(of), name)
        case ast.Subscript(of, ast.Constant(int() as index)):
            return (*_steps(of), index)
        case ast.Name(name):
            return (name,)
    raise TypeError(path)


def _length_of(value: Any) -> Any:
    if value is None or value is ABSENT:
        return ABSENT
    if isinstance(value, tuple | str):
        return len(value)
    raise CallError("no-length", "len: {value} has no length", value=_describe(value))


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and one is not ABSENT and bool(one == other)


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


def _place(node: ast.expr, text: str) -> int:
    """Return the index of a node's first letter: Python counts bytes."""
    return len(text.encode()[: node.col_offset].decode(errors="ignore"))


def _error(text: str, place: int, why: UserMessage) -> CallError:
    shown, met = sanitize(text, 120), _PIECE.match(text, place)
    if met is None or not met[0]:
        return CallError(
            "expression-at-end", "{text}: at letter {letter}, at the end: {why}", text=shown, letter=place + 1, why=why
        )
    return CallError(
        "expression-before",
        "{text}: at letter {letter}, before {met}: {why}",
        text=shown,
        letter=place + 1,
        met=repr(sanitize(met[0], 30)),
        why=why,
    )
