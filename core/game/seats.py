"""The numbers of seats, cards and things in a row."""

from __future__ import annotations

from typing import NewType

Seat = NewType("Seat", int)
"""A place at the table, 0 … n-1 clockwise. `TABLE` deals. A viewer may also be None, a spectator."""

Card = NewType("Card", int)
"""A card of a game; each game defines what its numbers mean."""

Index = NewType("Index", int)
"""A thing in a row, counted from 0 in commands and logs, and from 1 in texts and at the table."""

TABLE = Seat(-1)

ALONE = tuple(frozenset({Seat(seat)}) for seat in range(16))
"""`ALONE[seat]` is the set of that seat only, made once: what `to_act` returns most often."""

DEALER = frozenset({TABLE})
NOBODY: frozenset[Seat] = frozenset()
