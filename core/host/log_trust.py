"""What the header of a log binds its host and its seats to: veil, keys and roster; and the marks so far."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from attrs import frozen

from ..errors import TrustError
from ..game import Game
from ..trust.evidence import Evidence
from ..trust.formulas import roster_digest
from ..trust.header_keys import Keys, read_veil
from ..trust.raw_log import read_log
from ..trust.roster import Roster, roster_of
from ..trust.signing import SigningKey


@frozen(eq=False)
class LogTrust:
    """The veil, the keys and the roster of a log that has begun, and the marks of its events."""

    header: Mapping[str, Any]
    """The header, as the file has it."""
    roster: Roster
    packed: bytes
    """The roster's bytes."""
    digest: bytes
    """H0, the digest of the roster."""
    evidence: Evidence
    roster_sig: bytes | None
    """The host's signature of the roster; None without its key."""

    @property
    def keys(self) -> Keys:
        """The public keys of the host and of each seat."""
        return self.roster.keys

    @property
    def mark(self) -> bytes:
        """The mark of the present moment."""
        return self.evidence.marks[-1]


def log_trust(game: Game[Any, Any, Any], header: bytes, sign: SigningKey | None) -> LogTrust | None:
    """Return what a log with this header binds to; None without a veil, as in a log of another program.

    `sign` is the key of the host that serves it. A log that names another key is served without signatures.
    """
    plain = read_log(header).header
    with suppress(TrustError):  # malformed keys: an audit finds them
        veil, roster = read_veil(plain), roster_of(plain)
        if veil is not None:
            own = sign if sign is not None and sign.public == roster.keys.host else None
            packed = roster.packed()
            evidence = Evidence(game, roster.match, veil, header, own)
            sig = evidence.sign_roster(packed)
            return LogTrust(plain, roster, packed, roster_digest(packed), evidence, sig)
    return None
