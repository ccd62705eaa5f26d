"""One work over many items: what a pool of processes and a cluster both run."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, TypeVar

I = TypeVar("I")  # noqa: E741 (an item)
A = TypeVar("A")

Work = Callable[[I], A]
"""What is done with every item; raises nothing that an item is to blame for.

It, the items and the answers are pickled; an answer is small. Work that is a context manager too is opened once in each
process.
"""


def open_work(work: Work[I, A]) -> AbstractContextManager[Any]:
    """Return the context manager whose value is the work ready for items: the work itself, where it is one."""
    return work if isinstance(work, AbstractContextManager) else nullcontext(work)
