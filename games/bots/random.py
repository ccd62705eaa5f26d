"""The player at random."""

from __future__ import annotations

from ...core import bot
from ...core.errors import BotError, Why


def at_random(seed: bytes, said: str = "") -> bot.Bot:
    """Make a bot that draws from its legal commands."""
    if said:
        raise BotError(
            Why(
                "bot-takes-nothing",
                "{bot}: {kind} takes nothing behind a colon",
                bot=f"random:{said[:40]}",
                kind="random",
            )
        )
    return bot.at_random(seed)
