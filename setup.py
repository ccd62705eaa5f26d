"""The build; all that is declared stands in pyproject.toml. With `KIFU_COMPILE=1` the modules below are compiled.

    KIFU_COMPILE=1 pip wheel .

An isolated build gets mypyc by itself: `NEEDED` is what it asks for. mypyc makes the modules from the same sources. The
wheel holds both: Python takes the compiled module where there is one, and without it the source does the same.
`kifu.COMPILED` and `replay --version` tell which build it is. `MODULES` leaves out, on purpose:

- `core/match/match.py`, for its class `Match`. An instance of a compiled class that derives from a class of Python,
  which `Generic` is, can be weakly referenced, but dies without telling its weak references (mypyc, issue 1102: its
  deallocator does not call `PyObject_ClearWeakRefs`). Hypothesis refers to what it draws, and the garbage collector
  then reads freed memory. The fold is what takes time: it has a module of its own, and no base.
  tests/core/match/test_compiled.py holds that no compiled class can be weakly referenced.
- modules with a class of attrs (`model.py`, `core/log/findings.py`, `games/mabr/search.py`, …): attrs makes
  another class of each, with slots, whose instances are not laid out as mypyc's code takes them to be.
- `core/game/choices.py`, `core/log/broken.py`: each has a class with a base of Python.
- `games/mabr/bot.py`: its sets of words are ints of thousands of bits, for which mypyc's ints are slow: measured, a
  search takes 1.5 times as long with it compiled.
- `games/bots/ismcts.py`: measured, a search takes the same time with it. The rules, priors and playouts take it all.

With `KIFU_WITHOUT_WORD_LISTS=1` the word lists of `mabr` are left out, with their licences: the package is then under
the MIT license alone, and the game asks for a list (docs/word-lists.md).

A compiled rule has no annotations, so a class of commands that has no tag is found by `core/game/annotations.py` in
games of Python alone: those of other people, and ours in a checkout.
"""

from __future__ import annotations

import os
import sys
from contextlib import chdir
from pathlib import Path
from typing import Any

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.egg_info import egg_info

ROOT = Path(__file__).parent.resolve()
MODULES = (
    "core/game/checks.py",
    "core/game/shuffle.py",
    "core/game/tabletop.py",
    "core/game/timeline.py",
    "core/game/weights.py",
    "core/log/format.py",
    "core/log/framing.py",
    "core/log/reader.py",
    "core/log/validation.py",
    "core/match/fold.py",
    "core/match/random_play.py",
    "core/wire/conversion.py",
    "core/wire/exact.py",
    "core/wire/wire.py",
    "games/bots/determinization.py",
    "games/bots/playouts.py",
    "games/cake/bot.py",
    "games/cake/rules.py",
    "games/gosne/bot.py",
    "games/gosne/rules.py",
    "games/mabr/legal.py",
    "games/mabr/rules.py",
    "games/palace/bot.py",
    "games/palace/legal.py",
    "games/palace/rules.py",
    "games/take_and_share/bot.py",
    "games/take_and_share/rules.py",
)
NEEDED = ["mypy[mypyc]>=2.4,<3", "attrs>=25.4", "cattrs>=26.1", "msgpack>=1.0.8"]
"""What a compiled build needs: the compiler, and what it takes types from."""
FLAGS = ["--config-file=", "--ignore-missing-imports", "--follow-imports=silent", "--no-namespace-packages"]


def extensions() -> list[Any]:
    """Return the compiled modules: from a folder in which this one is named `kifu`, as the compiler goes by paths."""
    from mypyc.build import mypycify

    place = ROOT / "build" / "mypyc"
    place.mkdir(parents=True, exist_ok=True)
    package = place / "kifu"
    package.unlink(missing_ok=True)
    package.symlink_to(ROOT, target_is_directory=True)
    paths = [f"kifu/{module}" for module in MODULES]
    with chdir(place):
        made = mypycify(
            [*FLAGS, *paths], opt_level="3", debug_level="0", target_dir=str(place / "c"), group_name="kifu"
        )
    package.unlink()  # a folder that holds itself confuses whoever walks through it
    for each in made:
        each.sources = [os.path.relpath(place / source, ROOT) for source in each.sources]
    return made


class BuildModules(build_py):
    """Builds all modules of the package but this file, which lies in its folder."""

    def find_data_files(self, package: str, src_dir: str) -> list[str]:
        """Return the data files of a package, without the word lists if they are to be left out."""
        files: list[str] = super().find_data_files(package, src_dir)
        return [] if WITHOUT_WORD_LISTS and package == "kifu.games.mabr.lexicon" else files

    def find_package_modules(self, package: str, package_dir: str) -> list[tuple[str, str, str]]:
        """Return the package, name and file of each module of a package."""
        found: list[tuple[str, str, str]] = super().find_package_modules(package, package_dir)
        return [each for each in found if each[:2] != ("kifu", "setup")]


class Describe(egg_info):
    """Describes the package: without the word lists only the license of the code is told."""

    def initialize_options(self) -> None:
        """Begin with what pyproject.toml says."""
        super().initialize_options()
        if WITHOUT_WORD_LISTS:
            self.distribution.metadata.license_expression = "MIT"
            self.distribution.metadata.license_files = ["LICENSE"]


WITHOUT_WORD_LISTS = os.environ.get("KIFU_WITHOUT_WORD_LISTS") == "1"
ARGUMENTS: dict[str, Any] = {"cmdclass": {"build_py": BuildModules, "egg_info": Describe}}
if os.environ.get("KIFU_COMPILE") == "1":
    if {"bdist_wheel", "build_ext", "editable_wheel"} & set(sys.argv):
        ARGUMENTS["ext_modules"] = extensions()
    else:  # what the build needs is asked for before it is there
        ARGUMENTS["setup_requires"] = NEEDED
setup(**ARGUMENTS)
