"""The package that `replay new-game` writes: High Card, a whole game, under another name.

The folder `high_card` beside this module is that package as it stands, so that it is linted and tested like any other
code. To write a game, its names are replaced; its golden log is played by the new game itself.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from attrs import frozen

from ...core.game import Game
from ...core.log import log_bytes
from ...core.text.texts import Texts
from ...core.trace.golden import check
from ..analysis.findings import verdict
from ..tournament.random_matches import NAMES, matches

TEMPLATE = Path(__file__).parent / "high_card"
LEFT_OUT = ("__pycache__", ".pytest_cache", ".hypothesis", ".egg-info")
GOLDEN = Path("tests", "golden", "first.log")
SEED = bytes(32)
SEATS = 3


@frozen
class Names:
    """What a new game is called.

    - `module`: the package, and the game's name in logs, e.g. `high_card`.
    - `title`: what people read, e.g. `High Card`.
    - `prefix`: what its rules' numbers begin with, e.g. `HC`.
    """

    module: str
    title: str
    prefix: str

    @classmethod
    def of(cls, module: str, title: str | None = None) -> Names:
        """Return the names that follow from the package's; `title` sets another title."""
        words = module.strip("_").split("_")
        prefix = "".join(word[0] for word in words if word) if len(words) > 1 else module
        return cls(module, title or " ".join(words).title(), prefix.upper())

    def replaced(self, text: str) -> str:
        """Return a text of the template with these names in place of the template's."""
        text = text.replace("high_card", self.module).replace("high-card", self.module.replace("_", "-"))
        return re.sub(r"\bHC(?=[-_])", self.prefix, text.replace("High Card", self.title))


def files(names: Names) -> Iterator[tuple[Path, str]]:
    """Yield the files of the package, without its golden log: path in the package, and text."""
    for path in sorted(TEMPLATE.rglob("*")):
        inside = path.relative_to(TEMPLATE)
        if path.is_file() and not any(part.endswith(LEFT_OUT) for part in inside.parts):
            yield Path(names.replaced(inside.as_posix())), names.replaced(path.read_text("utf-8"))


def write(names: Names, folder: Path) -> None:
    """Write the package into a folder, with a golden log that the new game plays; raises `OSError`."""
    for path, text in files(names):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    log = folder / GOLDEN
    log.parent.mkdir(parents=True, exist_ok=True)
    game = load(folder / "src", names.module)
    try:
        (match,) = matches(game, NAMES[:SEATS], {}, SEED, 1)
        log.write_bytes(log_bytes(match))
        result = check(log, lambda _: game)
    finally:
        unload(names.module)
    log.with_suffix(".trace").write_bytes(result.traced)
    end = json.dumps(verdict(result.reading, Texts()), ensure_ascii=False)
    log.with_suffix(".json").write_text(f"{end}\n", "utf-8")


def load(folder: Path, module: str) -> Game[Any, Any, Any]:
    """Import the package `module` from a folder that is not on Python's path, and return its `GAME`."""
    place = folder / module
    spec = spec_from_file_location(module, place / "__init__.py", submodule_search_locations=[str(place)])
    assert spec is not None
    assert spec.loader is not None
    package = module_from_spec(spec)
    sys.modules[module] = package
    spec.loader.exec_module(package)
    game: Game[Any, Any, Any] = package.GAME
    return game


def unload(module: str) -> None:
    """Forget an imported package with all of its modules."""
    for name in [name for name in sys.modules if name == module or name.startswith(f"{module}.")]:
        del sys.modules[name]
