"""Signatures are judged alike by both libraries: `cryptography`, and the pure Python one of a browser."""

from __future__ import annotations

import pytest
from kifu.core.trust import signing

pytest.importorskip("cryptography", reason="needs kifu[sign]")
pytest.importorskip("ecdsa", reason="needs kifu[site]")

ORDER = 2**252 + 27742317777372353535851937790883648493
KEY = signing.SigningKey(bytes(range(32)))
SIGNED = KEY.sign(b"kifu")


def in_python(public, message, signature, monkeypatch):
    monkeypatch.setattr(signing, "can_sign", False)
    answer = signing.check(public, message, signature)
    monkeypatch.undo()
    return answer


def flipped(data, place):
    return data[: place // 8] + bytes([data[place // 8] ^ 1 << place % 8]) + data[place // 8 + 1 :]


CASES = {
    "right": (KEY.public, b"kifu", SIGNED),
    "another message": (KEY.public, b"kifu!", SIGNED),
    "another key": (signing.SigningKey(bytes(32)).public, b"kifu", SIGNED),
    "a giant s": (
        KEY.public,
        b"kifu",
        SIGNED[:32] + (int.from_bytes(SIGNED[32:], "little") + ORDER).to_bytes(32, "little"),
    ),
    "no point as r": (KEY.public, b"kifu", b"\xff" * 32 + SIGNED[32:]),
    "no point as key": (b"\x02" + bytes(31), b"kifu", SIGNED),
    "a weak key": (b"\x01" + bytes(31), b"kifu", SIGNED),
    "r that is not canonical": (KEY.public, b"kifu", ((1 << 255) - 19 + 1).to_bytes(32, "little") + SIGNED[32:]),
    "too short": (KEY.public, b"kifu", SIGNED[:-1]),
    **{f"bit {place} of the signature": (KEY.public, b"kifu", flipped(SIGNED, place)) for place in (0, 255, 256, 511)},
    **{f"bit {place} of the key": (flipped(KEY.public, place), b"kifu", SIGNED) for place in (3, 255)},
}


@pytest.mark.parametrize("case", CASES)
def test_both_libraries_judge_alike(case, monkeypatch):
    assert in_python(*CASES[case], monkeypatch) is signing.check(*CASES[case]) is (case == "right")


def test_without_cryptography_nothing_is_signed(monkeypatch):
    monkeypatch.setattr(signing, "can_sign", False)
    with pytest.raises(signing.MissingExtra, match=r"kifu\[sign\]"):
        signing.SigningKey(bytes(32))
