"""How far a long run is: told on standard error, and only if that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from typing import TypeVar

from rich.console import Console
from rich.progress import Progress, ProgressColumn, Task
from rich.text import Text

T = TypeVar("T")


class Rate(ProgressColumn):
    """How many things a second."""

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        if speed is None:
            return Text()
        return Text(f"{speed:.0f}/s" if speed >= 10 else f"{speed:.2g}/s", "progress.data.speed")


@contextmanager
def spinner(title: str, *, shown: bool) -> Iterator[None]:
    """Show that something goes on whose length nobody knows."""
    console = Console(file=sys.stderr)
    with console.status(title) if shown and console.is_terminal else nullcontext():
        yield


def progress_bar(things: Iterable[T], title: str, total: int, *, shown: bool) -> Iterable[T]:
    """Go through the things, with a bar that is gone at the end.

    Standard output stays its own: who writes to the terminal meanwhile has no bar shown.
    """
    console = Console(file=sys.stderr)
    hidden = not (shown and console.is_terminal)
    bar = Progress(
        *Progress.get_default_columns(),
        Rate(),
        console=console,
        transient=True,
        disable=hidden,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    with bar:
        yield from bar.track(things, total, description=title)
