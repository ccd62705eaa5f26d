"""The keys by which seats are held: secrets, of which only hashes are kept."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Callable, Sequence
from hashlib import blake2b
from hmac import compare_digest

from ..errors import KeyRefused
from ..game import Seat

KEY_BYTES = 32
MAX_LETTERS = 200
"""A longer key is none of ours: it is not even hashed."""


def new_key(entropy: Callable[[int], bytes]) -> str:
    """Make a key that goes into a header as it is."""
    return urlsafe_b64encode(entropy(KEY_BYTES)).decode().rstrip("=")


def hash_key(key: str) -> bytes:
    """Give what is kept of a key."""
    return blake2b(key.encode("utf-8", "replace"), digest_size=32, person=b"kifu key").digest()


def seat_of_key(match: str, hashes: Sequence[bytes | None], key: str | None) -> Seat | None:
    """Name the seat that this key opens, None for no key: a spectator; raises `KeyRefused`.

    Every hash is compared, each in constant time.
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
    """Name the seat that this key opens; raises `KeyRefused` also where there is no key."""
    seat = seat_of_key(match, hashes, key)
    if seat is None:
        raise KeyRefused(match)
    return seat
