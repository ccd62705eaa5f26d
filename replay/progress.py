"""The progress of a long run, on standard error and only if that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, TypeVar

from rich.console import Console

if TYPE_CHECKING:
    from .render.console import ConsoleWriter

T = TypeVar("T")


@contextmanager
def spinner(title: str, *, shown: bool) -> Iterator[None]:
    """Show a spinner for work of unknown length."""
    console = Console(file=sys.stderr)
    with console.status(title) if shown and console.is_terminal else nullcontext():
        yield


def progress_bar(items: Iterable[T], title: str, total: int | None, *, shown: bool) -> Iterable[T]:
    """Yield the items, with a bar that disappears at the end.

    Standard output is not redirected: a caller that prints to the terminal meanwhile passes `shown=False`.
    """
    console = Console(file=sys.stderr)
    if not (shown and console.is_terminal):
        yield from items
        return
    from rich.progress import Progress  # here, as few calls show one

    with Progress(console=console, transient=True, redirect_stdout=False, redirect_stderr=False) as bar:
        yield from bar.track(items, total, description=title)


@contextmanager
def lines_beside_bar(writer: ConsoleWriter, *, shown: bool) -> Iterator[Callable[..., None]]:
    """Give what prints lines: all at the end or an interruption where a bar is `shown` on the same terminal."""
    if not (shown and writer.is_terminal):
        yield writer.print
        return
    lines: list[str] = []
    try:
        yield lambda *more: lines.extend(more)
    finally:
        writer.print(*lines)
