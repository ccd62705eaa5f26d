"""Goofspiel keeps the laws of kifu, and the laws catch every mutant of it."""

from pathlib import Path

from goofspiel import GAME, Bid, Deal, Options
from kifu.core.game import TABLE, Card
from kifu.core.testing import Case, game_laws

START = GAME.start(Options(4), 2)
DEALT = GAME.apply(START, TABLE, Deal(tuple(map(Card, (2, 4, 1, 3)))))
HALF = GAME.apply(DEALT, 0, Bid(Card(1)))
SECOND = GAME.apply(HALF, 1, Bid(Card(2)))
KNOWN = GAME.start(Options(4, "ascending"), 2)

CASES = [
    Case("FORM", "a card that there is not", DEALT, 0, Bid(Card(5))),
    Case("TURN", "a second bid for one prize", HALF, 0, Bid(Card(2))),
    Case("TURN", "a deal of prizes whose order is known", KNOWN, TABLE, Deal(tuple(map(Card, (1, 2, 3, 4))))),
    Case("DEAL", "a prize twice", START, TABLE, Deal((Card(1),) * 4)),
    Case("GOO-2", "a card that was bid", SECOND, 0, Bid(Card(1))),
]

# Twenty matches a law are quick, for every day; without `examples`, Hypothesis' profile decides (100).
TestLaws = game_laws(GAME, cases=CASES, options={"size": 4}, golden=Path(__file__).parent / "golden", examples=20)
