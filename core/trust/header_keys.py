"""The header keys `fair`, `veil` and `sign`: from whatever stands in a log to what can be relied on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

from ..errors import Message, TrustError
from ..log.validation import is_int, is_text
from .formulas import KEY_BYTES, SECRET_BYTES

VERSION = 1
MAX_ATTEMPTS = 8

JOINED, NAMED, BOT = range(3)
"""Who holds a seat of a fair deal: one who joined with a commitment, one whom the opener named, a bot."""

WEAK_KEYS = frozenset(
    bytes.fromhex(key)
    for key in (
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    )
)
"""The points of small order, whose highest bit says nothing: under such a key anything verifies."""


def is_weak(key: bytes) -> bool:
    """Return True if this public key has small order."""
    return key[:-1] + bytes((key[-1] & 0x7F,)) in WEAK_KEYS


def has_bytes(value: Any, count: int) -> bool:
    """Return True if a value is so many bytes."""
    return value.__class__ is bytes and len(value) == count


def check_key(key: Any) -> bytes:
    """Return a public key; raises `TrustError` for what is none, and for a weak one."""
    if not has_bytes(key, KEY_BYTES):
        raise TrustError("signature", Message("key-bytes", "a public key is {count} bytes", count=KEY_BYTES))
    if is_weak(key):
        raise TrustError("signature", Message("weak-key", "this key is weak"))
    return bytes(key)


def check_commitment(value: Any) -> bytes:
    """Return a commitment; raises `TrustError` for what is none."""
    if not has_bytes(value, SECRET_BYTES):
        raise TrustError("commitment", Message("commitment-bytes", "a commitment is {count} bytes", count=SECRET_BYTES))
    return bytes(value)


@frozen
class Keys:
    """The public keys of a match: of its host and of each seat, None where there is none."""

    host: bytes | None
    seats: tuple[bytes | None, ...]

    @property
    def some(self) -> bool:
        """Whether there is any key."""
        return self.host is not None or any(self.seats)

    def of(self, seat: Any) -> bytes | None:
        """Return the key of a seat; None too for what is no seat."""
        return self.seats[seat] if is_int(seat) and seat < len(self.seats) else None

    def header(self) -> dict[str, Any]:
        """Return the header's `sign`."""
        return {"v": VERSION, "host": self.host, "seats": list(self.seats)}


def seats_of(header: Mapping[str, Any]) -> int | None:
    """Return the number of seats of a header, None if it has none."""
    names = header.get("seats")
    return len(names) if names.__class__ is list and all(map(is_text, names)) else None


def read_keys(header: Mapping[str, Any]) -> Keys:
    """Return the keys of a header, none if it has no `sign`; raises `TrustError` if that is malformed."""
    seats = seats_of(header) or 0
    if "sign" not in header:
        return Keys(None, (None,) * seats)
    value = header["sign"]
    if value.__class__ is not dict or not is_version(value.get("v")):
        raise TrustError(
            "signature", Message("sign-is-not", "'sign' is no map whose 'v' is {version}", version=VERSION)
        )
    listed = value.get("seats")
    if "host" not in value or listed.__class__ is not list or len(listed) != seats:
        raise TrustError("signature", Message("sign-keys", "'sign' has no 'host', or no key or nil for each seat"))
    host, *keys = (None if key is None else check_key(key) for key in (value["host"], *listed))
    return Keys(host, tuple(keys))


def read_veil(header: Mapping[str, Any]) -> bytes | None:
    """Return the veil of a header, None if it has none; raises `TrustError` if it is malformed."""
    if "veil" not in header:
        return None
    if not has_bytes(header["veil"], SECRET_BYTES):
        raise TrustError("roster", Message("veil-is-not", "'veil' is not {count} bytes", count=SECRET_BYTES))
    return bytes(header["veil"])


def is_version(value: Any) -> bool:
    """Return True for the one version that is known."""
    return is_int(value) and value == VERSION


Pair = tuple[bytes | None, bytes | None]
"""A commitment and the secret that opens it; None for what never came."""


