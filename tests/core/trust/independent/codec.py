"""The canonical form, hashes and signatures of the contract, and the objects of a file."""

from __future__ import annotations

from functools import cache
from hashlib import blake2b, sha256
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


class Misfit(ValueError):
    """What has no canonical form, or no place in a log."""


class Noise(ValueError):
    """Bytes that begin nothing in msgpack."""


# --- writing ---------------------------------------------------------------------------------------------------------


def canonical(value: Any) -> bytes:
    """Encode a value in the one way that there is."""
    if value is None or value is True or value is False:
        return {None: b"\xc0", True: b"\xc3", False: b"\xc2"}[value]
    if isinstance(value, int):
        return _int(value)
    if isinstance(value, str):
        raw = value.encode()
        return _head(len(raw), (0xA0, 31), (0xD9, 0xDA, 0xDB)) + raw
    if isinstance(value, bytes):
        return _head(len(value), None, (0xC4, 0xC5, 0xC6)) + value
    if isinstance(value, list | tuple):
        return _head(len(value), (0x90, 15), (None, 0xDC, 0xDD)) + b"".join(map(canonical, value))
    if isinstance(value, dict):
        pairs = sorted((canonical(key), canonical(each)) for key, each in value.items())
        return _head(len(pairs), (0x80, 15), (None, 0xDE, 0xDF)) + b"".join(key + each for key, each in pairs)
    raise Misfit


def _int(value: int) -> bytes:
    if -32 <= value < 128:
        return bytes([value & 0xFF])
    for at, size in enumerate((1, 2, 4, 8)):
        bits = 8 * size
        if 0 <= value < 1 << bits:
            return bytes([0xCC + at]) + value.to_bytes(size, "big")
        if -(1 << bits - 1) <= value < 0:
            return bytes([0xD0 + at]) + value.to_bytes(size, "big", signed=True)
    raise Misfit


def _head(length: int, short: tuple[int, int] | None, heads: tuple[int | None, int, int]) -> bytes:
    if short is not None and length <= short[1]:
        return bytes([short[0] | length])
    for head, size in zip(heads, (1, 2, 4), strict=True):
        if head is not None and length < 1 << 8 * size:
            return bytes([head]) + length.to_bytes(size, "big")
    raise Misfit


# --- reading ---------------------------------------------------------------------------------------------------------

BAD = object()
"""What stands for a value that no log may hold: a float, an extension, a text that is no UTF-8, a map's odd keys."""

_SIZED = {
    0xC7: 1,
    0xC8: 2,
    0xC9: 4,
    0xC4: 1,
    0xC5: 2,
    0xC6: 4,
    0xD9: 1,
    0xDA: 2,
    0xDB: 4,
    0xDC: 2,
    0xDD: 4,
    0xDE: 2,
    0xDF: 4,
}
_UNFIT = {0xCA: 4, 0xCB: 8, 0xD4: 2, 0xD5: 3, 0xD6: 5, 0xD7: 9, 0xD8: 17}


DEPTH = 200


def decode(data: bytes, at: int = 0, deep: int = 1, *, numbered: bool = False) -> tuple[Any, int]:
    """Return the value at this place and where it ends; raises `IndexError` where the bytes end first."""
    head, at = data[at], at + 1
    if head <= 0x7F or head >= 0xE0:
        return (head if head <= 0x7F else head - 256), at
    if head in (0xC0, 0xC2, 0xC3):
        return {0xC0: None, 0xC2: False, 0xC3: True}[head], at
    if 0xCC <= head <= 0xD3:
        raw = _take(data, at, 1 << (head & 3))
        return int.from_bytes(raw, "big", signed=head >= 0xD0), at + len(raw)
    if head in _UNFIT:
        return BAD, at + len(_take(data, at, _UNFIT[head]))
    if head == 0xC1:
        raise Noise
    length = head & (0x1F if head >= 0xA0 else 0x0F)
    if head in _SIZED:
        raw = _take(data, at, _SIZED[head])
        length, at = int.from_bytes(raw, "big"), at + len(raw)
    if head <= 0x8F or head >= 0xDE:
        return _map(data, at, length, deep, numbered=numbered)
    if head <= 0x9F or head in (0xDC, 0xDD):
        return _list(data, at, length, deep)
    if 0xC7 <= head <= 0xC9:
        return BAD, at + len(_take(data, at, length + 1))
    raw = _take(data, at, length)
    return (raw if 0xC4 <= head <= 0xC6 else _text(raw)), at + length


def _take(data: bytes, at: int, count: int) -> bytes:
    if at + count > len(data):
        raise IndexError
    return data[at : at + count]


def _text(raw: bytes) -> Any:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return BAD


def _list(data: bytes, at: int, length: int, deep: int) -> tuple[Any, int]:
    values = []
    for _ in range(length):
        value, at = decode(data, at, deep + 1)
        values.append(value)
    return (BAD if (values and deep > DEPTH) or any(value is BAD for value in values) else values), at


def _map(data: bytes, at: int, length: int, deep: int, *, numbered: bool) -> tuple[Any, int]:
    pairs: dict[Any, Any] = {}
    fits = not length or deep <= DEPTH
    for _ in range(length):
        key, at = decode(data, at, deep + 1)
        value, at = decode(data, at, deep + 1, numbered=key == "chestnuts")
        is_key = isinstance(key, str) or (numbered and type(key) is int)
        fits = fits and is_key and value is not BAD and key not in pairs
        if is_key:
            pairs[key] = value
    return (pairs if fits else BAD), at


class Stream:
    """The objects of a file, each with its bytes; how it ends: whole, `torn`, or in `noise`."""

    def __init__(self, data: bytes) -> None:
        self.parts: list[tuple[Any, bytes]] = []
        self.torn = self.noise = False
        at = 0
        while at < len(data) and not self.torn and not self.noise:
            try:
                value, end = decode(data, at)
            except IndexError:
                self.torn = True
            except Noise:
                self.noise = True
            else:
                self.parts.append((value, data[at:end]))
                at = end


# --- shapes ----------------------------------------------------------------------------------------------------------


def is_int(value: Any, least: int = 0) -> bool:
    return type(value) is int and value >= least


def is_bytes(value: Any, size: int) -> bool:
    return type(value) is bytes and len(value) == size


def is_list(value: Any, fits: Any) -> bool:
    return type(value) is list and all(map(fits, value))


# --- hashes and signatures -------------------------------------------------------------------------------------------


def sha(*parts: Any) -> bytes:
    return sha256(canonical(parts)).digest()


def b2(data: bytes, key: bytes = b"", size: int = 32) -> bytes:
    return blake2b(data, digest_size=size, key=key).digest()


def signed(key: Any, signature: Any, *message: Any) -> bool:
    """Whether this key, not a weak one, has signed the canonical form of a message."""
    return has_signed(key, signature, canonical(message))


def has_signed(key: Any, signature: Any, message: bytes) -> bool:
    if not is_bytes(key, 32) or not is_bytes(signature, 64) or is_weak(key):
        return False
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


P = 2**255 - 19
D = -121665 * pow(121666, -1, P) % P


@cache
def is_weak(key: bytes) -> bool:
    """Whether eight times the key's point is the neutral one, by the addition of RFC 8032."""
    y = int.from_bytes(key, "little") % 2**255 % P
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if (x * x - square) % P:
        return False  # no point at all
    for _ in range(3):
        both = D * x * x * y * y
        x, y = 2 * x * y * pow(1 + both, -1, P) % P, (y * y + x * x) * pow(1 - both, -1, P) % P
    return (x, y) == (0, 1)
