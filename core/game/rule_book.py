"""The rules of a game as numbered sentences, and those that hold for every game."""

from __future__ import annotations

from enum import Enum


class RuleBook(Enum):
    """The rules of a game. A member is `NUMBER = sentence`, the number with `_` for each hyphen.

    Where the number is no Python name, a member is `NAME = number, sentence`.
    """

    number: str
    sentence: str

    def __init__(self, *parts: str) -> None:
        *number, self.sentence = parts
        self.number = number[0] if number else self._name_.replace("_", "-")

    @property
    def ruling(self) -> bool:
        """True if this is a ruling of ours, because the rulebook leaves the question open.

        Its number says so, unless a game overrides this: numbers stay, also where the book turns out to say as much.
        """
        return self.number.rpartition("-")[2].startswith("R")


class TableRule(RuleBook):
    """The rules that hold for every game, in the order in which a command is judged."""

    FORM = "A command has exactly the fields of its tag, each of the right type, range, length and order."
    OVER = "After the game has ended no command is legal."
    TURN = "Only a seat that is asked to act may act; only the table deals, and it does nothing else."
    ORDER = "A command comes only when the game calls for it."
    DEAL = "A deal holds exactly the cards that the rules call for, each in its place."
    SEED = "Where the match has a seed, each deal is the one that this seed gives."
