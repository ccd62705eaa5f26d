"""The first bot: it does not look, and so shows what a player must beat."""

from __future__ import annotations

from typing import Any

from ...core.match.bot import Bot, InformationState
from .arguments import check_no_argument


def first_bot(seed: bytes, argument: str = "") -> Bot:
    """Return a bot that always gives the first of its legal commands, `#1` of their list."""
    check_no_argument("first", argument)

    def choose(info_state: InformationState[Any, Any]) -> Any:
        return info_state.legal[0]

    return choose
