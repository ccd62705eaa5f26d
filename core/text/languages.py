"""Text in several languages at once, with numbers of seats in place of their names: the reader inserts the names."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from secrets import token_hex
from typing import Any

from attrs import field, frozen

from ..game import AnyGame, Note, RuleBook
from .texts import Texts

Pieces = list[str | int]
"""A text in pieces: words, and the number of a seat where its name stands."""


MAX_KNOWN = 300
"""How long the values of a note may be, written out, for its texts to be kept."""
SIMPLE = frozenset({int, str, bool, type(None), tuple})
NONCE = token_hex(4)
"""Stands with a seat's number in place of its name: what a player has written must not become a name."""


@frozen
class _Known:
    """A note, by what its text is made of: two that are alike to the byte have one text."""

    note: Note = field(eq=False)
    alike: tuple[str, str]

    @classmethod
    def of(cls, note: Note) -> _Known | None:
        """Return a note as a key; None for one whose values are long, or may hold more than they show."""
        if not SIMPLE.issuperset([value.__class__ for _, value in note.values]):
            return None
        values = repr(note.values)
        return cls(note, (note.key, values)) if len(values) <= MAX_KNOWN else None


@lru_cache(maxsize=4096)
def _note(
    game: AnyGame, langs: tuple[str, ...], packages: tuple[str, ...], seats: int, known: _Known
) -> tuple[tuple[str | int, ...], ...]:
    """Return a note in pieces, in each language: a host has the same few notes to write again and again."""
    languages = Languages(game, [""] * seats, langs, *packages)
    return tuple(map(tuple, languages.format(lambda texts, names: texts.note(known.note, game, names))))


class Languages:
    """The texts of one match in several languages; every method returns a list parallel to them."""

    def __init__(self, game: AnyGame, seats: Sequence[str], langs: Sequence[str], *packages: str) -> None:
        self._langs, self._packages = tuple(langs), packages
        self.texts = [Texts(lang, *packages) for lang in langs]
        self._game = game
        self._seats = seats
        self._names = tuple(f"⸨{NONCE} {seat}⸩" for seat in range(len(self._seats)))
        self._name = re.compile(f"⸨{NONCE} (" + "|".join(map(str, range(len(self._seats)))) + ")⸩")

    def format(self, write: Callable[[Texts, Sequence[str]], str]) -> list[Pieces]:
        """Return a text in pieces; `write` formats it with the texts of a language and names for the seats."""
        return [self._pieces(write(texts, self._names)) for texts in self.texts]

    def _pieces(self, text: str) -> Pieces:
        pieces = self._name.split(text)
        return [int(piece) if place % 2 else piece for place, piece in enumerate(pieces) if piece]

    def note(self, note: Note) -> list[Pieces]:
        """Return a note in pieces."""
        known = _Known.of(note)
        if known is None:
            return self.format(lambda texts, names: texts.note(note, self._game, names))
        return [list(pieces) for pieces in _note(self._game, self._langs, self._packages, len(self._seats), known)]

    def command(self, seat: int, command: Any) -> list[Pieces]:
        """Return a seat's command or redacted command in pieces: for a step without notes."""
        return self.format(lambda texts, names: self._command(seat, command, texts, names))

    def _command(self, seat: int, command: Any, texts: Texts, names: Sequence[str]) -> str:
        text = texts.observed(command, self._game, names)
        return texts.format("seat-does", seat=texts.seat(seat, names), what=text)

    def seats(self) -> list[list[str]]:
        """Return the name of each seat."""
        return [[texts.seat(seat, self._seats) for texts in self.texts] for seat in range(len(self._seats))]

    def label(self, key: str) -> list[str]:
        """Return the label of a zone, fact, mark, command or option."""
        return [texts.label(key, self._game) for texts in self.texts]

    def section(self, kind: str) -> list[str]:
        """Return the heading of the sections of a kind, with `{number}` where the number stands."""
        return [texts.section(kind, "{number}", self._game) for texts in self.texts]

    def rule(self, rule: RuleBook) -> list[str]:
        """Return the sentence of a rule."""
        return [texts.rule(rule, self._game) for texts in self.texts]
