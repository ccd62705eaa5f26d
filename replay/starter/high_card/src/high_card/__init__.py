"""High Card: every seat lays a card face down, all are turned up, and the highest scores. The most points win."""

from kifu.core.game import Game

from . import rules, table
from .rules import Deal, Lay, Options, Rule, State

__all__ = ["GAME", "Deal", "Lay", "Options", "Rule", "State"]

GAME = Game.of(rules, name="high_card", seats=range(2, 6), state=State, book=Rule, table=table, texts=__name__)
