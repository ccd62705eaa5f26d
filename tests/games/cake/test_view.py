"""The view of each seat of Marie's cake."""

from __future__ import annotations

from typing import Any

import pytest
from kifu.core.game import TABLE, Event, RedactedCommand, RuleViolation, Seat, Step, evolve
from kifu.core.game.shuffle import Shuffler
from kifu.games.cake import GAME
from kifu.games.cake.model import DECK, Claim, Deal, Open, Options, Settle, State, Take, Vote
from kifu.games.cake.view import View

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


def view(state: State, viewer: int | None) -> View:
    return GAME.view(state, None if viewer is None else Seat(viewer))


def noted(state: State, seat: int, command: Any, viewer: int | None) -> list[tuple[str, dict[str, Any]]]:
    after = GAME.apply(state, Seat(seat), command)
    step = Step(Event(0, Seat(seat), command), state, after, GAME)
    return [(note.key, dict(note.values)) for note in step.notes_for(None if viewer is None else Seat(viewer))]


DEALT = full_table(piles=(PILE,) * 6)
OPENED = full_table(piles=(PILE, (), PILE, PILE, PILE, PILE), hand=PILE)
HANDED_ON = full_table(piles=(PILE, (), PILE, PILE, PILE, PILE), hand=(1, 4, 5, 6), pairs=((2, 3), (), ()))
LAID = full_table(piles=(PILE, (), PILE, PILE, PILE, PILE), pairs=((2, 3), (1, 4), (5, 6)))
VOTED = evolve(LAID, votes=(False, None, True))
COUNTED = evolve(LAID, votes=(False, False, True))
CLAIMED = evolve(COUNTED, pairs=((), (1, 4), (5, 6)), acquired=(2, 3))
EATEN = full_table(piles=(PILE,) * 6, eaten=((3, 7), (4,), ()), kept=((1,), (2, 2), (5,)))


@pytest.mark.parametrize("viewer", VIEWERS)
def test_piles_and_what_is_out_show_their_sizes_only(viewer: int | None) -> None:
    shown = view(OPENED, viewer)
    assert (shown.piles, shown.pile_sizes) == ((None,) * 6, (6, 0, 6, 6, 6, 6))
    assert (shown.out, shown.out_size) == (None, 20)


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


@pytest.mark.parametrize("viewer", [1, 2, None])
def test_cake_8_nothing_tells_one_vote_from_the_other(viewer: int | None) -> None:
    content, discontent = GAME.apply(LAID, 0, Vote(True)), GAME.apply(LAID, 0, Vote(False))
    assert view(content, viewer) == view(discontent, viewer)
    assert noted(LAID, 0, Vote(True), viewer) == noted(LAID, 0, Vote(False), viewer) == [("voted", {"seat": 0})]
    assert GAME.redact(Vote(True), 0, viewer) == GAME.redact(Vote(False), 0, viewer) == RedactedCommand("vote")
    assert GAME.to_act(content) == GAME.to_act(discontent)
    assert list(GAME.legal(content, 1)) == list(GAME.legal(discontent, 1))


def test_cake_8_a_refused_vote_says_nothing_of_the_others() -> None:
    refusals = []
    for other in (True, False):
        state = evolve(LAID, votes=(True, other, None))
        with pytest.raises(RuleViolation) as refused:
            GAME.apply(state, 0, Vote(False))
        refusals.append(str(refused.value))
    assert refusals[0] == refusals[1]


def test_cake_8_the_last_vote_tells_all_of_them() -> None:
    assert ("votes", {"discontent": (0, 1)}) in noted(VOTED, 1, Vote(False), None)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_cake_12_an_acquired_pair_and_kept_cards_lie_face_up(viewer: int | None) -> None:
    assert view(CLAIMED, viewer).acquired == (2, 3)
    assert view(EATEN, viewer).kept == ((1,), (2, 2), (5,))


def test_cake_r4_a_seat_sees_its_own_eaten_cards_and_the_number_of_others() -> None:
    shown = {viewer: view(EATEN, viewer).eaten for viewer in VIEWERS}
    assert shown == {0: ((3, 7), None, None), 1: (None, (4,), None), 2: (None, None, ()), None: (None, None, None)}
    assert {view(EATEN, viewer).eaten_sizes for viewer in VIEWERS} == {(2, 1, 0)}


def test_others_see_that_a_hidden_command_was_given() -> None:
    for seat, command, tag in ((TABLE, Deal(DECK), "deal"), (0, Take((2, 3)), "take"), (0, Vote(True), "vote")):
        for viewer in (1, 2, None):
            assert GAME.redact(command, seat, viewer) == RedactedCommand(tag)
        for viewer in (seat, TABLE):
            assert GAME.redact(command, seat, viewer) == command


@pytest.mark.parametrize("command", [Open(2), Claim(1), Settle((3,))])
def test_all_see_what_is_done_in_the_open(command: Any) -> None:
    for viewer in VIEWERS:
        assert GAME.redact(command, 0, viewer) == command


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


def test_the_table_sees_everything() -> None:
    for state in (DEALT, OPENED, HANDED_ON, VOTED, CLAIMED, EATEN):
        assert GAME.determinize(view(state, TABLE), Shuffler(bytes(32))) == state


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
