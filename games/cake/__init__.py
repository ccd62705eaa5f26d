"""Marie's Cake, a drafting game by Toshihiro Hachisuka (rules: `docs/rules/cake.md`)."""

from ...core.game import Encoding, Game
from . import rules, table, view
from .bot import HINTS
from .model import Claim, Command, Deal, Open, Options, Rule, Settle, State, Take, Vote
from .view import View

GAME: Game[State, Command, View] = Game(
    name="cake",
    seats=range(3, 6),
    state=State,
    commands=(Deal, Open, Take, Vote, Claim, Settle),
    rules=rules,
    options=Options,
    book=Rule,
    secrets=view,
    table=table,
    texts=__name__,
    extras=(HINTS, Encoding(vocabulary=tuple(range(8)), longest=112)),  # piles, seats, ranks
)
