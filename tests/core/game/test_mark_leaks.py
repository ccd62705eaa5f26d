"""What a mark hides stays hidden where its field is odd: None, a pile in place of rows, marks inside other classes."""

from types import SimpleNamespace

import kifu
import pytest
from kifu.core.game import (
    TABLE,
    Card,
    Event,
    Game,
    RedactedCommand,
    Step,
    command,
    nobody,
    own,
    public,
    secret,
    seen_by,
    state,
)


@command("lay")
class Lay:
    card: Card | None = secret()
    face: int | None = seen_by(lambda step, viewer: False)


@command("deal")
class Deal:
    cards: tuple[Card, ...] = own()


@state
class State:
    hands: tuple[tuple[Card, ...], ...] = own()
    rest: tuple[Card, ...] = own()
    turned: tuple[Card, ...] = public()


def start(options, seats):
    return State(((Card(1),), (Card(2),)), (), ())


RULES = SimpleNamespace(
    start=start,
    to_act=lambda state: frozenset({TABLE}),
    apply=lambda state, seat, command: 1 // 0,
    legal=lambda state, seat: (),
    result=lambda state: None,
    deal=lambda state, shuffler: Deal((Card(7), Card(8), Card(9))),
)
GAME = Game("odd", range(2, 3), State, (Lay, Deal), RULES)


def seen(given, seat, viewer):
    whole = start(None, 2)
    return GAME.redact(Step(Event(0, seat, given), whole, whole, GAME, 2), viewer)


@pytest.mark.parametrize("given", [Lay(None, None), Lay(Card(5), None), Lay(None, 3), Lay(Card(5), 3)])
def test_a_secret_that_is_none_looks_like_any_other(given):
    assert seen(given, 0, 1) == seen(given, 0, None) == RedactedCommand("lay")
    assert seen(given, 0, 0) == seen(given, 0, TABLE) == given


def test_cards_that_are_no_row_for_each_seat_are_hidden_whole():
    dealt = Deal((Card(7), Card(8), Card(9)))
    assert {seen(dealt, TABLE, viewer) for viewer in (0, 1, None)} == {RedactedCommand("deal")}


def test_a_pile_that_is_marked_as_rows_is_refused_where_it_is_looked_at():
    piled = State(((Card(1),), (Card(2),)), (Card(3), Card(4), Card(5)), ())
    with pytest.raises(kifu.GameError, match=r"State.rest is marked `own\(\)`, and has 3 rows for 2 seats"):
        GAME.view(piled, 0)


@state
class Player:
    hand: tuple[Card, ...] = nobody()


@state
class Players:
    players: tuple[Player, ...] = public()


def test_a_mark_inside_another_class_is_refused():
    with pytest.raises(kifu.GameError, match=r"Players.players holds Player, whose hand has a mark"):
        Game("nested", range(2, 3), Players, (Lay,), RULES)


def test_a_deal_that_fails_does_not_print_its_cards():
    with pytest.raises(kifu.GameError, match="its rules failed on 'deal'") as failed:
        kifu.new(GAME, ["Aki", "Ren"])
    assert "7" not in str(failed.value)


def test_the_table_of_secrets_says_what_views_tell_besides():
    told = {row.field: row.sees for row in GAME.secrecies() if row.of == "View"}
    assert told == {"seats": "everybody", "points": "everybody", "to_act": "everybody"}
