"""How long a bot may think: one that takes longer is stopped, where this system can stop it."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType
from typing import Any

from ..core.bot import Bot, Sight
from ..core.errors import BotError

AGAIN = 0.1
"""Seconds after which a bot that has caught the alarm is stopped once more."""


class Alarm(BaseException):
    """Not an `Exception`, so that a bot that survives everything does not survive this."""


def patient(bot: Bot, seconds: float) -> Bot:
    """Make a bot that raises `BotError` where the given one thinks longer than so many seconds.

    Only Python code on the main thread of a POSIX system can be stopped; elsewhere it is waited for.
    """

    def choose(sight: Sight[Any, Any]) -> Any:
        try:
            with _alarm(seconds):
                return bot(sight)
        except Alarm:
            raise BotError(f"thought longer than {seconds:g} s") from None

    return choose


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    if not hasattr(signal, "setitimer") or current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, _ring)
    signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _ring(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 (what `signal` calls)
    raise Alarm
