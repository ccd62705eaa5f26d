"""Playing the matches of a run, in whatever process, and writing their logs."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from typing import Any

import attrs
from attrs import frozen

from ...core.game import Result, Seat
from ...core.log import log_bytes
from ...core.match import plain_result
from ...core.match.bot import is_by_stand_in
from ..call_errors import CallError
from ..logs.locations import Place, read_if_exists, write_file
from .ratings import deal_of
from .tournament import Tournament


@frozen
class PlayedMatch:
    """One match of a run, and its result."""

    log: str
    match: str
    bots: tuple[str, ...]
    events: int
    result: Result | None
    deal: str
    """The same for all matches of a deal (`deal_of`)."""
    stand_in_moves: tuple[int, ...]
    """For each seat, how many moves a stand-in made because the bot failed."""
    texts: tuple[dict[str, int] | None, ...] = ()
    """For each seat what its player has read and written (`TextCounts`), None for other bots."""

    def data(self) -> dict[str, Any]:
        """Return the match as plain data."""
        return {
            "log": self.log,
            "match": self.match,
            **({"bots": list(self.bots)} if self.bots else {}),
            "events": self.events,
            "finished": self.result is not None,
            **plain_result(self.result),
            **({"stood_in": list(self.stand_in_moves)} if self.bots else {}),
        }


@frozen
class PlayMatch:
    """The work of the pool: play a match by its index, and write its log."""

    run: Tournament
    folder: Place

    def __call__(self, index: int) -> PlayedMatch:
        """Play the match, and write its log; raises `CallError` if that exists: none is ever written over.

        What a bot prints goes to standard error. The log is not forced to the disk, which takes as long as a random
        match: its seed makes it again.
        """
        header, counts = self.run.header(index), list[Any]()
        where = self.folder / f"{header.match}.log"
        if read_if_exists(where) is not None:
            english = "{file}: it exists already; give another folder or another seed"
            raise CallError("log-there", english, file=where)
        with redirect_stdout(sys.stderr):
            match = self.run.play(index, counts)
        write_file(where, log_bytes(match), durable=False)
        failed = [event.seat for event in match.events if is_by_stand_in(event)]
        return PlayedMatch(
            log=str(where),
            match=header.match,
            bots=self.run.seating(index),
            events=len(match.events),
            result=match.result,
            deal=deal_of(header),
            stand_in_moves=tuple(failed.count(Seat(seat)) for seat in range(len(header.seats))),
            texts=tuple(None if each is None else attrs.asdict(each) for each in counts),
        )
