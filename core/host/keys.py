"""Seat keys: secrets of which only hashes are stored."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Callable, Sequence
from hashlib import blake2b
from hmac import compare_digest

from ..errors import KeyRefused
from ..game import Seat

KEY_BYTES = 32
MAX_LETTERS = 200
"""A longer key is refused without being hashed."""


def new_key(entropy: Callable[[int], bytes]) -> str:
    """Return a new key: 43 URL-safe base64 characters, fit for an HTTP header."""
    return urlsafe_b64encode(entropy(KEY_BYTES)).decode().rstrip("=")


def hash_key(key: str) -> bytes:
    """Return the hash that is stored of a key, 32 bytes."""
    return blake2b(key.encode("utf-8", "replace"), digest_size=32, person=b"kifu key").digest()


def seat_of_key(match: str, hashes: Sequence[bytes | None], key: str | None) -> Seat | None:
    """Return the seat that this key opens, None (a spectator) for no key; raises `KeyRefused`.

    Compares with every hash, each in constant time.
    """
    if key is None:
        return None
    if not isinstance(key, str) or len(key) > MAX_LETTERS:
        raise KeyRefused(match)
    own = hash_key(key)
    seats = [Seat(seat) for seat, each in enumerate(hashes) if compare_digest(own, each or b"")]
    if not seats:
        raise KeyRefused(match)
    return seats[0]


def require_seat(match: str, hashes: Sequence[bytes | None], key: str | None) -> Seat:
    """Return the seat that this key opens; raises `KeyRefused`, also if `key` is None."""
    seat = seat_of_key(match, hashes, key)
    if seat is None:
        raise KeyRefused(match)
    return seat
