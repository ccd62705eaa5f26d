"""Fair deals: commitments, the ceremony that turns secrets into a seed, and the check of what it left in a log."""

from .ceremony import Ceremony
from .fair_check import check
from .formulas import commitment

__all__ = ["Ceremony", "check", "commitment"]