@frozen
class Attempt:
    """One attempt at a fair deal: the pair of the host, and of each seat; None where a seat contributes nothing."""

    host: Pair
    seats: tuple[Pair | None, ...]

    @property
    def refusers(self) -> tuple[int, ...]:
        """The seats that did not commit; if all did, those that did not reveal."""
        pairs = [(seat, pair) for seat, pair in enumerate(self.seats) if pair is not None]
        late = tuple(seat for seat, pair in pairs if pair[0] is None)
        return late or tuple(seat for seat, pair in pairs if pair[1] is None)

    @property
    def commitments(self) -> list[bytes | None]:
        """The commitment of each seat."""
        return [None if pair is None else pair[0] for pair in self.seats]

    def header(self) -> dict[str, Any]:
        """Return the attempt as it stands in a header."""
        return {"host": list(self.host), "seats": [None if pair is None else list(pair) for pair in self.seats]}


@frozen
class FairDeal:
    """A header's `fair`: who holds each seat, the attempts that failed, and the one that was dealt from."""

    who: tuple[int, ...]
    past: tuple[Attempt, ...]
    last: Attempt

    @property
    def attempts(self) -> tuple[Attempt, ...]:
        """All attempts, the one that was dealt from last."""
        return (*self.past, self.last)

    def header(self) -> dict[str, Any]:
        """Return the header's `fair`."""
        return {"v": VERSION, "who": list(self.who), **self.last.header(), "past": [one.header() for one in self.past]}


def read_fair(header: Mapping[str, Any]) -> FairDeal | None:
    """Return the fair deal of a header, None if it has none; raises `TrustError` if it is malformed."""
    if "fair" not in header:
        return None
    value, seats = header["fair"], seats_of(header) or 0
    if value.__class__ is not dict or set(value) != {"v", "who", "host", "seats", "past"}:
        raise _malformed(Message("fair-keys", "'fair' has not exactly the keys v, who, host, seats, past"))
    if not is_version(value["v"]):
        raise _malformed(Message("fair-version", "'fair' is not of version {version}", version=VERSION))
    who, past = value["who"], value["past"]
    if who.__class__ is not list or len(who) != seats or not all(is_int(each) and each <= BOT for each in who):
        raise _malformed(Message("fair-who", "'who' is not 0, 1 or 2 for each seat"))
    if JOINED not in who:
        raise _malformed(Message("nobody-contributes", "no seat has contributed to the deal"))
    if past.__class__ is not list or len(past) >= MAX_ATTEMPTS:
        raise _malformed(Message("fair-past", "'past' is not a list of at most {most} attempts", most=MAX_ATTEMPTS - 1))
    last = _attempt({key: value[key] for key in ("host", "seats")}, who)
    if last.refusers:
        raise _malformed(Message("fair-unrevealed", "a seat has not revealed its secret, and still it was dealt"))
    return FairDeal(tuple(who), tuple(_attempt(each, who) for each in past), last)


def _attempt(value: Any, who: Sequence[int]) -> Attempt:
    if value.__class__ is not dict or set(value) != {"host", "seats"}:
        raise _malformed(Message("attempt-keys", "an attempt has not exactly the keys host, seats"))
    host, seats = value["host"], value["seats"]
    if not _is_pair(host) or None in host:
        raise _malformed(Message("host-pair", "the host's commitment and secret are not twice 32 bytes"))
    if seats.__class__ is not list or len(seats) != len(who):
        raise _malformed(Message("attempt-seats", "an attempt has not one entry for each seat"))
    for kind, pair in zip(who, seats, strict=True):
        if (pair is not None) if kind != JOINED else not _is_pair(pair):
            raise _malformed(Message("seat-pair", "a seat's commitment and secret are not twice 32 bytes or nil"))
    attempt = Attempt(tuple(host), tuple(None if pair is None else tuple(pair) for pair in seats))
    pairs = [pair for pair in attempt.seats if pair is not None]
    if any(pair[0] is None for pair in pairs) and any(pair[1] is not None for pair in pairs):
        raise _malformed(Message("revealed-early", "a secret was revealed before all had committed"))
    return attempt


def _is_pair(value: Any) -> bool:
    if value.__class__ is not list or len(value) != 2:
        return False
    return all(each is None or has_bytes(each, SECRET_BYTES) for each in value)


def _malformed(why: str) -> TrustError:
    return TrustError("commitment", why)
