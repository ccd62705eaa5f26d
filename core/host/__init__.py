"""Live matches for many people, framework-free (`docs/host.md`)."""

from ..bot import STAND_IN
from .about import About
from .deadlines import is_stand_in
from .host import Host
from .lifecycle import JoinedSeat, OpenedMatch
from .metadata import Proposal, Terms
from .projections import HistoryEntry, Observation
from .submission import Receipt

__all__ = [
    "STAND_IN",
    "About",
    "HistoryEntry",
    "Host",
    "JoinedSeat",
    "Observation",
    "OpenedMatch",
    "Proposal",
    "Receipt",
    "Terms",
    "is_stand_in",
]
