"""The argument of a bot: what stands behind the colon of its name."""

from __future__ import annotations

from ...core.errors import BotError, Message


def check_no_argument(kind: str, argument: str) -> None:
    """Raise `BotError` if the argument is not empty."""
    if argument:
        english = "{bot}: {kind} takes nothing behind a colon"
        raise BotError(Message("bot-takes-nothing", english, bot=f"{kind}:{argument[:40]}", kind=kind))
