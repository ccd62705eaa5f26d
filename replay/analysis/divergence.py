"""How the same commands go under an alternative: the end, and the first step that differs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import attrs
from attrs import frozen

from ...core.game import TABLE, AnyGame, AnyStep, Note, Result
from ...core.match import AnyMatch
from ...core.match.fold import call_game
from ...core.text.texts import Texts
from ...core.trace import Change

Notes = tuple[Note, ...]

ACCEPTS = "accepts"


@frozen
class End:
    """The end of a match: its result, if it has one, and the number of the refused event and the refusing rule."""

    points: tuple[int, ...] | None = None
    winners: tuple[int, ...] | None = None
    refused: int | None = None
    rule: str | None = None

    @classmethod
    def of(cls, result: Result | None, refused: int | None = None, rule: str | None = None) -> End:
        """Return the end with this result."""
        return cls(refused=refused, rule=rule) if result is None else cls(result.points, result.winners, refused, rule)


@frozen
class Divergence:
    """The first step (-1: the start) at which two replays differ, and how.

    `rules`: the rule by which each side refuses the command, or "accepts"; `fields`: the fields of the state that
    differ; `notes`: the rules of the notes that differ.
    """

    seq: int
    rules: tuple[str, str] = (ACCEPTS, ACCEPTS)
    fields: frozenset[str] = frozenset()
    notes: frozenset[str] = frozenset()

    @property
    def cause(self) -> str:
        """What differs first, by which logs are grouped: rules, else fields."""
        ours, theirs = self.rules
        if ours != theirs:
            return theirs if ours == ACCEPTS else ours
        return " ".join(sorted(self.notes or self.fields))

    def is_like(self, other: Divergence) -> bool:
        """Return True if this is the same kind of difference, at any step."""
        if self.rules != other.rules or (self.seq < 0) is not (other.seq < 0):
            return False
        if self.fields or other.fields:
            return bool(self.fields & other.fields)
        return bool(self.notes & other.notes) or self.notes == other.notes

    def text(self, texts: Texts) -> str:
        """Format the difference for a person."""
        ours, theirs = self.rules
        if ours != theirs:
            key = "refused" if ours == ACCEPTS else "accepted" if theirs == ACCEPTS else "rules"
            return texts.format(f"divergence-{key}", ours=ours, theirs=theirs)
        key = "fields" if self.fields else "notes"
        return texts.format(f"divergence-{key}", names=tuple(sorted(self.fields or self.notes)))


@frozen
class Outcome:
    """The effect of an alternative on one match."""

    change: Change
    now: End
    then: End
    """The end under the alternative."""
    divergence: Divergence | None = None
    reached: frozenset[str] = frozenset()
    """The rules that any note or refusal of the match names, by this engine."""


def change_of(now: End, then: End, divergence: Divergence | None) -> Change:
    """Classify a change as `compare` classifies the change between two traces."""
    if (now.refused, now.rule) != (then.refused, then.rule):
        return Change.LEGALITY
    if now.winners != then.winners:
        return Change.WINNER
    if now.points != then.points:
        return Change.SCORE
    return Change.NONE if divergence is None else Change.NOISE


def state_divergence(seq: int, now: Any, then: Any, game: AnyGame) -> Divergence | None:
    """Return the divergence of two states, the options themselves aside, or None."""
    fields = frozenset(_differing_fields(now, then, game.options))
    return Divergence(seq, fields=fields) if fields else None


def step_divergence(after: Any, ours: Notes, then: AnyStep) -> Divergence | None:
    """Return the divergence of two steps by their states or notes, the options themselves aside, or None.

    Of the first step these are the state after it and its notes.
    """
    fields = frozenset(_differing_fields(after, then.after, then.game.options))
    theirs = notes_of(then)
    same = _alike_first(ours, theirs)
    if not fields and same == len(ours) == len(theirs):
        return None
    notes = [each for each in ours[same:] if each not in theirs] + [each for each in theirs[same:] if each not in ours]
    return Divergence(then.seq, fields=fields, notes=frozenset(_name(note) for note in notes))


def _alike_first(ours: Notes, theirs: Notes) -> int:
    """Return how many notes at the beginning are equal: most, and each note with all others takes long at an end."""
    pairs = enumerate(zip(ours, theirs, strict=False))
    return next((place for place, (one, other) in pairs if one != other), min(len(ours), len(theirs)))


def notes_of(step: AnyStep) -> Notes:
    """Return the notes of a step; raises `GameError` if the game fails."""
    notes: Notes = call_game(step.game, step.notes_for, TABLE)
    return notes


def _name(note: Note) -> str:
    return note.key if note.rule is None else note.rule.number


def result_divergence(match: AnyMatch, then: Result | None) -> Divergence | None:
    """Return the divergence of two results, which may depend on options even if the states are equal, or None."""
    now = match.result
    if now == then:
        return None
    names = [name for name in ("points", "winners") if getattr(now, name, None) != getattr(then, name, None)]
    return Divergence(len(match.events) - 1, fields=frozenset(names))


def _differing_fields(now: Any, then: Any, options: type) -> Iterator[str]:
    kind: Any = type(now)
    for name in _names(kind):
        one, other = getattr(now, name), getattr(then, name)
        if one != other and not isinstance(one, options):
            yield name


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in attrs.fields(kind))
