"""Work over many items: what a pool of processes and a cluster both run."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, TypeVar

I = TypeVar("I")  # noqa: E741 (an item)
A = TypeVar("A")

Work = Callable[[I], A]
"""A function of an item. An error in an item is part of the result: raising ends the whole run.

The function, the items and the results are pickled; results are small. Work that is also a context manager is entered
once in each process, and on a cluster once for each chunk.
"""


def open_work(work: Work[I, A]) -> AbstractContextManager[Any]:
    """Return a context manager whose value is the work, ready for items."""
    return work if isinstance(work, AbstractContextManager) else nullcontext(work)
