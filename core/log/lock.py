"""A lock on a log: one writer at a time, also among processes."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

if sys.platform != "win32":  # there, another writer is noticed by the size of the log alone
    import fcntl

READ_WITHOUT_BLOCKING = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)
"""The flags to open a file that may turn out to be a pipe."""


@contextmanager
def exclusive_lock(file: int) -> Iterator[None]:
    """Hold the exclusive lock of this open file, given by its descriptor; raises `OSError`."""
    if sys.platform != "win32":
        fcntl.flock(file, fcntl.LOCK_EX)
    try:
        yield
    finally:
        if sys.platform != "win32":
            fcntl.flock(file, fcntl.LOCK_UN)
