"""A game without chance: no seed, no fair deal, and no table among those who act or among the commands of a seat."""

from typing import Any

import kifu
import pytest
from attrs import frozen
from goofspiel import GAME as GOOFSPIEL
from goofspiel import Deal
from kifu.core.env.text.prompt import commands_of_seats
from kifu.core.errors import MatchError
from kifu.core.game import TABLE, Card
from kifu.core.host import Host, Terms
from kifu.core.log import log_bytes, read_bytes
from kifu.core.match.header import new_header
from kifu.core.stores import MemoryStore
from reversi import GAME as REVERSI


def test_its_match_has_no_seed_and_its_log_is_read_again() -> None:
    match = kifu.new(REVERSI, ["Aki", "Ren"], {"size": 4})
    assert match.header.seed is None
    while match.result is None:
        (seat,) = match.to_act
        assert seat != TABLE
        match.play(seat, match.legal(seat)[0])
    again = read_bytes(log_bytes(match), lambda _: REVERSI)
    assert not again.findings
    assert again.match is not None
    assert again.match.result == match.result
    assert kifu.new(GOOFSPIEL, ["Aki", "Ren"]).header.seed is not None


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Host:
    return Host(MemoryStore(), find=lambda name: {"reversi": REVERSI, "goofspiel": GOOFSPIEL}[name])


def test_a_host_gives_it_no_seed_and_refuses_to_deal_it_fairly(host: Host) -> None:
    opened = host.open("reversi", ["Aki", "Ren"], {"size": 4})
    assert host.observe(opened.match, opened.keys[0]).to_act == {0}
    with pytest.raises(MatchError, match="deals nothing"):
        host.open("reversi", 2, terms=Terms(fair=True))


def test_a_deal_that_the_options_leave_out_is_no_command_of_a_seat() -> None:
    for order in ("shuffled", "ascending"):
        header = new_header(GOOFSPIEL, ("a", "b"), {"order": order}, None, match="m", started=None, engine="e")
        assert [kind.__name__ for kind in commands_of_seats(GOOFSPIEL, header)] == ["Bid"]


@frozen
class Draw:
    card: Card


def deal_or_draw(state: Any, shuffler: Any) -> Deal | Draw:
    return GOOFSPIEL.deal(state, shuffler)


def test_what_the_table_draws_in_mid_match_is_no_command_of_a_seat() -> None:
    game = GOOFSPIEL.altered(wire={**GOOFSPIEL.wire, Draw: "draw"}, deal=deal_or_draw)
    header = new_header(game, ("a", "b"), {}, None, match="m", started=None, engine="e")
    assert [kind.__name__ for kind in commands_of_seats(game, header)] == ["Bid"]
