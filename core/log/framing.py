"""A stream of msgpack objects, read from untrusted bytes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from types import NoneType
from typing import Any, Final

import msgpack

from ..errors import Message
from .broken import BrokenObject, Unfit

MAX_TRUSTED_LENGTH = 4096
"""Lists and maps that claim more items than this are measured before they are unpacked."""

_PLAIN: Final = frozenset({NoneType, bool, int, str, bytes})
"""The types of values that hold no others."""

MAX_PARTS = 1 << 16
"""The most values in one object, since each may take a hundred times its bytes in memory."""

MAX_DEPTH = 200
"""How deep lists and maps may be nested in one object: a limit of its own, so that every reader has the same."""

WINDOW_BYTES = 1 << 16
"""How many bytes are unpacked at once."""


class ObjectStream:
    """The objects of a file, each as `(value, start, end)`, its place in bytes.

    After the last one `end` is where reading stopped. `torn` is True if the file ends inside an object. `noise` is the
    message if the rest is not msgpack, else None.
    """

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.end = 0
        self.torn = False
        self.noise: str | None = None

    def __iter__(self) -> Iterator[tuple[Any, int, int]]:
        while self.end < len(self.data) and not self.torn and self.noise is None:
            start = self.end
            yield from self._unpack_window(self.data[start : start + WINDOW_BYTES])
            if self.end == start:
                yield from self._unpack_measured(start + WINDOW_BYTES)

    def _unpack_window(self, window: bytes) -> Iterator[tuple[Any, int, int]]:
        """Yield the objects of this part of the file up to the first that is unusual: too long, or cut off."""
        unpacker = msgpack.Unpacker(
            strict_map_key=False, max_array_len=MAX_TRUSTED_LENGTH, max_map_len=MAX_TRUSTED_LENGTH
        )
        unpacker.feed(window)
        unpack, tell, first = unpacker.unpack, unpacker.tell, self.end
        start = first
        try:
            while True:
                value = unpack()
                self.end = first + tell()
                yield value, start, self.end
                start = self.end
        except GeneratorExit:
            raise
        except Exception:  # whatever it met, or the end: `_unpack_measured` finds out
            return

    def _unpack_measured(self, until: int) -> Iterator[tuple[Any, int, int]]:
        """Yield the objects that begin before `until`, each measured before it is unpacked."""
        size = len(self.data)
        while self.end < min(until, size):
            start = self.end
            try:
                end = object_end(self.data, start)
            except ValueError as cause:
                self.noise = cause.args[0]
                return
            if end is None:
                self.torn = True
                return
            self.end = end
            yield parse_strict(self.data[start:end]), start, end


def is_array(raw: bytes) -> bool:
    """Return True if the bytes of an object begin an array, whatever is in it."""
    return 0x90 <= raw[0] <= 0x9F or raw[0] in (0xDC, 0xDD)


def is_map(raw: bytes) -> bool:
    """Return True if the bytes of an object begin a map, whatever is in it."""
    return 0x80 <= raw[0] <= 0x8F or raw[0] in (0xDE, 0xDF)


def is_list_of_seven(raw: bytes) -> bool:
    """Return True if the bytes of an object begin a list of seven, as an event is, whatever is in it."""
    return raw.startswith((b"\x97", b"\xdc\0\7", b"\xdd\0\0\0\7"))


def object_end(data: bytes, start: int) -> int | None:
    """Return where the object at `start` ends; None if the bytes end first. Raises `ValueError` for anything else."""
    place, size, pending = start, len(data), 1
    while pending:
        if place >= size:
            return None
        children = _SINGLE[data[place]]
        if children is not None:
            place += 1
            pending += children - 1
            continue
        head, length, place = read_object_prefix(data, place)
        if head in CHILDREN:
            pending += CHILDREN[head] * length
        else:
            place += length
        pending -= 1
    return place if place <= size else None


def has_many_parts(raw: bytes) -> bool:
    """Return True if this whole object has more than `MAX_PARTS` values, each of which takes a byte at least."""
    return len(raw) > MAX_PARTS and any(islice(_parts(raw), MAX_PARTS, None))


def has_long_int(raw: bytes) -> bool:
    """Return True if an int in this whole object is not in its shortest form."""
    ints = (raw[start:end] for head, start, end in _parts(raw) if 0xCC <= head <= 0xD3)
    return any(len(msgpack.packb(msgpack.unpackb(each))) < len(each) for each in ints)


def _parts(raw: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield the type byte and the place of each value in this whole object, of one that holds others its head alone."""
    place = 0
    while place < len(raw):
        start = place
        head, length, place = read_object_prefix(raw, place)
        place += 0 if head in CHILDREN else length
        yield head, start, place


