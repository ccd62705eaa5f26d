"""One person's walk through a record: the place, the eyes, the language, what is searched and watched. No screen."""

from __future__ import annotations

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

ROOMS = ("kifu.replay", "kifu.core.page")
"""Whose catalogues have the stepper's words beside the game's."""


class Navigation:
    """Where a person is, and how they look at it. With `live` the record is expected to grow."""

    def __init__(self, reading: Reading, viewer: Seat | None, lang: str, *, live: bool = False) -> None:
        self.record = Record.of(reading, live=live)
        self.left: tuple[Record, int] | None = None
        """While a fork is shown, the log and the place in it to come back to."""
        self.viewer = viewer
        self.sealed = viewer != TABLE
        """Whether only one pair of eyes is allowed."""
        self.texts = Texts(lang, *ROOMS)
        self.at = self.record.last if live else START
        self.live = live
        self.ended = reading.ended is not None
        self.words = ""
        """What is searched, in small letters."""
        self.watched: list[WatchedValue] = []
        self._indexes: dict[tuple[Record, Seat | None], Index] = {}

    @property
    def told(self) -> StepPresenter:
        """What these eyes are told of the record, in this language."""
        return StepPresenter(self._index(self.record), self.texts, sealed=self.sealed)

    def _index(self, record: Record) -> Index:
        key = (record, self.viewer)
        if key not in self._indexes:
            origin = record.origin
            new = Index(record, self.viewer) if origin is None else self._index(origin).gone_on(record, record.shared)
            self._indexes[key] = new
        return self._indexes[key]

    @property
    def names(self) -> tuple[str, ...]:
        return self.record.match.header.seats

    @property
    def viewers(self) -> list[Seat | None]:
        """Whose eyes one may look through."""
        return [self.viewer] if self.sealed else [TABLE, *map(Seat, range(len(self.names))), None]

    @property
    def log(self) -> Record:
        """The record of the log, also while a fork of it is shown."""
        return self.record if self.left is None else self.left[0]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is wrong with the log."""
        return self.log.findings

    def go(self, at: int) -> None:
        """Go to a place, or as far towards it as there are any."""
        self.at = min(max(at, START), self.record.last)

    def next_places(self, forward: bool) -> range:
        """List the places that lie ahead, the nearest first."""
        return range(self.at + 1, self.record.last + 1) if forward else range(self.at - 1, START - 1, -1)

    def says(self, key: str, **values: Any) -> str:
        """Say a message in which seats have their names."""
        return self.texts.find(key, None, self.names, **values) or key

    @property
    def viewer_label(self) -> int | str:
        """The viewer as a message takes it."""
        return "spectator" if self.viewer is None else self.viewer

    def call(self, viewer: Seat | None) -> str:
        """Name a pair of eyes."""
        return self.texts.format("page-all-open") if viewer == TABLE else self.texts.seat(viewer, self.names)

    def switch_language(self) -> None:
        langs = [lang.value for lang in Lang]
        self.texts = Texts(langs[(langs.index(self.texts.lang) + 1) % len(langs)], *ROOMS)

    def fork(self, at: int, seat: Seat, command: Any) -> None:
        """Go on from a place with another command, in a fork."""
        at = min(at, self.record.count - 1)
        self.left = self.left or (self.record, at)
        self.record = self.record.fork(at, seat, command)
        self.go(at + 1)

    def leave(self) -> bool:
        """Go back from a fork to where the log was left; tell whether there was one."""
        if self.left is None:
            return False
        self.record, self.at = self.left
        self.left = None
        self._indexes = {key: index for key, index in self._indexes.items() if key[0] is self.record}
        return True

    def speaks(self) -> Callable[[int], bool]:
        """Give what tells of a place whether the words searched stand in it."""
        told, words = self.told, self.words
        return lambda at: told.speaks_of(at, words)

    def changes(self) -> Callable[[int], bool]:
        """Give what tells of a place whether a watched value changes there."""
        told, watched = self.told, tuple(self.watched)
        return lambda at: any(each.changes(told, at) for each in watched)

    def extend(self, reading: Reading) -> None:
        """Take the log as it was read again; who stands at its end stays there."""
        old, new = self.log, Record.of(reading, live=True)
        self.ended = reading.ended is not None
        shared = old.count if new.match.events[: old.count] == old.match.events else 0
        for record, viewer in [key for key in self._indexes if key[0] is old]:
            self._indexes[new, viewer] = self._indexes.pop((record, viewer)).gone_on(new, shared)
        if self.left is not None:
            self.left = (new, self.left[1])
            return
        at_end = self.at >= old.last
        self.record = new
        self.go(new.last if at_end else self.at)
