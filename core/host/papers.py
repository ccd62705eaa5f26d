"""What a host keeps beside a match's log: who sits where, on which terms, and what the seats wish."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgpack
from attrs import field, frozen
from cattrs import Converter

from ..errors import StoreError, Why
from ..game import Result, Seat
from ..stores.store import Sheet

Kind = Literal["take_back", "fork", "abandon"]


@frozen
class Terms:
    """How a match is played at this host. Times are milliseconds."""

    public: bool = False
    """Whether the lobby lists it."""
    limit: int | None = None
    """The longest that a seat may take when it is asked to act; then the stand-in plays for it."""
    bots: Mapping[Seat, str] = field(factory=dict)
    """The seats that bots play, by the names under which the host knows them."""
    pace: int = 1000
    """How long a bot waits before it acts."""


@frozen
class Wish:
    """What a seat wishes, and what the others say to it."""

    number: int
    """Which wish of the match it is: who agrees says to which."""
    kind: Kind
    by: Seat
    at: int
    """`take_back`: the last event that stays (-1: none). `fork`: how many events both share. `abandon`: 0."""
    count: int
    """How many events there were when it was wished: with the next one, a wish to take back lapses."""
    agreed: tuple[Seat, ...]
    waits_for: tuple[Seat, ...]
    state: Literal["pending", "done", "refused", "lapsed"] = "pending"
    fork: str | None = None
    """The match that came of it."""


@frozen
class Papers:
    """All that the host keeps in a match's sheet."""

    names: tuple[str | None, ...]
    """By seat; None where it is free."""
    keys: tuple[bytes | None, ...]
    """The hash of each seat's key; None where nobody holds one."""
    options: Mapping[str, Any]
    terms: Terms
    opened: int
    """Milliseconds since the Unix epoch."""
    result: Result | None = None
    wish: Wish | None = None
    """The last one."""

    @property
    def free(self) -> list[Seat]:
        """The seats that anybody may take."""
        return [Seat(seat) for seat, name in enumerate(self.names) if name is None]

    @property
    def held(self) -> list[Seat]:
        """The seats that somebody holds a key of: those who are asked to agree."""
        return [Seat(seat) for seat, each in enumerate(self.keys) if each is not None]


_converter = Converter()
_converter.register_structure_hook(bytes, lambda value, _: value)


def sheet_of(papers: Papers, game: str, status: str, now: int, version: int) -> Sheet:
    """Put the papers of a match on a sheet."""
    data = msgpack.packb(_converter.unstructure(papers))
    return Sheet(game, status, bool(papers.terms.public), now, data, version)


def papers_of(sheet: Sheet, match: str) -> Papers:
    """Read the papers of a match off its sheet; raises `StoreError` if another program wrote it."""
    try:
        value = msgpack.unpackb(sheet.data, strict_map_key=False, use_list=False)
        return _converter.structure(value, Papers)
    except Exception as cause:  # cattrs and msgpack raise kinds of their own
        why = Why("no-sheet", "the sheet of match {match} is none of a host", match=ascii(match[:60]))
        raise StoreError("of the host", why) from cause
