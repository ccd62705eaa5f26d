"""Arithmetic of weights with the same bits on every Python and machine.

Since Python 3.12 `sum` rounds floats in another way, and `exp` and `**` are the platform's own. A bot that decided by
them would play differently on another machine.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import floor, ldexp


def ordered_sum(values: Iterable[float]) -> float:
    """Return the sum, added from left to right."""
    added = 0.0
    for value in values:
        added += value
    return added


def weight_of(gain: float) -> float:
    """Return a weight above 0 for a gain of any sign: it doubles with each whole step, and is linear in between."""
    whole = floor(gain)
    return ldexp(1.0 + (gain - whole), whole)
