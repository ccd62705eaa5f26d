"""A state's bytes are those of its fields in order, whatever the fields' types promise."""

from __future__ import annotations

from enum import Enum
from typing import Any

import msgpack
import pytest
from attrs import field, fields, frozen, has
from kifu.core.wire import pack


class Colour(Enum):
    RED = "red"


@frozen
class Card:
    number: int
    colour: Colour = Colour.RED


@frozen
class Marked(Card):
    mark: str = "x"


@frozen
class Pile:
    """A class that names itself."""

    top: Card
    cards: tuple[Card, ...] = ()
    hands: tuple[tuple[Card, ...], ...] = ()
    pair: tuple[Card, int] = field(default=(Card(1), 2))
    below: Pile | None = None
    piles: tuple[Pile, ...] = ()


def flat(value: Any) -> Any:
    """Return what a value is as plain data, told field by field."""
    if has(type(value)):
        return [flat(getattr(value, each.name)) for each in fields(type(value))]
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, (list, tuple)):
        return [flat(each) for each in value]
    if isinstance(value, (set, frozenset)):
        return sorted(map(flat, value), key=msgpack.packb)
    return value


ONE = Pile(Card(1), (Card(2), Card(3)), ((Card(4),), ()), (Card(5), 6))


@pytest.mark.parametrize(
    "value",
    [
        ONE,
        Pile(Card(1), below=ONE, piles=(ONE, ONE)),
        Pile(Marked(1), (Card(2), Marked(3)), ((Marked(4), Card(5)),)),
        Pile(None, [Card(2)], ((Card(3), None), [Card(4)], None), {Card(6), Card(5)}),  # type: ignore[arg-type]
        Pile("card", "cards", ("hands",)),  # type: ignore[arg-type]
        [ONE, {"a": Card(1)}],
        None,
    ],
    ids=["card", "nested", "derived", "other types", "texts", "list and map", "None"],
)
def test_objects_are_packed_field_by_field(value: Any) -> None:
    expected = {"a": flat(value[1]["a"])} if isinstance(value, list) else None
    assert msgpack.unpackb(pack(value)) == ([flat(ONE), expected] if expected else flat(value))


def test_what_was_changed_although_it_is_frozen_is_packed_as_it_is_now() -> None:
    """So law 1 sees rules that change the state they are given, however deep inside."""
    card, other = Card(1), Card(0)
    for pile in (
        Pile(card),
        Pile(other, (card,)),
        Pile(other, hands=((card,),)),
        Pile(other, pair=(card, 2)),
        Pile(other, below=Pile(card)),
        Pile(other, piles=(Pile(card),)),
    ):
        before = pack(pile)
        object.__setattr__(card, "number", card.number + 1)
        assert pack(pile) != before


def test_a_class_inside_a_function_is_packed_too() -> None:
    @frozen
    class Here:
        card: Card
        cards: tuple[Card, ...]

    assert msgpack.unpackb(pack(Here(Card(1), (Card(2),)))) == [[1, "red"], [[2, "red"]]]
