"""A store in memory whose matches are kept elsewhere too, each as one value: by a browser, in its IndexedDB."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import attrs
import msgpack

from ...core.errors import KifuError, NoMatch
from ...core.stores import MemoryStore
from ...core.stores.store import Append, Change, Create, Due, MetadataRow, commit_one

VERSION = 1
"""Of the form of a value."""


class KeptStore(MemoryStore):
    """A `MemoryStore` that begins with what was kept, and says what is to be kept after each commit."""

    def __init__(self, kept: Mapping[str, bytes] | None = None) -> None:
        """Begin with these matches, by id; those that cannot be read are left as they are."""
        super().__init__()
        self._unkept: dict[str, None] = {}
        self.unreadable = [match for match, value in (kept or {}).items() if not self._restore(match, value)]
        self._unkept.clear()

    def commit(self, changes: Sequence[Change]) -> Sequence[KifuError | None]:
        """Make changes; return what became of each."""
        answers = super().commit(changes)
        made = (change.match for change, answer in zip(changes, answers, strict=True) if answer is None)
        self._unkept.update(dict.fromkeys(made))
        return answers

    def take_unkept(self) -> dict[str, bytes | None]:
        """Return each match that has changed since this was last asked for, as one value; None if it was deleted."""
        taken, self._unkept = self._unkept, {}
        return {match: self._value(match) for match in taken}

    def give_back(self, matches: Iterable[str]) -> None:
        """Take these for changed: they were not kept."""
        self._unkept.update(dict.fromkeys(matches))

    def _value(self, match: str) -> bytes | None:
        try:
            stored = self.read(match)
        except NoMatch:
            return None
        with self._lock:
            due = self._logs[match].due
        row = list(attrs.astuple(stored.row))
        packed = [VERSION, row, stored.header, list(stored.events), stored.end, due.at_ms, due.is_bot]
        value: bytes = msgpack.packb(packed)
        return value

    def _restore(self, match: str, value: bytes) -> bool:
        """Take a match as it was kept; return whether it can be read."""
        try:
            version, row, header, events, end, at_ms, is_bot = msgpack.unpackb(value)
            made = Create(match, header, MetadataRow(*row)), Append(match, 0, events, end=end, due=Due(at_ms, is_bot))
        except Exception:  # msgpack raises many kinds
            return False
        if version != VERSION:
            return False
        for change in made:
            commit_one(self, change)
        return True
