"""Where a host keeps its logs: memory, files, SQLite, PostgreSQL (`docs/stores.md`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..errors import Message, StoreError
from ..game import Game
from ..match.registry import find as find_installed
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

Find = Callable[[str], Game[Any, Any, Any]]

ADDRESSES = "memory:, files:FOLDER, sqlite:FILE, postgresql://…"


def open_store(address: str, *, find: Find = find_installed) -> Store:
    """Open the store at this address; raises `StoreError`.

    `find` returns a game by its name: a store of files needs its rules to repair a torn log.
    """
    kind, colon, place = address.partition(":")
    match kind + colon, bool(place):
        case "memory:", False:
            return MemoryStore()
        case "files:", True:
            from .files import FilesStore

            return FilesStore(place, find)
        case "sqlite:", True:
            from .sqlite import SqliteStore

            return SqliteStore(place)
        case (("files:" | "sqlite:" | "postgresql:" | "postgres:"), False):
            raise StoreError(
                f"{address[:60]!a}",
                Message("no-place-of-store", "it says no place; an address is one of {known}", known=ADDRESSES),
            )
        case "postgresql:" | "postgres:", True:
            from .postgres import PostgresStore

            return PostgresStore(address)
    why = Message("no-kind-of-store", "there is no such kind of store; an address is one of {known}", known=ADDRESSES)
    raise StoreError(f"{kind[:60]!a}", why)
