"""Recovery of a torn tail: is it the beginning of the next object, cut short, or damage that must not be cut off?"""

from __future__ import annotations

from types import NoneType
from typing import Any

import attrs
import msgpack

from ..game import Result
from ..match.header import SIGN
from ..match.witness import MAX_BYTES, WITNESS, WITNESSES
from ..wire import REFUSED, wire_of
from ..wire.exact import MAX_ACTOR_LETTERS, MAX_ID_BYTES
from .broken import BrokenObject
from .findings import Reading
from .format import CHAIN_HEAD, DIGEST_BYTES, END_HEADS, EVENT_HEAD, LINK_BYTES, LINK_HEAD, SIGNATURE_BYTES, end_bytes
from .framing import CHILDREN, object_end, parse_strict, read_object_prefix

SHORT_BYTES, ANY_BYTES, SHORT_TEXTS = (0xC4,), (0xC4, 0xC5, 0xC6), (0xA0, 0xD9)
"""The type bytes of bytes, and of texts."""
LIMITED: dict[str, tuple[int, tuple[int, ...]]] = {
    "id": (MAX_ID_BYTES, SHORT_BYTES),
    "by": (4 * MAX_ACTOR_LETTERS, SHORT_TEXTS),
    WITNESS: (MAX_BYTES, SHORT_BYTES),
}
"""By key of meta: the greatest length of its value in bytes, and its type bytes."""

PAIR_HEAD = b"\x92"
TRIPLE_HEAD = b"\x93"
SIGNATURE_HEAD, DIGEST_HEAD = bytes((0xC4, SIGNATURE_BYTES)), bytes((0xC4, DIGEST_BYTES))


class _Cut(Exception):  # noqa: N818 (no error: the tail ends where this is raised)
    """The end of the tail; all bytes before it fit the next object."""


class _Wrong(Exception):  # noqa: N818 (no error: the tail is no torn write)
    """A byte that does not fit the next object."""


def is_torn_tail(tail: bytes, reading: Reading) -> bool:
    """Return True if `tail` is a proper beginning of the event, or the end record, that would come next."""
    if tail.startswith(END_HEADS):
        assert reading.match is not None
        results = (reading.match.result, None)
        return any(_is_begun(each, tail, reading) for each in results)
    try:
        _event(_Tail(tail), reading)
    except _Cut:
        return True
    except (_Wrong, ValueError, RecursionError):
        return False
    return False


def _is_begun(result: Result | None, tail: bytes, reading: Reading) -> bool:
    """Return True if the tail begins the end record of this result; what the host has signed nobody else knows."""
    signed = end_bytes(result, reading.events, reading.chain, bytes(SIGNATURE_BYTES))
    place = len(signed) - LINK_BYTES - len(CHAIN_HEAD) - SIGNATURE_BYTES
    signature = tail[place : place + SIGNATURE_BYTES].ljust(SIGNATURE_BYTES, bytes(1))
    each = [end_bytes(result, reading.events, reading.chain, sign) for sign in (None, signature)]
    return any(whole.startswith(tail) for whole in each)


