"""A store that fails after so many changes, as if its host were killed there; threads that are not to be had."""

from __future__ import annotations

from kifu.core.errors import StoreError
from kifu.core.host.threads import Threads
from kifu.core.stores import MemoryStore


class Failing(MemoryStore):
    """Make `left` changes, as a store without transactions, then fail once; `goes_on` with those that follow."""

    left: int | None = None

    def __init__(self, *, goes_on=False):
        super().__init__()
        self._goes_on = goes_on

    def commit(self, changes):
        if self.left is None or self.left >= len(changes):
            self.left = None if self.left is None else self.left - len(changes)
            return super().commit(changes)
        before, after, self.left = changes[: self.left], changes[self.left + 1 :], None
        killed = StoreError("failing", "killed")
        made = super().commit(before)
        rest = super().commit(after) if self._goes_on else [killed] * len(after)
        return [*made, killed, *rest]


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


class Scarce(Threads):
    """Threads of which none is to be had for a while, as in a container that has used up its number."""

    def __init__(self):
        self.are_there = True

    def start(self, work, name):
        if not self.are_there:
            raise RuntimeError("can't start new thread")
        return super().start(work, name)
