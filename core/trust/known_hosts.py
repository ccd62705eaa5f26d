"""Public keys of hosts: their fingerprints, and the file of those that one knows, as ssh keeps it."""

from __future__ import annotations

import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from pathlib import Path

from attrs import evolve, frozen

from ..errors import KifuError, Message, TrustError, os_error_message
from ..log.findings import Finding
from .formulas import KEY_BYTES, fingerprint
from .header_keys import check_key
from .verdict import Verdict

FINGERPRINT_LETTERS = 16


def key_text(key: bytes) -> str:
    """Return a public key as text: 43 characters of base64url."""
    return urlsafe_b64encode(key).decode().rstrip("=")


def parse_key(text: str) -> bytes:
    """Return a public key from its text; raises `TrustError` for what is none, and for a weak one."""
    try:
        raw = urlsafe_b64decode(text + "=" * (-len(text) % 4)) if text.isascii() else b""
    except ValueError:
        raw = b""
    if len(raw) != KEY_BYTES or key_text(raw) != text:
        raise TrustError(
            "key", Message("no-key-text", "a key is 43 letters of base64url, not {text}", text=ascii(text))
        )
    return check_key(raw)


def is_key(given: str, key: bytes | None) -> bool:
    """Return True if what a user gave, a key or a fingerprint, is that of this key.

    Raises `TrustError` for what is neither.
    """
    letters = given.upper().replace("-", "")
    if len(letters) == FINGERPRINT_LETTERS:
        return key is not None and fingerprint(key).replace("-", "") == letters
    return parse_key(given) == key


def hold_to(verdict: Verdict, given: str) -> Verdict:
    """Return the verdict, with a finding `key` if the host's key is not the given key or fingerprint.

    Raises `TrustError` for what is neither.
    """
    if is_key(given, verdict.host_key):
        return verdict
    if verdict.host_key is None:
        english = "the host has no key here, or not one alone, and was known to have one"
        why = Message("host-key-none", english)
    else:
        english = "the host's key is {found}, not {known}"
        why = Message("host-key-other", english, found=verdict.fingerprint, known=_short(given))
    return evolve(verdict, findings=(*verdict.findings, Finding("key", why)))


def _short(given: str) -> str:
    """Return the fingerprint of what a user gave."""
    return given.upper() if len(given.replace("-", "")) == FINGERPRINT_LETTERS else fingerprint(parse_key(given))


def default_path() -> Path:
    """Return where known hosts are kept: `kifu/known_hosts` in the user's folder of settings."""
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "kifu" / "known_hosts"


@frozen
class KnownHosts:
    """The hosts that one knows: a name and a public key a line, empty lines and lines with `#` left out.

    A name may have several keys, and is the same in capitals.
    """

    path: Path
    keys: Mapping[str, tuple[bytes, ...]]

    @classmethod
    def read(cls, path: Path) -> KnownHosts:
        """Read the file, empty if there is none; raises `TrustError` for one that is malformed or cannot be read."""
        try:
            lines = path.read_text(encoding="utf-8-sig").splitlines()  # some editors write a mark of the bytes' order
        except FileNotFoundError:
            lines = []
        except (OSError, ValueError) as cause:
            why = os_error_message(cause) if isinstance(cause, OSError) else Message("no-text", "it is no text")
            raise TrustError("key", Message("unreadable", "cannot be read: {why}", why=why), str(path)) from None
        keys: dict[str, tuple[bytes, ...]] = {}
        for number, line in enumerate(lines, 1):
            parts = line.partition("#")[0].split()
            if not parts:
                continue
            try:
                name, key = parts
                keys[name.lower()] = (*keys.get(name.lower(), ()), parse_key(key))
            except (ValueError, KifuError):
                english = "line {number} is not a name and a key"
                raise TrustError("key", Message("known-hosts-line", english, number=number), str(path)) from None
        return cls(path, keys)

    def name_of(self, key: bytes | None) -> str | None:
        """Return the name of the host that has this key, None if it is not known."""
        return next((name for name, known in self.keys.items() if key in known), None)

    def hold(self, verdict: Verdict, name: str) -> Verdict:
        """Return the verdict, with a finding `key` if the host's key is none of those of this name, which is known."""
        known = self.keys[name.lower()]
        return verdict if verdict.host_key in known else hold_to(verdict, key_text(known[-1]))

    def add(self, name: str, key: bytes) -> KnownHosts:
        """Add a host at the end of the file, which is made if there is none; raises `TrustError` if it cannot be."""
        if not name or "#" in name or any(letter.isspace() or not letter.isprintable() for letter in name):
            raise TrustError("key", Message("host-name-is", "a host's name is one word without #"))
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            ends = not self.path.exists() or self.path.read_bytes()[-1:] in (b"", b"\n")
            with self.path.open("a", encoding="utf-8") as file:
                file.write(f"{'' if ends else chr(10)}{name} {key_text(key)}\n")
        except (OSError, ValueError) as cause:
            why = os_error_message(cause) if isinstance(cause, OSError) else Message("no-text", "it is no text")
            raise TrustError(
                "key", Message("unwritable", "cannot be written: {why}", why=why), str(self.path)
            ) from None
        return evolve(self, keys={**self.keys, name.lower(): (key,)})
