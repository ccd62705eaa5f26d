"""High Card keeps the laws of kifu, and the laws catch every mutant of it."""

from pathlib import Path

from high_card import GAME, Deal, Lay
from kifu.core.game import TABLE, Card
from kifu.core.testing import Case, game_laws

START = GAME.start(GAME.options(), 2)
DEALT = GAME.apply(START, TABLE, Deal(tuple(map(Card, range(1, 31)))))
LAID = GAME.apply(DEALT, 0, Lay(Card(1)))

CASES = [
    Case("FORM", "a card that there is not", DEALT, 0, Lay(Card(31))),
    Case("TURN", "a second card in one round", LAID, 0, Lay(Card(2))),
    Case("DEAL", "a card twice", START, TABLE, Deal((Card(1),) * 30)),
    Case("HC-2", "a card of another hand", DEALT, 0, Lay(Card(4))),
]

# Twenty matches a law are quick, for every day; without `examples`, Hypothesis' profile decides (100).
TestLaws = game_laws(GAME, cases=CASES, golden=Path(__file__).parent / "golden", examples=20)
