"""The output file of a verb: a new file, or one that replaces an earlier output of the same kind."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from ...core.errors import os_error_message
from ...core.log.files import write_whole
from ..call_errors import CallError, UserMessage

STDOUT = Path("-")


def check_overwritable(file: Path, is_ours: Callable[[bytes], bool], what: UserMessage) -> None:
    """Raise `CallError` if a file exists that is not an earlier `what`; `is_ours` recognizes one by its bytes."""
    try:
        if file == STDOUT or not file.exists():
            return
        ours = file.is_file() and is_ours(file.read_bytes())
    except (OSError, ValueError) as cause:  # ValueError: a name with a zero byte
        raise CallError(
            "file-unusable", "{file}: cannot be used: {why}", file=file, why=os_error_message(cause)
        ) from None
    if not ours:
        english = "{file}: it exists already and is not an earlier {what}; give another name"
        raise CallError("other-file-there", english, file=file, what=what)


def write_output(file: Path, content: bytes, *, new: bool = False, private: bool = False) -> None:
    """Write the content to a file as `write_whole` does, or to standard output if the file is `-`."""
    if file == STDOUT:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    else:
        write_whole(file, content, new=new, private=private)
