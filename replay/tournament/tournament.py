"""Tournaments of bots: their seating, playing their matches, and resuming a stopped run."""

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
from ...core.errors import BotError
from ...core.game import AnyGame, Result, Seat
from ...core.log import log_bytes, read_bytes
from ...core.log.format import header_bytes
from ...core.match import AnyMatch, Match, registry
from ...core.match.bot import Bot, BotFactory, InformationState, Player, is_by_stand_in, random_bot
from ...core.match.header import SEED_BYTES, Header, new_header
from ..call_errors import CallError
from ..logs.locations import Location, SentFile, read_if_exists, write_file
from .random_matches import MAX_EVENTS, NAMES, match_seed
from .ratings import deal_of
from .schedule import table_of, tables_until_all_meet
from .time_limit import with_time_limit

RECORD = "simulate.json"
"""The file beside the logs that describes their run."""

TEXTS = ".texts.json"
"""The end of the name of the file beside a log with what its players of texts have read and written."""
_COUNTED = ("refused", "read", "written")

START_TIMEOUT_S = 60.0
"""Seconds that a bot may take to start, even if its time limit is shorter: it may have much to load."""


@frozen
class Tournament:
    """A run of matches between bots: everything that determines its logs, and the time limit of a command."""

    game: str
    seats: int
    options: dict[str, Any]
    bots: tuple[str, ...]
    seed: bytes
    bot_timeout_s: float
    duplicate: bool = False
    """True: each deal is played once for each rotation of the bots."""

    def seating(self, index: int) -> tuple[str, ...]:
        """Return the bot of each seat: the list of bots, repeated, and shifted by one seat with every match.

        Of more bots than seats, some sit at a table (`table_of`), for as many matches as there are seats.
        """
        if len(self.bots) > self.seats:
            bots = [self.bots[bot] for bot in table_of(len(self.bots), self.seats, index // self.seats)]
        else:
            bots = [self.bots[seat % len(self.bots)] for seat in range(self.seats)]
        return tuple(bots[(seat - index) % self.seats] for seat in range(self.seats))

    @property
    def games_until_all_meet(self) -> int:
        """The matches after which every two bots have met, from every seat of their tables."""
        return tables_until_all_meet(len(self.bots), self.seats) * self.seats if len(self.bots) > self.seats else 1

    def header(self, index: int) -> Header:
        """Return the header of match `index`; raises `OptionError` for a bad option."""
        game, named = registry.find(self.game), match_seed(self.seed, index)
        seed = match_seed(self.seed, index // self.seats) if self.duplicate else named
        names = tuple(f"{_player_name(seat)} ({bot})" for seat, bot in enumerate(self.seating(index)))
        engine = f"kifu {__version__}"
        return new_header(game, names, self.options, seed, match=named.hex()[:16], started=None, engine=engine)

    def play(self, index: int, counts: list[Any] | None = None) -> AnyMatch:
        """Play match `index` to its end, or abandon it after `MAX_EVENTS`.

        `counts` gets for each seat what its bot counts (`TextCounts`), None for a bot that counts nothing.
        """
        header = self.header(index)
        match: AnyMatch = Match(registry.find(self.game), header)
        players = [self._player(match, Seat(seat), bot, counts) for seat, bot in enumerate(self.seating(index))]
        match.deal()
        while len(match.events) < MAX_EVENTS:
            seat = _next_seat(match)
            if seat is None:
                break
            players[seat].act()
            match.deal()
        match.abandon()
        return match

    def _player(self, match: AnyMatch, seat: Seat, name: str, counts: list[Any] | None) -> Player[Any, Any, Any]:
        seed = match.header.seed or bytes(SEED_BYTES)
        made = _make_bot(registry.find_bot(name), _derived_seed(seed, b"bot", seat), self.bot_timeout_s)
        if counts is not None:
            counts.append(getattr(made, "counts", None))
        bot = with_time_limit(made, self.bot_timeout_s)
        return Player(match, seat, bot, name, random_bot(_derived_seed(seed, b"stand-in", seat)))


def _player_name(seat: int) -> str:
    return NAMES[seat] if seat < len(NAMES) else f"Seat {seat}"


def _derived_seed(seed: bytes, purpose: bytes, seat: int) -> bytes:
    """Return a seed for one seat's choices, which reveals nothing about the deals."""
    return blake2b(b"kifu " + purpose + seat.to_bytes(2, "big"), digest_size=SEED_BYTES, key=seed).digest()


def _make_bot(make: BotFactory, seed: bytes, limit: float) -> Bot:
    """Start a bot with a seed; one that cannot be started is replaced by one that fails at every turn."""
    try:
        return with_time_limit(make, max(limit, START_TIMEOUT_S))(seed)
    except BotError:

        def fail(info_state: InformationState[Any, Any]) -> Any:  # noqa: ARG001 (the signature of a bot)
            raise BotError("cannot be made of its seed")

        return fail


def _next_seat(match: AnyMatch) -> Seat | None:
    """Return the first seat that can act, or None; the order of simultaneous commands does not matter."""
    game: AnyGame = match.game
    able = (seat for seat in sorted(match.to_act) if next(iter(game.legal(match.state, seat)), None) is not None)
    return next(able, None)


@frozen
class PlayedMatch:
    """One match of a tournament, and its result."""

    index: int
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
    """For each seat what its player has read and written (`TextCounts`), None for other bots; empty if not known."""
    content: bytes = b""
    """The log if it is still to be written, because it was played on another machine."""


@frozen
class MatchFiles(Sequence[tuple[int, Location]]):
    """The matches of a run: the index of each, and the location of its log."""

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
    """The work of the pool: play a match and write its log, unless the whole log exists."""

    tournament: Tournament

    def __call__(self, numbered: tuple[int, Location | SentFile]) -> PlayedMatch:
        """Play the match of an index, or read its log from the location if it is complete."""
        index, where = numbered
        match, content, counts = self._existing(where, index), b"", list[Any]()
        if match is None:
            match = self._play(index, counts)
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
            deal=deal_of(match.header),
            stand_in_moves=tuple(failed.count(Seat(seat)) for seat in range(self.tournament.seats)),
            texts=tuple(None if each is None else attrs.asdict(each) for each in counts),
            content=content,
        )

    def _play(self, index: int, counts: list[Any]) -> AnyMatch:
        """Play match `index`; what a bot prints goes to standard error.

        On a thread, as in a worker of a cluster, nothing is redirected: all threads share one standard output.
        """
        if current_thread() is not main_thread():
            return self.tournament.play(index, counts)
        with redirect_stdout(sys.stderr):
            return self.tournament.play(index, counts)

    def _existing(self, where: Location | SentFile, index: int) -> AnyMatch | None:
        """Return the match of a log that exists and is complete, else None; raises `CallError` for another log."""
        content = read_if_exists(where)
        if content is None:
            return None
        reading, header = read_bytes(content), self.tournament.header(index)
        if reading.header is None and header_bytes(header, registry.find(header.game)).startswith(content):
            return None  # not even the header was written
        if reading.header is None or attrs.evolve(reading.header, engine=header.engine) != header:
            raise CallError(
                "other-log-there",
                "{file}: it exists already and is no log of this run; give another folder or another seed",
                file=where,
            )
        return reading.match if reading.ok and reading.ended is not None else None


def with_texts(played: PlayedMatch, folder: Location) -> PlayedMatch:
    """Keep what the players of texts have counted beside the log, or read what an earlier run has kept."""
    kept = folder / f"{played.match}{TEXTS}"
    if any(played.texts):
        write_file(kept, (json.dumps(played.texts) + "\n").encode())
        return played
    try:
        counts = json.loads(read_if_exists(kept) or b"[]")
        whole = [None if each is None else {name: int(each[name]) for name in _COUNTED} for each in counts]
    except (ValueError, TypeError, KeyError, RecursionError):
        return played
    return attrs.evolve(played, texts=tuple(whole) if len(whole) == len(played.bots) else ())


def start_or_resume(tournament: Tournament, folder: Location, seed: bytes | None) -> Tournament:
    """Record a run in its folder, or resume the recorded one; returns the tournament to play.

    Without `seed`, the seed of a recorded run is used. Raises `CallError` if the folder has a different run.
    """
    record = folder / RECORD
    content = read_if_exists(record)
    if content is None:
        write_file(record, (json.dumps(_facts(tournament), indent=1) + "\n").encode())
        return tournament
    try:
        earlier = json.loads(content)
        resumed = attrs.evolve(tournament, seed=bytes.fromhex(earlier["seed"]) if seed is None else seed)
        if len(resumed.seed) != SEED_BYTES:
            raise ValueError(resumed.seed)
    except (ValueError, TypeError, KeyError, RecursionError):
        raise CallError("no-record", "{file}: this is no record of a run; give another folder", file=record) from None
    for name, value in _facts(resumed).items():
        if earlier.get(name) != value:
            recorded = json.dumps(earlier.get(name))
            raise CallError(
                "other-run",
                "{file}: the run in this folder has {name} {value}; give another folder",
                file=record,
                name=name,
                value=f"{recorded:.200}",
            )
    return resumed


def _facts(tournament: Tournament) -> dict[str, Any]:
    facts = attrs.asdict(tournament, filter=lambda field, value: field.name != "bot_timeout_s" and value is not False)
    return {**facts, "bots": list(tournament.bots), "seed": tournament.seed.hex()}
