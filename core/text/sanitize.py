"""Untrusted text and any other value made safe for a line of a terminal or a page."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any
from unicodedata import category, combining, east_asian_width, normalize

from ..game import AnyGame

NAME_CELLS = 24
"""The greatest width of a seat's name, in terminal cells."""

_PICTURES = {**{code: chr(0x2400 + code) for code in range(0x20)}, 0x7F: "␡"}
_BLANK = "�"
_INVISIBLE = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
    + "".join(map(chr, (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10))))
)
_MAX_MARKS = 2
LINE_CELLS = 400
"""The width of the longest value of a message, in terminal cells."""
MAX_ITEMS = 100
"""The most items of a list that a message names."""


def sanitize(text: str, cells: int = 80) -> str:
    """Replace control and invisible characters by visible ones, and cut a text wider than `cells` with "…".

    Apply it to every text from a log or the command line before it is shown. It replaces control characters, escape
    sequences, bidi overrides, zero-width characters and lone surrogates.
    """
    if text.isascii() and text.isprintable() and len(text) <= cells:
        return text
    return _cut(_replace(normalize("NFC", text[: 8 * cells])), cells)


def width(text: str) -> int:
    """Return the number of terminal cells that a sanitized text takes."""
    return sum(map(_cells, text))


def is_hidden(char: str) -> bool:
    """Return True for a character that is not seen, or changes how others are: of control, direction, no width."""
    kind = category(char)
    return kind[0] == "C" or kind in ("Zl", "Zp") or char in _INVISIBLE or "\U000e0100" <= char <= "\U000e01ef"


def _replace(text: str) -> str:
    shown: list[str] = []
    marks = 0
    for char in text:
        kind = category(char)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if ord(char) in _PICTURES:
            shown.append(_PICTURES[ord(char)])
        elif is_hidden(char):
            shown.append(_BLANK)
        elif kind == "Zs":
            shown.append("　" if char == "　" else " ")
        elif marks <= _MAX_MARKS:
            shown.append(char)
    return "".join(shown)


def _cut(text: str, cells: int) -> str:
    used = 0
    for place, char in enumerate(text):
        used += _cells(char)
        if used > cells:
            while width(text[:place]) > cells - 1:
                place -= 1
            return text[:place] + "…"
    return text


def _cells(char: str) -> int:
    if combining(char) or category(char) in ("Mn", "Me"):
        return 0
    return 2 if east_asian_width(char) in "WF" else 1


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
