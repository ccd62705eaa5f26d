"""What a host prepares before a log begins: the veil, public keys, and the commitments of a fair deal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import evolve

from ..errors import MatchError, Message, TrustError
from ..game import AnyGame, Seat, replace_at
from ..match.header import Header
from ..trust.ceremony import Ceremony, with_deal
from ..trust.formulas import SECRET_BYTES
from ..trust.header_keys import BOT, JOINED, NAMED, Keys, check_key
from ..trust.signing import is_available
from .context import HostContext
from .metadata import MatchMetadata, Preparation, Terms
from .standstill import opened_under_message


def prepare(
    context: HostContext, match: str, game: AnyGame, metadata: MatchMetadata, named: Sequence[str | None]
) -> MatchMetadata:
    """Return the metadata of a new match with its preparation; `named` are the names that its opener gave.

    Raises `MatchError` for a fair deal to which no seat would contribute.
    """
    who = _who(metadata.terms, named) if metadata.terms.fair else None
    preparation = Preparation(
        veil=context.entropy(SECRET_BYTES),
        rules=game.rules,
        host_key=None if context.sign is None else context.sign.public,
        seat_keys=(None,) * len(named),
        who=who,
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

    Raises `MatchError` if there is none, or if the rules have changed since the match was opened.
    """
    preparation = metadata.preparation
    if preparation is None or preparation.who is None:
        raise MatchError(Message("no-fair-deal", "this match has no fair deal"))
    if preparation.rules != game.rules:
        raise MatchError(opened_under_message(preparation.rules, game.rules))
    ceremony = Ceremony(
        *(match, game.name, preparation.rules, metadata.options),
        *([name or "" for name in metadata.names], preparation.who),
        veil=preparation.veil,
        host_key=preparation.host_key,
        seat_keys=preparation.seat_keys,
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
    seat: Seat,
    commitment: Any,
    public_key: Any,
) -> MatchMetadata:
    """Return the metadata with what a player brings who takes this seat.

    Raises `TrustError` for a commitment or key that is none, `MatchError` for a commitment that is missing or not
    asked for.
    """
    if metadata.preparation is None:  # an older kifu opened it
        metadata = prepare(context, match, game, metadata, metadata.names)
    if public_key is not None:
        metadata = _with_key(metadata, seat, _checked_key(public_key))
    if not metadata.terms.fair:
        if commitment is not None:
            raise MatchError(Message("no-commitment", "this match has no fair deal: join without a commitment"))
        return metadata
    if commitment is None:
        raise MatchError(Message("joins-fairly", "this match deals fairly: join with a seat and a commitment"))
    ceremony = ceremony_of(context, match, game, metadata)
    ceremony.commit(seat, commitment)
    deadline = None if metadata.open_seats else context.clock() + metadata.terms.reveal_ms
    return with_ceremony(metadata, ceremony, deadline)


def dismiss(context: HostContext, match: str, game: AnyGame, metadata: MatchMetadata, seat: Seat) -> MatchMetadata:
    """Return the metadata without what the player of this seat brought; raises `MatchError` once all have committed."""
    if metadata.preparation is None:  # an older kifu opened it
        return metadata
    metadata = _with_key(metadata, seat, None)
    if not metadata.terms.fair:
        return metadata
    ceremony = ceremony_of(context, match, game, metadata)
    ceremony.withdraw(seat)
    return with_ceremony(metadata, ceremony)


def _checked_key(public_key: Any) -> bytes:
    """Return a public key; raises `TrustError` for what is none, or if this host cannot check signatures."""
    checked = check_key(public_key)
    if not is_available:
        english = "this host cannot check signatures: join without a key"
        raise TrustError("signature", Message("cannot-check", english))
    return checked


def _with_key(metadata: MatchMetadata, seat: Seat, public_key: bytes | None) -> MatchMetadata:
    """Return the metadata with a seat's public key."""
    preparation = metadata.preparation
    assert preparation is not None
    keys = replace_at(preparation.seat_keys, seat, public_key)
    return evolve(metadata, preparation=evolve(preparation, seat_keys=keys))


def bound(context: HostContext, header: Header, game: AnyGame, metadata: MatchMetadata) -> Header:
    """Return the header of a log that begins, without a seed, with all that the preparation binds it to.

    With a fair deal this sets the seed, too. Raises `MatchError` while the deal waits for somebody.
    """
    preparation = metadata.preparation
    assert preparation is not None
    if preparation.who is not None:
        return with_deal(header, game, ceremony_of(context, header.match, game, metadata))
    keys = Keys(preparation.host_key, preparation.seat_keys)
    more: list[tuple[str, Any]] = [("veil", preparation.veil)]
    if keys.some:
        more.append(("sign", keys.header()))
    return evolve(header, more=(*header.more, *more))
