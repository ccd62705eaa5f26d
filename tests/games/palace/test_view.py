"""The view, redacted commands and notes of each seat of Palace; a determinization gives the same view."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from kifu.core.game import TABLE, Event, Note, RedactedCommand, Seat, Step, evolve
from kifu.core.game.shuffle import Shuffler
from kifu.core.match import Match
from kifu.core.testing import matches
from kifu.games.palace import GAME
from kifu.games.palace.model import Build, Deal, Draw, Inspect, Options, State
from kifu.games.palace.rules import DECK, END
from kifu.games.palace.view import View

from ..at_table import AtTable

NUMBERS = st.integers(0, 2**32)
redacted = AtTable(GAME).redacted


def shuffler(number: int) -> Shuffler:
    return Shuffler(number.to_bytes(32))


def dealt(seats: int, number: int = 0) -> State:
    start = GAME.start(Options(), seats)
    return GAME.apply(start, TABLE, GAME.deal(start, shuffler(number)))


def near_end(state: State, left: int) -> State:
    """Return the state with all but so many cards of the pile out of the game, END the last of them."""
    pillars = [card for card in state.pile if card != END]
    gone = len(pillars) - left + 1
    return evolve(state, pile=(*pillars[gone:], END), out=tuple(sorted(pillars[:gone])))


def built(*palaces: tuple[int, ...], number: int = 0) -> tuple[State, Any, State]:
    """Build palaces of seat 0 of four from the cards it was dealt, given by their places in its hand."""
    before = dealt(4, number)
    hand = before.hands[0]
    command = Build(tuple(sorted(tuple(hand[place] for place in places) for places in palaces)))
    return before, command, GAME.apply(before, Seat(0), command)


def noted(before: State, seat: int, command: Any, after: State, viewer: Seat | None) -> list[Note]:
    return list(Step(Event(0, Seat(seat), command), before, after, GAME).notes_for(viewer))


def test_pal_8_and_r3_a_face_down_palace_shows_its_size_and_to_its_owner_its_cards() -> None:
    _, command, after = built((0, 2))
    views = {viewer: GAME.view(after, viewer).palaces[0][0] for viewer in (Seat(0), Seat(1), None, TABLE)}
    assert [views[viewer].cards for viewer in (Seat(1), None)] == [None, None]
    assert [views[viewer].cards for viewer in (Seat(0), TABLE)] == [command.palaces[0]] * 2
    assert {(info_state.number, info_state.size, info_state.verified) for info_state in views.values()} == {
        (0, 2, False)
    }


def test_pal_10_a_verified_palace_shows_its_cards_to_all() -> None:
    _, command, after = built((0, 1, 2), number=3)
    bundle = command.palaces[0]
    charge = ("no_red", "no_yellow", "no_green", "no_blue")[bundle[0]]
    verified = GAME.apply(after, Seat(1), Inspect(charge, ((Seat(0), 0),)))
    for viewer in (Seat(2), None):
        palace = GAME.view(verified, viewer).palaces[0][0]
        assert (palace.cards, palace.verified) == (bundle, True)


def test_of_a_build_the_others_see_the_sizes() -> None:
    command = Build(((0, 1), (2,)))
    assert redacted(command, Seat(1), Seat(0)) == RedactedCommand("build", (("sizes", (2, 1)),))
    assert redacted(command, Seat(1), None) == RedactedCommand("build", (("sizes", (2, 1)),))
    assert redacted(command, Seat(1), Seat(1)) == redacted(command, Seat(1), TABLE) == command


def test_pal_6_only_who_drew_is_told_the_card() -> None:
    before = dealt(3)
    after = GAME.apply(before, Seat(0), Draw())
    noted_to = {viewer: noted(before, 0, Draw(), after, viewer)[0] for viewer in (Seat(0), Seat(1), None, TABLE)}
    assert noted_to[Seat(0)] == noted_to[TABLE]
    assert dict(noted_to[Seat(0)].values)["card"] == before.pile[0]
    for viewer in (Seat(1), None):
        assert "card" not in dict(noted_to[viewer].values)


def test_pal_7_all_are_told_of_end() -> None:
    before = near_end(dealt(4), left=1)
    seat = before.turn
    after = GAME.apply(before, seat, Draw())
    notes = [noted(before, seat, Draw(), after, viewer) for viewer in (Seat(0), Seat(1), None)]
    assert notes[0] == notes[1] == notes[2]
    assert notes[0][0].key == "end-drawn"
    assert GAME.view(after, None).over


def test_own_cards_are_told_to_the_builder_alone() -> None:
    before, command, after = built((1,))
    keys = {viewer: [note.key for note in noted(before, 0, command, after, viewer)] for viewer in (Seat(0), Seat(1))}
    assert "own-palace" in keys[Seat(0)]
    assert "own-palace" not in keys[Seat(1)]


@pytest.mark.parametrize("viewer", [Seat(0), Seat(2), None])
def test_a_deal_tells_a_seat_its_own_hand_alone(viewer: Seat | None) -> None:
    start = GAME.start(Options(), 4)
    after = dealt(4)
    notes = noted(start, TABLE, Deal(after.pile), after, viewer)
    hands = [dict(note.values) for note in notes if note.key == "hand"]
    assert hands == ([] if viewer is None else [{"seat": viewer, "cards": after.hands[viewer]}])


@given(matches(GAME), NUMBERS)
def test_a_twin_could_be_a_state_of_the_game(match: Match, number: int) -> None:
    assume(match.events)
    state = match.state
    for viewer in (None, *map(Seat, range(state.seats))):
        determinization = GAME.determinize(GAME.view(state, viewer), shuffler(number))
        assert Counter(GAME.cards(determinization)) == Counter(DECK)
        assert all(list(hand) == sorted(hand) for hand in determinization.hands)
        if END in determinization.pile:
            below = len(determinization.pile) - 1 - determinization.pile.index(END)
            assert below in range(20, 26) if state.seats == 3 else below <= 10


def test_pal_2_a_twin_puts_end_anywhere_among_the_last_eleven() -> None:
    assert set(end_places(GAME.view(dealt(4), Seat(0)))) == set(range(11))


def test_pal_r1_with_three_seats_nobody_knows_where_about_a_third_end_lies() -> None:
    places = end_places(GAME.view(dealt(3), Seat(0)))
    assert set(places) == set(range(20, 26))
    assert min(places.values()) > 10


def test_pal_r1_once_more_cards_are_drawn_end_lies_deeper() -> None:
    assert set(end_places(GAME.view(drawn(deal_with(47)[1], 45), Seat(0)))) == {20, 21, 22}
    assert set(end_places(GAME.view(drawn(deal_with(47)[1], 47), Seat(0)))) == {20}


def test_pal_r1_the_place_of_end_is_told_to_nobody() -> None:
    """Two deals that differ in it alone look the same to every seat, as they are dealt and after."""
    one, other = (deal_with(above) for above in (42, 47))
    for viewer in (None, *map(Seat, range(3))):
        assert noted(start3(), TABLE, one[0], one[1], viewer) == noted(start3(), TABLE, other[0], other[1], viewer)
        assert GAME.view(one[1], viewer) == GAME.view(other[1], viewer)


def start3() -> State:
    return GAME.start(Options(), 3)


def deal_with(above: int) -> tuple[Deal, State]:
    """Return a deal of three seats with so many cards above END, and the state after it."""
    pillars = DECK[:-1]
    deal = Deal((*pillars[: 9 + above], END, *pillars[9 + above :]))
    return deal, GAME.apply(start3(), TABLE, deal)


def drawn(state: State, count: int) -> State:
    """Return the state with so many cards of the pile put out of the game."""
    return evolve(state, pile=state.pile[count:], out=tuple(sorted(state.pile[:count])))


def test_pal_r1_with_three_seats_all_know_an_exact_place() -> None:
    state = GAME.start(Options(end_place="exact"), 3)
    view = GAME.view(GAME.apply(state, TABLE, GAME.deal(state, shuffler(1))), Seat(0))
    assert set(end_places(view)) == {22}


def test_pal_2_of_a_short_pile_end_is_any_card_as_likely() -> None:
    places = end_places(GAME.view(near_end(dealt(4), left=2), None))
    assert set(places) == {0, 1}
    assert min(places.values()) > 40


def end_places(view: View) -> Counter[int]:
    """Return how many cards lie below END in each of 150 determinizations of a view."""
    piles = [GAME.determinize(view, shuffler(number)).pile for number in range(150)]
    return Counter(len(pile) - 1 - pile.index(END) for pile in piles)
