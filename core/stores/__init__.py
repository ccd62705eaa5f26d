"""Where a host keeps its logs: memory, files, SQLite, PostgreSQL (`docs/stores.md`)."""

from __future__ import annotations

from ..errors import StoreError
from .memory import MemoryStore
from .store import Kept, Query, Sheet, Store, kept_bytes

__all__ = ["Kept", "MemoryStore", "Query", "Sheet", "Store", "kept_bytes", "open_store"]

ADDRESSES = "memory:, sqlite:FILE"


def open_store(address: str) -> Store:
    """Open the store at this address: `memory:` or `sqlite:FILE`."""
    kind, _, place = address.partition(":")
    match kind, bool(place):
        case "memory", False:
            return MemoryStore()
        case "sqlite", True:
            from .sqlite import SqliteStore

            return SqliteStore(place)
    raise StoreError(address, f"there is no such kind of store: it is one of {ADDRESSES}")
