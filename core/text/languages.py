"""Words in several languages at once, in which a seat's name stays a seat: whoever shows them sets the names in."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from ..game import Game, Note, RedactedCommand, RuleBook
from .texts import Texts

Said = list[str | int]
"""A text in pieces: words, and seats where their names stand."""


class Languages:
    """Say what is asked in each language, as a list parallel to them."""

    def __init__(self, game: Game[Any, Any, Any], seats: Sequence[str], langs: Sequence[str]) -> None:
        self.texts = [Texts(lang, __package__) for lang in langs]
        self._game = game
        self._seats = seats
        self._names = tuple(f"⸨{seat}⸩" for seat in range(len(self._seats)))
        self._name = re.compile("⸨(" + "|".join(map(str, range(len(self._seats)))) + ")⸩")

    def format(self, words: Callable[[Texts, Sequence[str]], str]) -> list[Said]:
        """Give a text in pieces; the function is given the words of a language, and names to call the seats by."""
        return [self._pieces(words(texts, self._names)) for texts in self.texts]

    def _pieces(self, said: str) -> Said:
        pieces = self._name.split(said)
        return [int(piece) if place % 2 else piece for place, piece in enumerate(pieces) if piece]

    def note(self, note: Note) -> list[Said]:
        return self.format(lambda texts, names: texts.note(note, self._game, names))

    def command(self, seat: int, observed: Any) -> list[Said]:
        """Say what a seat was seen to do, where there is no note that tells it."""
        return self.format(lambda texts, names: self._doing(seat, observed, texts, names))

    def _doing(self, seat: int, observed: Any, texts: Texts, names: Sequence[str]) -> str:
        said = texts.command(observed, self._game, names)
        said = texts.format("unseen", what=said) if isinstance(observed, RedactedCommand) else said
        return f"{texts.seat(seat, names)}: {said}"

    def seats(self) -> list[list[str]]:
        """Name each seat."""
        return [[texts.seat(seat, self._seats) for texts in self.texts] for seat in range(len(self._seats))]

    def label(self, key: str) -> list[str]:
        return [texts.label(key, self._game) for texts in self.texts]

    def rule(self, rule: RuleBook) -> list[str]:
        return [texts.rule(rule, self._game) for texts in self.texts]
