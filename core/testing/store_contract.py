"""The contract of stores, as test classes: `TestStore = store_contract(open_again)`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..game import Game
from ..registry import find
from ..stores.store import Store
from .migration_laws import MigrationLaws
from .store_case import objects_of
from .store_laws import DurabilityLaws, ListingLaws, LogLaws, SubscriptionLaws


def store_contract(
    open_again: Callable[[Path], Store],
    *,
    lasts: bool = True,
    many: int = 200,
    game: str | Game[Any, Any, Any] = "take_and_share",
) -> type:
    """Return the test class of a store.

    - `open_again(place)`: opens the store in the folder `place`, which is empty at the start of each test. Called
      again, also while the first is open, it returns another connection to the same store.
    - `lasts`: False for a store that keeps nothing once it is closed; `open_again` then returns a new store.
    - `many`: the number of matches in the tests of large stores.
    - `game`: the game of the logs.
    """
    played = find(game) if isinstance(game, str) else game
    laws = (LogLaws, ListingLaws, SubscriptionLaws, *([DurabilityLaws] if lasts else []))
    known = {"open_again": staticmethod(open_again), "lasts": lasts, "many": many, "log": objects_of(played)}
    return type("TestStore", laws, {**known, "game": played, "__doc__": "The promises of `docs/stores.md`."})


def migration_contract(
    open_again: Callable[[Path], Store],
    older: Callable[[Path], None],
    newer: Callable[[Path], Callable[[], None]],
    *,
    game: str | Game[Any, Any, Any] = "take_and_share",
) -> type:
    """Return the test class of a store whose schema has changed since it was written.

    `older(place)` turns the closed store in the folder `place` into one of an older version, with the same content.
    `newer(place)` turns it into one of a future version, and returns a function that undoes this.
    """
    known = {"open_again": staticmethod(open_again), "older": staticmethod(older), "newer": staticmethod(newer)}
    log = objects_of(find(game) if isinstance(game, str) else game)
    return type("TestMigration", (MigrationLaws,), {**known, "log": log, "__doc__": MigrationLaws.__doc__})
