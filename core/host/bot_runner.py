"""Asking a bot for a command in a thread of its own, so that nobody waits for it for ever."""

from __future__ import annotations

from threading import Lock, Thread
from typing import Any

from ..bot import Bot, InformationState, ask_bot
from ..errors import BotError


class BotRunner:
    """Asks bots; one that stalls is not asked again before it has come to an end, for a thread cannot be stopped."""

    def __init__(self, patience: int) -> None:
        self._patience = patience / 1000
        self._stalled: dict[int, Thread] = {}
        self._lock = Lock()

    def choose(self, bot: Bot, info_state: InformationState[Any, Any]) -> Any:
        """Give the bot's command; raises `BotError` if it throws, stalls or answers what is no command."""
        with self._lock:
            stalled = self._stalled.get(id(bot))
            if stalled is not None and stalled.is_alive():
                raise BotError("still thinking")
        answers: list[Any] = []
        thread = Thread(target=lambda: answers.append(_answer(bot, info_state)), name="kifu bot", daemon=True)
        thread.start()
        thread.join(self._patience)
        if not answers:
            with self._lock:
                self._stalled[id(bot)] = thread
            raise BotError("took too long")
        if isinstance(answers[0], BotError):
            raise answers[0]
        return answers[0]


def _answer(bot: Bot, info_state: InformationState[Any, Any]) -> Any:
    try:
        return ask_bot(bot, info_state)
    except BaseException as failure:  # it may even try to end the program
        return failure if isinstance(failure, BotError) else BotError(f"raised {type(failure).__name__}")
