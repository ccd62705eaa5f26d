"""Matches between bots, for the tests of bots and of hints."""

from functools import cache
from typing import Any

import attrs
import kifu
import pytest
from kifu.core.game import Seat, hints_of
from kifu.core.match import Match
from kifu.core.match.bot import InformationState, ObservationHistory, Player, random_bot
from kifu.core.match.registry import find_bot

SEED = bytes(range(32))


@cache
def between(name: str, seats: int, *bots: str, most: int = 1000, seed: bytes = SEED, **options: Any) -> Match:
    """Play a match between bots, who sit in this order again and again."""
    match = kifu.new(name, [*map(str, range(seats))], options, seed=seed, match="m", started=0)
    names = [bots[seat % len(bots)] for seat in range(seats)]
    players = [Player(match, Seat(seat), find_bot(bot)(seed), bot, random_bot(seed)) for seat, bot in enumerate(names)]
    while match.to_act and len(match.events) < most:
        players[min(match.to_act)].act()
        match.deal()
    return match


def first_choice(name: str, seats: int = 4) -> InformationState:
    """Return what is known to the seat that acts first."""
    match = kifu.new(name, list("abcdef")[:seats], seed=SEED)
    return ObservationHistory(match, min(match.to_act)).information_state()


def with_hints(info_state: InformationState, **changes: Any) -> InformationState:
    """Return the same of a game with other hints."""
    hints = attrs.evolve(hints_of(info_state.game), **changes)
    return attrs.evolve(info_state, game=info_state.game.altered(extras=(hints,)))


@pytest.fixture(params=kifu.games.names())
def match(request: pytest.FixtureRequest) -> Match:
    """A match in which one bot in two is greedy, so that much happens in it; of mabr, which is slow, a part."""
    if request.param == "mabr":
        return between("mabr", 2, "greedy", "random", most=30)
    return between(request.param, kifu.games.find(request.param).seats[-1], "greedy", "random")
