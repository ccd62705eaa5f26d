"""One writer of a log at a time, also among programs."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

if sys.platform != "win32":  # there, only the size of the log tells of another writer
    import fcntl

WITHOUT_WAITING = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)
"""How a file is opened that may turn out to be a pipe."""


@contextmanager
def exclusive_lock(file: int) -> Iterator[None]:
    """Let no other writer look at this open file or write to it for as long as this lasts; raises `OSError`."""
    if sys.platform != "win32":
        fcntl.flock(file, fcntl.LOCK_EX)
    try:
        yield
    finally:
        if sys.platform != "win32":
            fcntl.flock(file, fcntl.LOCK_UN)
