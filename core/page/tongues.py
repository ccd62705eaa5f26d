"""Words in several languages at once, in which a seat's name stays a seat: whoever shows them sets the names in."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from ..game import RuleBook
from ..match import Match
from ..texts import Texts

Said = list[str | int]
"""A text in pieces: words, and seats where their names stand."""


class Tongues:
    """Say what is asked in each language, as a list parallel to them."""

    def __init__(self, match: Match[Any, Any, Any], langs: Sequence[str]) -> None:
        self.texts = [Texts(lang, __package__) for lang in langs]
        self._game = match.game
        self._seats = match.header.seats
        self._names = tuple(f"⸨{seat}⸩" for seat in range(len(self._seats)))
        self._name = re.compile("⸨(" + "|".join(map(str, range(len(self._seats)))) + ")⸩")

    def say(self, words: Callable[[Texts, Sequence[str]], str]) -> list[Said]:
        """Give a text in pieces; the function is given the words of a language, and names to call the seats by."""
        return [self._pieces(words(texts, self._names)) for texts in self.texts]

    def _pieces(self, said: str) -> Said:
        pieces = self._name.split(said)
        return [int(piece) if place % 2 else piece for place, piece in enumerate(pieces) if piece]

    def seats(self) -> list[list[str]]:
        """Name each seat."""
        return [[texts.seat(seat, self._seats) for texts in self.texts] for seat in range(len(self._seats))]

    def label(self, key: str) -> list[str]:
        return [texts.label(key, self._game) for texts in self.texts]

    def rule(self, rule: RuleBook) -> list[str]:
        return [texts.rule(rule, self._game) for texts in self.texts]
