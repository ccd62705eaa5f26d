"""The stepper: a match in the full terminal, step by step."""

from __future__ import annotations

from pathlib import Path

from ...core.errors import MissingExtra
from ...core.game import Seat
from ...core.log import Reading
from ..call_errors import UserMessage
from .shelf import Shelf

FEATURE = UserMessage("the-stepper", "the full-screen stepper")


def step_through(
    reading: Reading, viewer: Seat | None, lang: str, *, live: Path | None = None, shelf: Shelf | None = None
) -> int:
    """Open the stepper on a log, as `viewer` sees it, until it is closed; returns the exit code.

    `live`: the file of a live log, which is read again as it grows. `shelf`: the logs among which this one is; the exit
    code is 1 if any that was opened has findings. Raises `MissingExtra` without Textual.
    """
    try:
        from .app import Stepper
    except ImportError as cause:
        if (cause.name or "").partition(".")[0] != "textual":
            raise
        raise MissingExtra(FEATURE, "replay") from None
    opened: tuple[Reading, Seat | None] | None = (reading, viewer)
    code = 0
    while opened is not None:
        stepper = Stepper(*opened, lang, live=live, shelf=shelf)
        stepper.run()
        if stepper.failure is not None:
            raise stepper.failure
        if stepper.interrupted:
            raise KeyboardInterrupt
        code = max(code, 1 if stepper.navigation.findings else 0)
        opened, lang = stepper.next_log, stepper.navigation.texts.lang
    return code
