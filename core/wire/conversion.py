"""Values of commands and options from plain data and back, and why some cannot be made."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from enum import Enum
from functools import cache, reduce
from itertools import pairwise
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

import attrs
from cattrs import BaseConverter, Converter
from cattrs.errors import ClassValidationError, ForbiddenExtraKeysError
from cattrs.gen import make_dict_structure_fn, override

from ..errors import Message
from ..game import is_mapping, is_pairs
from .option_text import value_text


def is_int_type(kind: Any) -> bool:
    """Return True for int, and for a `NewType` of it."""
    return getattr(kind, "__supertype__", kind) is int


def int_of(key: Any) -> Any:
    """Return the int of which a text is the shortest decimal form; anything else as it is."""
    if isinstance(key, str) and _DECIMAL.fullmatch(key):
        return int(key)
    return key


_DECIMAL = re.compile(r"0|-?[1-9][0-9]{0,18}")


@cache
def field_names(kind: type) -> tuple[str, ...]:
    """Return the names of the fields of a class, in order."""
    return tuple(field.name for field in attrs.fields(kind))


def _exactly(kind: type) -> Callable[[Any, Any], Any]:
    def structure(value: Any, _: Any) -> Any:
        if value.__class__ is not kind:
            raise TypeError(Message("not-a", "{value} is not {kind}", value=short_form(value), kind=_A[kind]))
        return value

    return structure


_A = {
    int: Message("a-whole-number", "a whole number"),
    bool: Message("a-bool", "true or false"),
    str: Message("a-text", "a text"),
    bytes: Message("bytes", "bytes"),
}


def _is_int_or_text(kind: Any) -> bool:
    """Return True for int | str, also where the int is a `NewType`."""
    kinds = get_args(kind)
    return get_origin(kind) in (Union, UnionType) and len(kinds) == 2 and str in kinds and any(map(is_int_type, kinds))


def _int_or_text(value: Any, _: Any) -> int | str:
    if value.__class__ is int or value.__class__ is str:
        return value
    raise TypeError(Message("no-int-or-text", "{value} is not an int or a text", value=short_form(value)))


def _tuple_hook(kind: Any, converter: BaseConverter) -> Callable[[Any, Any], Any]:
    args = get_args(kind)
    if len(args) == 2 and args[1] is Ellipsis:
        item = converter.get_structure_hook(args[0])
        of = args[0]

        def many(value: Any, _: Any) -> tuple[Any, ...]:
            if value.__class__ is not list and value.__class__ is not tuple:
                raise TypeError(Message("no-list", "{value} is not a list", value=short_form(value)))
            return tuple([item(each, of) for each in value])

        return many
    items = [(converter.get_structure_hook(arg), arg) for arg in args]

    def exactly(value: Any, _: Any) -> tuple[Any, ...]:
        if (value.__class__ is not list and value.__class__ is not tuple) or len(value) != len(items):
            raise TypeError(
                Message("no-list-of", "{value} is not a list of {count}", value=short_form(value), count=len(items))
            )
        return tuple([hook(each, arg) for each, (hook, arg) in zip(value, items, strict=True)])

    return exactly


def _one_of(choices: tuple[Any, ...]) -> Callable[[Any, Any], Any]:
    def one_of(value: Any, _: Any) -> Any:
        for choice in choices:
            if value.__class__ is choice.__class__ and value == choice:
                return choice
        raise TypeError(
            Message(
                "none-of",
                "{value} is not one of {choices}",
                value=short_form(value),
                choices=", ".join(map(value_text, choices)),
            )
        )

    return one_of


def _is_literal(kind: Any) -> bool:
    return get_origin(kind) is Literal


def _literal_hook(kind: Any) -> Callable[[Any, Any], Any]:
    """Return what structures a literal: no lambda, since cattrs asks for its signature, and a compiled one has none."""
    return _one_of(get_args(kind))


def _is_tuple(kind: Any) -> bool:
    return get_origin(kind) is tuple


def _is_enum(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Enum)


def _enum_hook(kind: Any) -> Callable[[Any, Any], Any]:
    written = _one_of(tuple([member.value for member in kind]))

    def member(value: Any, _: Any) -> Any:
        return value if value.__class__ is kind else kind(written(value, None))

    return member


def _map_hook(field: Any, converter: Converter) -> Callable[[Any, Any], Any]:
    key_kind, value_kind = get_args(get_args(field.type)[0])
    key_hook, value_hook = converter.get_structure_hook(key_kind), converter.get_structure_hook(value_kind)
    read = int_of if _has_digits(field) else lambda key: key

    def pairs(value: Any, _: Any) -> tuple[Any, ...]:
        given = value.items() if value.__class__ is dict else value
        if value.__class__ is not dict and value.__class__ is not tuple:
            raise TypeError(Message("no-map", "{value} is not a map", value=short_form(value)))
        made = [(key_hook(read(key), key_kind), value_hook(each, value_kind)) for key, each in given]
        if len({key for key, _ in made}) < len(made):
            raise TypeError(Message("key-twice", "a map has a key twice"))
        return tuple(made)

    return _pairs_hook(field, converter, pairs) if is_pairs(field) else pairs


def _pairs_hook(field: Any, converter: Converter, of_map: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Return what makes the pairs of a list of them, ascending by key, or of a map or a tuple in any order."""
    of_list = converter.get_structure_hook(field.type)

    def pairs(value: Any, _: Any) -> tuple[Any, ...]:
        if value.__class__ is dict:
            return tuple(sorted(of_map(value, None)))
        made: tuple[Any, ...] = of_list(value, field.type)
        made = tuple(sorted(made)) if value.__class__ is tuple else made
        if any(one >= other for (one, _), (other, _) in pairwise(made)):
            raise TypeError(Message("keys-ascend", "its keys do not ascend"))
        return made

    return pairs


