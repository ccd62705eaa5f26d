"""Helpers that many games share: move cards, show a seat its own, copy public fields, draw hidden cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from inspect import get_annotations
from itertools import chain
from operator import attrgetter
from types import MemberDescriptorType
from typing import Any, Final, TypeVar

import attrs

from .seats import TABLE, Seat

T = TypeVar("T")
V = TypeVar("V")


def replace_at(row: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    """Return the row with another value at one place."""
    others = list(row)
    others[place] = value
    return tuple(others)


def add_each(row: Iterable[int], other: Iterable[int]) -> tuple[int, ...]:
    """Return the sums of two rows of equal length, element by element: the totals and the new points."""
    return tuple([one + more for one, more in zip(row, other, strict=True)])


def contains_cards(cards: Sequence[T], some: Sequence[T]) -> bool:
    """Return True if all of `some` are among the cards, each as often as it is named."""
    return all(cards.count(card) >= some.count(card) for card in some)


def remove_card(cards: tuple[T, ...], card: T) -> tuple[T, ...]:
    """Return the cards without the first one that equals `card`; raises `ValueError` if none does."""
    rest = list(cards)
    rest.remove(card)
    return tuple(rest)


def remove_cards(cards: Iterable[T], some: Iterable[T]) -> tuple[T, ...]:
    """Return the cards without some of them, in order; raises `ValueError` if one of these is missing."""
    rest = list(cards)
    for card in some:
        rest.remove(card)
    return tuple(rest)


def deal_hands(cards: Sequence[T], hands: int, size: int) -> tuple[tuple[T, ...], ...]:
    """Return `hands` hands of `size` cards each from the top of the deck, each ascending."""
    return tuple([tuple(sorted(cards[top : top + size])) for top in range(0, hands * size, size)])  # type: ignore[type-var]


# What a seat may see, and which hidden state may lie behind it.


def visible_to(viewer: Seat | None, *owners: int) -> bool:
    """Return True if the viewer is the table or one of the owners."""
    return viewer == TABLE or viewer in owners


def show_own(rows: Iterable[T], viewer: Seat | None) -> tuple[T | None, ...]:
    """Return what lies before each seat, None where only its owner may see it and the viewer is another."""
    all_rows = tuple(rows)
    if viewer == TABLE:
        return all_rows
    shown: list[T | None] = [None] * len(all_rows)
    if viewer is not None and 0 <= viewer < len(shown):
        shown[viewer] = all_rows[viewer]
    return tuple(shown)


def copy_fields(to: type[V], source: Any, /, **others: Any) -> V:
    """Return an object of the attrs class `to`, made of the fields of `source` and of `others`.

    A field is copied only if both classes declare it with the same name and type. A view types what may be hidden
    `… | None`, so it is never copied; `TypeError` is raised if it is missing in `others`. Beware of a field that may be
    None in the state too (a vote not yet cast): it is copied unless it is given.
    """
    names, get, is_whole = _copied_fields(to, type(source), *others)  # type: ignore[arg-type]
    others.update(zip(names, get(source), strict=True))
    if not is_whole:
        return to(**others)
    new: V = _new(to)
    _set_attribute(new, "__dict__", others)  # what the class would do, at a third of its cost
    return new


_new: Final[Any] = object.__new__
_set_attribute: Final[Any] = object.__setattr__  # of a frozen class too


def _is_whole(to: type[Any], names: set[str]) -> bool:
    """Return True if these are the fields of an attrs class whose objects are no more than their `__dict__`."""
    own, made_by = vars(to), getattr(to, "__new__", None)
    if "__attrs_attrs__" not in own or getattr(to, "__dictoffset__", 0) == 0 or made_by is not _new:
        return False
    fields, code = attrs.fields(to), getattr(own.get("__init__"), "__code__", None)
    return (
        names == {field.name for field in fields}
        and all(field.init and field.validator is None and field.converter is None for field in fields)
        and not any(hasattr(to, hook) for hook in _HOOKS)
        and not any(isinstance(getattr(to, name, None), MemberDescriptorType) for name in names)
        and code is not None
        and _HASH not in code.co_consts + code.co_names
    )


_HOOKS: Final = ("__attrs_init__", "__attrs_pre_init__", "__attrs_post_init__")
_HASH: Final = "_attrs_cached_hash"


@cache
def _copied_fields(
    to: type[Any], source: type[Any], *others: str
) -> tuple[list[str], Callable[[Any], Iterable[Any]], bool]:
    """Return the names of the fields that both classes declare with one type but `others`, what gets them, and whether
    they and `others` are all that an object is made of."""
    types = _annotations(source)
    names = [name for name, kind in _annotations(to).items() if types.get(name) == kind and name not in others]
    is_whole = _is_whole(to, {*names, *others})
    if len(names) < 2:  # attrgetter returns no tuple
        return names, lambda source: [getattr(source, name) for name in names], is_whole
    return names, attrgetter(*names), is_whole


def _annotations(kind: type[Any]) -> dict[str, Any]:
    """Return the type of each field as the class declares it, since attrs may have resolved those of one class only."""
    declared = [get_annotations(base) for base in reversed(kind.__mro__)]
    return {name: annotation for each in declared for name, annotation in each.items()}


def unseen_cards(deck: Iterable[T], *shown: Iterable[T] | None) -> list[T]:
    """Return the cards of the deck that lie in none of the shown places, in deck order; a hidden place is None."""
    counts = Counter(chain.from_iterable([cards for cards in shown if cards]))
    unseen = []
    for card in deck:
        if count := counts.get(card):
            counts[card] = count - 1
        else:
            unseen.append(card)
    return unseen


def draw_cards(shown: tuple[T, ...] | None, size: int, pool: list[T], *, ascending: bool = True) -> tuple[T, ...]:
    """Return the cards of a place if they are shown; else `size` cards, removed from the end of the pool."""
    if shown is not None:
        return shown
    drawn = [pool.pop() for _ in range(size)]
    return tuple(sorted(drawn) if ascending else drawn)  # type: ignore[type-var]


def draw_rows(
    shown: Iterable[tuple[T, ...] | None], sizes: Iterable[int], pool: list[T], *, ascending: bool = True
) -> tuple[tuple[T, ...], ...]:
    """Return the cards of several places, such as the hands, each as `draw_cards` does."""
    rows = zip(shown, sizes, strict=True)
    return tuple([draw_cards(cards, size, pool, ascending=ascending) for cards, size in rows])
