"""The contract of a store, as test classes: `TestStore = store_contract(open_again)`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..game import Game
from ..match.registry import find
from ..stores.store import Store
from .migration_laws import MigrationLaws
from .store_case import objects_of
from .store_laws import DueLaws, DurabilityLaws, ListLaws, SubscriptionLaws
from .store_laws_of_logs import LogLaws


def store_contract(
    open_again: Callable[[Path], Store],
    *,
    lasts: bool = True,
    many: int = 200,
    game: str | Game[Any, Any, Any] = "take_and_share",
) -> type:
    """Return the test class of a store.

    `open_again(place)` opens the store in this folder, which is empty at first and each test's own. Called again, also
    while the first is open, it returns another connection to the same store; a store that does not last returns a new
    one. `lasts` is whether closed stores can be opened again, `many` a large number of matches, `game` the game of the
    logs.
    """
    played = find(game) if isinstance(game, str) else game
    laws = (LogLaws, ListLaws, SubscriptionLaws, DueLaws, *((DurabilityLaws,) if lasts else ()))
    known = {"open_again": staticmethod(open_again), "lasts": lasts, "many": many, "log": objects_of(played)}
    return type("TestStore", laws, {**known, "game": played, "__doc__": "The promises of `docs/stores.md`."})


def migration_contract(
    open_again: Callable[[Path], Store],
    older: Callable[[Path], None],
    newer: Callable[[Path], Callable[[], None]],
    *,
    game: str | Game[Any, Any, Any] = "take_and_share",
) -> type:
    """Return the test class of a store's migrations.

    `older(place)` turns the closed store in this folder into what an older version would have left, with the same
    content. `newer(place)` turns it into what a newer version would leave, and returns a function that undoes that.
    """
    known = {"open_again": staticmethod(open_again), "older": staticmethod(older), "newer": staticmethod(newer)}
    log = objects_of(find(game) if isinstance(game, str) else game)
    return type("TestMigration", (MigrationLaws,), {**known, "log": log, "__doc__": MigrationLaws.__doc__})
