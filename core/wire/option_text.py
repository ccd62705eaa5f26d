"""The value of an option as a text: as it is typed on a command line or a page, and printed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from enum import Enum
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

from ..game import is_mapping

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
        return ",".join(
            [":".join(map(value_text, each)) if isinstance(each, tuple | list) else value_text(each) for each in value]
        )
    return str(value)


def typed_value(text: str, field: Any) -> Any:
    """Return the plain value of an option's attrs field from a text: what is no value stays a text, to be refused.

    A map with a key twice is a tuple of pairs, to be refused as such.
    """
    if not is_mapping(field):
        return _value(text, field.type)
    return typed_map([pair.partition(":")[::2] for pair in text.split(",") if pair], field)


def typed_map(pairs: Iterable[tuple[Any, Any]], field: Any) -> Any:
    """Return the plain value of a map from its keys and values, of which texts are as they are typed."""
    kinds = get_args(get_args(field.type)[0])
    read = [
        tuple(_value(each, kind) if isinstance(each, str) else each for each, kind in zip(pair, kinds, strict=True))
        for pair in pairs
    ]
    made = dict(read)
    return made if len(made) == len(read) else tuple(read)


def is_typed(field: Any) -> bool:
    """Return True for an option that a form has no input for but a text: a tuple, a union, an enum, a map of these."""
    kinds = get_args(get_args(field.type)[0]) if is_mapping(field) else (field.type,)
    plain = [getattr(kind, "__supertype__", kind) for kind in kinds]
    inside = (int, str) if is_mapping(field) else (bool, int, str)
    return not all(kind in inside or (len(plain) == 1 and get_origin(kind) is Literal) for kind in plain)


def _value(text: str, kind: Any) -> Any:
    """Return the plain value of a text, or the text itself if it is none of the kind."""
    kind = getattr(kind, "__supertype__", kind)
    origin, args = get_origin(kind), get_args(kind)
    if kind is bool:
        return BOOLS.get(text.strip().lower(), text)
    if kind is int:
        return int(text) if _WHOLE.fullmatch(text.strip()) else text
    if origin is Literal:
        return next((each for each in args if value_text(each) == text.strip()), text)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return next((each.value for each in kind if value_text(each.value) == text.strip()), text)
    if origin is tuple:
        return _items(text, args)
    return _of_some_kind(text, args) if origin in (Union, UnionType) else text


_WHOLE = re.compile("0|-?[1-9][0-9]{0,39}")


def _items(text: str, kinds: tuple[Any, ...]) -> Any:
    """Return the items of a tuple, between commas; the text itself if they are too few or too many."""
    items = text.split(",") if text else []
    each = kinds[:1] * len(items) if kinds[1:] == (Ellipsis,) else kinds
    return tuple(map(_value, items, each)) if len(each) == len(items) else text


def _of_some_kind(text: str, kinds: tuple[Any, ...]) -> Any:
    """Return a value of the first kind that takes it; a text is one if nothing else takes it."""
    if type(None) in kinds and text.strip().lower() in ("none", ""):
        return None
    values = (_value(text, kind) for kind in kinds if kind is not type(None))
    return next((value for value in values if not isinstance(value, str)), text)
