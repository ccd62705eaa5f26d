"""Tables in words at many positions: what the tests of texts walk over."""

from collections.abc import Iterator

import kifu
import pytest
from kifu.core.env import TextTable, text_table
from kifu.core.game.shuffle import Shuffler
from kifu.core.match.random_play import choose

QUICK, LONG = 40, 1000
each_lang = pytest.mark.parametrize("lang", ["en", "ja"])
many = pytest.mark.parametrize("count", [QUICK, pytest.param(LONG, marks=pytest.mark.long)])


def played(game: kifu.core.game.Game, number: int, events: int, lang: str = "en", **how: object) -> TextTable:
    """Return a table whose match was played at random for so many events; every number is another match."""
    seats = game.seats[number % len(game.seats)]
    table = text_table(game, seats, seed=bytes([number % 256, number // 256]) + bytes(30), lang=lang, **how)
    shuffler = Shuffler(bytes(31) + bytes([number % 251]), 1)
    while table.to_act and table.count < events:
        table.match.play(*choose(table.match.position, shuffler))
    return table


def tables(game: kifu.core.game.Game, count: int, lang: str = "en") -> Iterator[TextTable]:
    """Yield a table at so many positions of matches that go on meanwhile; fewer of one whose lists are long."""
    left = count // 6 if game.name == "mabr" else count
    for number in range(count):
        table, shuffler = played(game, number, 1, lang), Shuffler(bytes(30) + bytes([number % 251, number // 251]), 1)
        for turn in range(60):
            if not table.to_act:
                break
            if turn % 4 == number % 4:
                yield table
                left -= 1
                if not left:
                    return
            table.match.play(*choose(table.match.position, shuffler))
