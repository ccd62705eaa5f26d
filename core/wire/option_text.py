"""The value of an option as a text: as it is typed on a command line or a page, and printed."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from enum import Enum
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

BOOLS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}


def value_text(value: Any) -> str:
    """Return an option's plain value as it is typed: `true`, `1,2`, `4:2,5:3`, `none`."""
    if isinstance(value, Enum):
        value = value.value
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return ",".join(f"{value_text(key)}:{value_text(item)}" for key, item in value.items())
    if isinstance(value, tuple | list):
        return ",".join(map(value_text, value))
    return str(value)


def typed_value(text: str, field: Any) -> Any:
    """Return the plain value of an option's attrs field from a text; raises `ValueError` or `KeyError` for no value."""
    if field.metadata.get("wire") != "map":
        return _value(text, field.type)
    key, item = get_args(get_args(field.type)[0])
    pairs = (pair.partition(":") for pair in text.split(",") if pair)
    return {_value(left, key): _value(right, item) for left, _, right in pairs}


def is_typed(field: Any) -> bool:
    """Return True for an option that a form has no input for but a text: a tuple, a union, an enum, a map of these."""
    kinds = get_args(get_args(field.type)[0]) if field.metadata.get("wire") == "map" else (field.type,)
    plain = [getattr(kind, "__supertype__", kind) for kind in kinds]
    inside = (int, str) if field.metadata.get("wire") == "map" else (bool, int, str)
    return not all(kind in inside or (len(plain) == 1 and get_origin(kind) is Literal) for kind in plain)


def _value(text: str, kind: Any) -> Any:
    kind = getattr(kind, "__supertype__", kind)
    origin, args = get_origin(kind), get_args(kind)
    if kind is bool:
        return BOOLS[text.lower()]
    if kind is int:
        return int(text)
    if origin is Literal:  # what is none of them is refused by its own name
        return next((each for each in args if value_text(each) == text), text)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return {value_text(each.value): each.value for each in kind}[text]
    if origin is tuple:
        return _items(text, args)
    if origin in (Union, UnionType):
        return _of_some_kind(text, args)
    return text


def _items(text: str, kinds: tuple[Any, ...]) -> tuple[Any, ...]:
    """Parse the items of a tuple, between commas."""
    items = text.split(",") if text else []
    each = kinds[:1] * len(items) if kinds[1:] == (Ellipsis,) else kinds
    if len(each) != len(items):
        raise ValueError(text)
    return tuple(_value(item, kind) for item, kind in zip(items, each, strict=True))


def _of_some_kind(text: str, kinds: tuple[Any, ...]) -> Any:
    """Parse a value of the first kind that takes it; a text is one if nothing else takes it."""
    if type(None) in kinds and text.lower() in ("none", ""):
        return None
    for kind in kinds:
        with suppress(ValueError, KeyError):
            value = _value(text, kind) if kind not in (str, type(None)) else text
            if not isinstance(value, str):
                return value
    if any(kind is str or get_origin(kind) is Literal for kind in kinds):
        return text
    raise ValueError(text)
