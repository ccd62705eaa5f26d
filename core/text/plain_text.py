"""Values, cards and keys as plain English text, where no catalogue has a message."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any

from ..game import AnyGame
from .sanitize import sanitize

LINE_CELLS = 400
"""The width of the longest value of a message, in terminal cells."""
MAX_ITEMS = 100
"""The most items of a list that a message names."""


class Line(str):
    """A value of a message that may be up to `LINE_CELLS` wide, as a path or a sentence; others are cut at 80 cells."""

    __slots__ = ()


def plain_value(value: Any) -> str:
    """Format any value as one line that is safe to print."""
    if isinstance(value, (list, tuple, set, frozenset)):
        return sanitize(", ".join(map(plain_value, tuple(value)[:MAX_ITEMS])), 200)
    if isinstance(value, Enum):
        value = value.value
    return sanitize(value.hex() if isinstance(value, bytes) else str(value))


def plain_words(key: str, values: Mapping[str, Any]) -> str:
    """Format a message without a catalogue: the words of its key, and its values in brackets."""
    details = ", ".join(f"{name} {plain_value(value)}" for name, value in values.items())
    words = sanitize(key if " " in key else key.replace("-", " ").replace("_", " "), LINE_CELLS)
    return f"{words} ({details})" if details else words


def card_face(game: AnyGame | None, card: Any) -> str:
    """Return the text on a card's face; its number without a game, or if the game has no such card."""
    try:
        return sanitize(game.face(int(card) if isinstance(card, int) else card).text) if game else plain_value(card)
    except Exception:  # a card that the game does not have, from a log or a violation
        return plain_value(card)
