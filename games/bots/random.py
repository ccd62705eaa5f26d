"""The random bot."""

from __future__ import annotations

from ...core.match import bot
from .arguments import check_no_argument


def random_bot(seed: bytes, argument: str = "") -> bot.Bot:
    """Return a bot that draws from its legal commands."""
    check_no_argument("random", argument)
    return bot.random_bot(seed)
