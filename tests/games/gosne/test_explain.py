"""The notes of Gosne is Gone, and for whom they are."""

import attrs
import pytest
from kifu.core.game import TABLE, Seat
from kifu.games.gosne import GAME
from kifu.games.gosne.model import CEO, GOSNE, Deal, Declare, Give, Options, Play, State, X
from kifu.games.gosne.rules import DECKS, apply, start

from ..at_table import AtTable
from .test_trick import gun, nut

SEATS = [Seat(seat) for seat in range(4)]
SECRET = Options(whistleblower=True)
EXCHANGED = ((1, 2), (1, 2), (3, 4), (3, 4))


def table(*hands, options=None, **changes) -> State:
    options = options or Options()
    gifts = () if options.whistleblower else EXCHANGED
    holder = {"gosne_card": 0} if options.whistleblower else {}
    return attrs.evolve(start(options, 4), **{"gosne": Seat(0), "hands": hands, "gifts": gifts, **holder, **changes})


def noted(state: State, seat: int, command, viewer=TABLE) -> dict[str, str]:
    """Return the notes' keys with their rules."""
    return {note.key: note.rule.number for note in AtTable(GAME).told(state, seat, command, viewer)}


def trick(number, *plays: Play, options=None, more=True) -> dict[str, str]:
    """Play the trick and give the notes of its last card."""
    hands = tuple((*([1] if more else []), play.card) for play in plays)
    state = table(*hands, options=options or Options(), unseen=(7, 8) if options and options.whistleblower else ())
    state = apply(state, Seat(0), Declare(plays[0].card, number))
    for seat in (1, 2):
        state = apply(state, Seat(seat), plays[seat])
    return noted(state, 3, plays[3])


TRICKS = [
    (9, (nut(9), nut(3), gun(2), gun(1)), {"truth": "GOS-4", "won-prosecutor": "GOS-9"}),
    (9, (nut(9), gun(3), gun(2), gun(1)), {"won-prosecutor-gun": "GOS-9"}),
    (9, (nut(9), nut(3), gun(2), nut(3)), {"won-prosecutor": "GOS-9", "later": "GOS-R5"}),
    (9, (nut(9), nut(3), nut(2), gun(1)), {"truth": "GOS-4", "won-truth": "GOS-7", "turned-up": "GOS-7"}),
    (9, (nut(9), nut(X), nut(2), gun(1)), {"won-truth": "GOS-7", "x-highest": "GOS-11"}),
    (9, (nut(9), nut(9), nut(2), gun(1)), {"won-truth": "GOS-7", "later": "GOS-10"}),
    (4, (nut(9), gun(3), nut(2), nut(1)), {"lie": "GOS-4", "won-lie": "GOS-8", "takes": "GOS-13"}),
    (4, (nut(9), gun(3), gun(X), nut(1)), {"won-lie": "GOS-8", "x-lowest": "GOS-11"}),
    (4, (nut(9), nut(3), nut(2), nut(1)), {"won-no-gun": "GOS-8"}),
    (5, (nut(11), nut(3), nut(2), nut(1)), {"lie-forced": "GOS-5"}),
    (5, (nut(X), nut(3), nut(2), nut(1)), {"lie-x": "GOS-12", "won-no-gun": "GOS-8"}),
]


@pytest.mark.parametrize(("number", "plays", "notes"), TRICKS)
def test_the_notes_of_a_full_trick_name_the_rules_that_decided_it(number, plays, notes):
    assert notes.items() <= trick(number, *plays).items()


def test_the_notes_of_the_two_cards_of_the_whistleblower():
    assert trick(6, nut(GOSNE), nut(3), nut(2), nut(1), options=SECRET)["lie-gosne"] == "GOS-19"
    assert trick(9, nut(9), nut(X), nut(CEO), nut(1), options=SECRET)["later-x"] == "GOS-R6"
    assert trick(9, nut(9), nut(3), nut(2), nut(1), options=SECRET, more=False)["takes-unseen"] == "GOS-16"


def test_the_notes_of_the_last_trick_count():
    notes = trick(9, nut(9), nut(3), nut(2), nut(1), more=False)
    assert {"counted": "GOS-14", "scored": "GOS-R4", "won-pair": "GOS-14"}.items() <= notes.items()
    assert "tied" not in notes
    several = trick(9, nut(9), nut(3), nut(2), nut(1), more=False, options=Options(hands=4))
    assert several["next-hand"] == "GOS-15"


def test_equal_chestnuts_are_a_note():
    state = after_four(table((9,), (3,), (2,), (1,), taken=((), (4, 5, 6, 7), (), ())))
    assert noted(state, 3, nut(1))["tied"] == "GOS-R2"


def test_gifts_are_told_to_the_pair():
    state = apply(start(Options(), 4), TABLE, Deal(DECKS[False]))
    keys = {viewer: [*noted(state, 0, Give((0, 0)), viewer)] for viewer in [*SEATS, TABLE, None]}
    assert [viewer for viewer in keys if keys[viewer] == ["gave-cards"]] == [0, 2, TABLE]
    assert [viewer for viewer in keys if keys[viewer] == ["gave"]] == [1, 3, None]


def test_a_card_face_down_is_told_to_who_played_it():
    state = table((4, 9), (5, 6), (7, 8), (8, 10))
    assert [*noted(state, 0, Declare(9, 4), 0)] == ["declared-card"]
    assert [[*noted(state, 0, Declare(9, 4), viewer)] for viewer in (1, 2, 3, None)] == [["declared"]] * 4
    state = apply(state, Seat(0), Declare(9, 4))
    assert [*noted(state, 1, nut(5), 1)] == ["chestnut-card"]
    assert [[*noted(state, 1, nut(5), viewer)] for viewer in (0, 2, 3, None)] == [["chestnut"]] * 4


