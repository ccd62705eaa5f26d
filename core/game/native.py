"""What a class says of itself to the compiler; without it, and in Python, this does nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr as mypyc_attr
else:

    def mypyc_attr(**_):
        """Return a decorator that returns its class."""
        return lambda kind: kind
