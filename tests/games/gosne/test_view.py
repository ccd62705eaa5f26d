"""The view of each seat of Gosne is Gone, and what a determinization draws anew."""

from collections import Counter

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kifu.core.game import TABLE, RedactedCommand, Seat
from kifu.core.game.shuffle import Shuffler
from kifu.core.testing import matches
from kifu.games.gosne import GAME
from kifu.games.gosne.model import CEO, GOSNE, Deal, Declare, Give, LastTrick, Options, Play, State
from kifu.games.gosne.rules import DECKS, apply, legal, may_declare, start, to_act
from kifu.games.gosne.view import determinize

from ..at_table import AtTable

SEATS = [Seat(seat) for seat in range(4)]
VIEWERS = [TABLE, *SEATS, None]
EXCHANGED = ((1, 2), (5, 6), (3, 4), (7, 8))
SECRET = Options(whistleblower=True)
AT = AtTable(GAME)
after = AT.play


def table(*hands, options=None, gifts=(), **changes) -> State:
    """Set a table in the middle of a hand; with no gifts and no CEO the exchange is still to come."""
    hands = tuple(tuple(sorted(hand)) for hand in hands)
    return attrs.evolve(start(options or Options(), 4), gosne=Seat(0), hands=hands, gifts=gifts, **changes)


HANDS = (4, 9), (5, 6), (7, 8), (8, 10)
TRICK = after(table(*HANDS, gifts=EXCHANGED), (0, Declare(9, 4)), (1, Play(5, gun=True)), (2, Play(7, gun=False)))
ENDED = after(attrs.evolve(TRICK, hands=((), (), (), (8,)), options=Options(hands=4)), (3, Play(8, gun=False)))
"""The first of four hands is counted."""


def test_a_card_face_down_is_seen_by_who_played_it():
    shown = {0: (9, 5, None), 2: (None, 5, 7)}
    for viewer in VIEWERS[1:]:
        view = GAME.view(TRICK, viewer)
        assert view.trick == shown.get(viewer, (None, 5, None))
        assert (view.guns, view.declared) == ((False, True, False), 4)


def test_gos_r7_all_see_the_last_trick_as_it_lay_and_nothing_that_was_taken_before():
    state = after(attrs.evolve(TRICK, taken=((1, 1, 2, 2), (), (), ())), (3, Play(8, gun=False)))
    plays = (Play(9, gun=False), Play(5, gun=True), Play(7, gun=False), Play(8, gun=False))
    for viewer in VIEWERS[1:]:
        shown = GAME.view(state, viewer)
        assert shown.last == LastTrick(gosne=Seat(0), declared=4, plays=plays)
        assert shown.last_cards == (9, 5, 7, 8)
        assert shown.taken == (None,) * 4
        assert shown.taken_sizes == (4, 4, 0, 0)
    assert GAME.view(state, TABLE).taken == state.taken


def test_gos_r7_the_last_trick_may_be_looked_at_until_the_next_is_won():
    state = table((9, 1), (5, 2), (7, 3), (8, 4), gifts=EXCHANGED)
    first = (0, Declare(9, 4)), (1, Play(5, gun=True)), (2, Play(7, gun=False)), (3, Play(8, gun=False))
    one = after(state, *first)
    assert to_act(one) == {1}
    second = (1, Declare(2, 2)), (2, Play(3, gun=False)), (3, Play(4, gun=True))
    for count in range(4):
        assert GAME.view(after(one, *second[:count]), Seat(0)).last_cards == (9, 5, 7, 8)
    two = after(one, *second, (0, Play(1, gun=False)))
    assert GAME.view(two, Seat(0)).last == LastTrick(Seat(1), 2, tuple(Play(card, card == 4) for card in (2, 3, 4, 1)))


def test_gos_r7_once_the_hand_is_counted_every_pile_lies_open():
    before = attrs.evolve(TRICK, hands=((), (), (), (8,)), taken=((1, 1, 2, 2), (), (), ()))
    ended = after(before, (3, Play(8, gun=False)))
    for viewer in VIEWERS[1:]:
        assert GAME.view(before, viewer).taken == (None,) * 4
        assert GAME.view(ended, viewer).taken == ended.taken
    assert ended.taken[0] == (1, 1, 2, 2)


def test_gos_r7_a_new_deal_shows_nothing_of_the_hand_before():
    dealt = after(ENDED, (TABLE, Deal(DECKS[False])))
    shown = GAME.view(dealt, Seat(0))
    assert (shown.last, shown.taken) == (None, (None,) * 4)


def test_a_pair_alone_knows_what_it_exchanged():
    """The dealer is seat 0: seats 0 and 2 gave the first two gifts; in the next deal nobody else learns of them."""
    pairs = {TABLE: EXCHANGED, 0: (*EXCHANGED[:2], None, None), 1: (None, None, *EXCHANGED[2:])}
    for viewer in VIEWERS:
        known = viewer if viewer in (TABLE, None) else viewer % 2
        assert GAME.view(TRICK, viewer).gifts == pairs.get(known, (None,) * 4)
    assert ENDED.finished == 1
    assert [GAME.view(ENDED, viewer).gifts for viewer in VIEWERS[1:]] == [()] * 5


