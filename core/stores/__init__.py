"""Where a host keeps its logs: memory, files, SQLite, PostgreSQL (`docs/stores.md`)."""

from __future__ import annotations

from ..errors import StoreError
from .memory import MemoryStore
from .store import Kept, Query, Sheet, Store, kept_bytes

__all__ = ["Kept", "MemoryStore", "Query", "Sheet", "Store", "kept_bytes", "open_store"]


def open_store(address: str) -> Store:
    """Open the store at this address: `memory:`."""
    if address == "memory:":
        return MemoryStore()
    raise StoreError(address, "no such kind of store: it is memory:")
