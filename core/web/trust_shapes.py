"""The shapes of fair deals, marks and signatures (`docs/trust.md`): bytes are base64url without `=`."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from ..errors import Message
from .http_codec import RequestError

Bytes = Annotated[
    str, Meta(pattern="^[A-Za-z0-9_-]*$", max_length=8192, description="Bytes, in base64url without `=`.")
]
Signature = Annotated[Bytes | None, Meta(description="What the seat signed, by its key; required if the seat signs.")]
Attempt = Annotated[int, Meta(ge=1, le=8)]
Seat = Annotated[int, Meta(ge=0, le=15)]


class FairRequest(Struct, kw_only=True, forbid_unknown_fields=True):
    """What a seat of a fair deal sends: a `commitment` to renew, or `roster` (its H0) and `secret` to reveal."""

    attempt: Attempt
    commitment: Bytes | None = None
    roster: Bytes | None = None
    secret: Bytes | None = None


class SeatTrustResponse(Struct, kw_only=True):
    """What is public of one seat."""

    who: Annotated[int | None, Meta(description="0: joined with a commitment, 1: named by the opener, 2: a bot.")]
    commitment: Bytes | None
    revealed: bool
    key: Annotated[Bytes | None, Meta(description="Its public key (Ed25519).")]
    signs: Annotated[bool, Meta(description="Whether its commands must be signed.")]


class FailedAttempt(Struct, kw_only=True):
    """An attempt that failed: the digest of its roster, and the seats that refused."""

    roster: Bytes
    refused: list[Seat]


class TrustResponse(Struct, kw_only=True):
    """What anybody may know of the trust in a match."""

    phase: Literal["joining", "revealing", "renewing", "dealt", "failed"]
    attempt: Annotated[int, Meta(ge=0, le=8, description="0 without a fair deal.")]
    host: Annotated[Bytes | None, Meta(description="The host's commitment.")]
    veil: Annotated[Bytes, Meta(description="The commitment to the veil.")]
    host_key: Annotated[Bytes | None, Meta(description="The host's public key (Ed25519).")]
    deadline_at_ms: Annotated[int | None, Meta(description="When the attempt fails, in ms since the Unix epoch.")]
    seats: list[SeatTrustResponse]
    past: list[FailedAttempt]
    roster: Annotated[Bytes | None, Meta(description="The roster, once it is fixed.")]
    roster_sig: Bytes | None
    shared: Annotated[
        int, Meta(ge=0, description="How many first events a fork shares with its parent, in whose log they are bound.")
    ]


class FairResponse(Struct, kw_only=True):
    """How a fair deal stands; after a reveal with the host's receipt, null if it has no key."""

    trust: TrustResponse
    receipt: Bytes | UnsetType | None = UNSET


class Evidence(Struct, kw_only=True):
    """What was told, as bytes, under a mark; left out for a match without marks."""

    told: Bytes | UnsetType = UNSET
    salt: Bytes | UnsetType = UNSET
    mark: Bytes | UnsetType = UNSET
    sig: Annotated[Bytes | UnsetType | None, Meta(description="The host's signature; null without a key.")] = UNSET


class AgreedResponse(Struct, kw_only=True):
    """The proposal that ended the match, with the signatures of all: `told` for a record's entry of kind 3."""

    moment: int
    told: Bytes
    mark: Bytes


class EndedResponse(Struct, kw_only=True):
    """What is told of the end: `number` is how many events there were."""

    number: int
    told: Bytes
    salt: Bytes
    mark: Bytes
    sig: Bytes | None
    proposals: list[AgreedResponse]


def encode_bytes(raw: bytes) -> str:
    """Return bytes as base64url without `=`."""
    return urlsafe_b64encode(raw).decode().rstrip("=")


def decode_bytes(text: str | None) -> bytes | None:
    """Return the bytes of base64url without `=`, None for None; raises `RequestError` for any other text."""
    if text is None:
        return None
    try:
        raw = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        raw = b""
    if encode_bytes(raw) != text:
        raise RequestError("malformed", Message("no-base64url", "bytes are base64url without `=`"))
    return raw
