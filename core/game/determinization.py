"""States that may lie behind a view, derived from the marks: hidden cards are drawn from those that no one sees."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, TypeVar

from ..errors import GameError, Message
from .cards_in import cards_function
from .marks import Mark, MarkedField, marked_fields
from .seats import Card
from .secrets import sizes_of
from .shapes import choices_of, depth_of, is_a, row_of, without_none
from .shuffle import Shuffler
from .tabletop import unseen_cards

S = TypeVar("S")

DRAWS = 1000
"""The most states that are drawn until one fits the constraint; then the last one is taken."""

Deck = Callable[[Any, int], Iterable[Any]]
Constraint = Callable[[Any, Any], bool]


class Hidden:
    """A field of a state that a view may hide: what it is made of, and how much of it there is."""

    def __init__(self, field: MarkedField) -> None:
        self.name, self.kind, self._mark = field.name, field.kind, field.mark
        self.depth = depth_of(self.kind)
        sized = sizes_of(field)
        self._sizes = None if sized is None else sized.name
        self._fill = _filler(self.kind, self._mark)

    @property
    def is_drawn(self) -> bool:
        """True if what the field hides can be drawn: cards, or one of values that can be listed.

        A card that may be missing and is seen by some cannot: a hidden one looks like none. Nor can as many cards as
        nobody is told, unless a function says of each item who sees it.
        """
        row = row_of(self.kind)
        is_told = self._mark.sizes != "" or self._mark.sees == "some"
        if not is_told and self.depth is not None and not is_a(self.kind, Card):
            return False
        if self._mark.sees == "some" and row is not None and without_none(row_of(row) or row) is not None:
            return False
        return (self.depth is not None and self.depth <= 2) or _leaf_choices(self.kind) is not None

    def count(self, view: Any) -> int:
        """Return how many cards of this field the view hides."""
        return 0 if self.depth is None else _hidden_in(getattr(view, self.name), self._size(view))

    def _size(self, view: Any) -> Any:
        return True if self._sizes is None else getattr(view, self._sizes)

    def fill(self, view: Any, pool: list[Any], shuffler: Shuffler) -> Any:
        """Return the value of this field: as the view shows it, and what it hides drawn from the pool."""
        return self._fill(getattr(view, self.name), self._size(view), pool, shuffler)


Fill = Callable[[Any, Any, list[Any], Shuffler], Any]
"""Returns a value of a state from that of a view, its size, the unseen cards and a shuffler."""


def _filler(kind: Any, mark: Mark) -> Fill:
    """Return what fills the hidden places of values of this type."""
    row = row_of(kind)
    if row is not None:
        of_item = _filler(row, mark)
        return _rows_filler(of_item, _row_filler(of_item, mark) if row_of(row) is None else None)
    choices = choices_of(without_none(kind) or kind)
    if choices is not None:
        return lambda value, size, _, shuffler: (
            choices[shuffler.below(len(choices))] if value is None and size is not False else value
        )
    return lambda value, size, pool, _: pool.pop() if value is None and size is not False else value


def _rows_filler(of_item: Fill, of_row: Fill | None) -> Fill:
    """Return what fills a tuple: item by item, or (hidden as a whole) as a row."""

    def fill(value: Any, size: Any, pool: list[Any], shuffler: Shuffler) -> Any:
        if value is None:
            return value if of_row is None else of_row(value, size, pool, shuffler)
        if size.__class__ is tuple:
            return tuple([of_item(each, many, pool, shuffler) for each, many in zip(value, size, strict=True)])
        return tuple([of_item(each, True, pool, shuffler) for each in value]) if None in value else value

    return fill


def _row_filler(of_item: Fill, mark: Mark) -> Fill:
    in_order = mark.in_order

    def fill(_: Any, size: Any, pool: list[Any], shuffler: Shuffler) -> Any:
        drawn = [of_item(None, True, pool, shuffler) for _ in range(size)]
        return tuple(drawn if in_order else sorted(drawn))

    return fill


def _hidden_in(value: Any, size: Any) -> int:
    """Count the hidden cards of a value in a view: None where a size says that cards lie there."""
    if isinstance(value, tuple):
        sizes = size if isinstance(size, tuple) else (True,) * len(value)
        return sum(_hidden_in(each, many) for each, many in zip(value, sizes, strict=True))
    return int(size or 0) if value is None else 0


def _leaf_choices(kind: Any) -> tuple[Any, ...] | None:
    """Return the values of a field that holds one, a row of them, or rows."""
    for _ in range(2):
        kind = row_of(kind) or kind
    return choices_of(without_none(kind) or kind)


def hidden_fields(state: type) -> list[Hidden]:
    """List the fields of a state that a view may hide."""
    return [Hidden(each) for each in marked_fields(state) if each.mark.sees != "everybody"]


def drawing(
    state: type[S], deck: Deck, constraint: Constraint | None = None, seats: range = range(1, 17)
) -> Callable[[Any, Shuffler], S]:
    """Return a function that draws a state with a view, in which all that the view does not show is random.

    - `deck(options, seats)`: all cards, those of hidden places among them; `options` are None if the view has none.
    - `constraint(view, state)`: whether a state may lie behind the view; if none of 1,000 does, the last is taken.
    - `seats`: the numbers of seats to try where a view does not say its own as `seats`.
    """
    kind: Any = state
    hidden = hidden_fields(kind)
    hides = {each.name for each in hidden}
    drawn_from = any(each.depth is not None for each in hidden)
    fields = marked_fields(kind)
    plain = [each.name for each in fields if each.name not in hides]
    places = [(each.name, depth) for each in fields if (depth := depth_of(each.kind)) is not None]
    without_depth = [each for each in fields if depth_of(each.kind) is None and each.name not in hides]
    inside = [(each.name, cards_of) for each in without_depth if (cards_of := cards_function(each.kind)) is not None]

    @lru_cache(maxsize=64)
    def whole(options: Any, count: int) -> tuple[Any, ...]:
        return tuple(deck(options, count))

    def pool_of(view: Any) -> list[Any]:
        """List the cards that the view does not show; if it does not say its seats, of the deck that fits it."""
        if not drawn_from:
            return []
        shown = [row for name, depth in places for row in _rows_of(getattr(view, name), depth)]
        shown += [cards_of(getattr(view, name)) for name, cards_of in inside]
        known, options = getattr(view, "seats", None), getattr(view, "options", None)
        if known is not None:
            return unseen_cards(whole(options, known), *shown)
        many = sum(each.count(view) for each in hidden)
        for count in seats:
            left = unseen_cards(whole(options, count), *shown)
            if not many or len(left) == many:
                return left
        why = Message("no-deck-fits", "`determinize` finds no deck that fits a view: write it by hand, or `deck`")
        raise GameError(state.__module__, why)

    def draw(view: Any, shuffler: Shuffler) -> S:
        pool = list(shuffler.shuffle(pool_of(view)))
        left, made = len(pool), {each: getattr(view, each) for each in plain}
        try:
            for each in hidden:
                made[each.name] = each.fill(view, pool, shuffler)
        except IndexError:  # the pool is empty
            english = (
                "{hidden} cards are hidden, and the deck has {left} that are not seen: say in `deck` which there are"
            )
            many = sum(each.count(view) for each in hidden)
            raise GameError(state.__module__, Message("deck-too-small", english, hidden=many, left=left)) from None
        return state(**made)

    def determinize(view: Any, shuffler: Shuffler) -> S:
        if constraint is None:
            return draw(view, shuffler)
        for _ in range(DRAWS):
            drawn = draw(view, shuffler)
            if constraint(view, drawn):
                break
        return drawn

    return determinize


def _rows_of(value: Any, depth: int) -> list[Any]:
    """List rows of cards that a value shows."""
    if depth == 1 or value is None:
        return [value]
    return [(value,)] if depth == 0 else [row for each in value for row in _rows_of(each, depth - 1)]


def view_as_state(view: Any, shuffler: Shuffler) -> Any:  # noqa: ARG001 (a function of a `Game`)
    """Return the view: in a game without secrets it is the state."""
    return view
