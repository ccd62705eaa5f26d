"""The kinds of change between two engines, and which parts of a step are of which kind.

An option that only one engine has is no change: an upcast writes the old reading of a rule into the header of older
logs, as the value of a new option. What it does to the match is compared all the same.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from enum import Enum
from functools import total_ordering
from typing import Any, Final

import attrs
from attrs import frozen

from ..errors import Message
from ..match import AnyMatch
from .facets import LISTED, Facets
from .read import TracedStep
from .shape import Shape
from .trials import ACCEPTED


@total_ordering
class Change(Enum):
    """What kind of change it is, from none to the worst."""

    SAME = Message("change-same", "same")
    LAYOUT = Message("change-other-layout", "other layout")
    """The same states, packed otherwise, and the game does not say so."""
    WORDS = Message("change-other-words", "other words")
    """Other notes, scenes or facts, another rule that refuses, or the same commands in another order."""
    VIEW = Message("change-other-view", "other view")
    """A seat or a spectator is shown something else of the same state; it may be a leak."""
    FEWER = Message("change-fewer-legal", "fewer legal")
    MORE = Message("change-more-legal", "more legal")
    STATES = Message("change-other-states", "other states")
    """Other states on the way, or other scores, but the same result."""
    RESULT = Message("change-other-result", "other result")
    ILLEGAL = Message("change-illegal", "illegal")
    """A recorded command is refused."""
    FAILED = Message("change-failed", "failed")
    """The engine raised an exception."""
    UNREAD = Message("change-unread", "unread")
    """The log was not compared."""

    def __lt__(self, other: Change) -> bool:
        return _ORDER[self] < _ORDER[other]


_ORDER = {change: place for place, change in enumerate(Change)}


OPTION_FIELDS = frozenset({"options"})
"""The field of a state or view that holds the options, if the game is not known."""


def option_fields(match: AnyMatch) -> frozenset[str]:
    """Return the names of the fields of the match's states and views that hold the options of the game."""
    values = (match.states[0], match.at(-1).view(None))
    names = (
        field.name
        for value in values
        if attrs.has(type(value))
        for field in attrs.fields(type(value))
        if isinstance(getattr(value, field.name), match.game.options)
    )
    return OPTION_FIELDS.union(names)


def is_one_sided_option(path: str, fields: Collection[str]) -> bool:
    """Return True if a path such as `options.end_place` is that of an option in one of these fields."""
    return path.partition(".")[0] in fields and path.count(".") == 1


DIGEST: Final = "digest"
"""The shape of what a trace has as a digest alone."""


@frozen
class Difference:
    """A part that differs: its path, e.g. `hands[2][3]`, the value of each side, and the shape of such a value."""

    path: str
    a: Any
    b: Any
    shape: Shape = None
    change: Change = Change.STATES
    leak: str | None = None
    """The viewer who learns on side b what it could not know on side a, or None."""


def facet_differences(a: TracedStep, b: TracedStep, options: Collection[str]) -> Iterator[Difference]:
    """Yield the parts besides the state that differ, where the states are equal; `options` are fields of views."""
    ours, theirs = a.facets, b.facets
    if not (a.trials and b.trials):  # of an old trace, which has no more than legal commands
        ours, theirs = _legal_alone(ours), _legal_alone(theirs)
    if ours == theirs:
        return
    told = a.notes == b.notes
    seen_otherwise = False
    for name in sorted(dict.fromkeys((*ours, *theirs)), key="scene".__eq__):  # that of a view that differs is no news
        one, other = ours.get(name), theirs.get(name)
        kind, _, viewer = name.partition(")")[0].partition("(")
        if one == other or kind == "hidden" or (kind == "scene" and seen_otherwise):
            continue
        if kind == "view":
            if name.partition(").")[2] not in options:
                seen_otherwise = True
                yield Difference(name, one, other, DIGEST, Change.VIEW, _leak(a, b, viewer))
        elif kind in ("command", "notes"):
            if told or kind == "command":  # else the notes themselves differ
                leak = viewer if _less_hidden(one, other) else None
                yield Difference(name, one, other, DIGEST, Change.VIEW, leak)
        elif kind == "legal":
            if one is not None and other is not None:
                yield from _legal(name, one, other)
        elif kind != "to_act" or None not in (one, other):
            yield Difference(name, one, other, DIGEST if kind == "scene" else None, _kind_of(kind, one, other))


def _legal_alone(facets: Facets) -> Facets:
    return {name: value for name, value in facets.items() if name.startswith("legal(")}


def _kind_of(kind: str, one: Any, other: Any) -> Change:
    if kind == "to_act":
        return Change.MORE if set(other) - set(one) else Change.FEWER
    return {"scores": Change.STATES, "momentary": Change.VIEW}.get(kind, Change.WORDS)


def _leak(a: TracedStep, b: TracedStep, viewer: str) -> str | None:
    """Return the viewer if less is hidden from it on side b."""
    ours, theirs = a.facets.get("hidden"), b.facets.get("hidden")
    if not (isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs)):
        return None
    place = -1 if viewer == "spectator" else int(viewer)
    return viewer if theirs[place] < ours[place] else None


def _less_hidden(one: Any, other: Any) -> bool:
    """Return True if side b hides less of a command, or of the notes; None hides nothing."""
    return one is not None and (other is None or other[1] < one[1])


def _legal(name: str, one: list[Any], other: list[Any]) -> Iterator[Difference]:
    """Yield the difference between two lists of legal commands; an old trace has no number of them, and no order."""
    if not one or not other:
        yield Difference(name, one, other, DIGEST, Change.MORE if not other else Change.FEWER)
        return
    is_old = None in (one[0], other[0])
    if one[1] != other[1] or (one[0] != other[0] and not is_old):
        if is_old and max(each[0] or 0 for each in (one, other)) > LISTED:
            return  # there the digest is that of all
        fewer = not is_old and other[0] < one[0]
        yield Difference(name, one, other, DIGEST, Change.FEWER if fewer else Change.MORE)
    elif not is_old:
        yield Difference(name, one, other, DIGEST, Change.WORDS)


def trial_differences(a: TracedStep, b: TracedStep) -> Iterator[Difference]:
    """Yield the commands that nobody gave, and that only one side accepts, or that are refused otherwise."""
    if a.trials == b.trials or len(a.trials) != len(b.trials):
        return
    *ours, facts, unknown = a.trials
    *theirs, other_facts, other_unknown = b.trials
    for place, (one, other) in enumerate(zip(ours, theirs, strict=True)):
        if one != other:
            kind = Change.MORE if other == ACCEPTED else Change.FEWER if one == ACCEPTED else Change.WORDS
            yield Difference(f"trial({place})", one, other, None, kind)
    if ours == theirs:
        leak = other_unknown > unknown
        kind = Change.VIEW if leak else Change.WORDS
        yield Difference("facts", facts, other_facts, DIGEST, kind, "seat" if leak else None)
