"""A match as the fold of its events; bots and installed games (`docs/architecture.md`)."""

from .fold import Fold
from .legal import LegalCommands
from .match import (
    AnyMatch,
    AnyPosition,
    Match,
    Position,
    Steps,
    before_last_command,
    checked_seat,
    plain_result,
    seen_from,
)

__all__ = [
    "AnyMatch",
    "AnyPosition",
    "Fold",
    "LegalCommands",
    "Match",
    "Position",
    "Steps",
    "before_last_command",
    "bot",
    "checked_seat",
    "compiled",
    "engine",
    "fold",
    "fork",
    "game_files",
    "header",
    "legal",
    "plain_result",
    "random_play",
    "registry",
    "seen_from",
    "takebacks",
    "witness",
]
