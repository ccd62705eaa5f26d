"""What a seat thinks of cards that lie face down: in rollouts, and of how likely a state is."""

import attrs
import kifu
import pytest
from kifu.core.game import Card, Seat
from kifu.core.match import Match
from kifu.core.match.bot import ObservationHistory
from kifu.core.testing.laws_of_draws import hints_hold_throughout
from kifu.core.testing.play import played
from kifu.games.gosne.belief import likelihood, playout_priors
from kifu.games.gosne.model import Command, Declare, Play, State

GOSNE = kifu.games.find("gosne")


def cards(*ranks: int) -> tuple[Card, ...]:
    return tuple(map(Card, ranks))


def trick(declared: int, *plays: Play, hand: tuple[Card, ...], led: int | None = None) -> tuple[State, Seat]:
    """Return a state of the first trick, seat 0's, in which who is to follow has this hand."""
    laid = (Play(Card(declared if led is None else led), gun=False), *plays)
    hands = tuple(hand if seat == len(laid) else () for seat in range(4))
    state = attrs.evolve(GOSNE.start(GOSNE.options(), 4), gosne=Seat(0), declared=declared, trick=laid, hands=hands)
    return attrs.evolve(state, gifts=(cards(1, 1),) * 4), Seat(len(laid))


def best(state: State, seat: Seat) -> Play:
    return max(playout_priors(state, seat), key=lambda each: each[1])[0]


def test_who_follows_weighs_alike_whether_gosne_told_the_truth_or_lied() -> None:
    for plays in ((), (Play(Card(9), gun=False),)):
        told, lied = (trick(5, *plays, hand=cards(0, 3, 8, 12), led=led) for led in (5, 10))
        assert list(playout_priors(*told)) == list(playout_priors(*lied))


def test_hyoju_believes_and_lays_a_chestnut_where_a_gun_would_win_over_a_lie() -> None:
    """By the cards alone a lie is four times likelier."""
    assert best(*trick(5, Play(Card(7), gun=True), hand=cards(2, 12))) == Play(Card(12), gun=False)


def test_the_last_prosecutor_saves_his_cards_where_hyoju_shot() -> None:
    """A truth is then lost for Gosne's side with any card (GOS-9), and a lie won by Hyoju's gun (GOS-8)."""
    guns = Play(Card(2), gun=True), Play(Card(12), gun=True)
    assert best(*trick(5, *guns, hand=cards(1, 8))).card == 1
    assert best(*trick(5, guns[0], Play(Card(3), gun=False), hand=cards(1, 8))).card == 8


def test_with_all_lies_in_sight_a_prosecutor_knows_the_truth() -> None:
    """Number 1 may be a 1, a 2, a 3 or an X; whoever holds all that is no 1 lays the X over it, as a chestnut."""
    weights = dict(playout_priors(*trick(1, hand=cards(0, 0, 0, 0, 2, 2, 3))))
    assert weights[Play(Card(3), gun=False)] > weights[Play(Card(3), gun=True)]
    weights = dict(playout_priors(*trick(1, hand=cards(1, 1, 9, 9, 8, 8, 3))))
    assert weights[Play(Card(3), gun=False)] < weights[Play(Card(3), gun=True)]


@pytest.mark.parametrize("number", range(3))
def test_until_ceo_is_seen_its_holder_plays_as_anybody_would(number: int) -> None:
    hints_hold_throughout(played(GOSNE, 4, GOSNE.options(whistleblower=True), number))


def test_a_hand_that_would_have_led_otherwise_is_less_likely() -> None:
    """A number is most likely the truth, and who had more truths to tell would have led another card."""
    match = kifu.new("gosne", list("abcd"), seed=bytes(32))
    while not match.state.trick:
        match.apply(min(match.to_act), first_truth(match))
    gosne, viewer = match.state.gosne, Seat((match.state.gosne + 1) % 4)
    info_state = ObservationHistory(match, viewer).information_state()
    weigh = likelihood(info_state.view, info_state.history)
    told = match.state.declared

    def likely(led: int, *held: int) -> float:
        hands = tuple(cards(*held) if seat == gosne else hand for seat, hand in enumerate(match.state.hands))
        return weigh(attrs.evolve(match.state, hands=hands, trick=(Play(Card(led), gun=False),)))

    assert told is not None
    assert likely(told, 1, 2, 10, 11, 12, 12) > 1.3 * likely(told, 1, 2, 9, 9, 8, 8)
    assert likely(told, 1, 2, 10, 11, 12, 12) > 10 * likely(0, 1, 2, 10, 11, 12, 12)


def first_truth(match: Match) -> Command:
    """Return the truth of the highest number, where the seat is to lead."""
    choices = list(GOSNE.legal(match.state, min(match.to_act)))
    truths = [each for each in choices if isinstance(each, Declare) and each.card == each.number]
    return max(truths or choices, key=lambda each: getattr(each, "number", 0))
