"""Values, cards and keys as plain English text, where no message catalogue says them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any

from ..game import Game
from .sanitize import sanitize

AnyGame = Game[Any, Any, Any]

LINE_CELLS = 400
MAX_ITEMS = 100
"""The most things of a list that are named, so that no message grows without end."""

HAS_CATALOGUES = False


class Line(str):
    """A value of a message that may fill a line, as a path or a sentence does; others are cut at 80 cells."""

    __slots__ = ()


def plain_value(value: Any) -> str:
    """Show any value in one legible line."""
    if isinstance(value, (list, tuple, set, frozenset)):
        return sanitize(", ".join(map(plain_value, tuple(value)[:MAX_ITEMS])), 200)
    if isinstance(value, Enum):
        value = value.value
    return sanitize(value.hex() if isinstance(value, bytes) else str(value))


def plain_words(key: str, values: Mapping[str, Any]) -> str:
    """Say a key and its values where no catalogue has a message."""
    said = ", ".join(f"{name} {plain_value(value)}" for name, value in values.items())
    words = sanitize(key if " " in key else key.replace("-", " ").replace("_", " "), 400)
    return f"{words} ({said})" if said else words


def card_face(game: AnyGame | None, card: Any) -> str:
    try:
        return sanitize(game.face(int(card) if isinstance(card, int) else card).text) if game else plain_value(card)
    except Exception:  # a card that the game does not have, from a log or a violation
        return plain_value(card)


def format_message(
    lang: str,  # noqa: ARG001 (the signature of `message_catalogue.format_message`, here and below)
    packages: tuple[str, ...],  # noqa: ARG001
    key: str,  # noqa: ARG001
    values: Mapping[str, Any],  # noqa: ARG001
    game: AnyGame | None = None,  # noqa: ARG001
    names: Sequence[str | None] = (),  # noqa: ARG001
) -> str | None:
    """Return None: without Fluent no catalogue has a message."""
    return None
