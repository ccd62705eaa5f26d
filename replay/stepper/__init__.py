"""The stepper: a match in the full terminal, step by step; of several logs first the list."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from ...core.errors import MissingExtra
from ...core.log import Reading
from ..call_errors import UserMessage
from ..logs.locations import Location

if TYPE_CHECKING:
    from .palette import FullScreen

T = TypeVar("T")

FEATURE = UserMessage("the-stepper", "the full-screen stepper")


def step_through(reading: Reading, viewer: int | None, lang: str) -> int:
    """Open the stepper on a log, as `viewer` sees it, until it is closed; returns the exit code.

    Raises `MissingExtra` without Textual.
    """
    with _textual():
        from .app import Stepper
    stepper = Stepper(reading, viewer, lang)
    _run(stepper)
    return 1 if stepper.navigation.record.findings else 0


def step_through_several(places: Sequence[Location], viewer: Callable[[Reading], int | None], lang: str) -> int:
    """Open the list of several logs, and the stepper on each that is chosen, until the list is closed.

    Returns the exit code: 1 if a log that was opened has findings. `viewer` returns who looks at a log, and raises
    `CallError` for a seat that it has not. Raises `MissingExtra` without Textual.
    """
    with _textual():
        from .matches import MatchList
    code, at, rows = 0, 0, dict[int, str]()
    while (chosen := _run(MatchList(places, viewer, lang, at, rows))) is not None:
        at, reading, seen = chosen
        code = max(code, step_through(reading, seen, lang))
    return code


@contextmanager
def _textual() -> Iterator[None]:
    """Raise `MissingExtra` where Textual cannot be imported."""
    try:
        yield
    except ImportError as cause:
        if (cause.name or "").partition(".")[0] != "textual":
            raise
        raise MissingExtra(FEATURE, "replay") from None


def _run(app: FullScreen[T]) -> T | None:
    """Run an app until it is closed, and return its result; raises its error, `KeyboardInterrupt` after Ctrl-C."""
    result = app.run()
    if app.failure is not None:
        raise app.failure
    if app.interrupted:
        raise KeyboardInterrupt
    return result
