"""The formulas of trust, each hash or message of bytes that begin with its own name (`docs/trust.md`)."""

from __future__ import annotations

from base64 import b32encode
from collections.abc import Mapping, Sequence
from hashlib import blake2b, sha256
from typing import Any

from .canonical import canonical, ordered, pack_ordered

SECRET_BYTES = 32
KEY_BYTES = 32
MARK_BYTES = 32
SALT_BYTES = 16
SIGNATURE_BYTES = 64
DIGEST_BYTES = 32
"""The bytes of a SHA-256."""

HOST = -1
"""The party of a fair deal that is no seat."""

EVENT, LOOK, END, WISH, SENT = range(5)
"""The kinds of the entries of a seat record; the first three are told by the host."""

CODE_BYTES = 16
"""The bytes of a mark that its code has."""
CODE_GROUP = 4
"""Letters between two hyphens of a code."""


def digest_of(name: str, *values: Any) -> bytes:
    """Return the SHA-256 of the canonical array of a name and values."""
    return sha256(canonical([name, *values])).digest()


def commitment(match: str, attempt: int, who: int, secret: bytes) -> bytes:
    """Return what a party publishes of its secret: of a seat, or of the host (-1)."""
    return digest_of("kifu commit 1", match, attempt, who, secret)


def veil_commitment(match: str, veil: bytes) -> bytes:
    """Return what a host publishes of the veil of a match."""
    return digest_of("kifu veil 1", match, veil)


def roster_digest(roster: bytes) -> bytes:
    """Return H0, the SHA-256 of a roster."""
    return sha256(roster).digest()


def seed(digest: bytes, host_secret: bytes, secrets: Sequence[bytes]) -> bytes:
    """Return the seed that H0, the host's secret and those of the contributing seats give, by seat."""
    return blake2b(canonical(["kifu seed 1", digest, host_secret, list(secrets)]), digest_size=32).digest()


def first_mark(veil: bytes, header: bytes) -> bytes:
    """Return the mark of moment 0, of the header's bytes."""
    return blake2b(header, digest_size=MARK_BYTES, key=veil).digest()


def next_mark(veil: bytes, mark: bytes, raw: bytes) -> bytes:
    """Return the mark after an event, or of the end record, from the mark before it and the whole object."""
    return blake2b(mark + raw, digest_size=MARK_BYTES, key=veil).digest()


def salt(veil: bytes, kind: int, number: int, seat: int | None) -> bytes:
    """Return the 16 bytes that keep a told hash from being guessed, as long as the veil is kept."""
    return blake2b(pack_ordered(["kifu salt 1", kind, number, seat]), digest_size=SALT_BYTES, key=veil).digest()


def told_digest(salt: bytes | None, told: bytes) -> bytes:
    """Return the hash of what a seat was told, which is signed and shown instead of it."""
    return sha256(pack_ordered(["kifu told 1", salt, told])).digest()


Binding = str | bytes
"""What a signed message names first: H0; in version 1, which binds nothing that was agreed, the match's id."""


def signed_message(name: str, of: Binding, *values: Any) -> bytes:
    """Return a message that is signed, under its name and the version that `of` says."""
    return pack_ordered([f"kifu {name} {1 if isinstance(of, str) else 2}", of, *values])


def roster_message(digest: bytes, version: int = 2) -> bytes:
    """Return what a host signs of a roster."""
    return canonical([f"kifu roster sig {version}", digest])


def agreement_message(digest: bytes, seat: int) -> bytes:
    """Return what a seat signs of a roster as it reveals: it agrees to that, and has the key that stands there."""
    return canonical(["kifu roster seat 2", digest, seat])


def told_message(of: Binding, seat: int | None, kind: int, number: int, mark: bytes, digest: bytes) -> bytes:
    """Return what a host signs of what it tells a seat (None: a spectator); `digest` is the told hash."""
    return signed_message("host", of, seat, kind, number, mark, digest)


def log_message(digest: bytes, events: int, chain: bytes, mark: bytes) -> bytes:
    """Return what a host signs of a whole log: the chain after the last event, and the mark of the end unsigned."""
    return canonical(["kifu log 2", digest, events, chain, mark])


def reveal_message(digest: bytes, attempt: int, seat: int) -> bytes:
    """Return what a host signs as the receipt of a secret; `digest` is H0."""
    return signed_message("reveal", digest, attempt, seat)


def command_message(
    of: Binding,
    seat: int,
    at: int,
    mark: bytes,
    tag: str,
    fields: Mapping[str, Any],
    id: bytes,  # noqa: A002 (the name it has in what is signed)
    replaced: bytes | None = None,
) -> bytes:
    """Return what a seat signs of a command that answers moment `at`, whose mark it names.

    `replaced` is the SHA-256 of the message that the seat has signed before to the same moment, None for the first.
    """
    more = () if isinstance(of, str) else (replaced,)
    return signed_message("command", of, seat, at, mark, tag, ordered(fields), id, *more)


def wish_message(of: Binding, seat: int, count: int, mark: bytes, kind: str, at: int) -> bytes:
    """Return what a seat signs of a proposal (`take_back`, `fork`, `abandon`) when there are `count` events."""
    return signed_message("wish", of, seat, count, mark, kind, ordered(at))


def code(mark: bytes) -> str:
    """Return the code of a moment, for people to compare: 26 letters of base32 of its mark's first 16 bytes."""
    return grouped(b32encode(mark[:CODE_BYTES]).decode().rstrip("="))


def fingerprint(key: bytes) -> str:
    """Return what people compare of a public key: 16 letters of base32 of a hash, in groups."""
    return grouped(b32encode(digest_of("kifu key 1", key)[:10]).decode())


def grouped(letters: str) -> str:
    """Return letters in groups, with hyphens between."""
    return "-".join(letters[place : place + CODE_GROUP] for place in range(0, len(letters), CODE_GROUP))
