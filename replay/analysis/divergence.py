"""Where two engines, or two readings of a rule, diverge: the first step that differs."""

from __future__ import annotations

from attrs import frozen

from ...core.text.texts import Texts
from ...core.trace import Change, Comparison, Refusal, TracedStep

ACCEPTS = "accepts"
FAILS = "fails"


@frozen
class Divergence:
    """The first step (-1: the start) at which two replays differ, and how.

    `rules`: the rule by which each side refuses the command, "accepts" or "fails"; `fields`: the fields of the state
    that differ, or other parts where no note does; `notes`: the rules of the notes that differ.
    """

    seq: int
    rules: tuple[str, str] = (ACCEPTS, ACCEPTS)
    fields: frozenset[str] = frozenset()
    notes: frozenset[str] = frozenset()
    change: Change = Change.STATES

    @classmethod
    def of(cls, comparison: Comparison) -> Divergence | None:
        """Return the first step that differs; None if none does."""
        first = comparison.first
        if first is None:
            return None
        notes = frozenset(note.rule or note.key for side in first.notes for note in side)
        of_state = [each.path for each in first.fields if each.change in (Change.STATES, Change.RESULT)]
        parts = of_state or [each.path for each in first.fields if not notes]
        fields = frozenset(each.partition("[")[0].partition("(")[0].partition(".")[0] for each in parts)
        return cls(first.seq, (_verdict(first.a), _verdict(first.b)), fields, notes, first.change)

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
            key = FAILS if theirs == FAILS else key
            return texts.format(f"divergence-{key}", ours=ours, theirs=theirs)
        key = "fields" if self.fields else "notes"
        return texts.format(f"divergence-{key}", names=tuple(sorted(self.fields or self.notes)))


def _verdict(side: TracedStep | Refusal) -> str:
    if isinstance(side, TracedStep):
        return ACCEPTS
    return FAILS if side.failed else side.rule or "form"
