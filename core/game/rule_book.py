"""The rules of a game as numbered sentences, and those that hold for every game."""

from __future__ import annotations

import re
from enum import Enum
from textwrap import dedent
from typing import Any

from ..errors import GameError, Message


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
        book, _, last = self.number.rpartition("-")
        return bool(book) and last.startswith("R")


class TableRule(RuleBook):
    """The rules that hold for every game, in the order in which a command is judged."""

    FORM = "A command has exactly the fields of its tag, each of the right type, range, length and order."
    OVER = "After the game has ended no command is legal."
    TURN = "Only a seat that is asked to act may act; only the table deals, and it does nothing else."
    ORDER = "A command comes only when the game calls for it."
    DEAL = "A deal holds exactly the cards that the rules call for, each in its place."
    SEED = "Where the match has a seed, each deal is the one that this seed gives."


def is_numbered(book: type[RuleBook]) -> bool:
    """Return False for the rules of a game that does not number them: one rule stands for all."""
    return [rule.number for rule in book] != [UNNUMBERED]


def is_number_of_rule(text: str) -> bool:
    """Return True for a text that can be the number of a rule, such as `HC-2`, and is no sentence."""
    return re.fullmatch(_NUMBER, text) is not None


UNNUMBERED = "RULES"
"""The number of the one rule of a text without numbers."""
_NUMBER = r"[A-Z][A-Z0-9]*(?:-[A-Za-z0-9]+)+"
_SENTENCE = re.compile(rf"({_NUMBER})[ \t]+(.+)", re.DOTALL)


def book_of(text: str, game: str) -> type[RuleBook]:
    """Return the rules of a text: a sentence each, after its number (`HC-1 Every seat gets a hand.`).

    A number begins a line, and what follows in the lines up to the next number belongs to its sentence. A text without
    numbers is one rule, `RULES`. Raises `GameError` for a number that comes twice.
    """
    chunks = [chunk for chunk in re.split(r"(?m)^(?=[A-Z][A-Z0-9]*-[A-Za-z0-9-]+[ \t])", dedent(text)) if chunk.strip()]
    rules: dict[str, tuple[str, str]] = {}
    for chunk in chunks:
        found = _SENTENCE.fullmatch(chunk.strip())
        if found is None:
            continue
        number, sentence = found[1], " ".join(found[2].split())
        if number in rules:
            raise GameError(game, Message("rule-twice", "rule {number} is there twice", number=number))
        rules[number] = (number, sentence)
    if not rules:
        rules[UNNUMBERED] = (UNNUMBERED, " ".join(text.split()) or "A command keeps to the rules of the game.")
    members = {number.replace("-", "_"): parts for number, parts in rules.items()}
    make: Any = RuleBook  # the functional form of `Enum`, which mypy takes for a member of ours
    made: type[RuleBook] = make("Rule", members)
    return made
