"""What happens in a match: events, and the notes that tell of them."""

from __future__ import annotations

from enum import Enum
from typing import Any, Generic, TypeVar

from attrs import frozen

from .rule_book import RuleBook
from .seats import TABLE

C = TypeVar("C")


@frozen
class RedactedCommand:
    """A command cut down to its tag and those of its fields that are public, as pairs of name and value."""

    tag: str
    fields: tuple[tuple[str, Any], ...] = ()


class SectionKind(Enum):
    """The kinds of sections that can begin with a note: where a stepper jumps to."""

    TURN = "turn"
    TRICK = "trick"
    ROUND = "round"
    DEAL = "deal"


@frozen(slots=False)
class Note:
    """What happened in a step and the rule that made it so: a message key, and its values as pairs."""

    key: str
    rule: RuleBook | None = None
    values: tuple[tuple[str, Any], ...] = ()
    begins: SectionKind | None = None
    momentary: bool = False
    """True if the rules let a seat look at this once.

    While a match runs, a host shows it only as long as its event is the last (deals that follow do not count), unless
    the terms of the match keep it. A finished match shows all of its notes. No log or trace has this flag.
    """

    @classmethod
    def of(
        cls,
        key: str,
        rule: RuleBook | None = None,
        /,
        *,
        begins: SectionKind | None = None,
        momentary: bool = False,
        **values: Any,
    ) -> Note:
        """Return a note whose values are given by name."""
        return cls(key, rule, (*values.items(),), begins, momentary)


@frozen
class Meta:
    """What a log keeps beside a command; the rules never read it.

    - `at`: milliseconds since the match started.
    - `id`: the idempotency key of the submission, at most 32 bytes.
    - `by`: who acted for the seat, at most 64 characters.
    - `more`: pairs of key and value that other programs wrote.
    """

    at: int | None = None
    id: bytes | None = None
    by: str | None = None
    more: tuple[tuple[str, Any], ...] = ()


@frozen(slots=False)
class Takeback:
    """A command of the log format: it restores the state after event `to` (-1: the start)."""

    to: int

    @property
    def notes(self) -> tuple[Note, ...]:
        """What every viewer is told of it."""
        return (Note.of("takeback", to=self.to),)


@frozen(slots=False)
class RulesChange:
    """A command of the log format: from here on the match is played and recorded under rules version `to`.

    `layout` is that of the states whose digests follow.
    """

    to: int
    layout: int

    @property
    def notes(self) -> tuple[Note, ...]:
        """What every viewer is told of it."""
        return (Note.of("rules-change", to=self.to),)


@frozen(slots=False)
class RulesRefused:
    """A command of the log format: the match cannot go on under rules version `to`, and is abandoned.

    After event `event`, viewer `seat` (-1: the table, None: a spectator) would have had another `field` than it had.
    """

    to: int
    event: int
    seat: int | None
    field: str

    @property
    def notes(self) -> tuple[Note, ...]:
        """What every viewer is told of it."""
        seat = "spectator" if self.seat is None else self.seat
        return (Note.of("rules-refused", to=self.to, event=self.event, seat=seat, field=self.field),)


FormatCommand = Takeback | RulesChange | RulesRefused
"""A command that no game defines."""
FORMAT_COMMANDS = (Takeback, RulesChange, RulesRefused)


def is_deal(event: Event[Any]) -> bool:
    """Return True for a command that the table gives by the rules of the game."""
    return event.seat == TABLE and not isinstance(event.command, FORMAT_COMMANDS)


@frozen(slots=False)
class Event(Generic[C]):
    """A command with its place in the match."""

    seq: int
    seat: int
    command: C | FormatCommand
    meta: Meta | None = None


@frozen
class ObservedEvent(Generic[C]):
    """One event as one seat saw it: the command or redacted command, and the notes for that seat."""

    seq: int
    seat: int
    command: C | FormatCommand | RedactedCommand
    notes: tuple[Note, ...]
