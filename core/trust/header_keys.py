"""The header keys `fair`, `veil` and `sign`: from whatever stands in a log to what can be relied on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Any

from attrs import frozen

from ..errors import Message, TrustError
from ..game import replace_at
from ..log.validation import is_int
from .formulas import KEY_BYTES, SECRET_BYTES
from .shapes import TEXT, Shape, anything, below, fits, just, maybe
from .signing import is_sound

VERSION = 2
"""The version that is written; 1 is read, too."""
MAX_ATTEMPTS = 8
MOST_KEYS = 100
"""So many seats of a match may have a key: whether one is sound takes milliseconds to find out."""

JOINED, NAMED, BOT = range(3)
"""Who holds a seat of a fair deal: one who joined with a commitment, one whom the opener named, a bot."""


def check_key(key: Any) -> bytes:
    """Return a public key; raises `TrustError` for what is none, and for a weak one: of small or mixed order."""
    if not fits(key, KEY_BYTES):
        raise TrustError("signature", Message("key-bytes", "a public key is {count} bytes", count=KEY_BYTES))
    if not is_sound(key):
        raise TrustError("signature", Message("weak-key", "this key is weak"))
    return bytes(key)


def check_commitment(value: Any) -> bytes:
    """Return a commitment; raises `TrustError` for what is none."""
    if not fits(value, SECRET_BYTES):
        raise TrustError("commitment", Message("commitment-bytes", "a commitment is {count} bytes", count=SECRET_BYTES))
    return bytes(value)


MOST_LISTED = 16


def seats_named(seats: Iterable[int]) -> str:
    """Name one or more seats, the first ones of many: a header may have thousands."""
    first = list(islice(seats, MOST_LISTED + 1))
    if len(first) == 1:
        return Message("seat-number", "seat {seat}", seat=first[0])
    listed = ", ".join([*map(str, first[:MOST_LISTED]), *["…"] * (len(first) > MOST_LISTED)])
    return Message("seats-numbers", "seats {seats}", seats=listed)


@frozen(slots=False)
class Keys:
    """The public keys of a match: of its host and of each seat, None where there is none."""

    host: bytes | None
    seats: tuple[bytes | None, ...]
    version: int = VERSION

    @property
    def some(self) -> bool:
        """Whether there is any key."""
        return self.host is not None or any(self.seats)

    @cached_property
    def keyed(self) -> tuple[int, ...]:
        """The seats that have a key."""
        return tuple(seat for seat, key in enumerate(self.seats) if key is not None)

    def of(self, seat: Any) -> bytes | None:
        """Return the key of a seat; None too for what is no seat."""
        return self.seats[seat] if is_int(seat) and seat < len(self.seats) else None

    def header(self) -> dict[str, Any]:
        """Return the header's `sign`."""
        return {"v": self.version, "host": self.host, "seats": list(self.seats)}

    def replace(self, seat: int, key: Any) -> Keys:
        """Return the keys with another of a seat, None for none; raises `TrustError` as `checked_keys` does."""
        return checked_keys(self.host, replace_at(self.seats, seat, key), self.version)


def checked_keys(host: Any, seats: Sequence[Any], version: int = VERSION) -> Keys:
    """Return the keys of a match.

    Raises `TrustError` for what is none, for a weak one, where two seats have one, and for more than `MOST_KEYS`.
    """
    check_number(seats)
    mine, *theirs = (None if key is None else check_key(key) for key in (host, *seats))
    keys = Keys(mine, tuple(theirs), version)
    if version > 1 and len({keys.seats[seat] for seat in keys.keyed}) < len(keys.keyed):
        raise TrustError("signature", Message("seat-key-twice", "two seats have one key: each has its own"))
    return keys


def check_number(keys: Sequence[Any]) -> None:
    """Raise `TrustError` where more seats have a key than may."""
    if len(keys) - keys.count(None) > MOST_KEYS:
        english = "more than {most} seats have a key"
        raise TrustError("signature", Message("many-keys", english, most=MOST_KEYS))


is_version = below(3, 1)
PAIR: Shape = (maybe(SECRET_BYTES), maybe(SECRET_BYTES))
ATTEMPT: dict[str, Shape] = {"host": (SECRET_BYTES, SECRET_BYTES), "seats": [maybe(PAIR)]}
FAIR: Shape = just({"v": is_version, "who": [below(3)], **ATTEMPT, "past": [just(ATTEMPT)]})
SIGN: Shape = {"v": is_version, "host": anything, "seats": list}


def _seats(header: Mapping[str, Any]) -> int:
    """Return the number of seats of a header, 0 if it has none."""
    return len(header["seats"]) if fits(header.get("seats"), [TEXT]) else 0


