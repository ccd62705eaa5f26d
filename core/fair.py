"""Fair deals: commitments, the ceremony that turns secrets into a seed, and the check of what it left in a log."""

from .trust.ceremony import Ceremony
from .trust.fair_check import check
from .trust.formulas import commitment

__all__ = ["Ceremony", "check", "commitment"]
