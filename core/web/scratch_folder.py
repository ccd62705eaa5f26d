"""A folder for what a server keeps only while it runs; what a killed server leaves is removed by the next one."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir

from ..log.lock import exclusive_lock

LOCK = ".lock"
"""The file in each folder whose lock its server holds as long as it lives."""


@contextmanager
def scratch_folder(prefix: str) -> Iterator[Path]:
    """Yield a new folder for temporary files, and remove it at the end; first remove those of servers that are dead."""
    for folder in Path(gettempdir()).glob(f"{prefix}*"):
        _remove_if_left(folder)
    with TemporaryDirectory(prefix=prefix, ignore_cleanup_errors=True) as name:
        folder = Path(name)
        with open(folder / LOCK, "wb") as lock, exclusive_lock(lock.fileno()):
            yield folder


def _remove_if_left(folder: Path) -> None:
    """Remove a folder of our own that no living server holds."""
    if sys.platform == "win32":  # which has no such locks
        return
    with suppress(OSError):  # another's, removed meanwhile, or held
        if folder.lstat().st_uid != os.getuid():
            return
        with open(folder / LOCK, "rb+") as lock, exclusive_lock(lock.fileno(), 0):
            shutil.rmtree(folder, ignore_errors=True)
