"""Where a host keeps its logs: memory, SQLite, PostgreSQL (`docs/stores.md`)."""

from __future__ import annotations

from ..errors import Message, StoreError
from .memory import MemoryStore
from .store import (
    FINISHED,
    Append,
    Change,
    Claim,
    Create,
    Delete,
    Due,
    MetadataRow,
    Query,
    Schedule,
    Store,
    StoredLog,
    Update,
    commit_one,
    log_bytes_of,
)

__all__ = [
    "FINISHED",
    "Append",
    "Change",
    "Claim",
    "Create",
    "Delete",
    "Due",
    "MemoryStore",
    "MetadataRow",
    "Query",
    "Schedule",
    "Store",
    "StoredLog",
    "Update",
    "commit_one",
    "log_bytes_of",
    "maintenance",
    "open_store",
    "store",
]

ADDRESSES = "memory:, sqlite:FILE, postgresql://…"


def open_store(address: str) -> Store:
    """Open the store at this address; raises `StoreError`."""
    kind, colon, place = address.partition(":")
    match kind + colon, bool(place):
        case "memory:", False:
            return MemoryStore()
        case "sqlite:", True:
            from .sqlite import SqliteStore

            return SqliteStore(place)
        case "files:", _:
            english = "there is no store of files any more: replay store import sqlite:kifu.db {folder}"
            raise StoreError(f"{address[:60]!a}", Message("no-store-of-files", english, folder=place or "FOLDER"))
        case (("sqlite:" | "postgresql:" | "postgres:"), False):
            english = "the address names no place: give one of {known}"
            raise StoreError(f"{address[:60]!a}", Message("no-place-of-store", english, known=ADDRESSES))
        case "postgresql:" | "postgres:", True:
            from .postgres import PostgresStore

            return PostgresStore(address)
    why = Message("no-kind-of-store", "there is no such kind of store: give one of {known}", known=ADDRESSES)
    raise StoreError(f"{kind[:60]!a}", why)
