"""What the header of a log binds its host and seats to."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import cached_property
from typing import Any

from attrs import frozen

from ..errors import TrustError
from ..game import AnyGame
from ..match.engine import engine_of
from ..trust.evidence import Evidence
from ..trust.header_keys import read_veil
from ..trust.raw_log import read_log
from ..trust.roster import Roster, roster_of
from ..trust.signing import SigningKey


@frozen(eq=False, slots=False)
class LogTrust:
    """What the header of a log that has begun binds its host and seats to, and the marks of its events."""

    header: Mapping[str, Any]
    """The header, as the file has it."""
    roster: Roster
    evidence: Evidence

    @cached_property
    def roster_sig(self) -> bytes | None:
        """The host's signature of the roster; None where it signs nothing."""
        return self.evidence.sign_roster(self.roster.digest)

    @property
    def mark(self) -> bytes:
        """The mark of the present moment."""
        return self.evidence.marks[-1]


def own_key(sign: SigningKey | None, public: bytes | None) -> SigningKey | None:
    """Return the host's key if it is the one with this public half; else None: nothing is signed."""
    return sign if sign is not None and sign.public == public else None


def log_trust(game: AnyGame, header: bytes, sign: SigningKey | None, engine: str) -> LogTrust | None:
    """Return what a log with this header binds to; None without a veil, as in a log of another program.

    `sign` is the key of the host that serves it. A log that names another key is served without signatures, and so
    is one that has ended without the host's. Where it names another program than `engine`, what is told names that.
    """
    plain = read_log(header).header
    with suppress(TrustError):  # malformed keys: an audit finds them
        veil, roster = read_veil(plain), roster_of(plain)
        if veil is not None:
            program = [name for name in [engine_of(game, engine)] if name != plain.get("engine")]
            evidence = Evidence(game, roster.of, veil, header, own_key(sign, roster.host_key), program)
            return LogTrust(plain, roster, evidence)
    return None
