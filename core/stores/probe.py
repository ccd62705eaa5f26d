"""What a store writes to find out whether it can write."""

from __future__ import annotations

from ..errors import Message, StoreError

PROBE_BYTES = 4096
"""The size of a probe: a block, which a full disk does not take."""


def check_probe(store: str, written: bytes, found: bytes) -> None:
    """Raise `StoreError` unless the bytes that are read are those that were written."""
    if found != written:
        raise StoreError(store, Message("other-bytes", "other bytes are read than were written"))
