"""A lock on a log: one writer at a time, also among processes."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic, sleep

if sys.platform != "win32":  # there, another writer is noticed by the size of the log alone
    import fcntl

READ_WITHOUT_BLOCKING = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)
"""The flags to open a file that may turn out to be a pipe."""


RETRY_S = 0.005
"""How often a lock with a timeout is tried."""


@contextmanager
def exclusive_lock(file: int, timeout_s: float | None = None) -> Iterator[None]:
    """Hold the exclusive lock of this open file, given by its descriptor; raises `OSError`.

    With a timeout that is `BlockingIOError` if another holds it for longer.
    """
    if sys.platform != "win32":
        _lock(file, timeout_s)
    try:
        yield
    finally:
        if sys.platform != "win32":
            fcntl.flock(file, fcntl.LOCK_UN)


def _lock(file: int, timeout_s: float | None) -> None:
    if sys.platform != "win32":
        if timeout_s is None:
            fcntl.flock(file, fcntl.LOCK_EX)
            return
        until_s = monotonic() + timeout_s
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except BlockingIOError:
                if monotonic() >= until_s:
                    raise
                sleep(RETRY_S)
