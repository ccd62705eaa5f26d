"""Remarks on decisions, as an analysis makes them, for the page of a match."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from attrs import frozen

from ..game import TABLE


@frozen
class Remark:
    """What is to be said of one decision, from what its seat knew."""

    seq: int
    """The number of the event."""
    seat: int
    """Who decided."""
    swing: bool
    """True if it gave much away."""
    turning_point: bool
    """True if it is one of the turning points of the match."""
    text: Sequence[Sequence[str | int]]
    """In each language, in pieces (`Languages`)."""


def remarks_data(remarks: Iterable[Remark], viewers: Sequence[int | None]) -> list[dict[str, Any]]:
    """Return the remarks that these viewers may read, as data: the table all of them, a seat those on its decisions.

    A remark on the decision of another seat may name the cards in its hand.
    """
    return [
        {
            "step": each.seq,
            "seat": each.seat,
            "swing": each.swing,
            "turning_point": each.turning_point,
            "text": [list(pieces) for pieces in each.text],
        }
        for each in remarks
        if TABLE in viewers or each.seat in viewers
    ]
