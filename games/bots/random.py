"""The player at random."""

from __future__ import annotations

from ...core import bot
from .named import check_nothing


def at_random(seed: bytes, said: str = "") -> bot.Bot:
    """Make a bot that draws from its legal commands."""
    check_nothing("random", said)
    return bot.at_random(seed)
