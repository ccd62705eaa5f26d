"""The types of fields that requests and responses share, and their bases."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

SeatNumber = Annotated[int, Meta(ge=0, le=15, description="A seat, 0 … n-1 clockwise.")]
Actor = Annotated[int, Meta(ge=-1, le=15, description="A seat; -1 is the table, which deals.")]
Count = Annotated[int, Meta(ge=0, le=2**31)]
ProposalTarget = Annotated[
    int,
    Meta(
        ge=-1,
        le=2**31,
        description="`take_back`: the last event kept (-1: none). `fork`: how many events both matches share.",
    ),
]
Name = Annotated[str, Meta(min_length=1, max_length=64)]
MatchId = Annotated[str, Meta(min_length=1, max_length=64)]
Key = Annotated[
    str, Meta(description="Secret: whoever has it acts for the seat. Returned once; only its hash is stored.")
]
LocalizedText = Annotated[
    list[str | int],
    Meta(description="A text in pieces: strings, and the numbers of seats where their names belong."),
]
Rule = Annotated[str, Meta(description="The number of a rule, e.g. `TS-3`.")]
Status = Annotated[Literal["open", "going", "over", "abandoned"], Meta(description="`open`: seats are free.")]
KeepsMomentary = Annotated[
    bool,
    Meta(description="Whether notes of what may be looked at only once stay in the history: an aid to memory."),
]
Labels = Annotated[dict[str, str], Meta(description="Labels by message key, in the client's language.")]


class RequestShape(Struct, kw_only=True, forbid_unknown_fields=True):
    """A request's body, query or message; unknown fields are refused."""


class ResponseShape(Struct, kw_only=True):
    """A response's body, or a part of it."""


Phrase = Literal["hello", "nice", "thanks", "oops", "moment", "good-game"]
