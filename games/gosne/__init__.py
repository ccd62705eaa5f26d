"""Gosne is Gone, a trick-taking game by Kazuma Suzuki (rules: `docs/rules/gosne.md`)."""

from collections.abc import Mapping
from typing import Any

from ...core.game import Encoding, Game, Past, ScoreRows, Upcast, packed_without
from . import rules, table, view
from .bot import HINTS
from .model import Command, Deal, Declare, Give, Options, Play, Rule, State
from .view import View


def _as_of_version_2(header: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a header of rules version 1 as one of 2.

    In version 1 the chestnuts were a map by ranks, in any order, and whoever was alone played against three (GOS-R3).
    Where the ranks did not ascend, the digests are of states that have them in that order, and cannot be compared.
    """
    options, of_other_states = {**header["options"], "alone": "three"}, {}
    given = options.get("chestnuts")
    if given.__class__ is dict and all(type(rank) is int for rank in given):
        options["chestnuts"] = [[rank, given[rank]] for rank in sorted(given)]
        of_other_states = {} if list(given) == sorted(given) else {"layout": 0}
    return {**header, **of_other_states, "options": options}


GAME: Game[State, Command, View] = Game(
    name="gosne",
    seats=range(4, 5),
    state=State,
    commands=(Deal, Give, Declare, Play),
    rules=rules,
    options=Options,
    book=Rule,
    secrets=view,
    table=table,
    version=2,
    past=Past(
        layout=3,
        earlier={2: packed_without(options=("alone",))},
        upcasts={1: Upcast(header=_as_of_version_2)},
    ),
    texts=__name__,
    extras=(
        HINTS,
        ScoreRows({"pile-open": "chestnuts", "scored": "points"}),
        Encoding(vocabulary=tuple(range(15)), longest=33),  # cards, and the numbers that are declared
    ),
)
