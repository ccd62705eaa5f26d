"""Palace, a game of thrifty architects by Toshihiro Hachisuka (rules: `docs/rules/palace.md`)."""

from ...core.game import Encoding, Game, Passing, Past, Upcast, part_of
from . import legal, rules, table, view
from .bot import HINTS
from .model import Build, Command, Deal, Draw, Inspect, Options, Quake, Rule, State
from .view import View

GAME: Game[State, Command, View] = Game(
    name="palace",
    seats=range(3, 7),
    state=State,
    commands=(Deal, Draw, Build, Inspect, Quake),
    rules=part_of(rules, legal),
    options=Options,
    book=Rule,
    secrets=view,
    table=table,
    version=2,
    past=Past(layout=2, upcasts={1: Upcast.of_options(end_place="exact")}),  # with 3 seats (PAL-R1)
    texts=__name__,
    extras=(HINTS, Passing(shows={"charge-holds": ("cards",), "pulled-down": ("cards",)}), Encoding(longest=224)),
)
