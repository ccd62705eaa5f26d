"""The view of each seat of Take & Share."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest
from hypothesis import given
from kifu.core.game import TABLE, Card, Note, RedactedCommand, Seat
from kifu.core.log import load
from kifu.core.testing import matches
from kifu.core.testing.laws_of_passing_views import passing_views_are_told
from kifu.core.testing.survey import rebased
from kifu.games.take_and_share import GAME
from kifu.games.take_and_share.cards import deck
from kifu.games.take_and_share.model import Deal, Options, Play, Rule, Share

FRESH = GAME.apply(GAME.start(Options(), 4), TABLE, Deal(deck(4)))


@pytest.mark.parametrize("viewer", [0, 1, 2, 3, None])
def test_a_seat_sees_its_own_hand_alone(viewer: int | None) -> None:
    hands = GAME.view(FRESH, viewer).hands
    assert hands == tuple(FRESH.hands[seat] if seat == viewer else None for seat in range(4))


@given(match=matches(GAME))
def test_ts_9_a_pile_is_its_owners_until_the_deal_is_scored(match) -> None:
    for state in match.states[1:]:
        scored = not state.trick and not any(state.hands)
        for viewer in (0, 1, 2, None):
            for seat, pile in enumerate(GAME.view(state, viewer).piles):
                assert pile == (state.piles[seat] if scored or seat == viewer else None)


@given(match=matches(GAME))
def test_what_lies_open_all_see(match) -> None:
    for state in match.states:
        for viewer in (0, None):
            view = GAME.view(state, viewer)
            assert (view.shares, view.trick, view.lead) == (state.shares, state.trick, state.lead)
            assert (view.totals, view.to_act) == (state.totals, GAME.to_act(state))
            assert view.hand_sizes == tuple(map(len, state.hands))
            assert view.pile_sizes == tuple(map(len, state.piles))


@given(match=matches(GAME))
def test_the_table_sees_everything(match) -> None:
    view = GAME.view(match.state, TABLE)
    assert (view.hands, view.piles) == (match.state.hands, match.state.piles)


@pytest.mark.parametrize("viewer", [0, 3, None])
def test_only_the_deal_is_hidden_as_it_happens(viewer: int | None) -> None:
    assert GAME.redact(Deal(deck(4)), TABLE, viewer) == RedactedCommand("deal")
    for command in (Play(Card(1)), Share((Card(1), Card(2), Card(3)))):
        assert GAME.redact(command, Seat(1), viewer) == command


LONG = Path(__file__).parents[3] / "fixtures" / "take_and_share" / "long_game_of_three.log"


def test_ts_12_every_deal_ends_with_all_piles_open_to_everybody() -> None:
    """In a long game the next deal follows at once: the piles are told while the deal is scored."""
    match = load(LONG)
    scored = [step for step in match.steps if any(note.key == "scored" for note in step.notes)]
    assert len(scored) > 1
    for step in scored:
        piles = tuple(tuple(sorted(pile)) for pile in step.after.piles)
        for viewer in (None, 0, 1, 2):
            opened = [dict(note.values) for note in step.notes_for(viewer) if note.key == "pile-open"]
            assert tuple(note["cards"] for note in opened) == piles
            assert [note["seat"] for note in opened] == [0, 1, 2]


def without_piles(step: Any, viewer: Seat | None) -> Iterator[Note]:
    """Carry the piles as a value that no text prints."""
    for note in GAME.explain(step, viewer):
        if note.key == "scored":
            yield attrs.evolve(note, values=(*note.values, ("piles", step.after.piles)))
        elif note.key != "pile-open":
            yield note


def in_one_heap(step: Any, viewer: Seat | None) -> Iterator[Note]:
    """Tell all piles together, at the first seat."""
    notes = list(GAME.explain(step, viewer))
    heap = tuple(card for pile in step.after.piles for card in pile)
    for note in notes:
        if note.key != "pile-open":
            yield note
        elif dict(note.values)["seat"] == 0:
            yield Note.of("pile-open", Rule.TS_12, seat=Seat(0), cards=heap)


@pytest.mark.parametrize("explain", [without_piles, in_one_heap])
def test_the_laws_notice_piles_that_nobody_is_shown_before_the_next_deal(explain: Any) -> None:
    game = attrs.evolve(GAME, explain=explain)
    with pytest.raises(AssertionError, match=r"the table deals at once, and no note .* in zone-pile of"):
        passing_views_are_told(rebased(load(LONG), game))
