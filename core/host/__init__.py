"""Live matches for many people, framework-free (`docs/host.md`)."""

from ..match.bot import STAND_IN
from .about import About
from .async_host import AsyncHost
from .deadlines import is_stand_in
from .host import Host
from .lifecycle import JoinedSeat, OpenedMatch
from .metadata import Proposal, Terms
from .projections import HistoryEntry, Observation
from .rules_update import RulesUpdate, preview_rules
from .signatures import Ending
from .submission import Receipt
from .trust_status import SeatTrust, TrustStatus

__all__ = [
    "STAND_IN",
    "About",
    "AsyncHost",
    "Ending",
    "HistoryEntry",
    "Host",
    "JoinedSeat",
    "Observation",
    "OpenedMatch",
    "Proposal",
    "Receipt",
    "RulesUpdate",
    "SeatTrust",
    "Terms",
    "TrustStatus",
    "clock",
    "is_stand_in",
    "metadata",
    "preview_rules",
    "threads",
    "watching",
]
