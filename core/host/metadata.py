"""What a host keeps beside a match's log: who sits where, on which terms, and what the seats wish."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgpack
from attrs import field, frozen
from cattrs import Converter

from ..errors import Message, StoreError
from ..game import Result, Seat
from ..stores.store import MetadataRow

Kind = Literal["take_back", "fork", "abandon"]


@frozen
class Terms:
    """How a match is played at this host. Times are milliseconds."""

    public: bool = False
    """Whether the lobby lists it."""
    turn_limit_ms: int | None = None
    """The longest that a seat may take when it is asked to act; then the stand-in plays for it."""
    bots: Mapping[Seat, str] = field(factory=dict)
    """The seats that bots play, by the names under which the host knows them."""
    bot_delay_ms: int = 1000
    """How long a bot waits before it acts."""


@frozen
class Proposal:
    """What a seat wishes, and what the others say to it."""

    number: int
    """Which wish of the match it is: who agrees says to which."""
    kind: Kind
    by: Seat
    target: int
    """`take_back`: the last event that stays (-1: none). `fork`: how many events both share. `abandon`: 0."""
    count: int
    """How many events there were when it was wished: with the next one, a wish to take back lapses."""
    accepted_by: tuple[Seat, ...]
    waiting_for: tuple[Seat, ...]
    state: Literal["pending", "accepted", "rejected", "expired"] = "pending"
    fork: str | None = None
    """The match that came of it."""


@frozen
class MatchMetadata:
    """All that the host keeps in a match's sheet."""

    names: tuple[str | None, ...]
    """By seat; None where it is free."""
    keys: tuple[bytes | None, ...]
    """The hash of each seat's key; None where nobody holds one."""
    options: Mapping[str, Any]
    terms: Terms
    opened_at_ms: int
    """Milliseconds since the Unix epoch."""
    result: Result | None = None
    proposal: Proposal | None = None
    """The last one."""

    @property
    def open_seats(self) -> list[Seat]:
        """The seats that anybody may take."""
        return [Seat(seat) for seat, name in enumerate(self.names) if name is None]

    @property
    def held_seats(self) -> list[Seat]:
        """The seats that somebody holds a key of: those who are asked to agree."""
        return [Seat(seat) for seat, each in enumerate(self.keys) if each is not None]


_converter = Converter()
_converter.register_structure_hook(bytes, lambda value, _: value)


def row_of(metadata: MatchMetadata, game: str, status: str, now: int, version: int) -> MetadataRow:
    """Put the papers of a match on a sheet."""
    data = msgpack.packb(_converter.unstructure(metadata))
    return MetadataRow(game, status, bool(metadata.terms.public), now, data, version)


def metadata_of(row: MetadataRow, match: str) -> MatchMetadata:
    """Read the papers of a match off its sheet; raises `StoreError` if another program wrote it."""
    try:
        value = msgpack.unpackb(row.data, strict_map_key=False, use_list=False)
        return _converter.structure(value, MatchMetadata)
    except Exception as cause:  # cattrs and msgpack raise kinds of their own
        why = Message("no-sheet", "the sheet of match {match} is none of a host", match=ascii(match[:60]))
        raise StoreError("of the host", why) from cause
