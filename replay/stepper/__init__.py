"""The stepper: a match in the whole terminal, to be gone through step by step."""

from __future__ import annotations

from pathlib import Path

from ...core.errors import MissingExtra
from ...core.game import Seat
from ...core.log import Reading
from ..call_errors import UserMessage

WHAT = UserMessage("the-stepper", "the full-screen stepper")


def step_through(reading: Reading, viewer: Seat | None, lang: str, *, live: Path | None = None) -> int:
    """Let a person step through a log (`TABLE` sees all) until they have enough, and give the exit code.

    With `live` it goes on as that file grows. Raises `MissingExtra` where textual is not installed.
    """
    try:
        from .app import Stepper
    except ImportError as cause:
        if (cause.name or "").partition(".")[0] != "textual":
            raise
        raise MissingExtra(WHAT, "replay") from None
    stepper = Stepper(reading, viewer, lang, live=live)
    stepper.run()
    if stepper.failure is not None:
        raise stepper.failure
    if stepper.interrupted:
        raise KeyboardInterrupt
    return 1 if stepper.navigation.findings else 0
