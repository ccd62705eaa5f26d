"""What may stand behind the colon of a bot's name."""

from __future__ import annotations

from ...core.errors import BotError, Why


def check_nothing(kind: str, said: str) -> None:
    """Raise `BotError` if anything stands there: these bots take no words."""
    if said:
        english = "{bot}: {kind} takes nothing behind a colon"
        raise BotError(Why("bot-takes-nothing", english, bot=f"{kind}:{said[:40]}", kind=kind))
