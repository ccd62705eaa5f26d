"""Signatures are judged alike with `cryptography` and without it, as in a browser; odd keys are refused everywhere."""

from __future__ import annotations

from random import Random

import pytest
from kifu.core.errors import TrustError
from kifu.core.host import Host
from kifu.core.stores import MemoryStore
from kifu.core.trust import signing
from kifu.core.trust.header_keys import read_keys
from kifu.core.trust.verdict import key_text, parse_key

from . import torsion

pytest.importorskip("cryptography", reason="needs kifu[replay]")

KEY = signing.SigningKey(bytes(range(32)))
SIGNED = KEY.sign(b"kifu")
VECTORS = torsion.vectors()
ODD = sorted({key for name, (key, _) in VECTORS.items() if name.startswith("a key")})


def flipped(data: bytes, place: int) -> bytes:
    return data[: place // 8] + bytes([data[place // 8] ^ 1 << place % 8]) + data[place // 8 + 1 :]


CASES = {
    **{name: (key, torsion.MESSAGE, signature) for name, (key, signature) in VECTORS.items()},
    "another message": (KEY.public, b"kifu!", SIGNED),
    "another key": (signing.SigningKey(bytes(32)).public, b"kifu", SIGNED),
    "no point as r": (KEY.public, b"kifu", b"\xff" * 32 + SIGNED[32:]),
    "no point as key": (b"\x02" + bytes(31), b"kifu", SIGNED),
    "too short": (KEY.public, b"kifu", SIGNED[:-1]),
    **{f"bit {place} of the signature": (KEY.public, b"kifu", flipped(SIGNED, place)) for place in (0, 255, 256, 511)},
    **{f"bit {place} of the key": (flipped(KEY.public, place), b"kifu", SIGNED) for place in (3, 255)},
}


@pytest.mark.parametrize("case", CASES)
def test_both_judge_alike(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with_library = signing.check(*CASES[case])
    monkeypatch.setattr(signing, "is_available", False)
    assert signing.check(*CASES[case]) is with_library is (case == "right")


def test_the_mixed_key_s_signature_is_one_that_a_library_takes() -> None:
    """Else the vectors would show nothing."""
    key, signature = VECTORS["a key of mixed order"]
    assert signing._is_valid(key, torsion.MESSAGE, signature)


def test_what_python_checks_is_what_the_library_signs() -> None:
    random = Random(1)
    for _ in range(20):
        key, message = signing.SigningKey(random.randbytes(32)), random.randbytes(40)
        assert signing.is_sound(key.public)
        assert signing.is_valid(key.public, message, key.sign(message))
        assert not signing.is_valid(key.public, message + b"!", key.sign(message))


@pytest.mark.parametrize("key", ODD, ids=lambda key: key.hex()[:8])
def test_a_key_of_odd_order_is_refused_at_every_door(key: bytes) -> None:
    host = Host(MemoryStore())
    match = host.open("cake", 3).match
    for refuse in (
        lambda: host.join(match, "Aki", public_key=key),
        lambda: read_keys({"seats": ["Aki"], "sign": {"v": 2, "host": None, "seats": [key]}}),
        lambda: read_keys({"seats": ["Aki"], "sign": {"v": 1, "host": key, "seats": [None]}}),
        lambda: parse_key(key_text(key)),
    ):
        with pytest.raises(TrustError, match="this key is weak"):
            refuse()


def test_two_seats_have_two_keys() -> None:
    host = Host(MemoryStore())
    match = host.open("cake", 3).match
    host.join(match, "Aki", public_key=KEY.public)
    for refuse in (
        lambda: host.join(match, "Ren", public_key=KEY.public),
        lambda: read_keys({"seats": ["A", "B"], "sign": {"v": 2, "host": None, "seats": [KEY.public] * 2}}),
    ):
        with pytest.raises(TrustError, match="two seats have one key"):
            refuse()
