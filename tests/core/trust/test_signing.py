"""Keys, their files, and signatures: those of the vectors, and none by a weak key."""

from __future__ import annotations

import pickle
import stat
from pathlib import Path

import pytest
from kifu.core.errors import MissingExtra, TrustError
from kifu.core.trust import signing
from kifu.core.trust.signing import SigningKey

from .vectors import FORMULAS, PRIVATE_KEYS, WEAK_KEYS

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


@pytest.mark.parametrize("weak", WEAK_KEYS, ids=lambda key: key.hex()[:8])
def test_under_a_weak_key_nothing_is_signed(weak: bytes) -> None:
    for key in (weak, bytes((*weak[:-1], weak[-1] ^ 0x80))):
        assert not signing.is_sound(key)
        for point in WEAK_KEYS:  # some of these verify, whatever the message
            assert not signing.check(key, b"anything", point + bytes(32))


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
