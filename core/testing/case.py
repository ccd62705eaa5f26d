"""A case: a command that a rule forbids."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from ..game import RuleBook, Seat


@frozen
class Case:
    """A command that a rule forbids, at a state in which no earlier rule does.

    `what` describes it in a few words, e.g. "a card of another seat's hand", and names the test.
    """

    rule: RuleBook
    what: str
    state: Any
    seat: Seat
    command: Any

    def __str__(self) -> str:
        return f"{self.rule.number}: {self.what}"