def read_object_prefix(data: bytes, place: int) -> tuple[int, int, int]:
    """Return the type byte at `place`, the length that it claims (in bytes or children), and where the content begins.

    Raises `ValueError` for a byte that begins nothing in msgpack.
    """
    head = data[place]
    place += 1
    if head <= 0x7F or head >= 0xE0:
        return 0, 0, place
    if head <= 0x8F:
        return 0x80, head & 0x0F, place
    if head <= 0x9F:
        return 0x90, head & 0x0F, place
    if head <= 0xBF:
        return 0xA0, head & 0x1F, place
    if head not in _WIDTHS:
        raise ValueError(Message("no-msgpack", "byte {head} begins nothing in msgpack", head=f"{head:#04x}"))
    width, more = _WIDTHS[head]
    return head, int.from_bytes(data[place : place + width], "big") + more, place + width


CHILDREN = {0x80: 2, 0x90: 1, 0xDC: 1, 0xDD: 1, 0xDE: 2, 0xDF: 2}

_WIDTHS: dict[int, tuple[int, int]] = {
    **dict.fromkeys((0xC0, 0xC2, 0xC3), (0, 0)),
    **{head: (width, 0) for head, width in ((0xC4, 1), (0xC5, 2), (0xC6, 4), (0xD9, 1), (0xDA, 2), (0xDB, 4))},
    **{head: (width, 1) for head, width in ((0xC7, 1), (0xC8, 2), (0xC9, 4))},
    **{head: (0, size) for head, size in ((0xCA, 4), (0xCB, 8), (0xCC, 1), (0xCD, 2), (0xCE, 4), (0xCF, 8))},
    **{head: (0, size) for head, size in ((0xD0, 1), (0xD1, 2), (0xD2, 4), (0xD3, 8))},
    **{head: (0, size) for head, size in ((0xD4, 2), (0xD5, 3), (0xD6, 5), (0xD7, 9), (0xD8, 17))},
    **{head: (width, 0) for head, width in ((0xDC, 2), (0xDD, 4), (0xDE, 2), (0xDF, 4))},
}
"""By type byte: how many bytes hold the length, and how many bytes the content has besides that length."""

_SINGLE: tuple[int | None, ...] = tuple(
    0
    if head <= 0x7F or head >= 0xE0 or head in (0xC0, 0xC2, 0xC3)
    else 2 * (head & 0x0F)
    if head <= 0x8F
    else head & 0x0F
    if head <= 0x9F
    else None
    for head in range(256)
)
"""By type byte: the number of children of an object whose type byte says all; None for the others."""


def parse_strict(raw: bytes) -> Any:
    """Unpack one whole object; return a `BrokenObject` if no log may hold it."""
    if has_many_parts(raw):
        return BrokenObject(Message("many-parts", "it has more than {most} parts", most=MAX_PARTS))
    try:
        value = msgpack.unpackb(raw, strict_map_key=False, object_pairs_hook=_unique, ext_hook=_no_extension)
        _check(value)
    except (RecursionError, msgpack.StackError):
        return BrokenObject(Message("nested", "it is nested too deeply"))
    except UnicodeDecodeError:
        return BrokenObject(Message("no-utf-8", "a text is not valid UTF-8"))
    except Unfit as cause:
        return BrokenObject(cause.args[0])
    except Exception:  # msgpack's own: a timestamp that is none
        return BrokenObject(Message("no-place", "it has no place in a log"))
    return value


def _unique(pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
    try:
        known = dict(pairs)
    except TypeError:
        raise Unfit(Message("key-no-text", "a map has a list or a map as a key")) from None
    if len(known) != len(pairs):
        raise Unfit(Message("key-twice", "a map has a key twice"))
    return known


def _no_extension(code: int, _: bytes) -> Any:
    raise Unfit(Message("extension", "extension type {code} has no place in a log", code=code))


def place_within(place: str, key: Any) -> str:
    """Return the place of the value under a key of a map at another place."""
    if place == "object":
        return "options" if key == "options" else ""
    return "option" if place == "options" else ""


def why_unfit(value: Any) -> str | None:
    """Return the message why no log may hold a value inside an object that was unpacked; None if one may."""
    try:
        _check(value, place="")
    except Unfit as cause:
        return cause.args[0]  # type: ignore[no-any-return]
    return None


def _check(value: Any, depth: int = 1, place: str = "object") -> None:
    """Raise `Unfit` for a value that no log may hold.

    `place` is the `object` itself, its `options`, an `option`, or anything else. The keys of an option may be ints:
    those of older rules versions are, and their upcasts change them (`read_header`).
    """
    if value.__class__ in _PLAIN:
        return
    if depth > MAX_DEPTH and isinstance(value, list | dict) and value:
        raise Unfit(Message("nested", "it is nested too deeply"))
    if isinstance(value, list):
        for each in value:
            _check(each, depth + 1, "")
    elif isinstance(value, dict):
        for key, each in value.items():
            if not isinstance(key, str) and not (place == "option" and type(key) is int):
                raise Unfit(Message("strange-key", "a map has the key {key}, which is not a text", key=ascii(key)[:40]))
            _check(each, depth + 1, place_within(place, key))
    else:
        if isinstance(value, float):
            raise Unfit(Message("float", "a float has no place in a log"))
        raise Unfit(Message("timestamp", "a timestamp has no place in a log"))