class _Tail:
    """The bytes of the tail, taken from the front."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.place = 0

    @property
    def rest(self) -> bytes:
        return self.data[self.place :]

    def literal(self, expected: bytes) -> None:
        """Take exactly these bytes, or as many of them as are there."""
        rest = self.rest[: len(expected)]
        if not expected.startswith(rest):
            raise _Wrong
        if len(rest) < len(expected):
            raise _Cut
        self.place += len(expected)

    def skip(self, count: int) -> None:
        """Take so many bytes, whatever they are."""
        if len(self.data) < self.place + count:
            raise _Cut
        self.place += count

    def one_of(self, options: list[bytes]) -> bytes:
        """Take and return the one of these that comes next."""
        rest = self.rest
        for option in options:
            if rest.startswith(option):
                self.place += len(option)
                return option
        if any(option.startswith(rest) for option in options):
            raise _Cut
        raise _Wrong

    def count(self, heads: dict[int, int]) -> int:
        """Take a type byte and return the number that `heads` has for it."""
        if not self.rest:
            raise _Cut
        head = self.data[self.place]
        if head not in heads:
            raise _Wrong
        self.place += 1
        return heads[head]

    def value(self, kinds: type | tuple[type, ...]) -> Any:
        """Take and return a whole value of these types; a cut one must at least begin as such a value does."""
        if not self.rest:
            raise _Cut
        end = object_end(self.data, self.place)
        if end is None:
            self._check_cut(kinds)
            raise _Cut
        value = parse_strict(self.data[self.place : end])
        if isinstance(value, BrokenObject) or not isinstance(value, kinds) or _has_bytes(value):
            raise _Wrong
        self.place = end
        return value

    def _check_cut(self, kinds: type | tuple[type, ...]) -> None:
        """Raise `_Wrong` if the rest cannot be the beginning of a value of these types."""
        rest = self.rest
        head, length, begin = read_object_prefix(rest, 0)
        allowed = kinds if isinstance(kinds, tuple) else (kinds,)
        kind = _KINDS.get(head, int if 0xCC <= head <= 0xD3 else None)
        if kind not in allowed:
            raise _Wrong
        if kind is str:
            _check_text(rest[begin:])
        if kind is list or kind is dict:
            inner = _Tail(rest[begin:])
            for _ in range(length * CHILDREN[head]):
                inner.value((int, str, bool, list, dict))


_KINDS = {
    **dict.fromkeys((0xA0, 0xD9, 0xDA, 0xDB), str),
    **dict.fromkeys((0x90, 0xDC, 0xDD), list),
    **dict.fromkeys((0x80, 0xDE, 0xDF), dict),
}


def _has_bytes(value: Any) -> bool:
    """Return True if a value has bytes in it: no field does, so they would be a swallowed digest or chain."""
    if isinstance(value, dict):
        return any(map(_has_bytes, value.values()))
    return any(map(_has_bytes, value)) if isinstance(value, list) else isinstance(value, bytes)


def _check_text(raw: bytes) -> None:
    try:
        raw.decode()
    except UnicodeDecodeError as cause:
        if cause.reason != "unexpected end of data":
            raise _Wrong from None


def _event(tail: _Tail, reading: Reading) -> None:
    assert reading.game is not None
    assert reading.header is not None
    wire = wire_of(reading.game)
    tail.literal(EVENT_HEAD)
    tail.literal(msgpack.packb(reading.events))
    tail.one_of([msgpack.packb(seat) for seat in range(-1, len(reading.header.seats))])
    _meta(tail, reading.events)
    tag = msgpack.unpackb(tail.one_of([msgpack.packb(tag) for tag in sorted(wire.tags)]))
    names = [field.name for field in attrs.fields(wire.tags[tag])]
    tail.literal(bytes([0x80 | len(names)]))
    for _ in range(len(names)):
        names.remove(msgpack.unpackb(tail.one_of([msgpack.packb(name) for name in names])))
        tail.value((int, str, bool, list, dict, *([NoneType] if tag == REFUSED else [])))
    _digest(tail)
    tail.literal(LINK_HEAD)
    tail.skip(LINK_BYTES - len(LINK_HEAD))


def _meta(tail: _Tail, events: int) -> None:
    if tail.rest[:1] == b"\xc0":
        tail.place += 1
        return
    for _ in range(tail.count({0x80 | count: count for count in range(1, 16)})):
        key = tail.value(str)
        if key in LIMITED:
            _limited(tail, *LIMITED[key])
        elif key == SIGN:
            _sign(tail)
        elif key == WITNESSES:
            _witnesses(tail, MAX_BYTES * events)
        else:
            tail.value(int if key == "at" else (int, str, bool, NoneType, list, dict))


def _sign(tail: _Tail) -> None:
    """Take what is signed: a moment and a signature, or for a takeback a list of seats and signatures."""
    count = tail.count({0x90 | count: count for count in range(1, 16)})
    if tail.rest.startswith(PAIR_HEAD):
        for _ in range(count):
            tail.literal(PAIR_HEAD)
            _signature(tail)
    elif count == 2 or not tail.rest:
        _signature(tail)
    else:
        raise _Wrong


def _witnesses(tail: _Tail, most: int) -> None:
    """Take the witnesses of a `.rules`: lists of an event, names, and at most so many bytes."""
    for _ in range(tail.count({0x90 | count: count for count in range(1, 16)})):
        tail.literal(TRIPLE_HEAD)
        tail.value(int)
        tail.value(list)
        _limited(tail, most, ANY_BYTES)


def _signature(tail: _Tail) -> None:
    """Take a moment or seat, and 64 bytes."""
    tail.value(int)
    tail.literal(SIGNATURE_HEAD)
    tail.skip(SIGNATURE_BYTES)


def _limited(tail: _Tail, most: int, heads: tuple[int, ...]) -> None:
    """Take bytes or a text, as these type bytes say, of at most `most` bytes."""
    if not (rest := tail.rest):
        raise _Cut
    head, length, begin = read_object_prefix(rest, 0)  # of a length that is cut what is there
    if head not in heads or length > most:
        raise _Wrong
    if heads is SHORT_TEXTS:
        _check_text(rest[begin : begin + length])
    tail.skip(begin + length)


def _digest(tail: _Tail) -> None:
    if tail.one_of([b"\xc0", DIGEST_HEAD]) == DIGEST_HEAD:
        tail.skip(DIGEST_BYTES)
