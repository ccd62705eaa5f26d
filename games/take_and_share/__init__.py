"""Take & Share, a trick-taking game by 山口真功 (Yamaguchi) (rules: `docs/rules/take_and_share.md`)."""

from ...core.game import Encoding, Game, Passing, Past, ScoreRows, Upcast, packed_without
from . import rules, table, view
from .bot import HINTS
from .model import Command, Deal, Options, Play, Rule, Share, State
from .rules import DECKS
from .view import View

GAME: Game[State, Command, View] = Game(
    name="take_and_share",
    seats=range(3, 5),
    state=State,
    commands=(Deal, Play, Share),
    rules=rules,
    options=Options,
    book=Rule,
    secrets=view,
    table=table,
    version=2,
    past=Past(
        layout=2,  # the first had no option `deals`: there were one deal or a long game
        earlier={1: packed_without(options=("deals",))},
        upcasts={1: Upcast.of_options(deals=1)},
    ),
    texts=__name__,
    extras=(
        HINTS,
        ScoreRows({"scored-suit": "sums", "scored": "points"}),
        Passing(shows={"share": ("cards",), "shared": ("cards",), "pile-open": ("cards",)}),
        Encoding(vocabulary=DECKS[4], by_seat=("share.cards",), longest=71),
    ),
)
