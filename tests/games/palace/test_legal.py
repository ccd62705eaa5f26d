"""The commands of Palace, counted and made one by one."""

from __future__ import annotations

from itertools import groupby

import kifu
import pytest
from kifu.core.game.shuffle import Shuffler
from kifu.core.match.random_play import choose

GAME = kifu.games.find("palace")


@pytest.mark.parametrize("seats", GAME.seats)
def test_every_command_has_its_place_among_those_of_its_kind(seats: int) -> None:
    match = kifu.new("palace", list("abcdef"[:seats]), seed=bytes(32), started=0)
    shuffler = Shuffler(bytes(32), 1)
    while match.to_act:
        (seat,) = match.to_act
        listed = match.legal(seat)
        for limit in (2000, len(listed) // 3):
            kinds = GAME.legal_by_kind(match.state, seat, limit)
            made = [[kind[number] for number in range(len(kind))] for kind in kinds]
            assert made == [list(alike) for _, alike in groupby(listed[:limit], type)]
            with pytest.raises(IndexError):
                kinds[-1][len(kinds[-1])]
        if len(match.events) > 60:
            break
        match.play(*choose(match.position, shuffler))
