"""The fair deal of a match at a host: commitments renewed, secrets revealed, attempts that fail (`docs/trust.md`)."""

from __future__ import annotations

from typing import Any

from attrs import field, frozen

from ..errors import MatchError, Message, TrustError
from ..trust.ceremony import Ceremony
from ..trust.formulas import reveal_message
from .context import HostContext
from .lifecycle import begin
from .live_match import LiveMatch
from .log_trust import own_key
from .metadata import checked_int
from .preparation import TrustStatus, ceremony_of, trust_status, with_ceremony
from .writer import SeatChange


@frozen
class Renew(SeatChange[TrustStatus]):
    """A seat's commitment for an attempt after the first; the same again changes nothing."""

    attempt: int
    commitment: bytes

    def apply_by(self, context: HostContext, live: LiveMatch, seat: int) -> TrustStatus:
        """Take it; raises `MatchError` for another attempt, `TrustError` for what is no commitment."""
        fail_if_due(context, live)
        metadata, ceremony = live.metadata, _ceremony(context, live)
        _check_attempt(ceremony.attempt, self.attempt)
        known = ceremony.commitments
        ceremony.commit(seat, self.commitment)
        if ceremony.commitments != known:
            assert metadata.preparation is not None
            deadline = metadata.preparation.deadline_at_ms
            if ceremony.roster is not None:  # the last one: now secrets are asked for
                deadline = context.clock() + metadata.terms.reveal_ms
            live.update_metadata(with_ceremony(metadata, ceremony, deadline), context.clock())
        return _status(context, live)


@frozen
class Reveal(SeatChange[tuple[TrustStatus, bytes | None]]):
    """A seat's secret for the roster of this digest; the last one begins the match. The same again changes nothing."""

    attempt: int
    roster: bytes
    secret: bytes = field(repr=False)
    signature: bytes | None = None

    def apply_by(self, context: HostContext, live: LiveMatch, seat: int) -> tuple[TrustStatus, bytes | None]:
        """Take it; return the host's receipt too, None without a key.

        Raises `MatchError` for another attempt, `TrustError` for another roster, a secret that does not open the seat's
        commitment, or a signature of the roster that is missing or not the seat's.
        """
        fail_if_due(context, live)
        if live.folded is not None:
            _check_revealed(live, seat, self.attempt, self.roster, self.secret)
            return _answer(context, live, seat, self.attempt, self.roster)
        ceremony = _ceremony(context, live)
        _check_attempt(ceremony.attempt, self.attempt)
        known = ceremony.revealed
        ceremony.reveal(seat, self.roster, self.secret, self.signature)
        assert live.metadata.preparation is not None
        metadata = with_ceremony(live.metadata, ceremony, live.metadata.preparation.deadline_at_ms)
        if not ceremony.waits_for:
            begin(context, live, metadata)
        elif ceremony.revealed != known:
            live.update_metadata(metadata, context.clock())
        return _answer(context, live, seat, self.attempt, self.roster)


def _ceremony(context: HostContext, live: LiveMatch) -> Ceremony:
    """Return the ceremony as it stands; raises `MatchError` if the match was abandoned."""
    ceremony = ceremony_of(context, live.id, live.game, live.metadata)
    if live.row.status != "open" and not ceremony.failed:
        raise MatchError(Message("was-abandoned", "the match was abandoned: nothing can follow"))
    return ceremony


def _check_attempt(on: int, attempt: int) -> None:
    if checked_int(attempt, Message("an-attempt", "an attempt")) != on:
        raise MatchError(Message("other-attempt", "attempt {on} is on, not {attempt}", on=on, attempt=attempt))


def _check_revealed(live: LiveMatch, seat: int, attempt: int, digest: Any, secret: Any) -> None:
    """Raise unless this secret is the one that the match was dealt from."""
    fair = None if live.trust is None else live.trust.header.get("fair")
    if live.trust is None or fair is None:
        raise MatchError(Message("no-fair-deal", "this match has no fair deal"))
    _check_attempt(len(fair["past"]) + 1, attempt)
    if digest != live.trust.roster.digest:
        raise TrustError("commitment", Message("other-roster", "this is another roster: nothing was revealed"))
    pair = fair["seats"][seat]
    if pair is None or pair[1] != secret:
        english = "this secret does not open the commitment of seat {seat}"
        raise TrustError("commitment", Message("secret-opens-not", english, seat=seat))


def _status(context: HostContext, live: LiveMatch) -> TrustStatus:
    status = trust_status(context, live)
    assert status is not None, "a match with a fair deal has one"
    return status


def _answer(
    context: HostContext, live: LiveMatch, seat: int, attempt: int, digest: bytes
) -> tuple[TrustStatus, bytes | None]:
    """Return the status, and the host's signature of what a seat has revealed; None without a key."""
    status = _status(context, live)
    key = own_key(context.sign, status.host_key)
    return status, None if key is None else key.sign(reveal_message(digest, attempt, seat))


def fail_if_due(context: HostContext, live: LiveMatch) -> None:
    """End the attempt that is on if its deadline has passed; begin the next, or after the eighth abandon the match."""
    preparation, now = live.metadata.preparation, context.clock()
    deadline_at_ms = None if preparation is None else preparation.deadline_at_ms
    if live.row.status != "open" or deadline_at_ms is None or now < deadline_at_ms:
        return
    ceremony = ceremony_of(context, live.id, live.game, live.metadata)
    ceremony.fail()
    if ceremony.failed:
        live.update_metadata(with_ceremony(live.metadata, ceremony).without_proposal(), now, "abandoned")
    else:
        live.update_metadata(with_ceremony(live.metadata, ceremony, now + live.metadata.terms.reveal_ms), now)
