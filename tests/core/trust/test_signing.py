"""Keys, their files, and signatures, judged alike with `cryptography` and without it, as in a browser."""

from __future__ import annotations

import pickle
import stat
from pathlib import Path
from random import Random

import pytest
from kifu.core.errors import MissingExtra, TrustError
from kifu.core.host import Host
from kifu.core.stores import MemoryStore
from kifu.core.trust import signing
from kifu.core.trust.header_keys import read_keys
from kifu.core.trust.signing import SigningKey
from kifu.core.trust.verdict import key_text, parse_key

from . import torsion
from .vectors import FORMULAS, PRIVATE_KEYS

pytest.importorskip("cryptography", reason="needs kifu[replay]")

SIGNED = [each for each in FORMULAS if "signature" in each]


def test_signatures_of_the_vectors_hold_and_none_that_was_changed() -> None:
    assert len(SIGNED) == 2
    for vector in SIGNED:
        public, message = vector["in"]["public"], vector["in"]["message"]
        signature = bytes.fromhex(vector["signature"])
        assert signing.check(public, message, signature)
        assert not signing.check(public, message + b"\0", signature)
        assert not signing.check(PRIVATE_KEYS["host"], message, signature)
        for place in (0, 31, 32, 63):
            changed = bytes((*signature[:place], signature[place] ^ 1, *signature[place + 1 :]))
            assert not signing.check(public, message, changed)
        for odd in (signature[:63], signature + b"\0", b"", None, "x"):
            assert not signing.check(public, message, odd)
        for odd in (public[:31], b"", None, "x"):
            assert not signing.check(odd, message, signature)


def test_the_same_key_makes_the_signatures_of_the_vectors() -> None:
    keys = {key.public: key for key in map(SigningKey, PRIVATE_KEYS.values())}
    for vector in SIGNED:
        key = keys[vector["in"]["public"]]
        assert key.sign(vector["in"]["message"]).hex() == vector["signature"]


def test_a_key_is_kept_in_a_file_that_only_its_owner_reads(tmp_path: Path) -> None:
    path, key = tmp_path / "host.pem", SigningKey.new()
    key.save(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert SigningKey.load(path).public == key.public
    assert repr(key) == f"<SigningKey {key.public.hex()}>", "the private half is never shown"
    with pytest.raises(TrustError, match="cannot be written"):
        SigningKey.new().save(path)
    assert SigningKey.load(path).public == key.public


@pytest.mark.parametrize("content", [b"", b"x", b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"])
def test_what_is_no_key_file_is_said_to_be_none(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "host.pem"
    path.write_bytes(content)
    with pytest.raises(TrustError, match="no Ed25519 key in PEM"):
        SigningKey.load(path)
    with pytest.raises(TrustError, match="cannot be read"):
        SigningKey.load(tmp_path / "none.pem")


def test_two_new_keys_are_two() -> None:
    assert SigningKey.new().public != SigningKey.new().public
    with pytest.raises(TrustError, match="a private key is 32 bytes"):
        SigningKey(bytes(31))


def test_without_the_extra_one_line_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signing, "is_available", False)
    for call in (SigningKey.new, lambda: SigningKey(bytes(32))):
        with pytest.raises(MissingExtra, match=r"pip install 'kifu\[replay\]'") as raised:
            call()
        assert pickle.loads(pickle.dumps(raised.value)).args == raised.value.args


KEY = SigningKey(bytes(range(32)))
SIGNATURE = KEY.sign(b"kifu")
VECTORS = torsion.vectors()
ODD = sorted({key for name, (key, _) in VECTORS.items() if name.startswith("a key")})


def flipped(data: bytes, place: int) -> bytes:
    return data[: place // 8] + bytes([data[place // 8] ^ 1 << place % 8]) + data[place // 8 + 1 :]


CASES = {
    **{name: (key, torsion.MESSAGE, signature) for name, (key, signature) in VECTORS.items()},
    "another message": (KEY.public, b"kifu!", SIGNATURE),
    "another key": (SigningKey(bytes(32)).public, b"kifu", SIGNATURE),
    "no point as r": (KEY.public, b"kifu", b"\xff" * 32 + SIGNATURE[32:]),
    "no point as key": (b"\x02" + bytes(31), b"kifu", SIGNATURE),
    "too short": (KEY.public, b"kifu", SIGNATURE[:-1]),
    **{
        f"bit {place} of the signature": (KEY.public, b"kifu", flipped(SIGNATURE, place))
        for place in (0, 255, 256, 511)
    },
    **{f"bit {place} of the key": (flipped(KEY.public, place), b"kifu", SIGNATURE) for place in (3, 255)},
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
        key, message = SigningKey(random.randbytes(32)), random.randbytes(40)
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
