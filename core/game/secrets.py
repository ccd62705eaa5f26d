"""Views and redacted commands, derived from the marks of a state and of the commands; and the table of secrets.

A view shows nothing that no mark shows. The functions are made once, when a game is created: what a field's type and
mark mean is looked up there, not on every event.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, Final, TypeVar

import attrs
from attrs import frozen

from ..errors import GameError, Message
from .annotations import takes
from .declarations import STATE, is_declared, tag_of
from .events import RedactedCommand
from .marks import Mark, MarkedField, mark_of, marked_fields
from .seats import TABLE, Seat
from .shapes import row_of, without_none

Show = Callable[[Any, Any, int | None], Any]
"""Returns what a viewer sees of a value: from the state (or the step), the value, and the viewer."""
Size = Callable[[Any], Any]
S = TypeVar("S")

_new: Final[Any] = object.__new__
_set_attribute: Final[Any] = object.__setattr__  # of a frozen class too

# What a field looks like to whoever may not see it.


def hidden_of(kind: Any) -> Callable[[Any], Any]:
    """Return what hides a value of this type: None, or None for each row where it is rows."""
    return (lambda rows: (None,) * len(rows)) if _is_rows(row_of(kind)) else (lambda _: None)


def _is_rows(item: Any) -> bool:
    """Return True for the type of items that are hidden one by one: rows, and what may be missing."""
    return item is not None and (row_of(item) is not None or without_none(item) is not None)


def size_of(kind: Any) -> Size | None:
    """Return what tells how much there is of a hidden value: a length, or whether there is something; None: nothing.

    Of rows it is that of each row.
    """
    row = row_of(kind)
    if row is None:
        return (lambda value: value is not None) if without_none(kind) is not None else None
    return size_of_rows(kind) or len


def size_of_rows(kind: Any) -> Size | None:
    """Return what tells how much lies in each row, or which items are there; None for items that cannot be missing."""
    row = row_of(kind)
    if row_of(row) is not None:
        return lambda rows: tuple([len(each) for each in rows])
    if without_none(row) is not None:
        return lambda rows: tuple([each is not None for each in rows])
    return None


def shown_in_part(value: Any, seen: Any) -> Any:
    """Return a row of which some items are seen: `seen` has True or False for each, or a tuple of these for its row."""
    if seen is True or value is None:
        return value
    if seen is False:
        return None
    return tuple([shown_in_part(item, of_item) for item, of_item in zip(value, seen, strict=True)])


def show_of(field: MarkedField) -> Show | None:
    """Return what shows a value to whoever is not the table; None if everybody sees it."""
    mark, hidden = field.mark, hidden_of(field.kind)
    if mark.sees == "owner":
        return _own_row
    if mark.sees == "nobody":
        return lambda _, value, __: hidden(value)
    if mark.by is None or mark.sees != "some":
        return None
    by = mark.by

    def show(of: Any, value: Any, viewer: int | None) -> Any:
        seen = by(of, viewer)
        return value if seen is True else hidden(value) if seen is False else shown_in_part(value, seen)

    return show


def _own_row(_: Any, rows: Any, viewer: int | None) -> Any:
    shown: list[Any] = [None] * len(rows)
    if viewer is not None and 0 <= viewer < len(shown):
        shown[viewer] = rows[viewer]
    return tuple(shown)


@frozen
class Sized:
    """The name of a view's field that tells how much lies in a hidden one, and what counts it."""

    name: str
    count: Size


def sizes_of(field: MarkedField) -> Sized | None:
    """Return how a view tells the sizes of a field; None where everybody sees it, or nothing is told."""
    name, mark, kind = field.name, field.mark, field.kind
    if mark.sees in ("everybody", "told") or mark.sizes == "":
        return None
    count = size_of_rows(kind) if mark.sees == "owner" else size_of(kind)
    if count is None:
        return None
    rows = mark.sees == "owner" or _is_rows(row_of(kind))
    return Sized(mark.sizes or (f"{name.removesuffix('s')}_sizes" if rows else f"{name}_size"), count)


# Views.


def view_class(state: type, tolds: Mapping[str, Any]) -> type:
    """Make the class of a game's views: `viewer`, each field of the state with its sizes, and what else is told."""
    made = {"viewer": attrs.field(type=Seat | None)}  # type: ignore[arg-type]
    for each in marked_fields(state):
        made[each.name] = attrs.field(type=_type_in_view(each.mark, each.kind))
        if (sized := sizes_of(each)) is not None:
            made[sized.name] = attrs.field(type=_type_of_sizes(each.kind))
    for name, kind in tolds.items():
        made.setdefault(name, attrs.field(type=kind))
    view = attrs.make_class("View", made, frozen=True, slots=False, repr=True)
    view.__module__ = state.__module__
    view.__reduce__ = _reduced  # type: ignore[method-assign, assignment]
    setattr(view, STATE, state)
    setattr(state, VIEW, view)
    return view


VIEW = "__kifu_view__"
"""The attribute of a state class that holds the class of its derived views, by which they are pickled."""