def dealt(gosne_card, ceo_card) -> Deal:
    """Deal the Gosne and the CEO card to these seats; None: to nobody."""
    cards = [card for card in DECKS[True] if card not in (GOSNE, CEO)]
    for card, seat in sorted(((GOSNE, gosne_card), (CEO, ceo_card)), key=lambda each: (each[1] is None, each[1] or 0)):
        cards.insert(len(cards) if seat is None else 7 * seat, card)
    return Deal(tuple(cards))


@pytest.mark.parametrize(
    ("gosne_card", "ceo_card", "key", "who"),
    [(0, 2, "paired", [2, TABLE]), (3, 3, "alone-both", [3, TABLE]), (3, None, "alone-unseen", [TABLE])],
)
def test_the_pairs_are_told_to_the_holder_of_ceo_alone(gosne_card, ceo_card, key, who):
    """GOS-18, GOS-R3."""
    state = start(SECRET, 4)
    knowing = [
        viewer for viewer in [*SEATS, TABLE, None] if key in noted(state, TABLE, dealt(gosne_card, ceo_card), viewer)
    ]
    assert knowing == who


def test_a_deal_without_gosne_is_told_as_one_to_be_made_again():
    """GOS-17, and nothing of CEO to anybody."""
    state = start(SECRET, 4)
    for viewer in [*SEATS, TABLE, None]:
        hand = {"dealt-hand": "GOS-16"} if viewer is not None else {}
        expected = {"dealt-whistleblower": "GOS-16", **hand, "misdeal": "GOS-17"}
        assert noted(state, TABLE, dealt(None, 1), viewer) == expected


@pytest.mark.parametrize("ceo_card", [2, None])
def test_why_the_cards_are_dealt_again_is_told_to_all(ceo_card):
    """GOS-R3: the holder of the Gosne card has no partner; whether he holds CEO too is told to nobody."""
    state = start(Options(whistleblower=True, alone="redeal"), 4)
    for viewer in [*SEATS, TABLE, None]:
        hand = {"dealt-hand": "GOS-16"} if viewer is not None else {}
        expected = {"dealt-whistleblower": "GOS-16", **hand, "misdeal-alone": "GOS-R3"}
        assert noted(state, TABLE, dealt(2, ceo_card), viewer) == expected


def test_equal_points_after_four_hands_are_told_as_a_tie():
    """GOS-R2: under the whistleblower's rules the sides change, and who was on one side last has no shared score."""
    options = Options(whistleblower=True, hands=4)
    cards = {"taken": ((), (7, 5, 6, 4), (), ()), "unseen": (7, 8), "finished": 3, "ceo_card": 2}
    state = table((9,), (3,), (2,), (1,), options=options, points=(4, 0, 4, 0), **cards)
    state = after_four(state)
    assert noted(state, 3, nut(1))["tied"] == "GOS-R2"


def after_four(state: State) -> State:
    """Play a trick but for its last card."""
    state = apply(state, Seat(0), Declare(9, 9))
    for seat in (1, 2):
        state = apply(state, Seat(seat), nut(state.hands[seat][0]))
    return state


@pytest.mark.parametrize("options", [Options(), SECRET])
def test_the_deal_tells_each_seat_its_own_hand_and_no_other(options):
    """A record must suffice to know what its seat knows."""
    state = start(options, 4)
    deal = dealt(0, 1) if options.whistleblower else Deal(DECKS[False])
    hands = apply(state, TABLE, deal).hands
    for viewer in [*SEATS, TABLE, None]:
        shown = {note["seat"]: note["cards"] for note in values(state, TABLE, deal, "dealt-hand", viewer)}
        own = SEATS if viewer == TABLE else [seat for seat in SEATS if seat == viewer]
        assert shown == {seat: hands[seat] for seat in own}


def values(state: State, seat: int, command, key: str, viewer=TABLE) -> list[dict]:
    """Return the values of the notes with a key."""
    return [dict(note.values) for note in AtTable(GAME).told(state, seat, command, viewer) if note.key == key]


def test_the_note_of_the_chestnuts_has_their_numbers():
    """GOS-R1: without them nobody could tell what decides the game."""
    state = start(Options(chestnuts=((12, 0), (9, 3))), 4)
    assert values(state, TABLE, Deal(DECKS[False]), "chestnuts-told", None) == [{"cards": (9, 12), "counts": (3, 0)}]


def test_gos_r7_the_piles_are_opened_to_all_when_they_are_counted():
    state = after_four(table((9,), (3,), (2,), (1,), taken=((), (7, 5, 6, 4), (), ())))
    for viewer in [*SEATS, TABLE, None]:
        opened = {note["seat"]: note["cards"] for note in values(state, 3, nut(1), "pile-open", viewer)}
        assert opened == {0: (1, 2, 3, 9), 1: (4, 5, 6, 7)}


@pytest.mark.parametrize("as_gun", [True, False])
def test_all_are_told_the_pairs_when_ceo_is_seen(as_gun):
    state = table((GOSNE, 9), (5, 6), (7, 8), (CEO, 10), options=SECRET, unseen=(1, 2), ceo_card=3)
    state = apply(state, Seat(0), Declare(9, 9))
    for seat, card in ((1, 5), (2, 7)):
        state = apply(state, Seat(seat), nut(card))
    assert all("paired" in noted(state, 3, Play(CEO, as_gun), viewer) for viewer in [*SEATS, None])
