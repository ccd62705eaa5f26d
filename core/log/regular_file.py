"""The kind of a file, looked at before it is opened: a pipe or a device might never end."""

from __future__ import annotations

import errno
import os
import stat
from os import PathLike

from ..errors import Message


def require_regular(path: str | PathLike[str]) -> None:
    """Raise `OSError` for a pipe or a device; a folder is left to `open`, which says what it is."""
    if not stat.S_ISREG(os.stat(path).st_mode) and not os.path.isdir(path):
        raise OSError(errno.EINVAL, Message("a-device", "a pipe or device is no log"), os.fspath(path))
