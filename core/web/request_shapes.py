"""The shapes of requests, by which they are checked and described in `/openapi.json`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from .response_shapes import Attempt, Bytes, Count, KeepsMomentary, Name, ProposalTarget, SeatNumber, Signature, Status


class RequestShape(Struct, kw_only=True, forbid_unknown_fields=True):
    """A request's body, query or message; unknown fields are refused."""


class SeatRequest(RequestShape):
    """A seat of a new match: a player (`name`), a bot (`bot`), or free if neither is given."""

    name: Name | None = None
    bot: Annotated[str, Meta(min_length=1, max_length=64)] | None = None


class OpenRequest(RequestShape):
    """A new match."""

    game: Annotated[str, Meta(max_length=64, description="As `/api/games` lists it.")]
    seats: Annotated[list[SeatRequest], Meta(min_length=1, max_length=16)]
    options: Annotated[dict[str, Any], Meta(description="The options that differ from their defaults.")] = {}
    public: Annotated[bool, Meta(description="Whether the lobby lists it.")] = False
    turn_limit_ms: (
        Annotated[int, Meta(ge=1000, le=2_592_000_000, description="Milliseconds that a player may take for a turn.")]
        | None
    ) = None
    bot_delay_ms: Annotated[int, Meta(ge=0, le=60_000, description="Milliseconds that a bot waits before it acts.")] = (
        1000
    )
    keep_momentary_notes: KeepsMomentary = False
    fair: Annotated[bool, Meta(description="Whether the deals come of the secrets of all who join.")] = False
    reveal_ms: Annotated[
        int, Meta(ge=1000, le=86_400_000, description="Milliseconds to reveal a secret, or to commit anew.")
    ] = 60_000


class JoinRequest(RequestShape):
    """A player for a free seat."""

    name: Name
    seat: Annotated[SeatNumber | None, Meta(description="null: the first that is free; required for a fair deal.")] = (
        None
    )
    commitment: Annotated[Bytes | None, Meta(description="To the seat's secret; required for a fair deal.")] = None
    public_key: Annotated[Bytes | None, Meta(description="The key (Ed25519) under which the seat signs.")] = None


class SubmitRequest(RequestShape):
    """A command of the seat that the key opens."""

    tag: Annotated[str, Meta(max_length=64)]
    fields: dict[str, Any]
    expected_events: Annotated[Count, Meta(description="The `count` of the observation it was chosen from.")]
    idempotency_key: Annotated[
        str,
        Meta(
            pattern="^([0-9a-f]{2}){8,32}$",
            description="8 to 32 random bytes in hex. The same key again returns the first receipt.",
        ),
    ]
    expected_mark: Annotated[
        Bytes | None, Meta(description="The `mark` of that observation: another history is refused, as `rewound`.")
    ] = None
    sig: Signature = None
    replaced: Annotated[
        Bytes | None, Meta(description="SHA-256 of what the seat has signed before of that moment.")
    ] = None


class ProposalRequest(RequestShape):
    """What a seat proposes."""

    kind: Literal["take_back", "fork", "abandon"]
    target: ProposalTarget = 0
    sig: Signature = None


class ProposalAnswer(RequestShape):
    """Whether the seat accepts or rejects a proposal; its own it withdraws with false."""

    accept: bool
    sig: Signature = None


class EventsQuery(RequestShape):
    """The first event to be sent; the header `Last-Event-ID` comes before it."""

    since: Count = 0


class LobbyQuery(RequestShape):
    """Which matches to list."""

    game: Annotated[str, Meta(max_length=64)] | None = None
    status: Status | None = None
    limit: Annotated[int, Meta(ge=1, le=100)] = 30


class ObservationQuery(RequestShape):
    """The number of events after which to observe, once the match is over; now by default."""

    events: Count | None = None
    texts: Annotated[bool, Meta(description="Whether all legal commands have their `text`, however many.")] = False
    legal_from: Annotated[Count, Meta(description="The first of the legal commands to be returned, at most 200.")] = 0


class HistoryQuery(RequestShape):
    """The first event to be returned, how many at most, and how long to wait for one."""

    since: Count = 0
    limit: Annotated[int, Meta(ge=1, le=200, description="The most events to be returned: a page.")] = 200
    wait_ms: Annotated[
        int, Meta(ge=0, le=50_000, description="Milliseconds to wait for an event; at once if the match has ended.")
    ] = 0


class FairRequest(RequestShape):
    """What a seat of a fair deal sends: a `commitment` to renew, or `roster` (its H0), `secret` and `sig` to reveal."""

    attempt: Attempt
    commitment: Bytes | None = None
    roster: Bytes | None = None
    secret: Bytes | None = None
    sig: Annotated[Bytes | None, Meta(description="The seat's signature of the roster; required if it has a key.")] = (
        None
    )


class NoQuery(RequestShape):
    """No query."""
