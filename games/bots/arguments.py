"""What may stand behind the colon of a bot's name."""

from __future__ import annotations

from ...core.errors import BotError, Message


def check_no_argument(kind: str, said: str) -> None:
    """Raise `BotError` if anything stands there: these bots take no words."""
    if said:
        english = "{bot}: {kind} takes nothing behind a colon"
        raise BotError(Message("bot-takes-nothing", english, bot=f"{kind}:{said[:40]}", kind=kind))
