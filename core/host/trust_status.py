"""What is public of the trust in a match: keys, commitments, attempts, and the roster once it is fixed."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from ..errors import MatchError
from ..trust.ceremony import Ceremony
from ..trust.formulas import roster_digest, roster_message, veil_commitment
from .context import HostContext
from .live_match import LiveMatch
from .log_trust import LogTrust
from .metadata import MatchMetadata, Preparation
from .preparation import ceremony_of

Phase = Literal["joining", "revealing", "renewing", "dealt", "failed"]


@frozen
class SeatTrust:
    """What is public of one seat; `who` is None without a fair deal."""

    who: int | None
    """0: joined with a commitment, 1: named by the opener, 2: a bot."""
    commitment: bytes | None
    revealed: bool
    key: bytes | None
    """Its public key, 32 bytes."""
    signs: bool
    """Whether its commands must be signed; False too once its holder has changed."""


@frozen
class TrustStatus:
    """What anybody may know of the trust in a match, at any moment."""

    phase: Phase
    """`joining`: seats are free. `revealing`, `renewing`: secrets, or new commitments, are waited for. `dealt`: the
    log has begun. `failed`: nothing will be dealt."""
    attempt: int
    """1 to 8; 0 without a fair deal."""
    host: bytes | None
    """The host's commitment."""
    veil: bytes
    """The commitment to the veil."""
    host_key: bytes | None
    """The host's public key, 32 bytes."""
    deadline_at_ms: int | None
    """When the attempt fails, in milliseconds since the Unix epoch."""
    seats: tuple[SeatTrust, ...]
    past: tuple[tuple[bytes, tuple[int, ...]], ...]
    """For each failed attempt the digest of its roster, and the seats that refused."""
    roster: bytes | None
    """The bytes of the roster, once it is fixed."""
    roster_sig: bytes | None
    """The host's signature of the roster; None without a key."""
    shared: int = 0
    """How many first events a fork shares with its parent: what binds them stands in the parent's log."""


def trust_status(context: HostContext, live: LiveMatch) -> TrustStatus | None:
    """Return what is public of the trust in a match; None for one without marks, as one that was imported may be."""
    if live.trust is not None:
        return _dealt(live.trust, live.metadata)
    preparation = live.metadata.preparation
    if live.folded is not None or preparation is None:
        return None
    try:
        ceremony = ceremony_of(context, live.id, live.game, live.metadata)
    except MatchError:  # without a fair deal, or opened under older rules
        return _waiting(live, preparation)
    return _held(context, live, preparation, ceremony)


def _waiting(live: LiveMatch, preparation: Preparation) -> TrustStatus:
    """Return the status of a match without a fair deal, before it begins."""
    seats = tuple(SeatTrust(None, None, False, key, key is not None) for key in preparation.seat_keys)
    return TrustStatus(
        phase="joining" if live.row.status == "open" else "failed",
        attempt=0,
        host=None,
        veil=veil_commitment(live.id, preparation.veil),
        host_key=preparation.host_key,
        deadline_at_ms=None,
        seats=seats,
        past=(),
        roster=None,
        roster_sig=None,
    )


def _held(context: HostContext, live: LiveMatch, preparation: Preparation, ceremony: Ceremony) -> TrustStatus:
    """Return the status of a fair deal that is going on, or has failed."""
    roster = None if live.metadata.open_seats else ceremony.roster
    phase: Phase = "joining" if live.metadata.open_seats else "renewing" if roster is None else "revealing"
    seats = zip(ceremony.who, ceremony.commitments, ceremony.revealed, preparation.seat_keys, strict=True)
    return TrustStatus(
        phase=phase if live.row.status == "open" else "failed",
        attempt=ceremony.attempt,
        host=ceremony.commitment,
        veil=veil_commitment(live.id, preparation.veil),
        host_key=preparation.host_key,
        deadline_at_ms=preparation.deadline_at_ms,
        seats=tuple(SeatTrust(*parts, parts[-1] is not None) for parts in seats),
        past=tuple(ceremony.past),
        roster=roster,
        roster_sig=_signed(context, roster, preparation.host_key),
    )


def _dealt(trust: LogTrust, metadata: MatchMetadata) -> TrustStatus:
    """Return the status of a match whose log has begun."""
    roster, deal, seats = trust.roster, trust.roster.deal, len(trust.roster.names)
    signs = [key is not None and seat not in metadata.unsigned_seats for seat, key in enumerate(roster.keys.seats)]
    who, commitments = deal.who or (None,) * seats, deal.seats or (None,) * seats
    revealed = [commitment is not None for commitment in commitments]  # else it would not have been dealt
    assert roster.veil is not None
    shared = trust.header.get("fork", {}).get("seq", -1) + 1
    return TrustStatus(
        phase="dealt",
        attempt=deal.attempt,
        host=deal.host,
        veil=roster.veil,
        host_key=roster.keys.host,
        deadline_at_ms=None,
        seats=tuple(map(SeatTrust, who, commitments, revealed, roster.keys.seats, signs)),
        past=deal.past,
        roster=trust.packed,
        roster_sig=trust.roster_sig,
        shared=shared if isinstance(shared, int) else 0,
    )


def _signed(context: HostContext, roster: bytes | None, host_key: bytes | None) -> bytes | None:
    """Return the host's signature of a roster; None without its key."""
    if roster is None or context.sign is None or context.sign.public != host_key:
        return None
    return context.sign.sign(roster_message(roster_digest(roster)))
