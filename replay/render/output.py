"""The file that a verb writes: only what is not there yet, or an earlier one of its own."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from ...core.errors import os_error_message
from ...core.log.writer import replace_file
from ..call_errors import CallError, UserMessage

STDOUT = Path("-")


def check_overwritable(file: Path, is_ours: Callable[[bytes], bool], what: UserMessage) -> None:
    """Refuse to write over anything but an earlier `what`, which `is_ours` tells by the bytes of the file."""
    try:
        if file == STDOUT or not file.exists():
            return
        ours = file.is_file() and is_ours(file.read_bytes())
    except (OSError, ValueError) as cause:  # ValueError: a name with a zero byte
        raise CallError(
            "file-unusable", "{file}: cannot be used: {why}", file=file, why=os_error_message(cause)
        ) from None
    if not ours:
        raise CallError(
            "other-file-there",
            "{file}: is there already, and is no earlier {what}; give another name",
            file=file,
            what=what,
        )


def write_output(file: Path, content: bytes) -> None:
    """Write the file, or to standard output."""
    if file == STDOUT:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    else:
        replace_file(file, content)
