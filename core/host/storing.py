"""Work that stores something on its way, and leaves it to the caller how."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

from ..stores.store import Append, Store

T = TypeVar("T")

Storing = Generator[Append, None, T]
"""Yields what is to be stored, and goes on once it is; what the store raises is thrown into it."""


def stored_by(store: Store, work: Storing[T]) -> T:
    """Do the work and store what it yields; return its value, and raise what it raises."""
    try:
        append = next(work)
        while True:
            try:
                append.to(store)
            except BaseException as failure:
                append = work.throw(failure)
            else:
                append = next(work)
    except StopIteration as done:
        value: T = done.value
        return value
