"""What the host returns of fair deals, marks and signatures, as response shapes."""

from __future__ import annotations

from typing import Any

from ..host import Ending, TrustStatus
from ..trust.evidence import Told
from .trust_shapes import (
    AgreedResponse,
    EndedResponse,
    FailedAttempt,
    SeatTrustResponse,
    TrustResponse,
    encode_bytes,
)


def trust_response(status: TrustStatus) -> TrustResponse:
    """Return what is public of the trust in a match."""
    return TrustResponse(
        phase=status.phase,
        attempt=status.attempt,
        host=_encoded(status.host),
        veil=encode_bytes(status.veil),
        host_key=_encoded(status.host_key),
        deadline_at_ms=status.deadline_at_ms,
        seats=[
            SeatTrustResponse(
                who=seat.who,
                commitment=_encoded(seat.commitment),
                revealed=seat.revealed,
                key=_encoded(seat.key),
                signs=seat.signs,
            )
            for seat in status.seats
        ],
        past=[FailedAttempt(roster=encode_bytes(roster), refused=list(refused)) for roster, refused in status.past],
        roster=_encoded(status.roster),
        roster_sig=_encoded(status.roster_sig),
        shared=status.shared,
    )


def evidence(told: Told | None) -> dict[str, Any]:
    """Return the members of a response that say under which mark it was told; none for a match without marks."""
    if told is None:
        return {}
    return {
        "told": encode_bytes(told.told),
        "salt": encode_bytes(told.salt),
        "mark": encode_bytes(told.mark),
        "sig": _encoded(told.sig),
    }


def ended_response(ending: Ending) -> EndedResponse:
    """Return what a seat is told of the end."""
    agreed = ending.agreed
    return EndedResponse(
        number=ending.told.number,
        **evidence(ending.told),
        proposals=[]
        if agreed is None
        else [AgreedResponse(moment=agreed.number, told=encode_bytes(agreed.told), mark=encode_bytes(agreed.mark))],
    )


def _encoded(raw: bytes | None) -> str | None:
    return None if raw is None else encode_bytes(raw)
