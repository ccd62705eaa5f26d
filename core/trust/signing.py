"""Ed25519 keys and signatures (extra `kifu[replay]`)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from hashlib import sha512
from pathlib import Path
from typing import Any

from ..errors import LogError, Message, MissingExtra, TrustError, os_error_message
from ..log.files import Path_, write_whole
from .formulas import KEY_BYTES, SIGNATURE_BYTES
from .shapes import fits

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
"""The order of the group in which keys are drawn."""
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_1 = pow(2, (P - 1) // 4, P)

Point = tuple[int, int, int, int]
ZERO: Point = (0, 1, 1, 0)


def decoded(raw: bytes) -> Point | None:
    """Return the point that 32 bytes are the canonical encoding of, None if they are of none."""
    y, sign = int.from_bytes(raw, "little") & ((1 << 255) - 1), raw[31] >> 7
    if y >= P:
        return None
    u, v = (y * y - 1) % P, (D * y * y + 1) % P
    x = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    if (v * x * x + u) % P == 0:
        x = x * ROOT_OF_MINUS_1 % P
    if (v * x * x - u) % P or (x == 0 and sign):
        return None
    x = P - x if x & 1 != sign else x
    return x, y, 1, x * y % P


def encoded(point: Point) -> bytes:
    """Return the 32 bytes of a point."""
    x, y, z, _ = point
    inverse = pow(z, P - 2, P)
    return (y * inverse % P | (x * inverse % P & 1) << 255).to_bytes(32, "little")


def plus(one: Point, other: Point) -> Point:
    """Add two points, which may be the same."""
    (x1, y1, z1, t1), (x2, y2, z2, t2) = one, other
    a, b = (y1 - x1) * (y2 - x2) % P, (y1 + x1) * (y2 + x2) % P
    c, d = 2 * t1 * t2 * D % P, 2 * z1 * z2 % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(number: int, point: Point, more: int = 0, other: Point = ZERO) -> Point:
    """Multiply a point, and add a multiple of another, which costs little more."""
    bits = max(number.bit_length(), more.bit_length())
    sums, result = [ZERO, point, other, plus(point, other)], ZERO
    for bit in range(bits - 1, -1, -1):
        result = plus(result, result)
        added = (number >> bit & 1) + 2 * (more >> bit & 1)
        result = plus(result, sums[added]) if added else result
    return result


BASE = decoded((4 * pow(5, P - 2, P) % P).to_bytes(32, "little")) or ZERO


@lru_cache(maxsize=4096)
def is_sound(key: bytes) -> bool:
    """Return True for the encoding of a point of order L: every other key lets two verifiers judge differently."""
    point = decoded(key)
    return point is not None and encoded(point) != encoded(ZERO) and encoded(times(L, point)) == encoded(ZERO)


def is_valid(key: bytes, message: bytes, signature: bytes) -> bool:
    """Return True if the signature is of this sound key: S is below L, k reduced, and R encoded as R = SB - kA is."""
    point, s = decoded(key), int.from_bytes(signature[32:], "little")
    if point is None or s >= L:
        return False
    k = int.from_bytes(sha512(signature[:32] + key + message).digest(), "little") % L
    x, y, z, t = point
    return encoded(times(s, BASE, k, (-x % P, y, z, -t % P))) == signature[:32]


try:
    from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ed25519
except ImportError:
    is_available = False
else:
    is_available = True
"""Whether this program can sign: it can check in any case."""


def check_can_sign() -> None:
    """Raise `MissingExtra` if the library that signs is not installed."""
    if not is_available:
        raise MissingExtra(Message("signing", "signing"), "replay")


class SigningKey:
    """A private key; `public` is its public half, 32 bytes."""

    def __init__(self, seed: bytes) -> None:
        """Make the key of these 32 bytes; raises `TrustError` for other than 32, `MissingExtra` without the extra."""
        check_can_sign()
        if not fits(seed, KEY_BYTES):
            raise TrustError(
                "signature", Message("private-key-bytes", "a private key is {count} bytes", count=KEY_BYTES)
            )
        self._key = ed25519.Ed25519PrivateKey.from_private_bytes(seed)
        self.public: bytes = self._key.public_key().public_bytes_raw()

    def __repr__(self) -> str:
        return f"<SigningKey {self.public.hex()}>"

    @classmethod
    def new(cls) -> SigningKey:
        """Draw a fresh key."""
        check_can_sign()
        return cls(ed25519.Ed25519PrivateKey.generate().private_bytes_raw())

    @classmethod
    def load(cls, path: Path_) -> SigningKey:
        """Read a key from its file (PEM); raises `TrustError` where there is none to read."""
        check_can_sign()
        try:
            with Path(path).open("rb") as file:
                mode, raw = os.fstat(file.fileno()).st_mode, file.read()
        except (OSError, ValueError) as cause:
            why = Message("unreadable", "cannot be read: {why}", why=os_error_message(cause))
            raise TrustError("signature", why, os.fspath(path)) from None
        try:
            key = serialization.load_pem_private_key(raw, None)
        except (ValueError, TypeError, UnsupportedAlgorithm):
            key = None
        if not isinstance(key, ed25519.Ed25519PrivateKey):
            why = Message("no-private-key", "no Ed25519 key in PEM, without a password")
            raise TrustError("signature", why, os.fspath(path))
        if os.name == "posix" and mode & 0o077:
            why = Message("key-open-to-others", "others may read it or write to it: chmod 600 it")
            raise TrustError("signature", why, os.fspath(path))
        return cls(key.private_bytes_raw())

    def save(self, path: Path_) -> None:
        """Write the key to a new file that only its owner may read (PEM, mode 600).

        Raises `TrustError` if it cannot be written, or is there already.
        """
        encoding, form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
        raw = self._key.private_bytes(encoding, form, serialization.NoEncryption())
        try:
            write_whole(path, raw, new=True, private=True)
        except LogError as cause:
            raise TrustError("signature", cause.message, os.fspath(path)) from None

    def sign(self, message: bytes) -> bytes:
        """Return the signature of these bytes, 64 bytes."""
        return self._key.sign(message)


Question = tuple[bytes, bytes, bytes]
"""A sound key, a message and a signature."""

answers: dict[Question, bool] = {}
"""What a browser has found, which checks faster than this program does without its library."""
_asked: set[Question] | None = None


@contextmanager
def asking() -> Iterator[set[Question]]:
    """Take every signature for good meanwhile, and note which are asked about."""
    global _asked
    _asked = set()
    try:
        yield _asked
    finally:
        _asked = None


def check(public: Any, message: bytes, signature: Any) -> bool:
    """Return True if the signature of these bytes is of this key; never of a weak one."""
    if not fits(public, KEY_BYTES) or not fits(signature, SIGNATURE_BYTES) or not is_sound(public):
        return False
    if is_available:
        return _is_valid(public, message, signature)
    question = bytes(public), message, bytes(signature)
    if _asked is not None:
        _asked.add(question)
        return True
    known = answers.get(question)
    return is_valid(public, message, signature) if known is None else known


def _is_valid(public: bytes, message: bytes, signature: bytes) -> bool:
    try:
        _public_key(public).verify(signature, message)
    except InvalidSignature:
        return False
    return True


@lru_cache(maxsize=4096)
def _public_key(key: bytes) -> ed25519.Ed25519PublicKey:
    """Return a sound key as its library has it, which makes more of it than of its bytes each time."""
    return ed25519.Ed25519PublicKey.from_public_bytes(key)
