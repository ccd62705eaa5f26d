"""The state of the stepper without its screen: the place, the viewer, the language, the search and the watches."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from ...core.game import TABLE, Seat
from ...core.log import Finding, Reading
from ...core.text.texts import Texts
from ..options import Lang
from .index import Index
from .presenter import StepPresenter
from .record import START, Record
from .watched_value import WatchedValue

PACKAGES = ("kifu.replay", "kifu.core.page")
"""The packages whose catalogues have the stepper's messages, besides the game's."""


class Navigation:
    """The place in a record, and how it is shown. `live`: the record may grow."""

    def __init__(self, reading: Reading, viewer: Seat | None, lang: str, *, live: bool = False) -> None:
        self.record = Record.of(reading, live=live)
        self.return_to: tuple[Record, int] | None = None
        """While a fork is shown: the log, and the place in it to return to."""
        self.viewer = viewer
        self.sealed = viewer != TABLE
        """True if the call (`--as`) allows only one viewer."""
        self.texts = Texts(lang, *PACKAGES)
        self.at = self.record.last if live else START
        self.live = live
        self.ended = reading.ended is not None
        self.search_text = ""
        """The searched text, case-folded."""
        self.watched: list[WatchedValue] = []
        self._indexes: dict[tuple[Record, Seat | None], Index] = {}
        self._found: tuple[object, list[int]] = (None, [])
        """The places that were found last, and what was searched where."""

    @property
    def presenter(self) -> StepPresenter:
        """The presenter for the present record, viewer and language."""
        return StepPresenter(self._index(self.record), self.texts, sealed=self.sealed)

    def _index(self, record: Record) -> Index:
        key = (record, self.viewer)
        if key not in self._indexes:
            origin = record.origin
            new = Index(record, self.viewer) if origin is None else self._index(origin).extended(record, record.shared)
            self._indexes[key] = new
        return self._indexes[key]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the seats."""
        return self.record.match.header.seats

    @property
    def viewers(self) -> list[Seat | None]:
        """The viewers that can be chosen; `TABLE` sees everything, None is a spectator."""
        return [self.viewer] if self.sealed else [TABLE, *map(Seat, range(len(self.names))), None]

    @property
    def log(self) -> Record:
        """The record of the log, also while a fork of it is shown."""
        return self.record if self.return_to is None else self.return_to[0]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings of the log."""
        return self.log.findings

    def go(self, at: int) -> None:
        """Go to a place, or as far towards it as there are any."""
        self.at = min(max(at, START), self.record.last)

    def next_places(self, forward: bool) -> range:
        """Return the places in a direction, the nearest first."""
        return range(self.at + 1, self.record.last + 1) if forward else range(self.at - 1, START - 1, -1)

    def format_message(self, key: str, **values: Any) -> str:
        """Format a message in which seats have their names."""
        return self.texts.find(key, None, self.names, **values) or key

    @property
    def viewer_label(self) -> int | str:
        """The viewer as a value for a message."""
        return "spectator" if self.viewer is None else self.viewer

    def viewer_name(self, viewer: Seat | None) -> str:
        """Format a viewer for a person."""
        return self.texts.format("page-all-open") if viewer == TABLE else self.texts.seat(viewer, self.names)

    def switch_language(self) -> None:
        """Switch to the next language."""
        langs = [lang.value for lang in Lang]
        self.texts = Texts(langs[(langs.index(self.texts.lang) + 1) % len(langs)], *PACKAGES)

    def fork(self, at: int, seat: Seat, command: Any) -> None:
        """Fork the record at a place with another command, and go there."""
        at = min(at, self.record.count - 1)
        self.return_to = self.return_to or (self.record, at)
        self.record = self.record.fork(at, seat, command)
        self.go(at + 1)

    def leave(self) -> bool:
        """Return from a fork to the log, where it was left; returns True if there was a fork."""
        if self.return_to is None:
            return False
        self.record, self.at = self.return_to
        self.return_to = None
        self._indexes = {key: index for key, index in self._indexes.items() if key[0] is self.record}
        return True

    def search_test(self) -> Callable[[int], bool]:
        """Return a function that returns True for a place that contains the searched text."""
        presenter, text = self.presenter, self.search_text
        return lambda at: presenter.contains(at, text)

    async def found_places(self, at_once: int) -> list[int]:
        """Return all places with the searched text; other tasks run after every `at_once` of those looked at."""
        key = (self.record, self.viewer, self.texts.lang, self.search_text)
        if self._found[0] != key:
            wanted, places = self.search_test(), []
            for at in range(self.record.last + 1):
                if wanted(at):
                    places.append(at)
                if at % at_once == 0:
                    await asyncio.sleep(0)
            self._found = (key, places)
        return self._found[1]

    def changes(self) -> Callable[[int], bool]:
        """Return a function that returns True for a step that changes a watched value."""
        presenter, watched = self.presenter, tuple(self.watched)
        return lambda at: any(each.changes(presenter, at) for each in watched)

    def extend(self, reading: Reading) -> None:
        """Replace the log by a newer reading of it; at the end of the log, move on to its new end."""
        old, new = self.log, Record.of(reading, live=True)
        self.ended = reading.ended is not None
        shared = old.count if new.match.events[: old.count] == old.match.events else 0
        for record, viewer in [key for key in self._indexes if key[0] is old]:
            self._indexes[new, viewer] = self._indexes.pop((record, viewer)).extended(new, shared)
        if self.return_to is not None:
            self.return_to = (new, self.return_to[1])
            return
        at_end = self.at >= old.last
        self.record = new
        self.go(new.last if at_end else self.at)
