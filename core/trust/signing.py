"""Ed25519 keys and signatures (extra `kifu[sign]`)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import Message, MissingExtra, TrustError, os_error_message
from .formulas import KEY_BYTES, SIGNATURE_BYTES
from .header_keys import has_bytes, is_weak

if TYPE_CHECKING:
    from os import PathLike

try:
    from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ed25519
except ImportError:
    can_sign = False
else:
    can_sign = True
try:
    import ecdsa  # pure Python: it checks signatures in a browser, for which there is no `cryptography`
except ImportError:
    ecdsa = None

is_available = can_sign or ecdsa is not None
"""Whether signatures can be checked."""


def check_available() -> None:
    """Raise `MissingExtra` if no library that checks signatures is installed."""
    if not is_available:
        raise MissingExtra(Message("signing", "signing, and checking signatures,"), "sign")


def _check_can_sign() -> None:
    """Raise `MissingExtra` if the library that signs is not installed."""
    check_available()
    if not can_sign:
        raise MissingExtra(Message("signing", "signing, and checking signatures,"), "sign")


class SigningKey:
    """A private key; `public` is its public half, 32 bytes."""

    def __init__(self, seed: bytes) -> None:
        """Make the key of these 32 bytes; raises `TrustError` for other than 32, `MissingExtra` without the extra."""
        _check_can_sign()
        if not has_bytes(seed, KEY_BYTES):
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
        _check_can_sign()
        return cls(ed25519.Ed25519PrivateKey.generate().private_bytes_raw())

    @classmethod
    def load(cls, path: str | PathLike[str]) -> SigningKey:
        """Read a key from its file (PEM); raises `TrustError` where there is none to read."""
        _check_can_sign()
        try:
            raw = Path(path).read_bytes()
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
        return cls(key.private_bytes_raw())

    def save(self, path: str | PathLike[str]) -> None:
        """Write the key to a new file that only its owner may read (PEM, mode 600).

        Raises `TrustError` if it cannot be written, or is there already.
        """
        encoding, form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
        raw = self._key.private_bytes(encoding, form, serialization.NoEncryption())
        try:
            file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(file, "wb") as opened:
                opened.write(raw)
                opened.flush()
                os.fsync(file)
        except (OSError, ValueError) as cause:
            why = Message("unwritable", "cannot be written: {why}", why=os_error_message(cause))
            raise TrustError("signature", why, os.fspath(path)) from None

    def sign(self, message: bytes) -> bytes:
        """Return the signature of these bytes, 64 bytes."""
        return self._key.sign(message)


def check(public: Any, message: bytes, signature: Any) -> bool:
    """Return True if the signature of these bytes is of this key; never of a weak one.

    Raises `MissingExtra` without the extra.
    """
    check_available()
    if not has_bytes(public, KEY_BYTES) or is_weak(public) or not has_bytes(signature, SIGNATURE_BYTES):
        return False
    return _is_valid(public, message, signature) if can_sign else _is_valid_in_python(public, message, signature)


def _is_valid(public: bytes, message: bytes, signature: bytes) -> bool:
    try:
        ed25519.Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def _is_valid_in_python(public: bytes, message: bytes, signature: bytes) -> bool:
    try:
        key = ecdsa.VerifyingKey.from_string(public, curve=ecdsa.Ed25519)
        return bool(key.verify(signature, message))
    except (ecdsa.BadSignatureError, ecdsa.errors.MalformedPointError, ValueError):
        return False