def _reduced(view: Any) -> tuple[Any, ...]:
    return _again, (getattr(type(view), STATE), vars(view))


def _again(state: type, values: dict[str, Any]) -> Any:
    return getattr(state, VIEW)(**values)


def _type_in_view(mark: Mark, kind: Any) -> Any:
    """Return the type of a field in a view: what may be hidden may be None."""
    row = row_of(kind)
    if mark.sees == "everybody":
        return kind
    if row is not None and (mark.sees == "owner" or _is_rows(row)):
        return tuple[row | None, ...]  # type: ignore[valid-type]
    return kind | None


def _type_of_sizes(kind: Any) -> Any:
    """Return the type of what tells how much is hidden: a length or whether there is something, of rows of each."""
    row = row_of(kind)
    if _is_rows(row):
        return tuple[bool if row_of(row) is None else int, ...]  # type: ignore[misc]
    return bool if row is None else int


def view_function(state: type, view: type, tolds: Mapping[str, Callable[[Any], Any]]) -> Callable[..., Any]:
    """Return the function that makes views of this class; `tolds` are values that follow from the state.

    Raises `ValueError` for a field of the view that is none of the state, no sizes of one, and not told.
    """
    held = {each.name: each for each in marked_fields(state)}
    sizes = {sized.name: (name, sized.count) for name, each in held.items() if (sized := sizes_of(each))}
    plain: list[str] = []
    shows: list[tuple[str, Show]] = []
    counts: list[tuple[str, str, Size]] = []
    given = dict(tolds)
    for each in attrs.fields(view):
        mark = mark_of(each)
        if mark is not None and mark.sees == "told" and mark.by is not None:
            given[each.name] = mark.by
        elif each.name in held:
            show = show_of(held[each.name])
            plain.append(each.name) if show is None else shows.append((each.name, show))
        elif each.name in sizes:
            counts.append((each.name, *sizes[each.name]))
        elif each.name != "viewer" and each.name not in given:
            raise ValueError(each.name)
    known = {each.name for each in attrs.fields(view)}
    facts: list[tuple[str, Callable[[Any], Any]]] = []
    sights: list[tuple[str, Callable[[Any, int | None], Any]]] = []
    for name, function in given.items():
        by: Any = function
        if name in known:
            sights.append((name, by)) if takes(by, 2) else facts.append((name, by))

    has_viewer = "viewer" in known
    rows = [name for name, each in held.items() if each.mark.sees == "owner"]

    def make(state: Any, viewer: int | None) -> Any:
        have = state.__dict__
        made = {"viewer": viewer} if has_viewer else {}
        for name, sight in sights:
            made[name] = sight(state, viewer)
        for name in plain:
            made[name] = have[name]
        for name, fact in facts:
            made[name] = fact(state)
        for name, of, count in counts:
            made[name] = count(have[of])
        for name in rows if "seats" in made else ():
            if len(have[name]) not in (0, made["seats"]):
                raise _no_row_by_seat(state, name, made["seats"])
        if viewer == TABLE:
            for name, _ in shows:
                made[name] = have[name]
        else:
            for name, show in shows:
                made[name] = show(state, have[name], viewer)
        new = _new(view)
        _set_attribute(new, "__dict__", made)
        return new

    return make


def _no_row_by_seat(state: Any, field: str, seats: Any) -> GameError:
    english = "{kind}.{field} is marked `own()`, and has {given} rows for {seats} seats: a row belongs to each seat"
    values = {"kind": type(state).__name__, "field": field, "given": len(getattr(state, field)), "seats": seats}
    return GameError(type(state).__module__, Message("rows-by-seat", english, **values))


def whole_state(state: Any, viewer: int | None) -> Any:  # noqa: ARG001 (a function of a `Game`)
    """Return the state: the view of a game without secrets."""
    return state


@cache
def _public_fields(state: type) -> tuple[str, ...]:
    """Return the names of the fields that everybody sees."""
    return tuple([each.name for each in marked_fields(state) if each.mark.sees == "everybody"])


def state_behind(state: type[S], view: Any, **hidden: Any) -> S:
    """Return the state of this class with a view: what everybody sees is the view's, and all else is given.

    For a `determinize` by hand. Raises `TypeError` for a hidden field that is not given.
    """
    kind: Any = state
    made = {name: getattr(view, name) for name in _public_fields(kind)} | hidden
    if len(made) != len(attrs.fields(kind)):
        return state(**made)  # says what is missing
    new: S = _new(state)
    _set_attribute(new, "__dict__", made)
    return new


# Commands.


