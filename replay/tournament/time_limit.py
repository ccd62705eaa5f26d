"""How long a bot may think: one that takes longer is stopped, where anything can stop it."""

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

AGAIN = 0.1
"""Seconds after which a bot that has caught the alarm is stopped once more."""


class TimeLimitReached(BaseException):
    """Not an `Exception`, so that a bot that survives everything does not survive this."""


class Watchdog(Protocol):
    """What rings in the thread that has set it, again and again until it is stopped; it may be stopped twice."""

    fired: bool

    def set(self, seconds: float) -> None: ...
    def stop(self) -> None: ...


def with_time_limit(bot: Callable[[T], A], seconds: float) -> Callable[[T], A]:
    """Make a bot, or what makes one, that raises `BotError` where the given one thinks longer than so many seconds.

    Python code is stopped; off the main thread of a POSIX system a call that waits outside it is waited for.
    """

    def choose(info_state: T) -> A:
        alarm = _alarm()
        try:
            try:
                alarm.set(seconds)
                answer = bot(info_state)
            finally:
                alarm.stop()
        except TimeLimitReached:  # perhaps just now, as it was being stopped
            alarm.stop()
        else:
            if not alarm.fired:
                return answer
        raise BotError(f"thought longer than {seconds:g} s")

    return choose


def _alarm() -> Watchdog:
    if hasattr(signal, "setitimer") and current_thread() is main_thread():
        return _Signal()
    return _Injection()


class _Signal:
    """Rings by a signal of the system, which ends a call that waits too."""

    def __init__(self) -> None:
        self.fired = self._stopped = False
        self._before = signal.getsignal(signal.SIGALRM)

    def set(self, seconds: float) -> None:
        signal.signal(signal.SIGALRM, self._watchdog)
        signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)

    def stop(self) -> None:
        self._stopped = True
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, self._before)

    def _watchdog(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002 (what `signal` calls)
        if not self._stopped:
            self.fired = True
            raise TimeLimitReached


class _Injection:
    """Rings from another thread, by what Python has to raise an exception in one."""

    def __init__(self) -> None:
        self.fired = False
        self._sleeper = get_ident()
        self._going = Lock()
        self._bell = Thread(target=self._watchdog, name="kifu alarm", daemon=True)

    def set(self, seconds: float) -> None:
        self._seconds = seconds
        self._going.acquire()
        self._bell.start()

    def stop(self) -> None:
        if self._going.locked():  # by us, or already by the bell, which has ended then
            self._going.release()
        self._bell.join()
        self._inject(None)  # what has not arrived yet never will

    def _watchdog(self) -> None:
        while not self._going.acquire(timeout=self._seconds):
            self.fired = True
            self._inject(TimeLimitReached)
            self._seconds = AGAIN

    def _inject(self, what: type[BaseException] | None) -> None:
        raised = ctypes.py_object(what) if what is not None else None
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._sleeper), raised)
