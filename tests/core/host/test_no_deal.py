"""A game without chance: no seed, no fair deal, and no table among those who act or among the commands of a seat."""

from typing import Any

import kifu
import pytest
from attrs import frozen
from goofspiel import GAME as GOOFSPIEL
from goofspiel import Deal
from kifu.core.env.text.prompt import commands_of_seats
from kifu.core.errors import MatchError
from kifu.core.game import Card
from kifu.core.host import Host, Terms
from kifu.core.match.header import new_header
from kifu.core.stores import MemoryStore
from reversi import GAME as REVERSI


def test_its_match_has_no_seed() -> None:
    assert kifu.new(REVERSI, ["Aki", "Ren"]).header.seed is None
    assert kifu.new(GOOFSPIEL, ["Aki", "Ren"]).header.seed is not None


def test_a_host_gives_it_no_seed_and_refuses_to_deal_it_fairly() -> None:
    host = Host(MemoryStore(), find=lambda _: REVERSI)
    opened = host.open("reversi", ["Aki", "Ren"], {"size": 4})
    assert host.observe(opened.match, opened.keys[0]).to_act == {0}
    with pytest.raises(MatchError, match="deals nothing"):
        host.open("reversi", 2, terms=Terms(fair=True))


@frozen
class Draw:
    card: Card


def deal_or_draw(state: Any, shuffler: Any) -> Deal | Draw:
    return GOOFSPIEL.deal(state, shuffler)


DRAWING = GOOFSPIEL.altered(wire={**GOOFSPIEL.wire, Draw: "draw"}, deal=deal_or_draw)


@pytest.mark.parametrize(
    ("game", "options"), [(GOOFSPIEL, {"order": "shuffled"}), (GOOFSPIEL, {"order": "ascending"}), (DRAWING, {})]
)
def test_what_the_table_deals_or_draws_in_mid_match_is_no_command_of_a_seat(game: Any, options: Any) -> None:
    header = new_header(game, ("a", "b"), options, None, match="m", started=None, engine="e")
    assert [kind.__name__ for kind in commands_of_seats(game, header)] == ["Bid"]
