"""Matches as rows of two tables: a row for each event, and a row for each match (`docs/data.md`)."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from operator import attrgetter
from typing import Any

from attrs import frozen

from ...core.errors import KifuError
from ...core.game import TABLE, AnyGame, Event
from ...core.match import AnyMatch, plain_result
from ...core.match.fold import call_game
from ...core.wire import plain, wire_of
from ..logs.locations import Location, SentFile, SkippedLog, match_of
from .findings import rules_of

EVENT_COLUMNS = {
    "match": "text",
    "game": "text",
    "options": "json",
    "seq": "int",
    "seat": "int",
    "actor": "text",
    "at_ms": "int",
    "tag": "text",
    "fields": "json",
    "rules": "texts",
    "points": "ints",
}
"""The columns of the table of events, and the kind of each."""

MATCH_COLUMNS = {
    "match": "text",
    "log": "text",
    "game": "text",
    "rules": "int",
    "options": "json",
    "seats": "int",
    "names": "texts",
    "started_ms": "int",
    "engine": "text",
    "events": "int",
    "end": "text",
    "points": "ints",
    "winners": "ints",
}
"""The columns of the table of matches, and the kind of each."""

Row = tuple[Any, ...]
"""A value for each column: text, int, JSON-like data, or a list of texts or ints; None where there is none."""


@frozen
class MatchRows:
    """One log: the rows of its events, encoded."""

    events: bytes
    count: int
    """The number of events."""
    match: bytes
    """The row of the match, encoded."""


@frozen
class RowsOf:
    """The work of the pool: turn one log into rows, which a function encodes."""

    encode: Callable[[dict[str, str], list[Row]], bytes]

    def __call__(self, where: Location | SentFile) -> MatchRows | SkippedLog:
        """Return the rows of a log, or why it is left out: it has a finding or cannot be read."""
        log = str(where)
        with _without_collector():
            try:
                match = match_of(where)
                if isinstance(match, SkippedLog):
                    return match
                rows = list(event_rows(match))
                row = self.encode(MATCH_COLUMNS, [match_row(log, match)])
                return MatchRows(self.encode(EVENT_COLUMNS, rows), len(rows), row)
            except KifuError as cause:
                return SkippedLog(log, cause.summary)


@contextmanager
def _without_collector() -> Iterator[None]:
    """Pause the collector of circles while one log is worked on: states have none, and would cost half the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def event_rows(match: AnyMatch) -> Iterator[Row]:
    """Yield the row of each event, by `EVENT_COLUMNS`."""
    header, encode = match.header, wire_of(match.game).encode
    options = plain(wire_of(match.game).plain_options(header.options))
    for step in match.steps:
        tag, fields = encode(step.command)
        notes = call_game(match.game, attrgetter("notes"), step)
        yield (
            header.match,
            header.game,
            options,
            step.seq,
            step.seat,
            _actor(step.event, header.seats),
            None if step.event.meta is None else step.event.meta.at,
            tag,
            plain(fields),
            rules_of(notes),
            call_game(match.game, _scores, match.game, step.after),
        )


def match_row(log: str, match: AnyMatch) -> Row:
    """Return the row of a match, by `MATCH_COLUMNS`."""
    header = match.header
    return (
        header.match,
        os.fsencode(log).decode(errors="replace"),  # a name of a file may be no text
        header.game,
        header.rules,
        plain(wire_of(match.game).plain_options(header.options)),
        len(header.seats),
        list(header.seats),
        header.started,
        header.engine,
        len(match.events),
        match.end or "going on",
        *plain_result(match.result).values(),
    )


def _actor(event: Event[Any], names: tuple[str, ...]) -> str | None:
    """Return who acted: the actor that the event names, else the seat's name; None for the table."""
    if event.meta is not None and event.meta.by is not None:
        return event.meta.by
    return None if event.seat == TABLE else names[event.seat]


def _scores(game: AnyGame, state: Any) -> list[int | None]:
    """Return the score of each seat in a state, as the table shows it; None for a seat without one."""
    if game.scores is not None:
        return list(game.scores(state))
    return [place.score for place in game.scene(game.view(state, TABLE)).places]