REDACTIONS = [
    ("a deal is hidden from all", Deal(DECKS[False]), TABLE, {TABLE}, RedactedCommand("deal")),
    ("a gift is the pair's", Give((4, 9)), 0, {0, 2, TABLE}, RedactedCommand("give")),
    ("a card declared is Gosne's", Declare(9, 4), 0, {0, TABLE}, RedactedCommand("declare", (("number", 4),))),
    ("a chestnut is its player's", Play(7, gun=False), 1, {1, TABLE}, RedactedCommand("play", (("gun", False),))),
    ("a gun is everybody's", Play(7, gun=True), 1, {0, 1, 2, 3, TABLE, None}, None),
]


@pytest.mark.parametrize(("what", "command", "seat", "who", "hidden"), REDACTIONS, ids=[each[0] for each in REDACTIONS])
def test_sightings(what, command, seat, who, hidden):
    for viewer in VIEWERS:
        assert AT.redacted(command, Seat(seat), viewer) == (command if viewer in who else hidden), viewer


WHISTLE = table(
    (GOSNE, 9), (5, 6), (CEO, 8), (8, 10), options=SECRET, unseen=(1, 2), gosne_card=Seat(0), ceo_card=Seat(2)
)


def knowing(state: State) -> list[int | None]:
    return [viewer for viewer in VIEWERS if GAME.view(state, viewer).ceo_known]


def test_the_holder_of_ceo_keeps_silent():
    """GOS-18: his partner, who showed the Gosne card, does not know him."""
    assert knowing(WHISTLE) == [TABLE, 2]
    assert [GAME.view(WHISTLE, seat).ceo_card for seat in SEATS] == [None, None, 2, None]
    assert [GAME.view(WHISTLE, seat).gosne_card for seat in SEATS] == [0, 0, 0, 0]


def test_a_ceo_that_nobody_was_dealt_is_known_to_nobody():
    state = attrs.evolve(WHISTLE, hands=((GOSNE, 9), (5, 6), (7, 8), (8, 10)), unseen=(1, CEO), ceo_card=None)
    assert knowing(state) == [TABLE]
    assert GAME.view(state, None).unseen is None


@pytest.mark.parametrize("gun", [True, False])
def test_ceo_is_known_once_it_is_played_as_a_gun_or_turned_up(gun):
    laid = after(WHISTLE, (0, Declare(9, 9)), (1, Play(5, gun=False)), (2, Play(CEO, gun)))
    assert knowing(laid) == (VIEWERS if gun else [TABLE, 2])
    assert knowing(after(laid, (3, Play(8, gun=True)))) == VIEWERS


def test_all_is_known_once_the_hand_is_counted():
    """GOS-R3: the points tell that nobody was dealt CEO."""
    state = attrs.evolve(WHISTLE, hands=((GOSNE,), (5,), (7,), (8,)), unseen=(1, CEO), ceo_card=None)
    laid = after(state, (0, Declare(GOSNE, 6)), (1, Play(5, gun=False)), (2, Play(7, gun=False)))
    assert knowing(laid) == [TABLE]
    ended = after(laid, (3, Play(8, gun=False)))
    assert knowing(ended) == VIEWERS
    assert GAME.view(ended, None).last_cards == (GOSNE, 5, 7, 8), "the two unseen cards are not of the last trick"


# Determinizations


@given(matches(GAME, 4, {"hands": st.sampled_from([1, 4]), "chestnuts": st.just(())}), st.integers(0, 2**32))
def test_a_twin_is_a_table_that_could_be(match, number):
    state, chance = match.state, Shuffler(number.to_bytes(32, "big"), 1)
    for viewer in VIEWERS[1:]:
        shown = GAME.view(state, viewer)
        other = determinize(shown, chance)
        assert GAME.view(other, viewer) == shown
        assert Counter(GAME.cards(other)) == Counter(GAME.cards(state))
        assert all(hand == tuple(sorted(hand)) for hand in other.hands)
        assert all(len(gift) == 2 and gift == tuple(sorted(gift)) for gift in other.gifts)
        if other.trick:
            assert may_declare(other.trick[0].card, other.declared)
        if other.gosne_card is not None:
            _check_holders(other)


def _check_holders(state: State) -> None:
    """The Gosne and the CEO card are where who was dealt them may have them."""
    for card, holder in ((GOSNE, state.gosne_card), (CEO, state.ceo_card)):
        held = [seat for seat in SEATS if card in state.hands[seat]]
        laid = [(state.gosne + place) % 4 for place, play in enumerate(state.trick) if play.card == card]
        taken = any(card in pile for pile in state.taken)
        assert held + laid == ([] if taken or card in state.unseen else [holder])
    assert GOSNE not in state.unseen
    if state.options.alone == "redeal":
        assert to_act(state) == {TABLE} or state.ceo_card not in (None, state.gosne_card)
    assert CEO not in state.unseen or state.ceo_card is None


