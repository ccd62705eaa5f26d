"""A store whose host is killed between two changes of it."""

from __future__ import annotations

from kifu.core.errors import StoreError
from kifu.core.stores import MemoryStore


class Failing(MemoryStore):
    """Makes so many changes, then fails once."""

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
        super().revise(*args, **more)


def failed(store, left, call):
    """Tell whether the call failed, of which so many changes are made."""
    store.left = left
    try:
        call()
    except StoreError:
        return True
    finally:
        store.left = None
    return False
