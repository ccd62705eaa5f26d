"""Keys and signatures on which verifiers of Ed25519 differ: points of small and of mixed order, and other encodings."""

from __future__ import annotations

from hashlib import sha512

from kifu.core.trust.signing import BASE, ZERO, L, P, Point, decoded, encoded, plus, times

MESSAGE = b"kifu"
SECRET = 0x1234567890ABCDEF1234567890ABCDEF


def torsion() -> Point:
    """Return a point of order 8."""
    for y in range(2, 100):
        point = decoded(y.to_bytes(32, "little"))
        if point is not None and encoded(times(4 * L, point)) != encoded(ZERO):
            return times(L, point)
    raise AssertionError


EIGHTH = torsion()
KEY = encoded(times(SECRET, BASE))


def signed(key: bytes, r: int, more: Point = ZERO) -> tuple[bytes, bytes, int]:
    """Sign as the secret says, with R = rB and a point more; return the signature, R and k before it is reduced."""
    point = encoded(plus(times(r, BASE), more))
    k = int.from_bytes(sha512(point + key + MESSAGE).digest(), "little")
    return point + ((r + k * SECRET) % L).to_bytes(32, "little"), point, k


def mixed() -> tuple[bytes, bytes]:
    """Return a key of mixed order, and a signature that is valid if k is reduced, and is not if it is not."""
    key = encoded(plus(times(SECRET, BASE), EIGHTH))
    for r in range(1, 4000):
        signature, _, k = signed(key, r)
        if (k % L) % 8 == 0 and k % 8:
            return key, signature
    raise AssertionError


def vectors() -> dict[str, tuple[bytes, bytes]]:
    """Return keys and signatures of `MESSAGE`; none but `right` is to be taken."""
    signature, _, _ = signed(KEY, 7)
    s = int.from_bytes(signature[32:], "little")
    found = {
        "right": (KEY, signature),
        "a key of mixed order": mixed(),
        "R with a torsion": (KEY, signed(KEY, 7, EIGHTH)[0]),
        "S of L and more": (KEY, signature[:32] + (s + L).to_bytes(32, "little")),
        "R of y = p + 1": (KEY, (P + 1).to_bytes(32, "little") + signature[32:]),
        "R of minus 0": (KEY, (1 | 1 << 255).to_bytes(32, "little") + signature[32:]),
        "a key of y = p + 3": ((P + 3).to_bytes(32, "little"), signature),
        "a key of order 1": (encoded(ZERO), encoded(ZERO) + bytes(32)),
    }
    for times_8 in range(1, 8):
        point = times(times_8, EIGHTH)
        found[f"a key of small order, {times_8}"] = (encoded(point), encoded(ZERO) + bytes(32))
        found[f"a key of mixed order, {times_8}"] = (
            key := encoded(plus(times(SECRET, BASE), point)),
            signed(key, 7)[0],
        )
    return found
