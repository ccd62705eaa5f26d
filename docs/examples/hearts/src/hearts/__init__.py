"""Hearts: follow suit, take no hearts and no ♠Q, or take all of them. The fewest points win."""

from kifu.core.game import Game, Past, Upcast

from . import rules, table
from .rules import Deal, Options, Pass, Play, Rule, State

__all__ = ["GAME", "Deal", "Options", "Pass", "Play", "Rule", "State"]

GAME = Game.of(
    rules,
    name="hearts",
    seats=range(4, 5),
    state=State,
    book=Rule,
    secrets=table,
    table=table,
    version=2,
    past=Past(layout=2, upcasts={1: Upcast.of_options(first_points=True)}),  # it had no HEARTS-6
    texts=__name__,
)
