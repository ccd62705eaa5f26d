"""How far a long run is: told on standard error, and only if that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.text import Text

T = TypeVar("T")


@contextmanager
def waiting(title: str, *, shown: bool) -> Iterator[None]:
    """Show that something goes on whose length nobody knows."""
    console = Console(file=sys.stderr)
    with console.status(title) if shown and console.is_terminal else nullcontext():
        yield


class _Rate(ProgressColumn):
    """How many a second."""

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        return Text("" if speed is None else f"{speed:.0f}/s" if speed >= 10 else f"{speed:.2g}/s")


def tracked(things: Iterable[T], title: str, total: int, *, shown: bool) -> Iterable[T]:
    """Go through the things, with a bar, the rate and the time left, which are gone at the end.

    Standard output stays its own: who writes to the terminal meanwhile has no bar shown.
    """
    console = Console(file=sys.stderr)
    hidden = not (shown and console.is_terminal)
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), _Rate(), TimeRemainingColumn())
    bar = Progress(
        *columns, console=console, transient=True, disable=hidden, redirect_stdout=False, redirect_stderr=False
    )
    with bar:
        yield from bar.track(things, total, description=title)
