"""Random legal play for tests, reproducible by numbers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import islice
from math import ceil
from typing import Any, TypeVar

from ..game import Game, RuleViolation, Shuffler
from ..match import Match
from ..match.header import new_header
from ..match.random_play import choose
from ..wire import wire_of

T = TypeVar("T")

DIRECTED_EVENTS = 120
"""Directed play stops after this many events."""
LOOKED_AT, TRIED = 24, 8
"""So many legal commands are counted, and so many of them tried, at a step of directed play."""
MAX_EVENTS = 2000
"""Random play stops after this many events, even if the match goes on."""


def pick(shuffler: Shuffler, things: Sequence[T], most: int) -> list[T]:
    """Return at most `most` of these things at random, each once, in their order."""
    if len(things) <= most:
        return list(things)
    places = list(range(len(things)))
    for place in range(most):
        other = place + shuffler.below(len(places) - place)
        places[place], places[other] = places[other], places[place]
    return [things[place] for place in sorted(places[:most])]


def play_on(match: Match[Any, Any, Any], shuffler: Shuffler, most: int = MAX_EVENTS) -> None:
    """Continue a match at random to its end, or until it has `most` events; the deals come from its seed."""
    match.deal()
    while len(match.events) < most:
        chosen = choose(match.position, shuffler)
        if chosen is None:
            return
        _play(match, *chosen)


def _play(match: Match[Any, Any, Any], seat: Any, command: Any) -> None:
    """Play a command that `legal` yields; if it is refused, law 2 could not say so: there is no such match."""
    try:
        match.play(seat, command)
    except RuleViolation as refused:
        raise AssertionError(
            f"legal yields {command!r} to seat {seat}, but apply refuses it: {refused.summary}\nstate: {match.state!r}"
        ) from None


def directed(game: Game[Any, Any, Any], seats: int, options: Any, number: int) -> Match[Any, Any, Any]:
    """Return a whole match that goes where random play seldom goes: its number says how.

    By turns, each seat leaves the next one as few commands as it can, only one seat does, each leaves as many as it
    can, and each gives the first or the last command that it has. One command in five is given at random.
    """
    match = prefix(_played(game, seats, options, number), 0)
    shuffler = shuffler_of(match, f"directed {number}")
    match.deal()
    while len(match.events) < DIRECTED_EVENTS:
        chosen = choose(match.position, shuffler)
        if chosen is None:
            break
        seat, command = chosen
        if shuffler.below(5):
            command = _leading(match, seat, command, number, shuffler)
        _play(match, seat, command)
    return match


def _leading(match: Match[Any, Any, Any], seat: Any, command: Any, number: int, shuffler: Shuffler) -> Any:
    """Return the command by which a directed match goes on."""
    game, way = match.game, number % 5
    listed = list(islice(game.legal(match.state, seat), LOOKED_AT))
    if not listed or (way == 1 and seat != 0):
        return command
    if way > 2:
        return listed[0] if way == 3 else listed[-1]
    some = pick(shuffler, listed, TRIED)
    left = [_choices(game, game.apply(match.state, seat, each)) for each in some]
    return some[left.index((max if way == 2 else min)(left))]


def _choices(game: Game[Any, Any, Any], state: Any) -> int:
    """Return how many commands the seats that are to act have, so far as they are counted."""
    return sum(len(list(islice(game.legal(state, seat), LOOKED_AT))) for seat in game.to_act(state))


def take_back_and_forth(match: Match[Any, Any, Any], shuffler: Shuffler) -> None:
    """Take back, play on a little, restore an event that was undone by that, and play on a little again."""
    events = len(match.events)
    if events:
        to = shuffler.below(events) - 1
        match.take_back(to)
        play_on(match, shuffler, len(match.events) + 3)
        match.take_back(to + 1 + shuffler.below(events - 1 - to))
        play_on(match, shuffler, len(match.events) + 3)


def played(game: Game[Any, Any, Any], seats: int, options: Any, number: int, part: float = 1) -> Match[Any, Any, Any]:
    """Return the first part of random match `number`, as a match that can go on; `part` is 0 … 1 of its events."""
    whole = _played(game, seats, options, number)
    return prefix(whole, ceil(len(whole.events) * part))


@lru_cache(maxsize=256)
def _played(game: Game[Any, Any, Any], seats: int, options: Any, number: int) -> Match[Any, Any, Any]:
    seed = blake2b(f"kifu laws {number}".encode(), digest_size=32).digest()
    names = tuple(f"seat {seat}" for seat in range(seats))
    chosen = wire_of(game).plain_options(options)
    header = new_header(game, names, chosen, seed, match=f"{number:016x}", started=None, engine="kifu.core.testing")
    match: Match[Any, Any, Any] = Match(game, header)
    play_on(match, shuffler_of(match))
    return match


def shuffler_of(match: Match[Any, Any, Any], purpose: str = "play") -> Shuffler:
    """Return a shuffler derived from the match's seed and a purpose, independent of the deals."""
    seed = match.header.seed or bytes(32)
    return Shuffler(blake2b(seed + purpose.encode(), digest_size=32).digest())


def another(shuffler: Shuffler) -> Shuffler:
    """Return another source of chance, which follows from this one."""
    return Shuffler(another_seed(shuffler))


def another_seed(shuffler: Shuffler) -> bytes:
    """Return the seed of another source of chance."""
    return bytes(shuffler.below(256) for _ in range(32))


def prefix(match: Match[Any, Any, Any], events: int) -> Match[Any, Any, Any]:
    """Return a new match with the first `events` events of this one."""
    cut: Match[Any, Any, Any] = Match(match.game, match.header)
    for event in match.events[:events]:
        cut.apply(event.seat, event.command, event.meta)
    return cut
