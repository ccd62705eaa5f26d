"""The player at random."""

from __future__ import annotations

from ...core import bot
from .arguments import check_no_argument


def random_bot(seed: bytes, said: str = "") -> bot.Bot:
    """Make a bot that draws from its legal commands."""
    check_no_argument("random", said)
    return bot.random_bot(seed)
