"""One legal command of a list, as it is read."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from .answers import folded


@frozen
class ListedCommand:
    """A legal command: its number in the list (from 1; 0 beyond the end of a list that is cut), words, and JSON."""

    number: int
    command: Any
    words: str
    json: str

    def __str__(self) -> str:
        return f"#{self.number} {self.words} {self.json}" if self.number else f"{self.words} {self.json}"

    def is_repeated_by(self, rest: str) -> bool:
        """Return True if words repeat the command: its words or their end, its JSON, or words and JSON."""
        whole, said, words = str(self).partition(" ")[2], folded(rest), folded(self.words)
        return said in (words, folded(self.json), folded(whole)) or (
            bool(said) and words.endswith((f" {said}", f"、{said}"))
        )
