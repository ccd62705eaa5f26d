"""Live matches for many people, framework-free (`docs/host.md`)."""

from ..bot import STAND_IN
from .about import About
from .host import Host
from .opening import Joined, Opened
from .papers import Terms, Wish
from .seeing import Look, Seen
from .submitting import Receipt
from .turns import is_stand_in

__all__ = ["STAND_IN", "About", "Host", "Joined", "Look", "Opened", "Receipt", "Seen", "Terms", "Wish", "is_stand_in"]
