"""Which modules of kifu run as machine code: those that `setup.py` compiles, if this kifu was built with them."""

from __future__ import annotations

from importlib.machinery import EXTENSION_SUFFIXES
from types import ModuleType

from . import fold


def is_compiled(module: ModuleType) -> bool:
    """Return True if a module was loaded from machine code, not from its source."""
    return str(module.__file__).endswith(tuple(EXTENSION_SUFFIXES))


COMPILED = is_compiled(fold)
"""True if this is the compiled build, made with `KIFU_COMPILE=1`: it does the same, faster."""
