"""Folders of a store: made so that they last, and cleared of what dead processes left."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from time import time

from ..log.writer import sync_folder

DRAFT = re.compile(r"\..+\.(\d+)\.draft")
"""The name of a file that a process is writing before it replaces another: the last number is the process's."""
OLD_S = 60.0


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, each synced into the one that holds it."""
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    for each in reversed(missing):
        each.mkdir(exist_ok=True)
        sync_folder(each.parent)


def clear_drafts(folder: Path) -> None:
    """Remove the drafts of processes that are dead, once they are a minute old."""
    for path in folder.iterdir():
        named = DRAFT.fullmatch(path.name)
        if named and not _is_alive(int(named[1])):
            with suppress(OSError):
                if time() - path.stat().st_mtime > OLD_S:
                    path.unlink()


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True
