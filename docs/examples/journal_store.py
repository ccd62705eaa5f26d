"""A store of one's own: dicts in memory, and a journal of all changes on disk, which any number of processes share."""

import os
from contextlib import contextmanager, suppress
from fcntl import LOCK_EX, LOCK_UN, flock  # of Unix
from threading import Event, RLock, Thread

from cattrs.preconf.msgpack import make_converter
from cattrs.strategies import configure_tagged_union
from kifu.core.errors import StoreError
from kifu.core.stores import Change, Due, MemoryStore, Schedule

CONVERTER = make_converter()
configure_tagged_union(Change, CONVERTER)


def in_memory(name):
    def call(self, *args):
        with self._current() as memory:
            return getattr(memory, name)(*args)

    return call


class JournalStore:
    read, list, earliest_due, subscribe = map(in_memory, ("read", "list", "earliest_due", "subscribe"))

    def __init__(self, file):
        self._file, self._end, self._memory = file.open("a+b"), 0, MemoryStore()
        self._lock, self._closed = RLock(), Event()
        Thread(target=self._watch, daemon=True).start()

    @contextmanager
    def _current(self):
        """Hold the journal, and yield what it has come to."""
        with self._lock:
            try:
                flock(self._file, LOCK_EX)
                self._catch_up()
                yield self._memory
            except (OSError, ValueError) as cause:  # closed, or full: what is in memory may not be on disk
                self.close()
                raise StoreError("journal", str(cause)) from cause
            finally:
                if not self._closed.is_set():
                    flock(self._file, LOCK_UN)

    def _catch_up(self):
        """Make the changes of other processes; what a crash has torn was never acknowledged."""
        new = os.pread(self._file.fileno(), os.fstat(self._file.fileno()).st_size - self._end, self._end)
        while len(new) >= (size := 4 + int.from_bytes(new[:4], "big")) > 4:
            self._memory.commit(CONVERTER.loads(new[4:size], list[Change]))
            self._end, new = self._end + size, new[size:]
        self._file.truncate(self._end)

    def _write(self, changes):
        packed = CONVERTER.dumps(changes, unstructure_as=list[Change])
        self._end += self._file.write(len(packed).to_bytes(4, "big") + packed)
        self._file.flush()
        os.fsync(self._file.fileno())

    def _watch(self):
        while not self._closed.wait(0.02):
            with suppress(StoreError), self._current():
                pass  # the callbacks of `subscribe` are called for what others have changed

    def commit(self, changes):
        try:
            with self._current() as memory:
                answers = memory.commit(changes)
                self._write([each for each, failure in zip(changes, answers, strict=True) if failure is None])
                return answers
        except StoreError as failure:
            return [failure] * len(changes)

    def claim(self, now_ms, until_ms, limit, *, is_bot):
        with self._current() as memory:
            claimed = memory.claim(now_ms, until_ms, limit, is_bot=is_bot)
            self._write([Schedule(each.match, each.count, Due(until_ms, is_bot)) for each in claimed])
            return claimed

    def probe(self):
        with self._current():
            self._write([])

    def close(self):
        with self._lock:
            self._closed.set()
            self._file.close()
            self._memory.close()
