"""Live matches for many people, framework-free (`docs/host.md`)."""

from .about import About
from .host import Host
from .opening import Joined, Opened
from .papers import Terms, Wish
from .seeing import Look, Seen
from .submitting import Receipt
from .turns import FALLBACK, STAND_IN

__all__ = ["FALLBACK", "STAND_IN", "About", "Host", "Joined", "Look", "Opened", "Receipt", "Seen", "Terms", "Wish"]
