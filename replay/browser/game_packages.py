"""The packages of other people's games that are installed here, for the archive: those of pure Python."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution, entry_points
from importlib.util import find_spec
from pathlib import Path

from attrs import frozen

from ...core.match.registry import GAMES

NATIVE = (".so", ".pyd", ".dylib", ".dll")
"""The endings of modules that are made for one kind of machine."""


@frozen
class GamePackage:
    """A package with games: its name, its files by their names in the archive, and the libraries that it asks for."""

    name: str
    files: dict[str, Path]
    libraries: tuple[str, ...]

    @property
    def native(self) -> str | None:
        """The name of a file that WebAssembly cannot run, if there is one."""
        return next((name for name in self.files if name.endswith(NATIVE)), None)

    @property
    def metadata(self) -> dict[str, bytes]:
        """The files that say what is installed, by their names in the archive."""
        found, folder = distribution(self.name), f"{self.name.replace('-', '_')}.dist-info"
        return {f"{folder}/{each}": (found.read_text(each) or "").encode() for each in ("METADATA", "entry_points.txt")}


def installed_packages() -> Iterator[GamePackage]:
    """Yield each installed package with games but kifu's own, also one that is installed as an editable folder."""
    found = {entry.dist.name: entry.dist for entry in entry_points(group=GAMES) if entry.dist is not None}
    for name, dist in sorted(found.items()):
        if name != "kifu":
            modules = {entry.module.partition(".")[0] for entry in dist.entry_points if entry.group == GAMES}
            files = {key: path for module in sorted(modules) for key, path in _files(module)}
            yield GamePackage(name, files, tuple(_libraries(dist, {"kifu"})))


def _files(module: str) -> Iterator[tuple[str, Path]]:
    spec = find_spec(module)
    for folder in (spec and spec.submodule_search_locations) or ():
        for path in sorted(Path(folder).rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                yield f"{module}/{path.relative_to(folder).as_posix()}", path
    if spec and spec.origin and not spec.submodule_search_locations:
        yield Path(spec.origin).name, Path(spec.origin)


def _libraries(dist: Distribution, known: set[str]) -> Iterator[str]:
    """Yield the libraries that a package asks for, and those that they ask for."""
    for requirement in dist.requires or ():
        name = re.match(r"[\w.-]+", requirement)
        if name is None or "extra ==" in requirement or name[0] in known:
            continue
        known.add(name[0])
        try:
            found = distribution(name[0])
        except PackageNotFoundError:  # it is for another system
            continue
        yield name[0]
        yield from _libraries(found, known)
