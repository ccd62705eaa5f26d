"""How likely a palace falls, and how likely builders lay it."""

from __future__ import annotations

from functools import cache

from ...core.game import weight_of
from .model import CHARGES, COLOUR_CHARGES, Cards, Charge
from .rules import holds

ACCUSED = 0.85
"""The probability that a palace is accused of lacking a colour before the end; it is any of the four."""
NO_PAIR, ALL_COLOURS = 0.15, 0.05
"""The probability that it is accused of having no pair, and of having all colours."""
CARE = 8.0
"""How often the likelihood halves that a palace was built, with all of the risk that it has."""


@cache
def risk_of(palace: Cards) -> float:
    """Estimate how likely a palace falls while many rounds are left."""
    charges = against(palace)
    colours = len(charges.intersection(COLOUR_CHARGES)) / len(COLOUR_CHARGES)
    return min(ACCUSED * colours + NO_PAIR * ("no_pair" in charges) + ALL_COLOURS * ("all_colours" in charges), 1)


@cache
def against(palace: Cards) -> frozenset[Charge]:
    """Return the charges that hold against a palace."""
    return frozenset(charge for charge in CHARGES if holds(charge, palace))


@cache
def liking(palace: Cards) -> float:
    """Return how likely builders are to lay such a palace, where one that nothing is against has 1."""
    return weight_of(-CARE * risk_of(palace))
