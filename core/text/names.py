"""Names of players: every door checks, keeps and compares them in one way."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, count
from unicodedata import category, normalize

from ..errors import MatchError, Message
from .sanitize import is_hidden

MAX_NAME_LETTERS = 64


def checked_name(name: object) -> str:
    """Return a name as it is kept: in Unicode's form NFC, without blanks around it.

    Raises `MatchError` for what is no text, is too long, or has nothing in it that can be seen; and for letters that
    cannot be seen or change how others are seen: those of control and of writing direction, and halves of pairs.
    """
    kept = normalize("NFC", name).strip() if isinstance(name, str) else ""
    if not 1 <= len(kept) <= MAX_NAME_LETTERS:
        raise MatchError(Message("name-is", "a name is a text of 1 to {most} letters", most=MAX_NAME_LETTERS))
    if any(map(is_hidden, kept)) or not any(category(letter)[0] in "LNPS" for letter in kept):
        english = "{name} has letters that nobody sees: use visible ones"
        raise MatchError(Message("hidden-in-name", english, name=ascii(kept)))
    return kept


def checked_names(names: Iterable[object]) -> tuple[str, ...]:
    """Return the names of a table's seats, each as `checked_name` does; raises `MatchError` if two are the same."""
    kept: list[str] = []
    for seat, name in enumerate(names):
        try:
            kept.append(distinct(checked_name(name), kept))
        except MatchError as cause:
            raise MatchError(Message("at-seat", "seat {seat}: {why}", seat=seat, why=cause.why)) from None
    return tuple(kept)


def distinct(name: str, others: Iterable[str | None]) -> str:
    """Return the name; raises `MatchError` if it is the same as another's at the table."""
    if name_key(name) in {name_key(other) for other in others if other is not None}:
        raise MatchError(
            Message("name-twice", "another player here is called {name}: take another name", name=repr(name))
        )
    return name


def numbered(name: str, others: Iterable[str | None]) -> str:
    """Return the name, with the least number that makes it another than those of the others."""
    known = {name_key(other) for other in others if other is not None}
    return next(
        each for each in chain([name], (f"{name} {number}" for number in count(2))) if name_key(each) not in known
    )


def name_key(name: str) -> str:
    """Return what is equal for two names that are the same: they are told apart by nothing that can be seen."""
    seen = "".join(letter for letter in normalize("NFC", name) if letter.isspace() or not is_hidden(letter))
    return " ".join(normalize("NFC", seen).split())
