"""A store that fails after so many changes, as if its host were killed there."""

from __future__ import annotations

from kifu.core.errors import StoreError
from kifu.core.stores import MemoryStore


class Failing(MemoryStore):
    """Make `left` changes, then fail once."""

    left: int | None = None

    def _count(self):
        if self.left == 0:
            self.left = None
            raise StoreError("failing", "killed")
        if self.left is not None:
            self.left -= 1

    def create(self, *args, **more):
        self._count()
        super().create(*args, **more)

    def append(self, *args, **more):
        self._count()
        super().append(*args, **more)

    def update(self, *args, **more):
        self._count()
        super().update(*args, **more)


def failed(store, left, call):
    """Return True if the call failed after so many of its changes."""
    store.left = left
    try:
        call()
    except StoreError:
        return True
    finally:
        store.left = None
    return False
