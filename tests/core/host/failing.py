"""A store that fails after so many transactions, as if its host were killed there; threads that are not to be had."""

from __future__ import annotations

from kifu.core.errors import StoreError
from kifu.core.host.threads import Threads
from kifu.core.stores import MemoryStore


class Failing(MemoryStore):
    """Make `left` transactions, then fail once, as if its host were killed there."""

    left: int | None = None

    def commit(self, changes):
        if self.left == 0:
            self.left = None
            return [StoreError("failing", "killed")] * len(changes)
        self.left = None if self.left is None else self.left - 1
        return super().commit(changes)


def failed(store, left, call):
    """Return True if the call failed after so many of its transactions."""
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

    def executor(self, size, name):
        executor = super().executor(size, name)
        submit = executor.submit

        def scarce(*work):
            if not self.are_there:
                raise RuntimeError("can't start new thread")
            return submit(*work)

        executor.submit = scarce
        return executor
