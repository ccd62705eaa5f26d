"""The progress of a long run, on standard error and only if that is a terminal."""

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
    """A column with the number of items per second."""

    def render(self, task: Task) -> Text:
        """Return the speed, e.g. `12/s`; empty as long as it is unknown."""
        speed = task.finished_speed or task.speed
        if speed is None:
            return Text()
        return Text(f"{speed:.0f}/s" if speed >= 10 else f"{speed:.2g}/s", "progress.data.speed")


@contextmanager
def spinner(title: str, *, shown: bool) -> Iterator[None]:
    """Show a spinner for work of unknown length."""
    console = Console(file=sys.stderr)
    with console.status(title) if shown and console.is_terminal else nullcontext():
        yield


def progress_bar(items: Iterable[T], title: str, total: int, *, shown: bool) -> Iterable[T]:
    """Yield the items, with a bar that disappears at the end.

    Standard output is not redirected: a caller that prints to the terminal meanwhile passes `shown=False`.
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
        yield from bar.track(items, total, description=title)
