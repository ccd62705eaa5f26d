"""The game of the guide, a page long, keeps every law."""

from high_card import GAME, Deal, Lay, Rule
from kifu.core.game import TABLE, Card, Seat, TableRule
from kifu.core.testing import Case, game_laws

DEALT = GAME.apply(GAME.start(GAME.options(), 2), TABLE, Deal(tuple(map(Card, range(1, 31)))))
LAID = GAME.apply(DEALT, Seat(0), Lay(Card(1)))

CASES = [
    Case(TableRule.FORM, "a card that there is not", DEALT, Seat(0), Lay(Card(31))),
    Case(TableRule.TURN, "a second card in one round", LAID, Seat(0), Lay(Card(2))),
    Case(TableRule.DEAL, "a card twice", GAME.start(GAME.options(), 2), TABLE, Deal((Card(1),) * 30)),
    Case(Rule.HC_2, "a card of another hand", DEALT, Seat(0), Lay(Card(4))),
]

TestLaws = game_laws(GAME, cases=CASES)
