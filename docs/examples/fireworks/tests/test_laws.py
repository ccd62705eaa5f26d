"""Fireworks keeps the laws of kifu, and the laws catch every mutant of it."""

from pathlib import Path

from fireworks import GAME
from fireworks.rules import Deal, Discard, Hint, Options, Play, all_cards
from kifu.core.game import TABLE, Card, Seat, evolve
from kifu.core.testing import Case, game_laws

START = GAME.start(Options(2), 2)
DEALT = GAME.apply(START, TABLE, Deal(all_cards(Options(2))))
SPENT = GAME.apply(DEALT, 0, Hint(Seat(1), "R"))

CASES = [
    Case("FORM", "a kind that there is not", DEALT, 0, Hint(Seat(1), "RY")),
    Case("FORM", "a seat that there is not", DEALT, 0, Hint(Seat(2), "R")),
    Case("FORM", "a card that there is not", DEALT, 0, Play(5)),
    Case("TURN", "a hint out of turn", DEALT, 1, Hint(Seat(0), "R")),
    Case("TURN", "a card out of turn", DEALT, 1, Play(0)),
    Case("OVER", "after the last life", evolve(DEALT, lives=0), 0, Play(0)),
    Case("DEAL", "a card too often", START, TABLE, Deal((Card(11),) * 20)),
    Case("FIR-2", "the own hand", DEALT, 0, Hint(Seat(0), "1")),
    Case("FIR-2", "no such card", DEALT, 0, Hint(Seat(1), "Y")),
    Case("FIR-2", "no token is left", evolve(DEALT, tokens=0), 0, Hint(Seat(1), "R")),
    Case("FIR-3", "no token is spent", DEALT, 0, Discard(0)),
]

TestLaws = game_laws(GAME, cases=CASES, options={"colours": 2}, golden=Path(__file__).parent / "golden")
