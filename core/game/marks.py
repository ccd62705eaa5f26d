"""Who sees what, said once: marks on the fields of a state, of a command, and of a view.

A mark stands where a field's default would: `hands: tuple[Cards, ...] = own()`. Everything that shows a match to
somebody follows from the marks: views, redacted commands, notes, scenes, and the table of secrets (`secrets_of`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from attrs import NOTHING, Attribute, field, fields, frozen

from .board import Board
from .shapes import types_of

Sees = Literal["everybody", "owner", "nobody", "some", "told"]


@frozen
class Mark:
    """What a field says of itself."""

    sees: Sees
    """Who sees its value: everybody, of each row the seat whose row it is, nobody, or whom `by` says."""
    by: Callable[..., Any] | None = None
    """Says who sees it, or (of a view's field) what its value is."""
    sizes: str | None = None
    """The view's field that says how much lies there; "" if nobody is told, None for the name that follows."""
    in_order: bool = False
    """True if the order of hidden cards tells something, as in a deck; else they lie in ascending order."""
    rule: str | None = None
    """The number of the rule by which a derived note tells that the field has changed."""
    thing: str = "card"
    """What its cards, or its numbers, are called in a scene: the kind of its parts."""
    board: Board | None = None
    """The board on which its items lie, one for each space."""


MARK = "kifu"
"""The key of a field's metadata that holds its mark."""


def _marked(mark: Mark, default: Any = NOTHING, **metadata: Any) -> Any:
    return field(default=default, metadata={MARK: mark, **metadata})


def public(*, default: Any = NOTHING, rule: str | None = None, thing: str = "card", board: Board | None = None) -> Any:
    """Mark a field that everybody sees."""
    return _marked(Mark("everybody", rule=rule, thing=thing, board=board), default)


def own(
    *,
    default: Any = NOTHING,
    sizes: str | None = None,
    in_order: bool = False,
    rule: str | None = None,
    thing: str = "card",
) -> Any:
    """Mark a tuple with a row for each seat, which only that seat sees; the others see how much lies there.

    - `sizes`: the view's field that says how much; `hand_sizes` of `hands` unless given. "": the others do not see it.
    - `in_order`: the order of the cards tells something; else a row is drawn in ascending order.
    """
    return _marked(Mark("owner", sizes=sizes, in_order=in_order, rule=rule, thing=thing), default)


def nobody(*, default: Any = NOTHING, size: str | None = None, in_order: bool = True, rule: str | None = None) -> Any:
    """Mark a field of a state that nobody sees but the table; how much lies there is seen, as `FIELD_size`."""
    return _marked(Mark("nobody", sizes=size, in_order=in_order, rule=rule), default)


def secret(*, default: Any = NOTHING, sizes: str = "", thing: str = "card") -> Any:
    """Mark a field of a command that only the seat sees that gives it; the others see that it was given.

    With `sizes` they also see how much it holds, under this name.
    """
    return _marked(Mark("nobody", sizes=sizes, thing=thing), default)


def seen_by(
    by: Callable[..., Any],
    *,
    default: Any = NOTHING,
    sizes: str | None = None,
    in_order: bool = False,
    rule: str | None = None,
    thing: str = "card",
    board: Board | None = None,
) -> Any:
    """Mark a field of which a function says who sees it: fog, a dummy's hand, a pile that is open at the end.

    `by(state, viewer)` returns True or False, or a bool for each item (or a tuple of them for each row). Where items
    may be missing, `sizes` names the field that says which are there; "": nobody is told. For a field of
    a command it is `by(step, viewer)`. It is never asked about the table, which sees everything, and for a command not
    about the seat that gives it. The first line of its docstring stands in the table of secrets.
    """
    return _marked(Mark("some", by, sizes, in_order, rule, thing, board), default)


def told(by: Callable[..., Any]) -> Any:
    """Declare a field of a view that is shown otherwise than the marks say.

    `by(state)` is what everybody sees, `by(state, viewer)` what this viewer does; the table is the viewer `TABLE`.
    """
    return _marked(Mark("told", by))


def mapping(default: Any = NOTHING, *, mark: Any = None, pairs: bool = False) -> Any:
    """Declare a field of a command or of the options that is a map on the wire and a tuple of pairs in memory.

    In a command of a game with secrets give its `mark`: `mapping(mark=secret())`. With `pairs` it is a list of pairs on
    the wire, too, ascending by key, so that ints stay ints; a map has their decimal digits.
    """
    metadata = {"wire": "pairs" if pairs else "map", **(mark.metadata if mark is not None else {})}
    return field(default=default, metadata=metadata, converter=_ascending if pairs else None)


def _ascending(pairs: Any) -> Any:
    """Return pairs in ascending order; what cannot be sorted as it is, to be refused."""
    try:
        return tuple(sorted(pairs)) if isinstance(pairs, tuple) else pairs
    except TypeError:
        return pairs


def is_mapping(each: Any) -> bool:
    """Return True for a field that `mapping` declares."""
    return "wire" in each.metadata


def is_pairs(each: Any) -> bool:
    """Return True for such a field that is a list of pairs on the wire."""
    return bool(each.metadata.get("wire") == "pairs")


def seat_option(default: int = 0) -> Any:
    """Declare an option that is the number of a seat; a number that no seat has is refused."""
    return field(default=default, metadata={"names": "seat"})


def option_name(field_name: str) -> str:
    """Return the name of an option: that of its field, without the `_` behind what would be a keyword of Python."""
    return field_name.removesuffix("_")


def mark_of(each: Attribute[Any]) -> Mark | None:
    """Return the mark of a field; None if it has none."""
    mark: Mark | None = each.metadata.get(MARK)
    return mark


@frozen
class MarkedField:
    """A field of a state or a command: its name, its mark (without one everybody sees it), and its type."""

    name: str
    mark: Mark
    kind: Any


def marked_fields(kind: type) -> list[MarkedField]:
    """List the fields of a class, in order."""
    types = types_of(kind)
    return [MarkedField(each.name, mark_of(each) or Mark("everybody"), types[each.name]) for each in fields(kind)]
