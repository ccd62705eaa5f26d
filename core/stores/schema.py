"""Versions of a store's own schema: an older one is brought up to date, a newer one is refused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..errors import Message, StoreError

Steps = Sequence[Sequence[str]]
"""For each version the statements that make it of the version before; version 0 is an empty database."""


def migrate(store: str, version: int, steps: Steps) -> Iterator[str]:
    """Give the statements that bring a schema of this version up to date."""
    if version > len(steps):
        english = "its schema is of version {version}, this kifu knows {known}: use a newer one"
        raise StoreError(store, Message("newer-schema", english, version=version, known=len(steps)))
    return (statement for step in steps[version:] for statement in step)
