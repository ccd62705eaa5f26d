"""A command that a rule forbids."""

from __future__ import annotations

from typing import Any

from ..errors import KifuError
from .rule_book import RuleBook, TableRule
from .seats import TABLE


class RuleViolation(KifuError):  # noqa: N818 (the field's word, and ours)
    """A command that a rule forbids.

    `rule` is the broken rule, a member of a game's `RuleBook` or of `TableRule`. `seat` gave the command. `facts` are
    the values that show the violation, by name; that seat may know all of them.
    """

    def __init__(self, rule: RuleBook, /, seat: int | None = None, **facts: Any) -> None:
        super().__init__(rule, seat, facts)
        self.rule = rule
        self.seat = seat
        self.facts = facts

    def __reduce__(self) -> tuple[Any, ...]:
        return _violation, (type(self), self.rule, self.seat, self.facts)

    @property
    def summary(self) -> str:
        """The rule's number and sentence, and the facts in brackets."""
        values = {"seat": self.seat, **self.facts} if self.seat is not None else self.facts
        facts = ", ".join(f"{name} {value}" for name, value in values.items())
        return f"{self.rule.number}: {self.rule.sentence}" + (f" ({facts})" if facts else "")


class Illegal(KifuError):  # noqa: N818 (the field's word, and ours)
    """A command that the rules of a game forbid, as a game that is stated in one file says it.

    `Illegal("HC-2", card=7)` names a rule by its number, and the facts; `Illegal("take 1 to 3")` says it in a sentence.
    The game makes a `RuleViolation` of it, which knows the seat.
    """

    def __init__(self, why: str, /, **facts: Any) -> None:
        super().__init__(why, facts)
        self.why = why
        self.facts = facts

    def __reduce__(self) -> tuple[Any, ...]:
        return _illegal, (type(self), self.why, self.facts)

    @property
    def summary(self) -> str:
        """The number or the sentence, and the facts in brackets."""
        facts = ", ".join(f"{name} {value}" for name, value in self.facts.items())
        return self.why + (f" ({facts})" if facts else "")


def beside_seat(name: str) -> str:
    """Return the name of a value where `seat` is who acts: a command may name another one in a field of that name."""
    return "named_seat" if name == "seat" else name


def _illegal(kind: type[Illegal], why: str, facts: dict[str, Any]) -> Illegal:
    return kind(why, **facts)


def _violation(kind: type[RuleViolation], rule: RuleBook, seat: int | None, facts: dict[str, Any]) -> RuleViolation:
    return kind(rule, seat, **facts)


def malformed_command(seat: int, why: str) -> RuleViolation:
    """Return the violation of FORM, for a command whose fields do not fit its tag."""
    return RuleViolation(TableRule.FORM, seat, why=why)


def check_turn(to_act: frozenset[int], seat: int, *, deals: bool = False) -> None:
    """Raise a violation of OVER or TURN unless this seat may act now. `deals` is True for a command of the table."""
    if seat in to_act and (seat == TABLE) is deals:
        return
    if not to_act:
        raise RuleViolation(TableRule.OVER, seat)
    asked = () if seat in to_act else tuple(sorted(to_act))  # empty: the seat is to act, but with another command
    raise RuleViolation(TableRule.TURN, seat, asked=asked)