def _converter(*, detailed: bool) -> Converter:
    converter = Converter(forbid_extra_keys=True, detailed_validation=detailed)
    for kind in (int, bool, str, bytes):
        converter.register_structure_hook(kind, _exactly(kind))
    converter.register_structure_hook_func(_is_int_or_text, _int_or_text)
    converter.register_structure_hook_factory(_is_literal, _literal_hook)
    converter.register_structure_hook_factory(_is_enum, _enum_hook)
    converter.register_structure_hook_factory(_is_tuple, _tuple_hook)
    return converter


_quick = _converter(detailed=False)
_careful = _converter(detailed=True)


@cache
def structurer(kind: type, converter: Converter = _quick) -> Callable[[Any, Any], Any]:
    """Return what makes an object of a class of a map of its fields; it raises whatever cattrs does."""
    attrs.resolve_types(kind)
    overrides: dict[str, Any] = {
        field.name: override(struct_hook=_map_hook(field, converter))
        for field in attrs.fields(kind)
        if is_mapping(field)
    }
    return make_dict_structure_fn(
        kind,
        converter,
        _cattrs_forbid_extra_keys=True,
        _cattrs_detailed_validation=converter is _careful,
        **overrides,
    )


@cache
def unstructurer(kind: type) -> Callable[[Any], dict[str, Any]]:
    """Return what makes a map of the fields of an object of the class."""
    names = field_names(kind)
    makers = {field.name: make for field in _fields_of(kind) if (make := _unstructure_field(field)) is not None}
    if makers:
        return lambda value: {
            name: makers[name](getattr(value, name)) if name in makers else getattr(value, name) for name in names
        }
    return lambda value: {name: getattr(value, name) for name in names}


def _fields_of(kind: type) -> tuple[Any, ...]:
    fields: tuple[Any, ...] = attrs.fields(attrs.resolve_types(kind))
    return fields


