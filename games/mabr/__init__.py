"""MABR: the sparkle of marble, a word game by Tsukue Games (rules: `docs/rules/mabr.md`)."""

from collections.abc import Mapping
from typing import Any

from ...core.game import Encoding, Game, Passing, Past, Upcast, packed_without, part_of
from . import legal, rules, table, view
from .bot import HINTS
from .model import VOCABULARY, Command, Conceal, Deal, Draw, Judge, Options, Pass, Rule, State, Swap, Word
from .view import View


def _as_of_version_2(header: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a header of rules version 1 as one of 2.

    In version 1 the lexicon was kifu-ja-1 unless another was named, and a void gave no leave to pass (MABR-R6).
    """
    return {**header, "options": {"lexicon": "kifu-ja-1", **header["options"], "pass_after_void": False}}


SHOWS = {
    "swap": ("place", "seat", "other"),
    "swapped": ("place", "other", "at", "letter"),
    "void": ("accept", "object"),
    "accepted": ("accept", "object"),
}

GAME: Game[State, Command, View] = Game(
    name="mabr",
    seats=range(2, 5),
    state=State,
    commands=(Deal, Draw, Word, Swap, Judge, Conceal, Pass),
    rules=part_of(rules, legal),
    options=Options,
    book=Rule,
    secrets=view,
    table=table,
    version=3,
    past=Past(
        layout=3,  # in version 2 every seat might pass (MABR-R6), and swaps alone went on for ever (MABR-R10)
        earlier={2: packed_without("progress", options=("pass_", "idle_rounds"))},
        upcasts={1: Upcast(header=_as_of_version_2), 2: Upcast.of_options(pass_="free", idle_rounds=0)},  # noqa: S106
    ),
    texts=__name__,
    extras=(
        HINTS,
        Passing(shows=SHOWS),
        Encoding(vocabulary=VOCABULARY, by_seat=("judged", "votes"), longest=288),
    ),
)