def redact_function(commands: Iterable[type]) -> Callable[[Any, int | None], Any]:
    """Return the function that returns a step's command as a viewer sees it."""
    plans = {kind: plan for kind in commands if (plan := _plan(kind)) is not None}

    def redact(step: Any, viewer: int | None) -> Any:
        command = step.event.command
        plan = plans.get(command.__class__)
        if plan is None or viewer == TABLE or viewer == step.event.seat:
            return command
        tag, shows = plan
        seen, is_whole = [], True
        for name, show, sized in shows:
            value = getattr(command, name)
            shown = value if show is None else show(step, value, viewer)
            is_whole = is_whole and shown is value
            if shown is not _HIDDEN:
                seen.append((name, shown))
            elif sized is not None:
                seen.append((sized.name, sized.count(value)))
        return command if is_whole and shows else RedactedCommand(tag, tuple(seen))

    return redact


def _plan(kind: type) -> tuple[str, list[tuple[str, Show | None, Sized | None]]] | None:
    """Return the tag of a command that has secrets, and what shows each field; None for one that has none."""
    shows = [
        (each.name, _show_in_command(each.mark), sizes_of(each) if each.mark.sizes else None)
        for each in marked_fields(kind)
    ]
    return (tag_of(kind), shows) if any(show is not None for _, show, __ in shows) else None


def _show_in_command(mark: Mark) -> Show | None:
    """Return what shows a field of a command to whoever did not give it: nothing remains of what is hidden."""
    if mark.sees == "nobody":
        return lambda *_: _HIDDEN
    if mark.sees != "some" or mark.by is None:
        return _own_row_of_command if mark.sees == "owner" else None
    by = mark.by

    def show(step: Any, value: Any, viewer: int | None) -> Any:
        seen = by(step, viewer)
        return value if seen is True else _HIDDEN if seen is False else shown_in_part(value, seen)

    return show


def _own_row_of_command(step: Any, rows: Any, viewer: int | None) -> Any:
    """Return a viewer's own row; nothing of what is no row for each seat of the match."""
    return _own_row(step, rows, viewer) if step.seats in (None, len(rows)) else _HIDDEN


_HIDDEN = object()
"""Stands for what is hidden: None may be a value that is not."""


def whole_command(step: Any, viewer: int | None) -> Any:  # noqa: ARG001 (a function of a `Game`)
    """Return the command: in a game without secrets it is seen as it is."""
    return step.event.command


# The table of secrets.


@frozen
class Secrecy:
    """A row of the table of secrets: a field, who sees it, and what all others see of it."""

    of: str
    """The name of the class, and for a command its tag in brackets."""
    field: str
    sees: str
    """`everybody`, `owner` (its seat), `actor` (the seat that acts), `nobody`, `some`, or `hand`: no mark says it."""
    others: str
    """`nothing`, `size` (how much there is), or `whether` (there is something)."""
    why: str = ""
    """Of `some`: who sees it, in the words of the function that says so. Of `hand`: the function that the game has."""


def secrets_of(state: type, commands: Mapping[str, type], part: Any) -> Iterator[Secrecy]:
    """Yield the table of secrets of a game, field by field: of its state, then of its commands.

    Of what the functions `view` and `redact` of a part show, which are written by hand, the marks say nothing.
    """
    by_hand = [name if getattr(part, name, None) is not None else "" for name in ("view", "redact")]
    yield from _secrecies(state, state.__name__, by_hand[0], is_command=False)
    for tag, kind in commands.items():
        yield from _secrecies(kind, f"{kind.__name__} ({tag})", by_hand[1], is_command=True)


def told_of(view: type | None, tolds: Iterable[str]) -> Iterator[Secrecy]:
    """Yield what views tell besides the fields of the state: `tolds` are derived, and everybody sees them."""
    for name in tolds:
        yield Secrecy("View", name, "everybody", "")
    for each in attrs.fields(view) if view is not None else ():
        mark = mark_of(each)
        if mark is not None and mark.by is not None:
            sees = "some" if takes(mark.by, 2) else "everybody"
            yield Secrecy("View", each.name, sees, "nothing" if sees == "some" else "", _words(mark.by))


def _secrecies(kind: type, name: str, by_hand: str, *, is_command: bool) -> Iterator[Secrecy]:
    for each in marked_fields(kind):
        if by_hand:
            yield Secrecy(name, each.name, "hand", "", by_hand)
            continue
        mark = each.mark
        sees: str = "actor" if is_command and mark.sees == "nobody" else mark.sees
        sized = sizes_of(each) if mark.sizes or not is_command else None
        bare = without_none(each.kind) or without_none(row_of(each.kind))
        others = "nothing" if sized is None else "whether" if bare is not None else "size"
        yield Secrecy(name, each.name, sees, others if sees != "everybody" else "", _words(mark.by))


def _words(by: Callable[..., Any] | None) -> str:
    """Return the first line of a function's docstring, else its name."""
    if by is None:
        return ""
    line = (by.__doc__ or by.__name__.replace("_", " ")).strip().splitlines()[0].rstrip(".")
    return line[:1].lower() + line[1:]


def declared_view(part: Any, state: type) -> type | None:
    """Return the class `View` of a part, if it is declared with `@view_of` this state; else None."""
    found: type | None = getattr(part, "View", None)
    return found if is_declared(found, "view") and getattr(found, STATE) is state else None
