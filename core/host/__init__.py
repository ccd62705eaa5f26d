"""Live matches for many people, framework-free (`docs/host.md`)."""

from ..match.bot import STAND_IN
from .async_host import AsyncHost
from .fair_deal import Renew, Reveal
from .host import Host
from .lifecycle import Join, JoinedSeat, OpenedMatch, RemovePlayer, RotateKeys
from .metadata import Proposal, Terms, is_stand_in
from .preparation import SeatTrust, TrustStatus
from .projections import About, HistoryEntry, Observation
from .proposals import Abandon, Accept, ForceAbandon, Fork, Reject, TakeBack, Undo
from .rules_update import RulesUpdate, preview_rules
from .submission import Ending, Receipt, Submit
from .writer import MatchChange

__all__ = [
    "STAND_IN",
    "Abandon",
    "About",
    "Accept",
    "AsyncHost",
    "Ending",
    "ForceAbandon",
    "Fork",
    "HistoryEntry",
    "Host",
    "Join",
    "JoinedSeat",
    "MatchChange",
    "Observation",
    "OpenedMatch",
    "Proposal",
    "Receipt",
    "Reject",
    "RemovePlayer",
    "Renew",
    "Reveal",
    "RotateKeys",
    "RulesUpdate",
    "SeatTrust",
    "Submit",
    "TakeBack",
    "Terms",
    "TrustStatus",
    "Undo",
    "is_stand_in",
    "metadata",
    "preview_rules",
    "threads",
    "watching",
]
