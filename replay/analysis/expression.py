"""The expressions of `replay when`: paths into a state, comparisons, `len`, `and`, `or`, `not`.

    hands[0]    palaces[1][0].cards    len(pile) < 5    totals[1] > 20 and not '♠3' in hands[0]

Python's parser reads them, and a few kinds of its nodes are allowed; nothing is run. A path begins with a name and
continues with `[index]` and `.name`. A value that does not exist (an index beyond the end of a list) equals nothing,
has no order and counts as false.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Mapping
from enum import Enum
from operator import ge, gt, le, lt
from typing import Any

import attrs
from attrs import frozen

from ...core.text.sanitize import sanitize
from ..call_errors import CallError, UserMessage

MAX_LETTERS = 400
"""The longest expression; it bounds how deep one can be, too."""

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
        steps: list[str | int] = []
        node = self.node
        while not isinstance(node, ast.Name):
            match node:
                case ast.Attribute(of, name):
                    steps.append(name)
                case ast.Subscript(of, ast.Constant(int() as index)):
                    steps.append(index)
                case _:
                    return None
            node = of
        return (node.id, *reversed(steps))

    @property
    def names(self) -> set[str]:
        """The first names of all paths."""
        called = _called(self.node)
        named = (node for node in ast.walk(self.node) if isinstance(node, ast.Name) and node not in called)
        return {node.id for node in named} - WORDS.keys()

    def evaluate(self, look_up: LookUp) -> Any:
        """Return the value, `ABSENT` for a path that leads nowhere; raises `CallError` if one has the wrong type."""
        return self._value(self.node, look_up)

    def _value(self, node: ast.expr, look_up: LookUp) -> Any:
        match node:
            case ast.Constant(value):
                return value
            case ast.Name(name):
                return WORDS[name] if name in WORDS else _comparable(look_up(name))
            case ast.UnaryOp(ast.USub(), ast.Constant(int() as number)):
                return -number
            case ast.UnaryOp(ast.Not(), of):
                return not self._truth(of, look_up)
            case ast.BoolOp(junction, conditions):
                joined = all if isinstance(junction, ast.And) else any
                return joined(self._truth(each, look_up) for each in conditions)
            case ast.Compare():
                return self._compare(node, look_up)
            case ast.Attribute(of) | ast.Subscript(of) | ast.Call(args=[of]):
                value = self._value(of, look_up)
                return ABSENT if value is None or value is ABSENT else _comparable(self._part(node, value))
        raise TypeError(node)

    def _part(self, node: ast.expr, value: Any) -> Any:
        """Return an item, a field or the length of a value."""
        match node:
            case ast.Subscript(_, ast.Constant(int() as index)) if isinstance(value, tuple):
                return value[index] if index < len(value) else ABSENT
            case ast.Call() if isinstance(value, tuple | str):
                return len(value)
            case ast.Attribute(_, name) if attrs.has(type(value)):
                known = [field.name for field in attrs.fields(type(value))]
                if name in known:
                    return getattr(value, name)
                english = "{text}: there is no '{name}' in it; there are: {known}"
                raise CallError("no-part", english, text=self._text(node), name=name, known=", ".join(known))
        raise self._does_not_fit(node, value)

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
            raise self._does_not_fit(comparison, many)
        return any(_same(each, thing) for each in many for thing in things)

    def _ordered(self, one: Any, other: Any, are: Callable[[Any, Any], bool], comparison: ast.Compare) -> bool:
        if any(each is None or each is ABSENT for each in (one, other)):
            return False
        if type(one) is not type(other) or type(one) not in (int, str):
            raise self._does_not_fit(comparison, other if type(one) in (int, str) else one)
        return are(one, other)

    def _does_not_fit(self, node: ast.expr, value: Any) -> CallError:
        english = "{text}: this cannot be asked of {value}"
        return CallError("does-not-fit", english, text=self._text(node), value=_describe(value))

    def _text(self, node: ast.expr) -> str:
        return ast.get_source_segment(self.text, node) or self.text


def parse(text: str, cards: Mapping[str, Any] | None = None) -> Expression:
    """Parse an expression; `cards` maps faces to cards. Raises `CallError` with the position of the error."""
    if len(text) > MAX_LETTERS:
        english = "the expression has {letters} letters: at most {most} are allowed"
        raise CallError("expression-too-long", english, letters=len(text), most=MAX_LETTERS)
    text = " ".join(text.split())
    try:
        with warnings.catch_warnings(action="ignore"):  # the parser's, of what is refused below
            node = ast.parse(text.replace("\\", "\\\\"), mode="eval").body  # a backslash is a letter like any other
    except SyntaxError as cause:
        raise _error(text, (cause.offset or len(text) + 1) - 1, cause.msg) from None
    except (ValueError, MemoryError, RecursionError):
        raise _error(text, 0) from None
    called = _called(node)
    for each in ast.walk(node):
        if not _is_allowed(each, is_called=each in called):
            place = len(text.encode()[: getattr(each, "col_offset", 0)].decode(errors="ignore"))  # Python counts bytes
            raise _error(text, place)
    return Expression(text, node, cards or {})


def _called(node: ast.expr) -> set[ast.AST]:
    return {each.func for each in ast.walk(node) if isinstance(each, ast.Call)}


def _is_allowed(node: ast.AST, *, is_called: bool) -> bool:
    """Return True if a node may be part of an expression, whatever is below it."""
    match node:
        case ast.Name(name):
            return is_called is (name == "len")
        case _ if is_called:
            return False
        case ast.Constant(value):
            return type(value) is str or (type(value) is int and value < 10**MAX_DIGITS)
        case ast.Attribute(_, name):
            return not name.startswith("_")
        case ast.Subscript(_, ast.Constant(index)) | ast.UnaryOp(ast.USub(), ast.Constant(index)):
            return type(index) is int
        case ast.Compare(ops=[operator]):
            return isinstance(operator, OPERATORS)
        case ast.Call(args=[_], keywords=[]) | ast.UnaryOp(ast.Not()) | ast.BoolOp():
            return True
    return isinstance(node, ast.boolop | ast.unaryop | ast.cmpop | ast.expr_context)


def _comparable(value: Any) -> Any:
    """Return a set as a sorted list, and a member of an enumeration as its value."""
    if isinstance(value, frozenset):
        return tuple(sorted(value))
    return value.value if isinstance(value, Enum) and value is not ABSENT else value


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and one is not ABSENT and bool(one == other)


def _describe(value: Any) -> str | UserMessage:
    match value:
        case bool():
            return str(value).lower()
        case tuple():
            return UserMessage("a-list", "a list of {length}", length=len(value))
        case int() | str():
            return repr(value)
    return UserMessage("a-part", "a part")


def _error(text: str, place: int, why: str = "") -> CallError:
    """Return the error of an expression that is not understood from this letter on."""
    reason = UserMessage("no-meaning", "this is not understood here")
    if "never closed" in why or "unterminated" in why:
        reason = UserMessage("never-closed", "this is never closed")
    elif text[place : place + 1] == "=":
        reason = UserMessage("write-equals", "write == to compare")
    elif place >= len(text):
        reason = UserMessage("more-expected", "a path, a number or a 'text' is expected here")
    english = "{text}: at letter {letter}: {why}"
    return CallError("expression-wrong", english, text=sanitize(text, 120), letter=place + 1, why=reason)
