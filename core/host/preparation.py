"""What a host prepares before a log begins: veil, public keys, commitments of a fair deal; and what is public of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from attrs import evolve, frozen

from ..errors import MatchError, Message
from ..game import AnyGame, Seat
from ..match.engine import engine_of
from ..match.header import Header
from ..trust.ceremony import Ceremony, with_deal
from ..trust.formulas import SECRET_BYTES, roster_digest, roster_message, veil_commitment
from ..trust.header_keys import BOT, JOINED, NAMED, Keys
from .context import HostContext
from .live_match import LiveMatch
from .log_trust import LogTrust, own_key
from .metadata import MatchMetadata, Preparation, Terms
from .standstill import why_opened_otherwise


def prepare(
    context: HostContext, match: str, game: AnyGame, metadata: MatchMetadata, named: Sequence[str | None]
) -> MatchMetadata:
    """Return the metadata of a new match with its preparation; `named` are the names that its opener gave.

    Raises `MatchError` for a fair deal to which no seat would contribute.
    """
    who = _who(metadata.terms, named) if metadata.terms.fair else None
    preparation = Preparation(
        veil=context.entropy(SECRET_BYTES),
        rules=game.version,
        host_key=None if context.sign is None else context.sign.public,
        seat_keys=(None,) * len(named),
        who=who,
        engine=engine_of(game, context.engine),
        layout=game.past.layout,
    )
    prepared = evolve(metadata, preparation=preparation)
    return prepared if who is None else with_ceremony(prepared, ceremony_of(context, match, game, prepared))


def _who(terms: Terms, named: Sequence[str | None]) -> tuple[int, ...]:
    """Return who will hold each seat of a fair deal."""
    return tuple(
        BOT if Seat(seat) in terms.bots else JOINED if name is None else NAMED for seat, name in enumerate(named)
    )


def ceremony_of(context: HostContext, match: str, game: AnyGame, metadata: MatchMetadata) -> Ceremony:
    """Return the ceremony of a match with a fair deal, as it stands.

    Raises `MatchError` if there is none, or if the rules or the layout have changed since the match was opened.
    """
    preparation = metadata.preparation
    if preparation is None or preparation.who is None:
        raise MatchError(Message("no-fair-deal", "this match has no fair deal"))
    if (why := why_opened_otherwise(preparation, game)) is not None:
        raise MatchError(why)
    ceremony = Ceremony(
        *(match, game.name, preparation.rules, metadata.options),
        *([name or "" for name in metadata.names], preparation.who),
        veil=preparation.veil,
        host_key=preparation.host_key,
        seat_keys=preparation.seat_keys,
        engine=preparation.engine,
        layout=preparation.layout,
        entropy=context.entropy,
    )
    if preparation.deal is not None:
        ceremony.restore(preparation.deal)
    return ceremony


def with_ceremony(metadata: MatchMetadata, ceremony: Ceremony, deadline_at_ms: int | None = None) -> MatchMetadata:
    """Return the metadata with the ceremony as it stands, and the deadline of the attempt that is on."""
    assert metadata.preparation is not None
    preparation = evolve(metadata.preparation, deal=ceremony.save(), deadline_at_ms=deadline_at_ms)
    return evolve(metadata, preparation=preparation)


def admit(
    context: HostContext,
    match: str,
    game: AnyGame,
    metadata: MatchMetadata,
    seat: int,
    commitment: Any,
    public_key: Any,
) -> MatchMetadata:
    """Return the metadata with what a player brings who takes this seat.

    Raises `TrustError` for a commitment or key that is none, `MatchError` for a commitment that is missing or not
    asked for.
    """
    if public_key is not None:
        metadata = _with_key(metadata, seat, public_key)
    if not metadata.terms.fair:
        if commitment is not None:
            raise MatchError(Message("no-commitment", "this match has no fair deal: join without a commitment"))
        return metadata
    ceremony = ceremony_of(context, match, game, metadata)
    ceremony.commit(seat, commitment)
    deadline = None if metadata.open_seats else context.clock() + metadata.terms.reveal_ms
    return with_ceremony(metadata, ceremony, deadline)


def dismiss(context: HostContext, match: str, game: AnyGame, metadata: MatchMetadata, seat: int) -> MatchMetadata:
    """Return the metadata without what the player of this seat brought; raises `MatchError` once all have committed."""
    metadata = _with_key(metadata, seat, None)
    if not metadata.terms.fair:
        return metadata
    ceremony = ceremony_of(context, match, game, metadata)
    ceremony.withdraw(seat)
    return with_ceremony(metadata, ceremony)


def _with_key(metadata: MatchMetadata, seat: int, public_key: Any) -> MatchMetadata:
    """Return the metadata with a seat's public key; raises `TrustError` for what is none, or is another seat's."""
    preparation = metadata.preparation
    assert preparation is not None
    keys = Keys(preparation.host_key, preparation.seat_keys).replace(seat, public_key)
    unsigned = tuple(each for each in metadata.unsigned_seats if each != seat)
    return evolve(metadata, preparation=evolve(preparation, seat_keys=keys.seats), unsigned_seats=unsigned)


def bound(context: HostContext, header: Header, game: AnyGame, metadata: MatchMetadata) -> Header:
    """Return the header of a log that begins, without a seed, with all that the preparation binds it to.

    With a fair deal this sets the seed, too. Raises `MatchError` while the deal waits for somebody.
    """
    preparation = metadata.preparation
    assert preparation is not None
    if preparation.who is not None:
        agreed = evolve(header, engine=preparation.engine)  # a newer program may deal
        return with_deal(agreed, game, ceremony_of(context, header.match, game, metadata))
    keys = Keys(preparation.host_key, preparation.seat_keys)
    more: list[tuple[str, Any]] = [("veil", preparation.veil)]
    if keys.some:
        more.append(("sign", keys.header()))
    return evolve(header, more=(*header.more, *more))


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


@frozen(kw_only=True)
class TrustStatus:
    """What anybody may know of the trust in a match, at any moment."""

    phase: Phase
    """`joining`: seats are free. `revealing`, `renewing`: secrets, or new commitments, are waited for. `dealt`: the
    log has begun. `failed`: nothing will be dealt."""
    attempt: int = 0
    """1 to 8; 0 without a fair deal."""
    host: bytes | None = None
    """The host's commitment."""
    veil: bytes
    """The commitment to the veil."""
    host_key: bytes | None
    """The host's public key, 32 bytes."""
    deadline_at_ms: int | None = None
    """When the attempt fails, in milliseconds since the Unix epoch."""
    seats: tuple[SeatTrust, ...]
    past: tuple[tuple[bytes, tuple[int, ...]], ...] = ()
    """For each failed attempt the digest of its roster, and the seats that refused."""
    roster: bytes | None = None
    """The bytes of the roster, once it is fixed."""
    roster_sig: bytes | None = None
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
    is_open = live.row.status == "open"
    status = TrustStatus(
        phase="joining" if is_open else "failed",
        veil=veil_commitment(live.id, preparation.veil),
        host_key=preparation.host_key,
        seats=tuple(SeatTrust(None, None, False, key, key is not None) for key in preparation.seat_keys),
    )
    try:
        ceremony = ceremony_of(context, live.id, live.game, live.metadata)
    except MatchError:  # without a fair deal, or opened under older rules
        return status
    roster = None if live.metadata.open_seats else ceremony.roster
    phase: Phase = "joining" if live.metadata.open_seats else "renewing" if roster is None else "revealing"
    key = own_key(context.sign, preparation.host_key)
    seats = zip(ceremony.who, ceremony.commitments, ceremony.revealed, preparation.seat_keys, strict=True)
    return evolve(
        status,
        phase=phase if is_open else "failed",
        attempt=ceremony.attempt,
        host=ceremony.commitment,
        deadline_at_ms=preparation.deadline_at_ms,
        seats=tuple(SeatTrust(*parts, parts[-1] is not None) for parts in seats),
        past=tuple(ceremony.past),
        roster=roster,
        roster_sig=None if roster is None or key is None else key.sign(roster_message(roster_digest(roster))),
    )


def _dealt(trust: LogTrust, metadata: MatchMetadata) -> TrustStatus:
    """Return the status of a match whose log has begun."""
    roster = trust.roster
    signs = [key is not None and seat not in metadata.unsigned_seats for seat, key in enumerate(roster.seat_keys)]
    who, commitments = roster.who or (None,) * len(signs), roster.seats or (None,) * len(signs)
    revealed = [commitment is not None for commitment in commitments]  # else it would not have been dealt
    assert roster.veil is not None
    return TrustStatus(
        phase="dealt",
        attempt=roster.attempt,
        host=roster.host,
        veil=roster.veil,
        host_key=roster.host_key,
        seats=tuple(map(SeatTrust, who, commitments, revealed, roster.seat_keys, signs)),
        past=roster.past,
        roster=roster.packed(),
        roster_sig=trust.roster_sig,
        shared=trust.header.get("fork", {}).get("seq", -1) + 1,
    )
