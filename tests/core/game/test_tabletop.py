"""What games share: moving cards, showing a seat its own, copying what is public, drawing what is hidden."""

from __future__ import annotations

import attrs
import pytest
from attrs import frozen, resolve_types
from kifu.core.game import TABLE, Seat
from kifu.core.game.tabletop import (
    add_each,
    contains_cards,
    copy_fields,
    deal_hands,
    draw_rows,
    remove_card,
    remove_cards,
    replace_at,
    show_own,
    unseen_cards,
    visible_to,
)


@frozen
class Table:
    round: int
    hands: tuple[tuple[int, ...], ...]


@frozen
class Public:
    viewer: int
    round: int
    hands: tuple[tuple[int, ...] | None, ...]


TABLE_NOW = Table(3, ((1, 4), (2, 5)))


@pytest.mark.parametrize("place", range(3))
def test_one_value_is_replaced_and_no_other(place: int) -> None:
    row = replace_at(("a", "b", "c"), place, "x")
    assert row[place] == "x"
    assert [row[each] for each in range(3) if each != place] == ["abc"[each] for each in range(3) if each != place]


def test_points_are_added_seat_by_seat() -> None:
    assert add_each((1, 2), (10, 20)) == (11, 22)
    with pytest.raises(ValueError, match="zip"):
        add_each((1, 2), (10,))


def test_cards_are_removed_as_often_as_they_are_named() -> None:
    assert remove_cards((3, 1, 3, 2), (3, 2)) == (1, 3)
    assert remove_card((3, 1, 3), 3) == (1, 3)
    for missing in ((4,), (1, 1)):
        assert not contains_cards((3, 1), missing)
        with pytest.raises(ValueError, match="not in list"):
            remove_cards((3, 1), missing)
    assert contains_cards((3, 1, 3), (3, 3))


def test_hands_are_dealt_from_the_top_and_sorted() -> None:
    assert deal_hands((5, 2, 9, 1, 7), 2, 2) == ((2, 5), (1, 9))


def test_a_seat_sees_its_own_and_the_table_all() -> None:
    assert [visible_to(viewer, 1, 2) for viewer in (TABLE, Seat(1), Seat(2), Seat(0), None)] == [True] * 3 + [False] * 2
    assert show_own(TABLE_NOW.hands, Seat(1)) == (None, (2, 5))
    assert show_own(TABLE_NOW.hands, None) == (None, None)
    assert show_own(TABLE_NOW.hands, TABLE) == TABLE_NOW.hands


def test_public_fields_are_copied_and_one_of_another_type_never_is() -> None:
    public = copy_fields(Public, TABLE_NOW, viewer=1, hands=(None, (2, 5)))
    assert public == Public(1, 3, (None, (2, 5)))
    assert copy_fields(Table, public, hands=TABLE_NOW.hands) == TABLE_NOW
    assert copy_fields(Public, TABLE_NOW, viewer=1, round=9, hands=()).round == 9
    with pytest.raises(TypeError, match="hands"):
        copy_fields(Public, TABLE_NOW, viewer=1)


def test_public_fields_are_copied_also_where_somebody_has_resolved_the_types_of_one_class() -> None:
    @frozen
    class Resolved:
        round: int

    resolve_types(Resolved)
    assert copy_fields(Resolved, TABLE_NOW) == Resolved(3)


def test_hidden_cards_are_drawn_from_those_that_nothing_shows() -> None:
    unseen = unseen_cards((1, 1, 1, 2, 3), (1,), None, (3, 1))
    assert unseen == [1, 2]
    assert draw_rows([(3,), None, ()], [1, 2, 0], unseen) == ((3,), (1, 2), ())
    assert unseen == []
    assert draw_rows([None], [2], [1, 2], ascending=False) == ((2, 1),)


@attrs.frozen
class WithSlots:
    round: int
    more: int


@attrs.frozen(slots=False)
class Converted:
    round: int = attrs.field(converter=lambda value: value + 1)
    more: int


@attrs.frozen(slots=False)
class Judged:
    round: int
    more: int

    def __attrs_post_init__(self):
        assert self.more < 9


@attrs.frozen(slots=False, unsafe_hash=True, cache_hash=True)
class Hashed:
    round: int
    more: int


@attrs.mutable(slots=False, unsafe_hash=True, cache_hash=True)
class HashedAnew:
    round: int
    more: int


class Loose:
    """A base without slots."""


@attrs.frozen
class SlotsOverNone(Loose):
    round: int
    more: int


@attrs.frozen(slots=False)
class Plain:
    round: int
    more: int


class WithItsOwnInit(Plain):
    def __init__(self, **given):
        super().__init__(**given)
        object.__setattr__(self, "seen", True)

    def __eq__(self, other):
        return vars(self) == vars(other)

    __hash__ = Plain.__hash__


@pytest.mark.parametrize("kind", [WithSlots, Converted, Judged, Hashed, HashedAnew, SlotsOverNone, WithItsOwnInit])
def test_a_class_that_does_more_than_hold_its_fields_does_it_here_too(kind):
    made = copy_fields(kind, TABLE_NOW, round=1, more=2)
    assert made == kind(round=1, more=2)
    assert hash(made) == hash(kind(round=1, more=2))


def test_what_a_class_refuses_is_refused_here_too():
    with pytest.raises(AssertionError):
        copy_fields(Judged, TABLE_NOW, round=1, more=9)
    with pytest.raises(TypeError):
        copy_fields(WithSlots, TABLE_NOW, round=1, more=2, other=3)
