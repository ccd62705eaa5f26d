"""Whether a value is exactly what reading a log would make of it: no bool for an int, no list for a tuple."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

import attrs

from ..errors import MatchError, Message
from ..game import Meta, is_mapping

Test = Callable[[Any], bool]

MAX_ID_BYTES = 32
"""The most bytes of `meta.id`."""
MAX_ACTOR_LETTERS = 64
"""The most characters of `meta.by`."""

TESTS: dict[type, Test] = {}
"""The tests that were made, by class: what `Match.apply` looks up for each command."""


def is_exact(kind: type) -> Test:
    """Return the test whether an attrs object of this class has exactly values that a log can hold.

    It is never true where a field's type is none that is known here.
    """
    if kind not in TESTS:
        TESTS[kind] = _object_test(kind)
    return TESTS[kind]


def _object_test(kind: type) -> Test:
    fields = attrs.fields(attrs.resolve_types(kind))
    tests = [_map_test(field.type) if is_mapping(field) else _test(field.type) for field in fields]
    parts = [(field.name, test) for field, test in zip(fields, tests, strict=True)]
    if not parts:
        return _always
    if len(parts) == 1:
        ((name, test),) = parts
        return lambda command: test(getattr(command, name))
    if len(parts) == 2:
        (first, one), (second, other) = parts
        return lambda command: one(getattr(command, first)) and other(getattr(command, second))
    return lambda command: all(test(getattr(command, name)) for name, test in parts)


_STR = frozenset({str})


def _always(_: Any) -> bool:
    return True


def _never(_: Any) -> bool:
    return False


def is_plain(value: Any) -> bool:
    """Return True if a log can hold this value under a key that another program wrote."""
    if value.__class__ is list or value.__class__ is tuple:
        return all(map(is_plain, value))
    if value.__class__ is dict:
        return all(is_plain(each) for pair in value.items() for each in pair)
    test = _PLAIN.get(value.__class__)
    return test is not None and test(value)


def is_int(value: Any) -> bool:
    """Return True for an int that a log can hold: msgpack has no other."""
    return value.__class__ is int and -(2**63) <= value < 2**64


def is_text(value: Any) -> bool:
    """Return True for a text that a log can hold."""
    if value.__class__ is not str:
        return False
    if value.isascii():
        return True
    try:
        value.encode()
    except UnicodeEncodeError:  # half of a pair of surrogates
        return False
    return True


META: tuple[tuple[str, Test, str], ...] = (
    (
        "at",
        lambda value: value.__class__ is int and 0 <= value < 2**64,
        Message("milliseconds", "milliseconds, 0 or more"),
    ),
    (
        "id",
        lambda value: value.__class__ is bytes and len(value) <= MAX_ID_BYTES,
        Message("bytes-at-most", "at most {most} bytes", most=MAX_ID_BYTES),
    ),
    (
        "by",
        lambda value: is_text(value) and len(value) <= MAX_ACTOR_LETTERS,
        Message("text-at-most", "a text of at most {most} letters", most=MAX_ACTOR_LETTERS),
    ),
)
"""The keys of meta that every program knows, with what fits them, and that in words."""


def check_meta(meta: Meta) -> None:
    """Raise `MatchError` unless a log can hold this meta."""
    if not isinstance(meta, Meta):
        raise MatchError(Message("no-meta", "what stands beside the command is not a Meta"))
    known: Any = meta  # compiled code would take the types of its fields at their word
    wrong = [key for key, fits, _ in META if (value := getattr(known, key)) is not None and not fits(value)]
    if known.more and not all(is_text(key) and is_plain(value) for key, value in known.more):
        wrong.append("more")
    if wrong:
        raise MatchError(Message("meta-not-in-a-log", "no log can hold {key} of this meta", key=repr(wrong[0])))


def _are_ints(values: Any) -> bool:
    if values.__class__ is not tuple:
        return False
    for value in values:  # noqa: SIM110 (a third of the time of `all`)
        if value.__class__ is not int or not -(2**63) <= value < 2**64:
            return False
    return True


def _are_texts(values: Any) -> bool:
    return values.__class__ is tuple and _STR.issuperset(map(type, values)) and is_text("".join(values))


_PLAIN: dict[Any, Test] = {
    int: is_int,
    str: is_text,
    bool: lambda value: value.__class__ is bool,
    bytes: lambda value: value.__class__ is bytes,
    type(None): lambda value: value is None,
}


def _test(kind: Any) -> Test:
    kind = getattr(kind, "__supertype__", kind)  # of a `NewType`
    if kind in _PLAIN:
        return _PLAIN[kind]
    origin, args = get_origin(kind), get_args(kind)
    if origin is Literal:
        return _literal_test(args)
    if origin in (Union, UnionType):
        return _union_test(args)
    if origin is tuple:
        return _tuple_test(args)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return lambda value: value.__class__ is kind
    if isinstance(kind, type) and attrs.has(kind):
        exact = is_exact(kind)
        return lambda value: value.__class__ is kind and exact(value)
    return _never


def _literal_test(choices: tuple[Any, ...]) -> Test:
    if {type(each) for each in choices} == {str}:
        return lambda value: value.__class__ is str and value in choices
    return lambda value: any(value.__class__ is each.__class__ and value == each for each in choices)


def _union_test(kinds: tuple[Any, ...]) -> Test:
    plain = {kind: _PLAIN.get(getattr(kind, "__supertype__", kind)) for kind in kinds}
    by_class = {getattr(kind, "__supertype__", kind): test for kind, test in plain.items() if test is not None}
    if len(by_class) == len(kinds):
        return lambda value: (test := by_class.get(value.__class__)) is not None and test(value)
    tests = [_test(kind) for kind in kinds]
    return lambda value: any(test(value) for test in tests)


def _tuple_test(args: tuple[Any, ...]) -> Test:
    if args[1:] == (Ellipsis,):
        test = _test(args[0])
        if test is is_int:
            return _are_ints
        if test is is_text:
            return _are_texts
        return lambda values: values.__class__ is tuple and all(map(test, values))
    tests = [_test(each) for each in args]
    if all(test is is_int for test in tests):
        return lambda values: _are_ints(values) and len(values) == len(tests)
    if len(tests) == 2:
        one, other = tests
        return lambda pair: pair.__class__ is tuple and len(pair) == 2 and one(pair[0]) and other(pair[1])
    return lambda values: (
        values.__class__ is tuple
        and len(values) == len(tests)
        and all(test(value) for test, value in zip(tests, values, strict=True))
    )


def _map_test(kind: Any) -> Test:
    pairs = _test(kind)
    return lambda values: pairs(values) and len(dict(values)) == len(values)
