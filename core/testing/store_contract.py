"""What every store holds, as classes of tests: `TestStore = store_contract(open_again)`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..game import Game
from ..registry import find
from ..stores.store import Store
from .migration_laws import Migrating
from .store_case import objects_of
from .store_laws import Lasting, Listing, Logs, SubscriptionLaws


def store_contract(
    open_again: Callable[[Path], Store],
    *,
    lasts: bool = True,
    many: int = 200,
    game: str | Game[Any, Any, Any] = "take_and_share",
) -> type:
    """Make the test class of a store.

    `open_again(place)` opens the store that lives at this place, at first an empty folder of each test's own; called
    again, also while the first is open, it gives another connection to the same store. A store that `lasts` no longer
    than it is open gives a new one each time. `many` is how many matches are many; `game` is whose logs it keeps.
    """
    played = find(game) if isinstance(game, str) else game
    laws = (Logs, Listing, SubscriptionLaws, Lasting) if lasts else (Logs, Listing, SubscriptionLaws)
    known = {"open_again": staticmethod(open_again), "lasts": lasts, "many": many, "log": objects_of(played)}
    return type("TestStore", laws, {**known, "game": played, "__doc__": "The promises of `docs/stores.md`."})


def migration_contract(
    open_again: Callable[[Path], Store],
    older: Callable[[Path], None],
    newer: Callable[[Path], Callable[[], None]],
    *,
    game: str | Game[Any, Any, Any] = "take_and_share",
) -> type:
    """Make the test class of what becomes of a store whose form has changed since it was written.

    `older(place)` makes of the closed store at this place what an older version would have left there, with the same in
    it; `newer(place)` what one of tomorrow would, and gives what puts it back.
    """
    known = {"open_again": staticmethod(open_again), "older": staticmethod(older), "newer": staticmethod(newer)}
    log = objects_of(find(game) if isinstance(game, str) else game)
    return type("TestMigration", (Migrating,), {**known, "log": log, "__doc__": Migrating.__doc__})
