"""The packages that `replay new-game` writes: a whole game of each kind, under another name.

The folder `high_card` beside this module, and two of docs/examples, are these packages as they stand, so that they are
linted and tested like any other code. To write a game, its names are replaced; its golden log is played by itself.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
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

LEFT_OUT = ("__pycache__", ".pytest_cache", ".hypothesis", ".egg-info", "golden", ".ruff_cache")
GOLDEN = Path("tests", "golden", "first.log")
GIT_ATTRIBUTES = """\
# git diff shows traces as text, once on each machine: git config diff.kifu.textconv "replay trace --text"
*.trace diff=kifu
"""
SEED = bytes(32)
WHOLE_WORD = 4
"""A name of one word of so many letters numbers its rules; of a longer one the first three letters do."""


@frozen
class Names:
    """What a new game is called.

    - `module`: the package, and the game's name in logs, e.g. `high_card`.
    - `title`: what people read, e.g. `High Card`.
    - `prefix`: what its rules' numbers begin with, e.g. `HC`, or of one word `CAKE`, `REV`.
    """

    module: str
    title: str
    prefix: str

    @classmethod
    def of(cls, module: str, title: str | None = None) -> Names:
        """Return the names that follow from the package's; `title` sets another title."""
        words = module.strip("_").split("_")
        prefix = "".join(word[0] for word in words if word) if len(words) > 1 else words[0]
        if len(words) == 1 and len(prefix) > WHOLE_WORD:
            prefix = prefix[: WHOLE_WORD - 1]
        return cls(module, title or " ".join(words).title(), prefix.upper())


@frozen
class Template:
    """A package to begin from: its folder, what it is called, and how its golden log is played."""

    folder: Path
    names: Names
    seats: int
    options: Mapping[str, Any]

    def replaced(self, text: str, names: Names) -> str:
        """Return a text of the template with other names in place of its own."""
        own = self.names
        text = re.sub(own.module.replace("_", "([_-])"), lambda found: _spelled(names.module, found), text)
        text = re.sub(rf"\b{own.prefix}(?=[-_])", names.prefix, text.replace(own.title, names.title))
        return re.sub(r"(?m)^game = .*", f"game = {names.title}", text) if names != own else text

    def files(self, names: Names) -> Iterator[tuple[Path, str]]:
        """Yield the files of the package, without its golden log: path in the package, and text."""
        for path in sorted(self.folder.rglob("*")):
            inside = path.relative_to(self.folder)
            if path.is_file() and not any(part.endswith(LEFT_OUT) for part in inside.parts):
                yield Path(self.replaced(inside.as_posix(), names)), self.replaced(path.read_text("utf-8"), names)


def _spelled(module: str, found: re.Match[str]) -> str:
    """Return a package's name with hyphens where a name that was found has one."""
    return module.replace("_", "-") if found.groups() and found[1] == "-" else module


_EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
TEMPLATES = {
    "cards": Template(Path(__file__).parent / "high_card", Names.of("high_card"), 3, {}),
    "board": Template(_EXAMPLES / "reversi", Names.of("reversi"), 2, {"size": 4}),
    "bids": Template(_EXAMPLES / "goofspiel", Names.of("goofspiel"), 3, {"size": 4}),
}
"""The packages by the kind of game: hands of cards, a board that lies open, bids at the same time."""
TEMPLATE = TEMPLATES["cards"].folder


def write(names: Names, folder: Path, kind: str = "cards") -> None:
    """Write the package into a folder, with a golden log that the new game plays; raises `OSError`."""
    template = TEMPLATES[kind]
    for path, text in template.files(names):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    (folder / ".gitattributes").write_text(GIT_ATTRIBUTES, "utf-8")
    log = folder / GOLDEN
    log.parent.mkdir(parents=True, exist_ok=True)
    game = load(folder / "src", names.module)
    try:
        (match,) = matches(game, NAMES[: template.seats], dict(template.options), SEED, 1)
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
