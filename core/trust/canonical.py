"""Canonical msgpack: the one encoding of a value, so that what is hashed or signed can be read in one way only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from threading import local
from typing import Any, Final

import msgpack

from ..errors import Message, TrustError
from ..log.broken import BrokenObject
from ..log.framing import object_end, parse_strict


def canonical(value: Any) -> bytes:
    """Pack nil, bool, int, str, bytes, lists and maps: shortest heads, map pairs ascending by their packed keys.

    Raises `TrustError` for any other kind of value, and for what is nested too deeply.
    """
    return pack_ordered(ordered(value))


def pack_ordered(value: Any) -> bytes:
    """Pack a value that `canonical` takes, and whose maps are in order already."""
    try:
        packer = _of_thread.packer
    except AttributeError:  # to make one for each value takes longer than to pack it
        packer = _of_thread.packer = msgpack.Packer()
    try:
        return packer.pack(value)  # type: ignore[no-any-return]
    except (OverflowError, TypeError, ValueError, RecursionError):
        raise not_canonical() from None


_of_thread: Final = local()


def ordered(value: Any) -> Any:
    """Return the value with its maps in order; raises `TrustError` for what has no canonical form."""
    try:
        return _ordered(value)
    except (OverflowError, TypeError, ValueError, RecursionError):
        raise not_canonical() from None


def not_canonical() -> TrustError:
    """Return the error of what has no canonical form."""
    english = "it holds something else than nil, bool, int, text, bytes, list and map"
    return TrustError("canonical", Message("not-canonical", english))


def from_canonical(raw: bytes) -> Any:
    """Return the value of these bytes; raises `TrustError` unless they are its canonical encoding."""
    try:
        whole = object_end(raw, 0) == len(raw)
    except ValueError:
        whole = False
    value = parse_strict(raw) if whole else BrokenObject(Message("no-whole-object", "it is not a whole msgpack object"))
    if isinstance(value, BrokenObject):
        raise TrustError("canonical", value.why)
    if canonical(value) != raw:
        raise TrustError("canonical", Message("other-encoding", "its bytes are not the canonical encoding"))
    return value


def same(one: Any, other: Any) -> bool:
    """Return True if two values have one canonical form; never for what has none."""
    try:
        return canonical(one) == canonical(other)
    except TrustError:
        return False


SCALARS = frozenset({int, str, bytes, bool, type(None)})
TEXTS = frozenset({str})


def are_of(kinds: frozenset[Any], values: Iterable[Any]) -> bool:
    """Return True if all values are of these classes, and none of a subclass."""
    return kinds.issuperset(map(type, values))


def _ordered(value: Any) -> Any:
    """Return the value with its maps in order."""
    kind = value.__class__
    if kind in SCALARS:
        return value
    if isinstance(value, list | tuple):
        return value if are_of(SCALARS, value) else list(map(_ordered, value))
    if kind is dict and are_of(TEXTS, value):
        return {name: _ordered(value[name]) for name in in_order(tuple(value))}
    if isinstance(value, Mapping):
        pairs = sorted((msgpack.packb(key), key, each) for key, each in value.items() if _is_key(key))
        return {key: _ordered(each) for _, key, each in pairs}
    if isinstance(value, bool | int | str | bytes):
        return value
    raise TypeError


@lru_cache(maxsize=4096)
def in_order(keys: tuple[str, ...]) -> tuple[str, ...]:
    """Sort texts by their packed bytes; raises `TrustError` for one that has half of a surrogate pair."""
    try:
        return tuple(sorted(keys, key=msgpack.packb))
    except ValueError:
        raise not_canonical() from None


def _is_key(key: Any) -> bool:
    if isinstance(key, str | bytes | int) and not isinstance(key, bool):
        return True
    raise TypeError
