"""Runs of matches, between bots or at random: their seating, and playing them."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

from attrs import frozen

from ...core.errors import BotError
from ...core.game import AnyGame, Seat
from ...core.match import AnyMatch, Match, registry
from ...core.match.bot import Bot, BotFactory, InformationState, Player, random_bot
from ...core.match.header import SEED_BYTES, Header
from .random_matches import MAX_EVENTS, header_of, match_seed, play_out, seat_names


@frozen
class Tournament:
    """A run of matches between bots, or without any at random: everything that determines its logs."""

    game: str
    seats: int
    options: dict[str, Any]
    bots: tuple[str, ...]
    seed: bytes
    duplicate: bool = False
    """True: each deal is played once for each rotation of the bots."""

    def seating(self, index: int) -> tuple[str, ...]:
        """Return the bot of each seat: the list of bots, repeated, and shifted by one seat with every match."""
        if not self.bots:
            return ()
        bots = [self.bots[seat % len(self.bots)] for seat in range(self.seats)]
        return tuple(bots[(seat - index) % self.seats] for seat in range(self.seats))

    def header(self, index: int) -> Header:
        """Return the header of match `index`; raises `OptionError` for a bad option."""
        game, named = registry.find(self.game), match_seed(self.seed, index)
        seed = match_seed(self.seed, index // self.seats) if self.duplicate else named
        names, bots = seat_names(self.seats), self.seating(index)
        seats = tuple(f"{name} ({bot})" for name, bot in zip(names, bots, strict=True)) if bots else names
        return header_of(game, seats, self.options, seed, named)

    def play(self, index: int, counts: list[Any] | None = None) -> AnyMatch:
        """Play match `index` to its end, or abandon it after `MAX_EVENTS`.

        `counts` gets for each seat what its bot counts (`TextCounts`), None for a bot that counts nothing.
        """
        header = self.header(index)
        match: AnyMatch = Match(registry.find(self.game), header)
        if not self.bots:
            play_out(match, header.seed or bytes(SEED_BYTES))
            return match
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

    def _player(self, match: AnyMatch, seat: int, name: str, counts: list[Any] | None) -> Player[Any, Any, Any]:
        seed = match.header.seed or bytes(SEED_BYTES)
        bot = _make_bot(registry.find_bot(name), _derived_seed(seed, b"bot", seat))
        if counts is not None:
            counts.append(getattr(bot, "counts", None))
        return Player(match, seat, bot, name, random_bot(_derived_seed(seed, b"stand-in", seat)))


def _derived_seed(seed: bytes, purpose: bytes, seat: int) -> bytes:
    """Return a seed for one seat's choices, which reveals nothing about the deals."""
    return blake2b(b"kifu " + purpose + seat.to_bytes(2, "big"), digest_size=SEED_BYTES, key=seed).digest()


def _make_bot(make: BotFactory, seed: bytes) -> Bot:
    """Start a bot with a seed; one that cannot be started is replaced by one that fails at every turn."""
    try:
        return make(seed)
    except BotError:

        def fail(info_state: InformationState[Any, Any]) -> Any:  # noqa: ARG001 (the signature of a bot)
            raise BotError("cannot be made of its seed")

        return fail


def _next_seat(match: AnyMatch) -> int | None:
    """Return the first seat that can act, or None; the order of simultaneous commands does not matter."""
    game: AnyGame = match.game
    able = (seat for seat in sorted(match.to_act) if next(iter(game.legal(match.state, seat)), None) is not None)
    return next(able, None)
