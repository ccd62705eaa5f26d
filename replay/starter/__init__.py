"""What `replay new-game` writes: a whole small game under another name, in one file or as a package.

They are `docs/examples/high_card.py` and the folder `high_card` beside this module, as they stand, so that they are
linted and tested like any other code. To write a game, their names are replaced; a package's golden log is played
by the new game itself.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator
from os.path import lexists
from pathlib import Path

from attrs import frozen

from ...core.log import log_bytes
from ...core.match.game_files import load_game
from ...core.text.texts import Texts
from ...core.trace.golden import check
from ..analysis.findings import verdict
from ..tournament.random_matches import NAMES, matches

TEMPLATE = Path(__file__).parent / "high_card"
"""The package."""
FILE = Path(__file__).parents[2] / "docs" / "examples" / "high_card.py"
"""The game in one file."""
LEFT_OUT = ("__pycache__", ".pytest_cache", ".hypothesis", ".egg-info", "golden", ".ruff_cache")
GOLDEN = Path("tests", "golden", "first.log")
LAWS = '''\
"""The laws of kifu hold for {title}."""

from {module} import GAME
from kifu.core.testing import game_laws

TestLaws = game_laws(GAME, examples=20)
'''
SEED = bytes(32)
SEATS = 3
WHOLE_WORD = 4
"""A name of one word of so many letters numbers its rules; of a longer one the first three letters do."""


@frozen
class Names:
    """What a new game is called.

    - `module`: the file or package, and the game's name in logs, e.g. `high_card`.
    - `title`: what people read, e.g. `High Card`.
    - `prefix`: what its rules' numbers begin with, e.g. `HC`, or of one word `CAKE`, `REV`.
    """

    module: str
    title: str
    prefix: str

    @classmethod
    def of(cls, module: str) -> Names:
        """Return the names that follow from the module's."""
        words = module.strip("_").split("_")
        prefix = "".join(word[0] for word in words if word) if len(words) > 1 else words[0]
        if len(words) == 1 and len(prefix) > WHOLE_WORD:
            prefix = prefix[: WHOLE_WORD - 1]
        return cls(module, " ".join(words).title(), prefix.upper())

    def replaced(self, text: str) -> str:
        """Return a text of High Card with these names in place of its own."""
        hyphened = self.module.replace("_", "-")
        text = text.replace("high_card", self.module).replace("high-card", hyphened).replace("High Card", self.title)
        return re.sub(r"\bHC(?=[-_])", self.prefix, text)


def files_of_one(names: Names) -> Iterator[tuple[Path, str]]:
    """Yield the files of a game in one file: that, and its test."""
    yield Path(f"{names.module}.py"), names.replaced(FILE.read_text("utf-8"))
    yield Path(f"test_{names.module}.py"), LAWS.format(title=names.title, module=names.module)


def files_of_package(names: Names) -> Iterator[tuple[Path, str]]:
    """Yield the files of a package, without its golden log."""
    for path in sorted(TEMPLATE.rglob("*")):
        inside = path.relative_to(TEMPLATE)
        if path.is_file() and not any(part.endswith(LEFT_OUT) for part in inside.parts):
            yield Path(names.replaced(inside.as_posix())), names.replaced(path.read_text("utf-8"))


def write_file(names: Names, folder: Path) -> None:
    """Write a game in one file, and its test, into a folder; raises `FileExistsError` before it writes over one."""
    files = list(files_of_one(names))
    for path, _ in files:
        if lexists(folder / path):
            raise FileExistsError(folder / path)
    _write(files, folder)


def write_package(names: Names, folder: Path) -> None:
    """Write a package into a folder, new or empty, with a golden log that the new game plays; raises `OSError`."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise FileExistsError(folder)
    _write(files_of_package(names), folder)
    log = folder / GOLDEN
    log.parent.mkdir(parents=True, exist_ok=True)
    game = load_game(str(folder / "src" / names.module))
    try:
        (match,) = matches(game, NAMES[:SEATS], {}, SEED, 1)
        log.write_bytes(log_bytes(match))
        result = check(log, lambda _: game)
    finally:
        unload(names.module)
    log.with_suffix(".trace").write_bytes(result.traced)
    end = json.dumps(verdict(result.reading, Texts()), ensure_ascii=False)
    log.with_suffix(".json").write_text(f"{end}\n", "utf-8")


def _write(files: Iterable[tuple[Path, str]], folder: Path) -> None:
    for path, text in files:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")


def unload(module: str) -> None:
    """Forget an imported package with all of its modules."""
    for name in [name for name in sys.modules if name == module or name.startswith(f"{module}.")]:
        del sys.modules[name]
