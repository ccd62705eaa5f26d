"""The view of each seat of Marie's cake."""

from __future__ import annotations

from typing import Any

import pytest
from kifu.core.game import TABLE, evolve
from kifu.core.game.shuffle import Shuffler
from kifu.games.cake import GAME
from kifu.games.cake.model import Open, Options, State, Take, Vote
from kifu.games.cake.rules import DECK

from ..at_table import AtTable

view = GAME.view
PILE = (1, 2, 3, 4, 5, 6)
VIEWERS = (0, 1, 2, None)


def table(**places: Any) -> State:
    """Return a state of three seats: what is not given is as before the deal, and the elder is seat 0."""
    return evolve(GAME.start(Options(), 3), **places)


def full_table(**places: Any) -> State:
    """Return a state whose unnamed cards are out of the game, as determinizations need it."""
    state = table(**places)
    out = list(DECK)
    for card in GAME.cards(state):
        out.remove(card)
    return evolve(state, out=tuple(out))


def noted(state: State, seat: int, command: Any, viewer: int | None) -> list[tuple[str, dict[str, Any]]]:
    return [(note.key, dict(note.values)) for note in AtTable(GAME).told(state, seat, command, viewer)]


DEALT = full_table(piles=(PILE,) * 6)
OPENED = full_table(piles=(PILE, (), PILE, PILE, PILE, PILE), hand=PILE)
HANDED_ON = full_table(piles=(PILE, (), PILE, PILE, PILE, PILE), hand=(1, 4, 5, 6), pairs=((2, 3), (), ()))
LAID = full_table(piles=(PILE, (), PILE, PILE, PILE, PILE), pairs=((2, 3), (1, 4), (5, 6)))
VOTED = evolve(LAID, votes=(False, None, True))
COUNTED = evolve(LAID, votes=(False, False, True))
CLAIMED = evolve(COUNTED, pairs=((), (1, 4), (5, 6)), acquired=(2, 3))
EATEN = full_table(piles=(PILE,) * 6, eaten=((3, 7), (4,), ()), kept=((1,), (2, 2), (5,)))


def test_the_opened_pile_is_seen_by_the_elder_alone() -> None:
    assert [view(OPENED, viewer).hand for viewer in VIEWERS] == [PILE, None, None, None]
    assert {view(OPENED, viewer).hand_size for viewer in VIEWERS} == {6}


def test_the_hand_is_seen_by_whoever_chooses() -> None:
    assert [view(HANDED_ON, viewer).hand for viewer in VIEWERS] == [None, (1, 4, 5, 6), None, None]


def test_a_face_down_pair_is_seen_by_its_own_seat() -> None:
    assert view(HANDED_ON, 0).pairs[0] == (2, 3)
    for viewer in (1, 2, None):
        shown = view(HANDED_ON, viewer)
        assert (shown.pairs[0], shown.pair_sizes) == (None, (2, 0, 0))


@pytest.mark.parametrize("viewer", VIEWERS)
def test_cake_7_all_see_all_pairs_once_all_are_laid(viewer: int | None) -> None:
    assert view(LAID, viewer).pairs == ((2, 3), (1, 4), (5, 6))


def test_cake_8_only_ones_own_vote_is_seen_before_all_are_in() -> None:
    shown = {viewer: view(VOTED, viewer).votes for viewer in VIEWERS}
    assert shown == {0: (False, None, None), 1: (None, None, None), 2: (None, None, True), None: (None, None, None)}
    assert {view(VOTED, viewer).voted for viewer in VIEWERS} == {(True, False, True)}


@pytest.mark.parametrize("viewer", VIEWERS)
def test_cake_8_all_votes_are_seen_once_they_are_in(viewer: int | None) -> None:
    assert view(COUNTED, viewer).votes == (False, False, True)


def test_cake_8_the_last_vote_tells_all_of_them() -> None:
    assert ("votes", {"discontent": (0, 1)}) in noted(VOTED, 1, Vote(False), None)


def test_only_the_elder_is_told_what_is_in_the_pile() -> None:
    assert ("looked", {"seat": 0, "cards": PILE}) in noted(DEALT, 0, Open(1), 0)
    for viewer in (1, 2, None):
        assert [key for key, _ in noted(DEALT, 0, Open(1), viewer)] == ["opened"]


def test_only_the_two_who_know_are_told_what_is_taken_and_handed_on() -> None:
    keys = {viewer: [key for key, _ in noted(OPENED, 0, Take((2, 3)), viewer)] for viewer in (*VIEWERS, TABLE)}
    assert keys == {
        0: ["took-cards"],
        1: ["took", "received"],
        2: ["took"],
        None: ["took"],
        TABLE: ["took-cards", "received"],
    }


def test_a_twin_forgets_what_was_handed_on() -> None:
    determinizations = [GAME.determinize(view(HANDED_ON, 0), Shuffler(bytes([n] * 32))) for n in range(8)]
    assert {determinization.pairs[0] for determinization in determinizations} == {(2, 3)}
    assert len({determinization.hand for determinization in determinizations}) > 1


def test_a_twin_draws_the_others_votes_anew() -> None:
    determinizations = [GAME.determinize(view(VOTED, 0), Shuffler(bytes([n] * 32))) for n in range(16)]
    assert {determinization.votes for determinization in determinizations} == {
        (False, None, True),
        (False, None, False),
    }


def test_a_twin_draws_anew_what_others_have_eaten_but_not_ones_own() -> None:
    determinizations = [GAME.determinize(view(EATEN, 0), Shuffler(bytes([n] * 32))) for n in range(8)]
    assert {determinization.eaten[0] for determinization in determinizations} == {(3, 7)}
    assert len({determinization.eaten[1] for determinization in determinizations}) > 1
