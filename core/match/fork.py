"""Forks: a match that begins with the first events of another."""

from __future__ import annotations

from typing import Any

from attrs import evolve

from ..errors import MatchError, Message
from .engine import engine_of
from .header import Fork, unsigned
from .match import AnyMatch, Match


def check_fork(match: AnyMatch, events: int) -> None:
    """Raise `MatchError` unless a match can be played on from after so many of its events."""
    count = len(match.events)
    if not 0 <= events <= count:
        raise MatchError(Message("events-are", "there are {count} events, not {at}", count=count, at=events))
    if match.game.result(match.states[events]) is not None:
        raise MatchError(Message("over-after", "after {at} events the game is over: fork it before its end", at=events))


def fork_match(match: AnyMatch, name: str, fork: Fork, *, engine: str, more: tuple[tuple[str, Any], ...]) -> AnyMatch:
    """Return a match with this id, under today's rules, with the first events of another; no deal is drawn yet.

    Leaves the header's other keys out, and the seed: some of them open the log of a match that goes on.
    """
    game = match.game
    header = evolve(
        match.header,
        rules=game.version,
        layout=game.past.layout,
        engine=engine_of(game, engine),
        match=name,
        seed=None,
        fork=fork,
        more=more,
    )
    made: AnyMatch = Match(game, header)
    for event in match.events[: fork.seq + 1]:
        made.apply(event.seat, event.command, unsigned(event.meta))
    return made
