"""What players that read and write need: each field of a seat's command has a meaning, in every language."""

from __future__ import annotations

from typing import Any

import attrs

from ..env.text.prompt import commands_of_seats
from ..game import Game, classes_of
from ..match.header import new_header
from .messages import catalogue_of, languages_of, source_of


def every_field_has_a_meaning(game: Game[Any, Any, Any]) -> None:
    """Raise unless each catalogue has a message `field-TAG-NAME` for each field of a seat's command."""
    names = tuple(f"seat {seat}" for seat in range(game.seats[0]))
    header = new_header(game, names, {}, bytes(32), match="", started=None, engine="kifu.core.testing")
    needed = [
        f"field-{game.wire[kind]}-{field.name}"
        for kind in commands_of_seats(game, header)
        for field in attrs.fields(kind)
    ]
    for lang in languages_of(game.texts):
        known = catalogue_of(source_of(game.texts, lang))
        missing = [key for key in needed if key not in known]
        assert not missing, (
            f"the catalogue {lang} does not say what the fields of commands mean: {', '.join(missing)}{_whose(game)}"
        )


def _whose(game: Game[Any, Any, Any]) -> str:
    """Say how a command that only the table gives is told from those of seats, where the game does not say it."""
    if not game.has_deal or 0 < len(set(classes_of(game.deal))) < len(game.wire):
        return ""
    return (
        "; which commands the table gives is read from the annotation of `deal`, as `-> Deal` or `-> Deal | Draw`: "
        "it has none, or one of all commands"
    )
