"""What reaches a viewer: one definition for all laws of information. And where in a state something lies.

`shown_now` is what a viewer may look at and ask while nothing happens. Words, drawings and the arrays of environments
are made of that, of observed commands and of notes alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import islice
from math import factorial, log2
from typing import Any

import attrs
from attrs import frozen

from ..game import (
    AnyGame,
    AnyStep,
    Event,
    Note,
    RedactedCommand,
    Scene,
    Shuffler,
    Step,
    Thing,
    passing_of,
)
from ..match.legal import MAX_LEGAL

Channels = dict[str, Any]
"""What reaches a viewer, by the name of the channel."""


def shown_now(game: AnyGame, state: Any, viewer: int | None) -> Channels:
    """Return all that the viewer may look at and ask while nothing happens."""
    view = game.view(state, viewer)
    now: Channels = {
        "what the view holds": held(view),
        "scene": game.scene(view),
        "to_act": game.to_act(state),
        "result": game.result(state),
    }
    if viewer is not None:
        now["legal commands"] = [*map(held, islice(game.legal(state, viewer), MAX_LEGAL))]
        now["open_ended"] = game.open_ended(state, viewer)
    return now


def scene_of(game: AnyGame, view: Any) -> Scene:
    """Return the scene of a view; raise if a zone holds what is no thing, which no frontend can draw."""
    scene = game.scene(view)
    for zone in (zone for place in scene.all_places for zone in place.zones):
        for thing in zone.things:
            assert isinstance(thing, Thing), (
                f"the things of {zone.label} are `Thing`s, one after the other, and not {thing!r}: `card_things`, "
                "`card_bundle` and their like give a tuple of them"
            )
    return scene


def step_of(game: AnyGame, before: Any, seat: int, command: Any, after: Any) -> Step[Any, Any]:
    """Return the step that a command makes, as the first of its match."""
    return Step(Event(0, seat, command), before, after, game)


def differing(one: Mapping[str, Any], other: Mapping[str, Any]) -> str | None:
    """Return the name of the first channel on which the two differ; None if they are equal."""
    return next((channel for channel in one if one[channel] != other[channel]), None)


def nothing_apart(one: Mapping[str, Any], other: Mapping[str, Any], who: object) -> None:
    """Raise if the two differ on a channel; `who` tells to whom, and of what."""
    apart = differing(one, other)
    assert apart is None, f"leaked by {apart} {who}\n{one[apart]!r}\n{other[apart]!r}"


def states_behind(game: AnyGame, view: Any, shuffler: Shuffler, times: int) -> list[Any]:
    """Return what so many draws behind a view give, each state once: with perfect information always the same."""
    return list(dict.fromkeys(game.determinize(view, shuffler) for _ in range(times)))


def held(value: Any) -> Any:
    """Spell out all that a view holds, also in fields that do not count when views are compared."""
    kind: Any = type(value)
    if kind in (int, str, bool):
        return repr(value)
    if kind is tuple:
        return [held(each) for each in value]
    if attrs.has(kind):
        names = _names(kind)
        stray = getattr(value, "__dict__", ())
        every = names if len(stray) <= len(names) and set(names).issuperset(stray) else sorted({*names, *stray})
        return kind.__name__, [(name, held(getattr(value, name))) for name in every]
    if isinstance(value, dict):
        return sorted(((repr(key), held(each)) for key, each in value.items()), key=repr)
    if isinstance(value, set | frozenset):
        return sorted(map(held, value), key=repr)
    return [held(each) for each in value] if isinstance(value, list | tuple) else repr(value)


def kept_of_command(game: AnyGame, observed: Any) -> Any:
    """Return what is observed of a command without the fields that the game says are shown for a moment."""
    hidden = isinstance(observed, RedactedCommand)
    tag = observed.tag if hidden else game.wire[type(observed)]
    fields = dict(observed.fields) if hidden else attrs.asdict(observed, recurse=False)
    return tag, _without(passing_of(game).shows.get(tag, ()), fields.items())


def kept_of_notes(step: AnyStep, notes: Iterable[Note], *, own: bool = False) -> Any:
    """Return the notes of a step without the values that the game says are shown for a moment.

    What its command shows so, its notes may say as well. `own`: to the seat that acts.
    """
    passing, command = passing_of(step.game), step.command
    said = [(name, getattr(command, name)) for name in passing.shows.get(step.game.wire.get(type(command), ""), ())]
    kept = []
    for note in notes:
        shown = (*passing.shows.get(note.key, ()), *(passing.looks.get(note.key, ()) if own else ()))
        values = [each for each in _without(shown, note.values) if each not in said]
        kept.append((note.key, note.rule, note.begins, values))
    return kept


def _without(shown: Iterable[str], values: Iterable[tuple[str, Any]]) -> list[tuple[str, Any]]:
    return [(name, value) for name, value in values if name not in shown]


Path = tuple[str | int, ...]
"""The path to a leaf: the names of fields and the indices of tuples, outermost first."""


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in attrs.fields(kind)) if attrs.has(kind) else ()


@cache
def _has_inside(kind: Any) -> bool:
    """Return True if a value of this type is no leaf: it is a tuple, or has fields."""
    return kind is tuple or bool(_names(kind))


def leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield the path and value of each leaf, in order; an empty tuple has none."""
    kind: Any = type(value)
    if kind is tuple:
        for index, each in enumerate(value):
            yield from leaves(each, (*path, index))
    elif names := _names(kind):
        for name in names:
            yield from leaves(getattr(value, name), (*path, name))
    else:
        yield path, value


