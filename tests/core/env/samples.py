"""What the tests of environments share: games, matches at random, and odd values of views and commands."""

from enum import Enum

import attrs
import kifu
import pytest
from high_card import GAME as HIGH_CARD
from kifu.core.game import Shuffler
from kifu.core.testing.play import play_on

GAMES = [*(kifu.games.find(name) for name in kifu.games.names()), HIGH_CARD]
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


def played(game, number, events, seats=None):
    """Return match `number` of a game, played at random for so many events."""
    names = [f"seat {seat}" for seat in range(seats or game.seats[number % len(game.seats)])]
    match = kifu.new(game, names, seed=bytes([number]) * 32)
    play_on(match, Shuffler(match.header.seed, 1000), events)
    return match


class Way(Enum):
    UP = "up"
    DOWN = "down"


@attrs.frozen
class Point:
    row: int
    way: Way
