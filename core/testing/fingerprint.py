"""Play a match in a process of its own and print what stands for it: `laws_of_record` compares."""

from __future__ import annotations

import runpy
import sys
from importlib import import_module
from typing import Any

from .laws_of_record import fingerprint


def main(module: str, file: str, name: str, number: str) -> None:
    """Find the game in its module, or in the module's file, and print the fingerprint of the match of this number."""
    try:
        names: dict[str, Any] = vars(import_module(module))
    except ImportError:  # a test, an example: a file on no path
        names = runpy.run_path(file)
    sys.stdout.write(fingerprint(names[name], int(number)))