class Fields(tuple[Any, ...]):
    """The leaves among the fields of an attrs object."""

    __slots__ = ()


def rows(value: Any) -> list[tuple[Path, tuple[Any, ...]]]:
    """Return the path and value of each tuple that holds leaves only, the empty ones too.

    The leaves among the fields of an attrs object are a row of their own (`Fields`). So each leaf is in one row, whose
    path is the leaf's without its last step.
    """
    found: list[tuple[Path, tuple[Any, ...]]] = []
    _rows(value, (), found)
    return found


def _rows(value: Any, path: Path, found: list[tuple[Path, tuple[Any, ...]]]) -> None:
    kind: Any = type(value)
    if kind is tuple:
        if not any(map(_has_inside, map(type, value))):
            found.append((path, value))
            return
        for index, each in enumerate(value):
            _rows(each, (*path, index), found)
        return
    held: list[tuple[str, Any, Any]] = [
        (name, each, type(each)) for name in _names(kind) for each in [getattr(value, name)]
    ]
    inside = [(name, each) for name, each, inner in held if _has_inside(inner)]
    if len(inside) < len(held):
        found.append((path, Fields(each for _, each, inner in held if not _has_inside(inner))))
    for name, each in inside:
        _rows(each, (*path, name), found)


def get(value: Any, path: Path) -> Any:
    """Return the value at the path."""
    for step in path:
        value = value[step] if isinstance(step, int) else getattr(value, step)
    return value


def put(value: Any, path: Path, new: Any) -> Any:
    """Return the whole value, with the one at the path replaced."""
    if not path:
        return new
    step, rest = path[0], path[1:]
    if isinstance(step, int):
        return (*value[:step], put(value[step], rest, new), *value[step + 1 :])
    return attrs.evolve(value, **{step: put(getattr(value, step), rest, new)})


def swap(value: Any, one: Path, other: Path) -> Any:
    """Return the whole value, with those at two paths exchanged."""
    first, second = get(value, one), get(value, other)
    return put(put(value, one, second), other, first)


def pattern(path: Path) -> Path:
    """Return the path with every index as -1: the same for all places of one kind."""
    return tuple(-1 if isinstance(step, int) else step for step in path)


def named_path(path: Path) -> str:
    """Return a path as an author would write it, e.g. `hands[2]`; of any index `hands[…]`."""
    return "".join(f"[{'…' if step == -1 else step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(
        "."
    )


SURE = 12
"""A row is one that the game keeps sorted, if it would be ascending by chance once in 2 to the power of so many."""


@frozen
class Rows:
    """Which rows of cards a game's states keep in ascending order, by their patterns."""

    kept: frozenset[Path]

    def settled(self, value: Any) -> Any:
        """Return the value with the rows that are kept in order sorted."""
        for path, row in rows(value):
            if pattern(path) in self.kept and not is_ascending(row):
                value = put(value, path, tuple(sorted(row)))
        return value


def sorted_rows(values: Iterable[Any]) -> Rows:
    """Learn from some values of one class which of their rows are kept in ascending order."""
    seen: dict[Path, set[tuple[Any, ...]]] = {}
    for value in values:
        for path, row in rows(value):
            seen.setdefault(pattern(path), set()).add(row)
    return Rows(frozenset(kind for kind, those in seen.items() if all(map(is_ascending, those)) and _is_sure(those)))


def _is_sure(seen: set[tuple[Any, ...]]) -> bool:
    return sum(log2(factorial(len(set(row)))) for row in seen) >= SURE


def is_ascending(row: tuple[Any, ...]) -> bool:
    """Return True if a row of values is one, and in ascending order."""
    try:
        return type(row) is tuple and list(row) == sorted(row)
    except TypeError:
        return False


def card_places(game: AnyGame, state: Any) -> list[tuple[Path, Any]]:
    """Return the paths in a state where a card lies, each with the card."""
    cards = Counter(game.cards(state))
    places = []
    for path, value in leaves(state):
        other = next((card for card in cards if type(card) is type(value) and card != value), None)
        if value in cards and other is not None and _counts(game, put(state, path, other), cards, value, other):
            places.append((path, value))
    return places


def _counts(game: AnyGame, state: Any, cards: Counter[Any], value: Any, other: Any) -> bool:
    try:
        now = Counter(game.cards(state))
        now[value] += 1
        now[other] -= 1
        return now == cards
    except Exception:  # the value was no card, but what the state is made by: `cards` may stumble over another
        return False
