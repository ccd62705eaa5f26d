"""Bots run in threads of their own, with a time limit."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Any

from ..errors import BotError
from ..match.bot import Bot, InformationState, ask_bot
from .threads import THREADS, Threads


class BotRunner:
    """Calls bots with a time limit.

    A thread cannot be stopped: a bot that timed out is not called again until its thread has ended.
    """

    def __init__(self, timeout_ms: int, threads: Threads = THREADS) -> None:
        self._timeout_s = timeout_ms / 1000
        self._threads = threads
        self._stalled: dict[int, Any] = {}
        self._lock = Lock()

    def choose(
        self,
        bot: Bot,
        info_state: InformationState[Any, Any],
        waiting: Callable[[], None] = lambda: None,
        every_s: float = 1.0,
    ) -> Any:
        """Return the command that the bot chose; raises `BotError` if it raises, times out or returns no command.

        Calls `waiting` again and again while the bot thinks.
        """
        with self._lock:
            stalled = self._stalled.get(id(bot))
            if stalled is not None and stalled.is_alive():
                raise BotError("still thinking")
        returned: list[Any] = []
        thread = self._threads.start(lambda: returned.append(_call(bot, info_state)), "kifu bot")
        until_s = self._threads.monotonic() + self._timeout_s
        while thread.is_alive() and (left_s := until_s - self._threads.monotonic()) > 0:
            thread.join(min(left_s, every_s))
            if thread.is_alive() and not returned:
                waiting()
        if not returned:
            with self._lock:
                self._stalled[id(bot)] = thread
            raise BotError("took too long")
        if isinstance(returned[0], BotError):
            raise returned[0]
        return returned[0]


def _call(bot: Bot, info_state: InformationState[Any, Any]) -> Any:
    """Return what the bot chose, or the `BotError` it failed with."""
    try:
        return ask_bot(bot, info_state)
    except BaseException as failure:  # it may even try to end the program
        return failure if isinstance(failure, BotError) else BotError(f"raised {type(failure).__name__}")
