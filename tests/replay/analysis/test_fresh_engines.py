"""Modified engines are noticed with their kind by `impact` over 300 logs, else by `seek` within a minute."""

import sys
from pathlib import Path
from runpy import run_path

import pytest

from .fresh_engines import FRESH, HARMLESS, REVIEWED, FreshEngine

pytestmark = pytest.mark.long

FOLDER = Path(__file__).parents[2] / "core" / "trace"
MODIFIED = run_path(str(FOLDER / "test_modified_engines.py"))["MODIFIED"]
GAMES = 300
LOGS: dict[str, Path] = {}
"""The folder of a game's logs, once they are played."""
OF_FUNCTIONS = """#!{python}
import sys
sys.path.insert(0, {folder!r})
import test_modified_engines
test_modified_engines.serve({says!r})
"""
OF_THE_LOGS = "what nobody plays is forbidden now"
"""It is made of a few logs that it knows."""


@pytest.fixture
def noticed(replay, tmp_path_factory: pytest.TempPathFactory):
    """Return the kind by which an engine is noticed, one of these if there is one, and whether it leaks."""

    def notice(game: str, engine: Path, kinds: tuple[str, ...], timeout: int = 60) -> tuple[str, bool]:
        if game not in LOGS:
            LOGS[game] = tmp_path_factory.mktemp(game)
            assert replay("simulate", game, "--games", GAMES, "--seed", "0" * 64, "-o", LOGS[game]).code == 0
        called = replay("impact", LOGS[game], "--engine", engine, "--json", "--timeout", timeout)
        *logs, whole = called.lines
        changes = {kind for kind, groups in whole["kinds"].items() if groups} - {"same"}
        if changes and ("same" in kinds or changes & {*kinds}):
            return min(changes & {*kinds} or changes), any(each["leaks"] for each in logs)
        called = replay("seek", game, "--engine", engine, "--json", "--timeout", timeout)
        *_, sought = called.lines
        return sought.get("kind", "same"), bool(sought.get("leaks"))

    return notice


@pytest.mark.parametrize("engine", [*FRESH, *REVIEWED, *HARMLESS], ids=lambda engine: engine.name)
def test_modified_sources_are_noticed_with_their_kind(noticed, tmp_path: Path, engine: FreshEngine) -> None:
    timeout = 5 if "hangs" in engine.name else 60
    kind, leaks = noticed(engine.game, engine.write(tmp_path), engine.kinds, timeout)
    assert kind in engine.kinds
    assert leaks is engine.leaks


@pytest.mark.parametrize("says", [says for says in MODIFIED if says != OF_THE_LOGS])
def test_modified_functions_are_noticed_with_their_kind(noticed, tmp_path: Path, says: str) -> None:
    game, change, leak, _ = MODIFIED[says]
    engine = tmp_path / "python"
    engine.write_text(OF_FUNCTIONS.format(python=sys.executable, folder=str(FOLDER), says=says))
    engine.chmod(0o755)
    assert noticed(game, engine, (str(change.value),)) == (str(change.value), leak)
