"""The progress bar of a terminal."""

from __future__ import annotations

from rich.console import Console
from rich.progress import Progress, ProgressColumn, Task
from rich.text import Text


class Rate(ProgressColumn):
    """A column with the number of items per second."""

    def render(self, task: Task) -> Text:
        """Return the speed, e.g. `12/s`; empty as long as it is unknown."""
        speed = task.finished_speed or task.speed
        if speed is None:
            return Text()
        return Text(f"{speed:.0f}/s" if speed >= 10 else f"{speed:.2g}/s", "progress.data.speed")


def bar(console: Console) -> Progress:
    """Return a bar that disappears at the end."""
    return Progress(
        *Progress.get_default_columns(),
        Rate(),
        console=console,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
