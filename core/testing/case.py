"""A case: a command that a rule forbids."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from ..game import RuleBook, Seat


@frozen
class Case:
    """A command that a rule forbids, at a state in which no earlier rule does.

    `rule` is the rule or its number: `Rule.HC_2`, `"HC-2"`, `"TURN"`. `what` describes the command in a few words,
    e.g. "a card of another seat's hand", and names the test.
    """

    rule: RuleBook | str
    what: str
    state: Any
    seat: Seat
    command: Any

    @property
    def number(self) -> str:
        """The number of the rule."""
        return self.rule if isinstance(self.rule, str) else self.rule.number

    def __str__(self) -> str:
        return f"{self.number}: {self.what}"