def draws(state: State, viewer: Seat | None, of) -> set:
    return {of(determinize(GAME.view(state, viewer), Shuffler(bytes(32), number))) for number in range(60)}


def played(number: int, moves: int, options: Options) -> State:
    chance, state = Shuffler(number.to_bytes(32, "big")), start(options, 4)
    for _ in range(moves):
        seat = next(iter(to_act(state)))
        commands = list(legal(state, seat)) or [GAME.deal(state, chance)]
        state = apply(state, seat, commands[chance.below(len(commands))])
    return state


def test_ceo_may_be_anywhere_for_who_does_not_hold_it():
    """Among them the two unseen cards, and Gosne's own hand for the others."""
    state = next(
        each
        for each in (played(n, moves=1, options=SECRET) for n in range(200))
        if (each.gosne_card, each.ceo_card) == (1, 3)
    )
    assert draws(state, Seat(0), lambda drawn: drawn.ceo_card) == {1, 2, 3, None}
    assert draws(state, Seat(1), lambda drawn: drawn.ceo_card) == {0, 2, 3, None}
    assert draws(state, Seat(3), lambda drawn: drawn.ceo_card) == {3}
    assert draws(state, None, lambda drawn: drawn.ceo_card) == {0, 1, 2, 3, None}


def test_a_deal_to_be_made_again_has_gosne_among_the_unseen():
    state = next(each for each in (played(n, moves=1, options=SECRET) for n in range(200)) if each.gosne_card is None)
    for viewer in VIEWERS[1:]:
        assert all(draws(state, viewer, lambda drawn: GOSNE in drawn.unseen))
        assert len(draws(state, viewer, lambda drawn: drawn.hands)) > 10


def test_by_the_option_alone_ceo_is_with_another_seat_or_the_cards_are_dealt_again():
    """GOS-R3: so everybody knows that the holder of the Gosne card has a partner."""
    options = Options(whistleblower=True, alone="redeal")
    dealt = [played(number, moves=1, options=options) for number in range(300)]
    state = next(each for each in dealt if (each.gosne_card, each.ceo_card) == (1, 3))
    for viewer, where in ((0, {2, 3}), (1, {0, 2, 3}), (3, {3}), (None, {0, 2, 3})):
        assert draws(state, viewer, lambda drawn: drawn.ceo_card) == where
    again = next(each for each in dealt if (each.gosne_card, each.ceo_card) == (1, None))
    for viewer, where in ((0, {1, None}), (1, {None}), (None, {1, None})):
        assert draws(again, viewer, lambda drawn: drawn.ceo_card) == where


def test_a_ceo_card_that_was_seen_and_taken_is_in_nobody_s_hand():
    """GOS-R3 says where it is dealt, not where it comes to lie."""
    options = Options(whistleblower=True, alone="redeal", hands=1)
    tables = [played(number, moves=24, options=options) for number in range(60)]
    later = [each for each in tables if any(CEO in pile for pile in each.taken) and to_act(each)]
    hidden = [each for each in later if CEO not in GAME.view(each, None).last_cards]
    for viewer in VIEWERS[1:]:
        assert not any(draws(hidden[0], viewer, lambda drawn: any(CEO in hand for hand in drawn.hands)))


def test_the_partner_has_what_he_was_given():
    """The dealer gave 1 and 2 and got 2 and 3 back, so that his partner still has the 1."""
    deal = Deal((1, 2, 4, 4, 5, 5, 6, *(0,) * 4, 6, 7, 7, 1, 2, 3, 3, 8, 8, 9, *(9, 10, 10, 11, 11, 12, 12)))
    state = after(start(Options(), 4), (TABLE, deal), (0, Give((1, 2))), (2, Give((2, 3))))
    assert all(draws(state, Seat(0), lambda drawn: 1 in drawn.hands[2]))
    assert all(draws(state, Seat(2), lambda drawn: {2, 3} <= {*drawn.hands[0]}))
    assert not all(draws(state, Seat(1), lambda drawn: 1 in drawn.hands[2]))


def test_a_gosne_card_that_can_lie_nowhere_else_is_the_chestnut():
    """Whoever remembers every trick knows it; a state drawn from that has no other place for the card."""
    rest = list((Counter(DECKS[True]) - Counter((GOSNE, 1, 6, 5, 2, 12))).elements())
    begun = table((GOSNE,), (1,), (6,), (5,), options=SECRET, gosne_card=Seat(0), ceo_card=Seat(1), unseen=(2, 12))
    state = after(attrs.evolve(begun, taken=(tuple(rest), (), (), ())), (0, Declare(GOSNE, 6)))
    for viewer in SEATS[1:]:
        shown = attrs.evolve(GAME.view(state, viewer), taken=state.taken)
        determinizations = [determinize(shown, Shuffler(bytes(32), number)) for number in range(40)]
        assert {drawn.trick[0].card for drawn in determinizations} == {GOSNE}
        assert len({drawn.unseen for drawn in determinizations}) > 3
