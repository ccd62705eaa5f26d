"""What a mark hides stays hidden where its field is odd: None, a pile in place of rows, marks inside other classes."""

from types import SimpleNamespace

import kifu
import pytest
from kifu.core import game as k


@k.command("lay")
class Lay:
    card: k.Card | None = k.secret()
    face: int | None = k.seen_by(lambda step, viewer: False)


@k.command("deal")
class Deal:
    cards: tuple[k.Card, ...] = k.own()


@k.state
class State:
    hands: tuple[tuple[k.Card, ...], ...] = k.own()
    rest: tuple[k.Card, ...] = k.own()
    turned: tuple[k.Card, ...] = k.public()


def start(options, seats):
    return State(((k.Card(1),), (k.Card(2),)), (), ())


RULES = SimpleNamespace(
    start=start,
    to_act=lambda state: frozenset({k.TABLE}),
    apply=lambda state, seat, command: 1 // 0,
    legal=lambda state, seat: (),
    result=lambda state: None,
    deal=lambda state, shuffler: Deal((k.Card(7), k.Card(8), k.Card(9))),
)
GAME = k.Game("odd", range(2, 3), State, (Lay, Deal), RULES)


def seen(given, seat, viewer):
    whole = start(None, 2)
    return GAME.redact(k.Step(k.Event(0, seat, given), whole, whole, GAME, 2), viewer)


@pytest.mark.parametrize("given", [Lay(None, None), Lay(k.Card(5), None), Lay(None, 3), Lay(k.Card(5), 3)])
def test_a_secret_that_is_none_looks_like_any_other(given):
    assert seen(given, 0, 1) == seen(given, 0, None) == k.RedactedCommand("lay")
    assert seen(given, 0, 0) == seen(given, 0, k.TABLE) == given


def test_cards_that_are_no_row_for_each_seat_are_hidden_whole():
    dealt = Deal((k.Card(7), k.Card(8), k.Card(9)))
    assert {seen(dealt, k.TABLE, viewer) for viewer in (0, 1, None)} == {k.RedactedCommand("deal")}


def test_a_pile_that_is_marked_as_rows_is_refused_where_it_is_looked_at():
    piled = State(((k.Card(1),), (k.Card(2),)), (k.Card(3), k.Card(4), k.Card(5)), ())
    with pytest.raises(kifu.GameError, match=r"State.rest is marked `own\(\)`, and has 3 rows for 2 seats"):
        GAME.view(piled, 0)


@k.state
class Player:
    hand: tuple[k.Card, ...] = k.nobody()


@k.state
class Players:
    players: tuple[Player, ...] = k.public()


def test_a_mark_inside_another_class_is_refused():
    with pytest.raises(kifu.GameError, match=r"Players.players holds Player, whose hand has a mark"):
        k.Game("nested", range(2, 3), Players, (Lay,), RULES)


def test_a_deal_that_fails_does_not_print_its_cards():
    with pytest.raises(kifu.GameError, match="its rules failed on 'deal'") as failed:
        kifu.new(GAME, ["Aki", "Ren"])
    assert "7" not in str(failed.value)


def test_the_table_of_secrets_says_what_views_tell_besides():
    told = {row.field: row.sees for row in GAME.secrecies() if row.of == "View"}
    assert told == {"seats": "everybody", "points": "everybody", "to_act": "everybody"}
