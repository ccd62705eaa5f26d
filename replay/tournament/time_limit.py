"""A time limit for bots: one that takes longer is interrupted, as far as Python can."""

from __future__ import annotations

import ctypes
import signal
from collections.abc import Callable
from threading import Lock, Thread, current_thread, get_ident, main_thread
from types import FrameType
from typing import Protocol, TypeVar

from ...core.errors import BotError

T = TypeVar("T")
A = TypeVar("A")

REPEAT_S = 0.1
"""Seconds after which a bot that caught the exception is interrupted again."""


class TimeLimitReached(BaseException):
    """The interruption of a bot; not an `Exception`, so that `except Exception` in the bot does not catch it."""


class Watchdog(Protocol):
    """A timer that raises `TimeLimitReached` in the thread that set it, repeatedly until it is stopped."""

    fired: bool

    def set(self, seconds: float) -> None:
        """Start the timer."""

    def stop(self) -> None:
        """Stop the timer; may be called twice."""


def with_time_limit(bot: Callable[[T], A], seconds: float) -> Callable[[T], A]:
    """Wrap a bot, or a bot factory, so that it raises `BotError` after so many seconds.

    Python code is interrupted. A blocking call outside Python is interrupted only on the main thread of a POSIX system.
    """

    def choose(info_state: T) -> A:
        watchdog = _watchdog_here()
        try:
            try:
                watchdog.set(seconds)
                command = bot(info_state)
            finally:
                watchdog.stop()
        except TimeLimitReached:  # it may arrive while the timer is being stopped
            watchdog.stop()
        else:
            if not watchdog.fired:
                return command
        raise BotError(f"thought longer than {seconds:g} s")

    return choose


def _watchdog_here() -> Watchdog:
    if hasattr(signal, "setitimer") and current_thread() is main_thread():
        return _SignalWatchdog()
    return _ThreadWatchdog()


class _SignalWatchdog:
    """A watchdog by SIGALRM, which also interrupts blocking calls."""

    def __init__(self) -> None:
        self.fired = self._stopped = False
        self._before = signal.getsignal(signal.SIGALRM)

    def set(self, seconds: float) -> None:
        """Start the timer."""
        signal.signal(signal.SIGALRM, self._watchdog)
        signal.setitimer(signal.ITIMER_REAL, seconds, REPEAT_S)

    def stop(self) -> None:
        """Stop the timer and restore the signal's handler."""
        self._stopped = True
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, self._before)

    def _watchdog(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002 (the signature of a handler)
        if not self._stopped:
            self.fired = True
            raise TimeLimitReached


class _ThreadWatchdog:
    """A watchdog by a second thread, which raises the exception in the first with `PyThreadState_SetAsyncExc`."""

    def __init__(self) -> None:
        self.fired = False
        self._thread_id = get_ident()
        self._running = Lock()
        self._thread = Thread(target=self._watchdog, name="kifu alarm", daemon=True)

    def set(self, seconds: float) -> None:
        """Start the timer."""
        self._seconds = seconds
        self._running.acquire()
        self._thread.start()

    def stop(self) -> None:
        """Stop the timer and withdraw an exception that was not raised yet."""
        if self._running.locked():  # by this thread, or by the other one, which has ended then
            self._running.release()
        self._thread.join()
        self._inject(None)

    def _watchdog(self) -> None:
        while not self._running.acquire(timeout=self._seconds):
            self.fired = True
            self._inject(TimeLimitReached)
            self._seconds = REPEAT_S

    def _inject(self, exception: type[BaseException] | None) -> None:
        pending = ctypes.py_object(exception) if exception is not None else None
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._thread_id), pending)
