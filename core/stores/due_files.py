"""When something is due in each match of a folder: the names of empty files, `TIME-KIND-ID`.

A claim renames such a file. Of processes that try it at the same time one succeeds.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock
from time import monotonic, time_ns

from .folders import make_folder
from .store import ID, Due

DIGITS = 15
"""The digits of a time in milliseconds: enough for thirty thousand years."""
SHARE = 50
"""How many times longer than a long search of the folder took the next one waits."""
LONG_S = 0.005
NEVER_MS = 1 << 62
SETTLED_NS = 50_000_000
"""Two changes of a folder within this time may have the same time stamp."""


class DueFiles:
    """The files of one folder, and what this process last found there."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[str, Due] = {}
        self._earliest: dict[bool, int] | None = None
        """The earliest of bots, and of others; None after a change of what is known."""
        self._stamp = -1
        self._search_after_s = 0.0
        self._lock = Lock()

    def set(self, match: str, due: Due) -> None:
        """Set when something is due in a match, under its lock, also if another process claims it just now."""
        with self._lock:
            self._move(match, self._known.get(match, Due(None)), due)

    def get(self, match: str) -> Due:
        """Return when something is due in a match, as far as this process knows."""
        with self._lock:
            return self._known.get(match, Due(None))

    def all_due(self, now_ms: int, *, is_bot: bool) -> Sequence[tuple[int, str]]:
        """Return when something was due in each match in which something is, the longest due first."""
        with self._lock:
            self._search()
            if self._earliest_of(is_bot) > now_ms:  # an idle host asks again and again
                return ()
            each_due = ((due.at_ms, match) for match, due in self._known.items() if due.is_bot == is_bot)
            return sorted((at_ms, match) for at_ms, match in each_due if at_ms is not None and at_ms <= now_ms)

    def postpone(self, match: str, old: Due, due: Due) -> bool:
        """Set another time in a match; return False if another caller has been first."""
        with self._lock:
            return self._rename(match, old, due)

    def earliest_due(self) -> int | None:
        """Return when something is next due in any match."""
        with self._lock:
            self._search()
            earliest = min(map(self._earliest_of, (False, True)))
            return None if earliest == NEVER_MS else earliest

    def _earliest_of(self, is_bot: bool) -> int:
        """Return when something is next due for bots or for others, `NEVER_MS` if nothing is."""
        if self._earliest is None:
            self._earliest = {False: NEVER_MS, True: NEVER_MS}
            for due in self._known.values():
                if due.at_ms is not None:
                    self._earliest[due.is_bot] = min(self._earliest[due.is_bot], due.at_ms)
        return self._earliest[is_bot]

    def _note(self, match: str, due: Due | None) -> None:
        """Note when something is due in a match; None: nothing is."""
        self._earliest = None
        if due is None:
            self._known.pop(match, None)
        else:
            self._known[match] = due

    def _move(self, match: str, old: Due, due: Due) -> None:
        """Bring the match's file from one name to another, whatever its name is by now."""
        if old.at_ms is not None and due.at_ms is not None and self._rename(match, old, due):
            return
        for name in os.listdir(self._folder):
            if _read(name)[0] == match:
                (self._folder / name).unlink(missing_ok=True)
        if due.at_ms is not None:
            (self._folder / _name(match, due)).touch()
        self._note(match, due if due.at_ms is not None else None)

    def _rename(self, match: str, old: Due, due: Due) -> bool:
        """Rename a file; return False if another process has been first."""
        try:
            (self._folder / _name(match, old)).rename(self._folder / _name(match, due))
        except FileNotFoundError:
            self._note(match, None)
            self._stamp = -1
            return False
        self._note(match, due)
        return True

    def _search(self) -> None:
        """Read the folder again if another process may have changed it."""
        stamp, now_s = self._folder.stat().st_mtime_ns, monotonic()
        if stamp == self._stamp or now_s < self._search_after_s:
            return
        self._known, self._earliest = dict(filter(None, map(_entry, os.listdir(self._folder)))), None
        took_s = monotonic() - now_s
        self._search_after_s = monotonic() + SHARE * took_s if took_s > LONG_S else 0.0
        self._stamp = stamp if time_ns() - stamp > SETTLED_NS else -1


def _name(match: str, due: Due) -> str:
    at_ms = min(max(due.at_ms or 0, 0), 10**DIGITS - 1)
    return f"{at_ms:0{DIGITS}}-{'bot' if due.is_bot else 'player'}-{match}"


def _read(name: str) -> tuple[str, Due]:
    """Return the match and the time of a file's name; an empty match if it is none of ours."""
    digits, _, rest = name.partition("-")
    kind, _, match = rest.partition("-")
    if len(digits) == DIGITS and digits.isdigit() and kind in ("bot", "player") and ID.fullmatch(match):
        return match, Due(int(digits), kind == "bot")
    return "", Due(None)


def _entry(name: str) -> tuple[str, Due] | None:
    match, due = _read(name)
    return (match, due) if match else None


def open_due_files(folder: Path, going: Callable[[], Iterable[str]]) -> DueFiles:
    """Return the due files of a folder; a store of an older version has none: there all that goes on is due at once."""
    if not folder.is_dir():
        draft = folder.with_name(f"{folder.name}.{os.getpid()}.draft")
        make_folder(draft)
        made = DueFiles(draft)
        for match in going():
            made.set(match, Due(0))
        with suppress(OSError):  # another process has been first
            draft.rename(folder)
        shutil.rmtree(draft, ignore_errors=True)
    return DueFiles(folder)