def read_keys(header: Mapping[str, Any]) -> Keys:
    """Return the keys of a header, none if it has no `sign`; raises `TrustError` if that is malformed."""
    seats = _seats(header)
    if "sign" not in header:
        return Keys(None, (None,) * seats)
    value = header["sign"]
    if not fits(value, SIGN) or len(value["seats"]) != seats:
        english = "'sign' is not a map with 'v' 1 or 2, 'host', and a key or nil for each seat"
        raise TrustError("signature", Message("sign-is-not", english))
    return checked_keys(value["host"], value["seats"], value["v"])


def read_veil(header: Mapping[str, Any]) -> bytes | None:
    """Return the veil of a header, None if it has none; raises `TrustError` if it is malformed."""
    if "veil" not in header:
        return None
    if not fits(header["veil"], SECRET_BYTES):
        raise TrustError("roster", Message("veil-is-not", "'veil' is not {count} bytes", count=SECRET_BYTES))
    return bytes(header["veil"])


Pair = tuple[bytes | None, bytes | None]
"""A commitment and the secret that opens it; None for what never came."""


@frozen
class Attempt:
    """One attempt at a fair deal: the pair of the host, and of each seat; None where a seat contributes nothing."""

    host: Pair
    seats: tuple[Pair | None, ...]

    @classmethod
    def of(cls, value: Mapping[str, Any]) -> Attempt:
        """Return the attempt that stands so in a header."""
        return cls(tuple(value["host"]), tuple(None if pair is None else tuple(pair) for pair in value["seats"]))

    @property
    def refusers(self) -> tuple[int, ...]:
        """The seats that did not commit; if all did, those that did not reveal."""
        pairs = [(seat, pair) for seat, pair in enumerate(self.seats) if pair is not None]
        late = tuple(seat for seat, pair in pairs if pair[0] is None)
        return late or tuple(seat for seat, pair in pairs if pair[1] is None)

    @property
    def commitments(self) -> tuple[bytes | None, ...]:
        """The commitment of each seat."""
        return tuple(None if pair is None else pair[0] for pair in self.seats)

    def header(self) -> dict[str, Any]:
        """Return the attempt as it stands in a header."""
        return {"host": list(self.host), "seats": [None if pair is None else list(pair) for pair in self.seats]}


@frozen
class FairDeal:
    """A header's `fair`: who holds each seat, the attempts that failed, and the one that was dealt from."""

    who: tuple[int, ...]
    past: tuple[Attempt, ...]
    last: Attempt
    version: int = VERSION

    @property
    def attempts(self) -> tuple[Attempt, ...]:
        """All attempts, the one that was dealt from last."""
        return (*self.past, self.last)

    @property
    def secrets(self) -> tuple[bytes, list[bytes]]:
        """The secrets that it was dealt from: the host's, and those of the seats that contributed."""
        secrets = [pair[1] for pair in self.last.seats if pair is not None]
        return self.last.host[1] or b"", [secret or b"" for secret in secrets]

    def header(self) -> dict[str, Any]:
        """Return the header's `fair`."""
        return {
            "v": self.version,
            "who": list(self.who),
            **self.last.header(),
            "past": [one.header() for one in self.past],
        }


def read_fair(header: Mapping[str, Any]) -> FairDeal | None:
    """Return the fair deal of a header, None if it has none; raises `TrustError` if it is malformed."""
    if "fair" not in header:
        return None
    value, seats = header["fair"], _seats(header)
    if not fits(value, FAIR) or len(value["past"]) >= MAX_ATTEMPTS or len(value["who"]) != seats:
        raise _malformed(Message("fair-is-not", "'fair' is not what a fair deal of version 1 or 2 leaves"))
    who = value["who"]
    if JOINED not in who:
        raise _malformed(Message("nobody-contributes", "no seat has contributed to the deal"))
    last = _attempt(value, who)
    if last.refusers:
        raise _malformed(Message("fair-unrevealed", "a seat has not revealed its secret, and still it was dealt"))
    return FairDeal(tuple(who), tuple(_attempt(each, who) for each in value["past"]), last, value["v"])


def _attempt(value: Any, who: Sequence[int]) -> Attempt:
    if [pair is not None for pair in value["seats"]] != [kind == JOINED for kind in who]:
        raise _malformed(Message("attempt-seats", "an attempt has a pair for another seat than those that joined"))
    attempt = Attempt.of(value)
    pairs = [pair for pair in attempt.seats if pair is not None]
    if any(pair[0] is None for pair in pairs) and any(pair[1] is not None for pair in pairs):
        raise _malformed(Message("revealed-early", "a secret was revealed before all had committed"))
    return attempt


def _malformed(why: str) -> TrustError:
    return TrustError("commitment", why)
