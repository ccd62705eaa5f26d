"""Reversi keeps the laws of kifu, and the laws catch every mutant of it."""

from pathlib import Path

from kifu.core.game import evolve
from kifu.core.testing import Case, game_laws
from reversi import GAME, Options, Pass, Place

START = GAME.start(GAME.options(), 2)
OVER = evolve(START, turn=None)
STUCK = evolve(GAME.start(Options(4), 2), discs=(1,) * 3 + (0,) + (None,) * 12, turn=0)

CASES = [
    Case("FORM", "a space that there is not", START, 0, Place("z9")),
    Case("TURN", "white begins", START, 1, Place("c4")),
    Case("TURN", "white passes first", START, 1, Pass()),
    Case("OVER", "a disc after the end", OVER, 0, Place("c4")),
    Case("REV-2", "nothing is enclosed", START, 0, Place("a1")),
    Case("REV-2", "on another disc", START, 0, Place("d4")),
    Case("REV-4", "a pass while a disc can be placed", START, 0, Pass()),
]

# Twenty matches a law are quick, for every day; without `examples`, Hypothesis' profile decides (100).
TestLaws = game_laws(GAME, cases=CASES, options={"size": 4}, golden=Path(__file__).parent / "golden", examples=20)
