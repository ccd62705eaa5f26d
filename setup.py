"""The build; all that is declared stands in pyproject.toml. With `KIFU_COMPILE=1` the modules below are compiled.

    KIFU_COMPILE=1 pip wheel .

mypyc makes them from the same sources. The wheel holds both: Python takes the compiled module where there is one, and
without it the source does the same. `MODULES` leaves out, on purpose:

- `core/match.py`, for its class `Match`: the program dies in the garbage collector (`dict_traverse` meets a freed
  object) in the first test of tests/core/test_match.py that Hypothesis draws a `Match` for, with mypyc 2.4 on Python
  3.11. `Fold` and `Steps`, compiled alone, pass; why `Match` does not is not known. The fold is what takes time, so it
  has a module of its own. Also, mypyc would raise `TypeError` where `Match` raises `MatchError` for a seat that is no
  int.
- modules with a class of attrs (`model.py`, `core/log/framing.py`, `games/mabr/row.py`, …): attrs makes another class
  of each, with slots, whose instances are not laid out as mypyc's code takes them to be.
- `games/bots/ismcts.py`: its `Search` may be subclassed, which mypyc allows of its own classes only with a decorator
  from a package that kifu would need then. Compiled, it searches no faster than its rules and playouts let it.

A compiled rule has no annotations, so a class of commands that has no tag is found (`core/annotations.py`) in games of
Python alone: those of other people, and ours in a checkout.
"""

from __future__ import annotations

import os
import sys
from contextlib import chdir
from pathlib import Path
from typing import Any

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent.resolve()
MODULES = (
    "core/checks.py",
    "core/exact.py",
    "core/fold.py",
    "core/log/format.py",
    "core/log/framing.py",
    "core/log/known_commands.py",
    "core/log/reader.py",
    "core/log/validation.py",
    "core/packing.py",
    "core/random_play.py",
    "core/shuffle.py",
    "core/tabletop.py",
    "core/timeline.py",
    "core/weights.py",
    "core/wire.py",
    "games/bots/determinization.py",
    "games/bots/greedy.py",
    "games/bots/ismcts.py",
    "games/bots/playouts.py",
    "games/cake/bot.py",
    "games/cake/rules.py",
    "games/gosne/bot.py",
    "games/gosne/rules.py",
    "games/mabr/legal.py",
    "games/mabr/rules.py",
    "games/palace/legal.py",
    "games/palace/rules.py",
    "games/take_and_share/bot.py",
    "games/take_and_share/rules.py",
)
NEEDED = ["mypy[mypyc]>=1.14", "attrs>=23.2", "cattrs>=24.1", "msgpack>=1.0.8"]
"""What a compiled build needs: the compiler, and what it takes types from."""
FLAGS = ["--config-file=", "--ignore-missing-imports", "--follow-imports=silent", "--no-namespace-packages"]


def extensions() -> list[Any]:
    """Return the compiled modules: from a folder in which this one is named `kifu`, as the compiler goes by paths."""
    from mypyc.build import mypycify

    place = ROOT / "build" / "mypyc"
    place.mkdir(parents=True, exist_ok=True)
    if not (place / "kifu").exists():
        (place / "kifu").symlink_to(ROOT, target_is_directory=True)
    with chdir(place):
        paths = [f"kifu/{module}" for module in MODULES]
        made = mypycify(
            [*FLAGS, *paths], opt_level="3", debug_level="0", target_dir=str(place / "c"), group_name="kifu"
        )
    for each in made:
        each.sources = [os.path.relpath(place / source, ROOT) for source in each.sources]
    return made


class BuildModules(build_py):
    """Builds all modules of the package but this file, which lies in its folder."""

    def find_package_modules(self, package: str, package_dir: str) -> list[tuple[str, str, str]]:
        """Return the package, name and file of each module of a package."""
        found: list[tuple[str, str, str]] = super().find_package_modules(package, package_dir)
        return [each for each in found if each[:2] != ("kifu", "setup")]


ARGUMENTS: dict[str, Any] = {"cmdclass": {"build_py": BuildModules}}
if os.environ.get("KIFU_COMPILE") == "1":
    if {"bdist_wheel", "build_ext", "editable_wheel"} & set(sys.argv):
        ARGUMENTS["ext_modules"] = extensions()
    else:  # what the build needs is asked for before it is there
        ARGUMENTS["setup_requires"] = NEEDED
setup(**ARGUMENTS)
