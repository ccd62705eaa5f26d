"""Versions of a store's own schema: an older one is migrated, a newer one is refused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..errors import Message, StoreError

Steps = Sequence[Sequence[str]]
"""For each version the statements that make it from the one before; version 0 is an empty database."""


def migrate(store: str, version: int, steps: Steps) -> Iterator[str]:
    """Return the statements that migrate a schema from this version; raises `StoreError` for a newer one."""
    if version > len(steps):
        english = "its schema is of version {version}, this kifu knows {known}: use a newer one"
        raise StoreError(store, Message("newer-schema", english, version=version, known=len(steps)))
    return (statement for step in steps[version:] for statement in step)
