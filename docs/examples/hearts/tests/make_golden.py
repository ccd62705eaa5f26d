"""Make the golden logs again: `python tests/make_golden.py`, then `replay golden tests/golden --bless`."""

from pathlib import Path

import kifu
from hearts import GAME, Deal, Pass
from kifu.core.game import TABLE, Card

GOLDEN = Path(__file__).parent / "golden"
ALL_CLUBS_TO_SEAT_0 = (*range(10), 26, 27, 28, *range(13, 26), *range(29, 42), 10, 11, 12, *range(42, 52))


def play_on(match):
    """Let every seat play the first of its legal commands."""
    while match.to_act:
        seat = min(match.to_act)
        match.play(seat, match.legal(seat)[0])
    return match


def four_deals():
    """Return a match that passes cards in every direction."""
    return play_on(kifu.new(GAME, ["Aki", "Ren", "Mio", "Sou"], {"deals": 4}, seed=bytes(32), match="four", started=0))


def moon():
    """Return a match in which seat 0 gets all clubs, and so every trick."""
    match = kifu.new(GAME, ["Aki", "Ren", "Mio", "Sou"], seed=None, match="moon", started=0)
    match.play(TABLE, Deal(tuple(map(Card, ALL_CLUBS_TO_SEAT_0))))
    for seat, first in ((0, 10), (1, 0), (2, 0), (3, 0)):
        match.play(seat, Pass(match.view(seat).hands[seat][first : first + 3]))
    return play_on(match)


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    four_deals().save(GOLDEN / "four_deals.log")
    moon().save(GOLDEN / "moon.log")
