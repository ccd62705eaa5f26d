"""Hints for bots: what a seat believes of the palaces that lie face down."""

import kifu
import pytest
from kifu.core.game import Card, Seat, Shuffler, evolve
from kifu.core.match.bot import ObservationHistory
from kifu.games.bots.determinization import determinizer_of
from kifu.games.palace import belief, bot
from kifu.games.palace.legal import DRAW, bundles
from kifu.games.palace.model import Build, Inspect, Palace
from kifu.games.palace.rules import COLOUR_CHARGES, holds

DRAWS = 300


def share_of_safe(size: int) -> float:
    """Return in how many drawn states at most one charge of a colour holds against the first seat's palace."""
    match = kifu.new("palace", ["Aki", "Ren", "Mio"], seed=bytes(32))
    match.deal()
    while len(match.state.hands[0]) < size:
        match.play(min(match.to_act), DRAW)
    while match.state.turn != Seat(0):
        match.play(match.state.turn, DRAW)
    match.play(Seat(0), Build((next(each for each in bundles(match.state.hands[0]) if len(each) == size),)))
    draw, shuffler = determinizer_of(ObservationHistory(match, 1).information_state()), Shuffler(bytes(32))
    drawn = [draw(shuffler).palaces[0][0].cards for _ in range(DRAWS)]
    return sum(sum(holds(charge, cards) for charge in COLOUR_CHARGES) <= 1 for cards in drawn) / DRAWS


@pytest.mark.usefixtures("plants")
def test_a_palace_is_believed_to_be_such_as_builders_like(monkeypatch: pytest.MonkeyPatch) -> None:
    believed = share_of_safe(4)
    monkeypatch.setattr(belief, "_likelihood", lambda cards, palaces: 1.0)
    assert believed > share_of_safe(4) + 0.05


def test_a_small_palace_is_worth_pulling_down_like_a_large_one() -> None:
    """Who prefers the large for their cards leaves a rival alone who builds many of one card."""
    match = kifu.new("palace", ["Aki", "Ren", "Mio"], seed=bytes(32))
    match.deal()
    small, large = Palace(0, (Card(0),)), Palace(0, (Card(0), Card(0), Card(1), Card(1)))
    state = evolve(match.state, palaces=((), (small,), (large,)))
    weights = {
        command.targets: weight for command, weight in bot.priors(state, Seat(0)) if isinstance(command, Inspect)
    }
    assert weights[((Seat(1), 0),)] == weights[((Seat(2), 0),)] > 0