def _unstructure_field(field: Any) -> Callable[[Any], Any] | None:
    """Return what makes the plain value of a field; None if its values are plain as they are."""
    written = _written if _holds_objects(field.type) else None
    if not is_mapping(field) or is_pairs(field):
        return written
    if _has_digits(field):
        return lambda pairs: {str(_written(key)): _written(each) for key, each in pairs}
    return dict if written is None else lambda pairs: {_written(key): _written(each) for key, each in pairs}


def _has_digits(field: Any) -> bool:
    """Return True for a map by numbers that has their decimal digits as keys in a log, where keys are texts."""
    key = get_args(get_args(field.type)[0])[0]
    values = [member.value for member in key] if _is_enum(key) else get_args(key) if _is_literal(key) else []
    return not is_pairs(field) and (is_int_type(key) or {type(value) for value in values} == {int})


def _holds_objects(kind: Any) -> bool:
    """Return True if values of this type are, or hold, members of an enum or objects of attrs classes."""
    kind = getattr(kind, "__supertype__", kind)
    if get_origin(kind) is Literal:
        return False
    if _is_enum(kind) or (isinstance(kind, type) and attrs.has(kind)):
        return True
    return any(map(_holds_objects, get_args(kind)))


def _written(value: Any) -> Any:
    """Return a value of a field as a log has it: a member of an enum as its value, an object as a map."""
    if isinstance(value, Enum):
        return value.value
    if value.__class__ is tuple:
        return tuple([_written(each) for each in value])
    kind: Any = value.__class__
    return {name: _written(getattr(value, name)) for name in field_names(kind)} if attrs.has(kind) else value


def reason_of(kind: type, fields: dict[Any, Any]) -> str:
    """Return the message why these fields do not make the class."""
    wrong = [
        Message("of-field", "field {field}: {why}", field=repr(field), why=why) if field else why
        for field, why in wrong_fields(kind, fields)
    ]
    return reduce(lambda one, other: Message("one-and-other", "{one}; {other}", one=one, other=other), wrong)


def wrong_fields(kind: type, fields: dict[Any, Any]) -> list[tuple[str, str]]:
    """Return the fields that do not make the class, each with its message; "" is the class as a whole."""
    try:
        structurer(kind, _careful)(fields, None)
    except Exception as cause:
        return list(_within(cause))
    return [("", Message("does-not-fit", "it does not fit"))]


def _within(cause: BaseException, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield the path of a field and its message for each of the errors that cattrs has grouped by field."""
    if not isinstance(cause, ClassValidationError):
        yield path, _message_of(cause)
        return
    noted, others = cause.group_exceptions()
    for each, note in noted:
        yield from _within(each, f"{path}.{note.name}" if path else note.name)
    for each in others:
        yield from _within(each, path)


def _message_of(cause: BaseException) -> str:
    if isinstance(cause, KeyError):
        return Message("it-is-missing", "it is missing")
    if isinstance(cause, ForbiddenExtraKeysError):
        names = ", ".join(sorted(map(short_form, cause.extra_fields)))
        return Message("no-field", "there is no field {names}", names=names[:250])
    text = cause.args[0] if cause.args else ""
    return text if isinstance(text, Message) else str(cause)[:250]


_KIND_NAMES = {
    dict: Message("a-map", "a map"),
    list: Message("a-list", "a list"),
    tuple: Message("a-list", "a list"),
    bytes: Message("bytes", "bytes"),
    float: Message("a-float", "a float"),
}
_CONSTANTS = {None: "nil", True: "true", False: "false"}


def short_form(value: Any) -> str:
    """Format an untrusted value in at most 60 characters, in the terms of the format, control characters escaped."""
    if value is None or value is True or value is False:
        return _CONSTANTS[value]
    if value.__class__ is int:
        return str(value) if value.bit_length() <= 64 else Message("a-giant-int", "a giant int")
    if value.__class__ is not str:
        return _KIND_NAMES.get(value.__class__) or str(value.__class__.__name__)[:60]
    text = repr(value[:60])
    return text if len(text) <= 60 else text[:57] + "..."
