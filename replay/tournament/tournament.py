"""Matches between bots: who sits where, how each is played, and what of it is there already."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from hashlib import blake2b
from threading import current_thread, main_thread
from typing import Any, overload

import attrs
from attrs import frozen

from ... import __version__
from ...core import registry
from ...core.bot import Bot, BotFactory, InformationState, Player, is_by_stand_in, random_bot
from ...core.errors import BotError
from ...core.game import Game, Result, Seat
from ...core.header import SEED_BYTES, Header, new_header
from ...core.log import log_bytes, read_bytes
from ...core.log.format import header_bytes
from ...core.match import Match
from ..call_errors import CallError
from ..logs.locations import Location, SentFile, read_if_exists, write_file
from .random_matches import MAX_EVENTS, NAMES, match_seed
from .time_limit import with_time_limit

RECORD = "simulate.json"
"""The file beside the logs that says which run they are of."""

TO_BE_MADE = 60.0
"""Seconds that a bot may take at least to be made: it may have much to load."""

AnyMatch = Match[Any, Any, Any]


@frozen
class Tournament:
    """A run of matches between bots: all that its logs follow from, but for `limit`, the seconds for a command."""

    game: str
    seats: int
    options: dict[str, Any]
    bots: tuple[str, ...]
    seed: bytes
    bot_timeout_s: float
    duplicate: bool = False
    """Whether the same deals are played once for each rotation of the bots."""

    def seating(self, index: int) -> tuple[str, ...]:
        """Name the bot at each seat: the list, again and again, one seat further on with every match."""
        bots = [self.bots[seat % len(self.bots)] for seat in range(self.seats)]
        return tuple(bots[(seat - index) % self.seats] for seat in range(self.seats))

    def header(self, index: int) -> Header:
        game, named = registry.find(self.game), match_seed(self.seed, index)
        seed = match_seed(self.seed, index // self.seats) if self.duplicate else named
        names = tuple(f"{_person(seat)} ({bot})" for seat, bot in enumerate(self.seating(index)))
        engine = f"kifu {__version__}"
        return new_header(game, names, self.options, seed, match=named.hex()[:16], started=None, engine=engine)

    def play(self, index: int) -> AnyMatch:
        """Play match `index` to its end, or abandon it after `MOST_EVENTS`."""
        header = self.header(index)
        match: AnyMatch = Match(registry.find(self.game), header)
        players = [self._player(match, Seat(seat), bot) for seat, bot in enumerate(self.seating(index))]
        match.deal()
        while len(match.events) < MAX_EVENTS:
            seat = _next(match)
            if seat is None:
                break
            players[seat].act()
            match.deal()
        match.abandon()
        return match

    def _player(self, match: AnyMatch, seat: Seat, name: str) -> Player[Any, Any, Any]:
        seed = match.header.seed or bytes(SEED_BYTES)
        bot = with_time_limit(
            _made(registry.find_bot(name), _derived(seed, b"bot", seat), self.bot_timeout_s), self.bot_timeout_s
        )
        return Player(match, seat, bot, name, random_bot(_derived(seed, b"stand-in", seat)))


def _person(seat: int) -> str:
    return NAMES[seat] if seat < len(NAMES) else f"Seat {seat}"


def _derived(seed: bytes, purpose: bytes, seat: int) -> bytes:
    """Derive a seed for one seat's choices, which tells nothing of the deals."""
    return blake2b(b"kifu " + purpose + seat.to_bytes(2, "big"), digest_size=SEED_BYTES, key=seed).digest()


def _made(make: BotFactory, seed: bytes, limit: float) -> Bot:
    """Make a bot; one that cannot be made of this seed fails whenever it is asked, as any other that fails."""
    try:
        return with_time_limit(make, max(limit, TO_BE_MADE))(seed)
    except BotError:

        def unmade(info_state: InformationState[Any, Any]) -> Any:  # noqa: ARG001 (what a bot is)
            raise BotError("cannot be made of its seed")

        return unmade


def _next(match: AnyMatch) -> Seat | None:
    """Name the first seat that can act; of those that act at the same time the order does not matter."""
    game: Game[Any, Any, Any] = match.game
    able = (seat for seat in sorted(match.to_act) if next(iter(game.legal(match.state, seat)), None) is not None)
    return next(able, None)


