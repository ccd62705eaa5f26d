"""Golden logs of a game that need not be installed, as tests; for installed ones there is `pytest --kifu-golden`."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ..game import Game
from ..match.registry import find as find_installed
from ..trace.golden import check
from ..trace.golden import golden_logs as find_logs


def golden_logs(folder: str | os.PathLike[str], game: Game[Any, Any, Any] | None = None) -> Callable[[Path], None]:
    """Return a test of every log in a folder: `test_golden = golden_logs(FOLDER)`.

    Beside each `NAME.log` lie `NAME.trace` and `NAME.json`: its states, and its audit. With `game`, the game need not
    be installed.
    """
    logs = [path for path in find_logs(Path(folder)) if path.parent == Path(folder)]
    assert logs, f"there are no golden logs in {folder}"

    @pytest.mark.parametrize("path", logs, ids=[path.stem for path in logs])
    def test_golden(path: Path) -> None:
        found = check(path, find_installed if game is None else lambda _: game)
        assert found.ok, "\n".join([f"{path.name} differs from what is stored beside it", *found.lines()])

    return test_golden
