"""The progress of a long run, on standard error and only if that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from typing import TypeVar

from rich.console import Console

T = TypeVar("T")


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
    if not (shown and console.is_terminal):
        yield from items
        return
    from .render.bar import bar  # here, as few calls show one

    with bar(console) as shown_bar:
        yield from shown_bar.track(items, total, description=title)