@frozen
class PlayedMatch:
    """One match of a contest, and what came of it."""

    index: int
    log: str
    match: str
    bots: tuple[str, ...]
    events: int
    result: Result | None
    stand_in_moves: tuple[int, ...]
    """For each seat, how often its bot failed and was stood in for."""
    content: bytes = b""
    """The log, where it is still to be written: it was played on another machine than the one it is for."""


@frozen
class MatchFiles(Sequence[tuple[int, Location]]):
    """The matches of a run: the number of each, and where its log lies."""

    tournament: Tournament
    folder: Location
    games: int

    def __len__(self) -> int:
        return self.games

    @overload
    def __getitem__(self, at: int) -> tuple[int, Location]: ...
    @overload
    def __getitem__(self, at: slice) -> list[tuple[int, Location]]: ...
    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            return [self[index] for index in range(self.games)[at]]
        index = range(self.games)[at]
        return index, self.folder / f"{self.tournament.header(index).match}.log"


@frozen
class PlayMatch:
    """The work: see that the log of each match is there, whole."""

    tournament: Tournament

    def __call__(self, board: tuple[int, Location | SentFile]) -> PlayedMatch:
        index, where = board
        match, content = self._there(where, index), b""
        if match is None:
            match = self._played(index)
            content = log_bytes(match)
            if not isinstance(where, SentFile):
                write_file(where, content)
                content = b""
        failed = [event.seat for event in match.events if is_by_stand_in(event)]
        return PlayedMatch(
            index=index,
            log=str(where),
            match=match.header.match,
            bots=self.tournament.seating(index),
            events=len(match.events),
            result=match.result,
            stand_in_moves=tuple(failed.count(Seat(seat)) for seat in range(self.tournament.seats)),
            content=content,
        )

    def _played(self, index: int) -> AnyMatch:
        """Play it; what a bot prints goes to standard error, for standard output is ours.

        That of a worker of a cluster is its own, and its threads have but one.
        """
        if current_thread() is not main_thread():
            return self.tournament.play(index)
        with redirect_stdout(sys.stderr):
            return self.tournament.play(index)

    def _there(self, where: Location | SentFile, index: int) -> AnyMatch | None:
        """Give the match whose log is there and whole; None if it is not there or only begun."""
        content = read_if_exists(where)
        if content is None:
            return None
        reading, header = read_bytes(content), self.tournament.header(index)
        if reading.header is None and header_bytes(header, registry.find(header.game)).startswith(content):
            return None  # not even the header was written
        if reading.header is None or attrs.evolve(reading.header, engine=header.engine) != header:
            raise CallError(
                "other-log-there",
                "{file}: is there already, and is no log of this run; give another folder or another seed",
                file=where,
            )
        return reading.match if reading.ok and reading.ended is not None else None


def start_or_resume(tournament: Tournament, folder: Location, seed: bytes | None) -> Tournament:
    """Write down which run the folder is for; or go on with the one that is written there, if it is the same.

    Without `seed` it goes on with the seed of that run.
    """
    record = folder / RECORD
    content = read_if_exists(record)
    if content is None:
        write_file(record, (json.dumps(_facts(tournament), indent=1) + "\n").encode())
        return tournament
    try:
        earlier = json.loads(content)
        going_on = attrs.evolve(tournament, seed=bytes.fromhex(earlier["seed"]) if seed is None else seed)
        if len(going_on.seed) != SEED_BYTES:
            raise ValueError(going_on.seed)
    except (ValueError, TypeError, KeyError, RecursionError):
        raise CallError("no-record", "{file}: is no record of a run; give another folder", file=record) from None
    for name, value in _facts(going_on).items():
        if earlier.get(name) != value:
            said = json.dumps(earlier.get(name))
            raise CallError(
                "other-run",
                "{file}: the run in this folder has {name} {value}; give another folder",
                file=record,
                name=name,
                value=f"{said:.200}",
            )
    return going_on


def _facts(tournament: Tournament) -> dict[str, Any]:
    facts = attrs.asdict(tournament, filter=lambda field, value: field.name != "bot_timeout_s" and value is not False)
    return {**facts, "bots": list(tournament.bots), "seed": tournament.seed.hex()}
