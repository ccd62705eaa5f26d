"""A stream of msgpack objects out of bytes that may be anything."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgpack
from attrs import frozen

from ..errors import Message

MANY = 4096
"""Longer lists and maps than this are read the careful way: a claimed length is not believed."""

MOST = 1 << 16
"""The most parts of an object, which may take a hundred times its bytes in memory; and the bytes read at once."""


@frozen
class BrokenObject:
    """An object whose extent is clear, but which no log may hold."""

    why: str


class ObjectStream:
    """The objects of a file, each with where it begins and ends.

    After the last one `end` is where reading stopped; `torn` tells that the file ends inside an object, `noise` what
    is wrong if the rest is no msgpack at all.
    """

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.end = 0
        self.torn = False
        self.noise: str | None = None

    def __iter__(self) -> Iterator[tuple[Any, int, int]]:
        while self.end < len(self.data) and not self.torn and self.noise is None:
            start = self.end
            yield from self._quickly(self.data[start : start + MOST])
            if self.end == start:
                yield from self._carefully(start + MOST)

    def _quickly(self, window: bytes) -> Iterator[tuple[Any, int, int]]:
        """Let msgpack read on in this part of the file for as long as nothing is unusual."""
        unpacker = msgpack.Unpacker(strict_map_key=False, max_array_len=MANY, max_map_len=MANY)
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
        except Exception:  # whatever it met, or the end: the careful way looks again
            return

    def _carefully(self, until: int) -> Iterator[tuple[Any, int, int]]:
        """Measure each object before it is read, up to the place from where the quick way may be tried again."""
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


def object_end(data: bytes, start: int) -> int | None:
    """Find where the object at `start` ends; None if the bytes end first.

    Raises `ValueError` where it is no msgpack.
    """
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
    """Tell whether this whole object has more parts than any log needs."""
    if len(raw) <= MOST:  # a part takes a byte
        return False
    place = parts = 0
    while place < len(raw) and parts <= MOST:
        head, length, place = read_object_prefix(raw, place)
        place += 0 if head in CHILDREN else length
        parts += 1
    return parts > MOST


def has_long_int(raw: bytes) -> bool:
    """Tell whether an int in this whole object could be written shorter."""
    place = 0
    while place < len(raw):
        at = place
        head, length, place = read_object_prefix(raw, place)
        place += 0 if head in CHILDREN else length
        if 0xCC <= head <= 0xD3 and len(msgpack.packb(msgpack.unpackb(raw[at:place]))) < place - at:
            return True
    return False


def read_object_prefix(data: bytes, place: int) -> tuple[int, int, int]:
    """Read the head at `place`: its kind, the length that it claims (bytes or children), and where that begins."""
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
"""How many bytes of length follow a head, and how many bytes come besides."""

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
"""How many children a head has that is one byte and says all; None for the others."""


class _Unfit(Exception):  # noqa: N818 (says why no log may hold it)
    """A value that msgpack has, but a log has not."""


def parse_strict(raw: bytes) -> Any:
    """Read one whole object as a log may hold it, or say in a `Broken` why none may."""
    if has_many_parts(raw):
        return BrokenObject(Message("many-parts", "it has more than {most} parts", most=MOST))
    try:
        value = msgpack.unpackb(raw, strict_map_key=False, object_pairs_hook=_unique, ext_hook=_no_extension)
        _check(value)
    except (RecursionError, msgpack.StackError):
        return BrokenObject(Message("nested", "it is nested too deeply"))
    except UnicodeDecodeError:
        return BrokenObject(Message("no-utf-8", "a text is not valid UTF-8"))
    except _Unfit as cause:
        return BrokenObject(cause.args[0])
    except Exception:  # msgpack's own: a timestamp that is none
        return BrokenObject(Message("no-place", "it has no place in a log"))
    return value


def _unique(pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
    try:
        known = dict(pairs)
    except TypeError:
        raise _Unfit(Message("key-no-text", "a map has a list or a map as a key")) from None
    if len(known) != len(pairs):
        raise _Unfit(Message("key-twice", "a map has a key twice"))
    return known


def _no_extension(code: int, _: bytes) -> Any:
    raise _Unfit(Message("extension", "extension type {code} has no place in a log", code=code))


def _check(value: Any, *, number_keys: bool = False) -> None:
    """Raise `_Unfit` for a kind of value that no log may hold."""
    if value is None or isinstance(value, bool | int | str | bytes):
        return
    if isinstance(value, list):
        for each in value:
            _check(each)
    elif isinstance(value, dict):
        for key, each in value.items():
            if not isinstance(key, str) and not (number_keys and type(key) is int):
                raise _Unfit(Message("strange-key", "a map has the key {key}, which is no text", key=ascii(key)[:40]))
            _check(each, number_keys=key == "chestnuts")
    else:
        if isinstance(value, float):
            raise _Unfit(Message("float", "a float has no place in a log"))
        raise _Unfit(Message("timestamp", "a timestamp has no place in a log"))
