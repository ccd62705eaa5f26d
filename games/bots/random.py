"""The player at random."""

from __future__ import annotations

from ...core import bot
from ...core.errors import BotError


def at_random(seed: bytes, said: str = "") -> bot.Bot:
    """Make a bot that draws from its legal commands."""
    if said:
        raise BotError(f"random:{said[:40]}: random takes nothing behind a colon")
    return bot.at_random(seed)
