"""Marie's Cake, a drafting game by Toshihiro Hachisuka (rules: `docs/rules/cake.md`)."""

from ...core.game import Game, SmallWorld
from .bot import HINTS
from .explain import explain
from .model import Claim, Command, Deal, Open, Options, Rule, Settle, State, Take, Vote, face
from .rules import apply, cards, deal, legal, result, start, to_act, totals
from .scene import parts, scene
from .view import View, determinize, redact, view

GAME: Game[State, Command, View] = Game(
    name="cake",
    rules=1,
    seats=range(3, 6),
    options=Options,
    book=Rule,
    wire={Deal: "deal", Open: "open", Take: "take", Vote: "vote", Claim: "claim", Settle: "settle"},
    start=start,
    to_act=to_act,
    apply=apply,
    legal=legal,
    deal=deal,
    view=view,
    redact=redact,
    determinize=determinize,
    cards=cards,
    result=result,
    scores=totals,
    explain=explain,
    scene=scene,
    parts=parts,
    face=face,
    texts=__name__,
    hints=HINTS,
    small_worlds=(SmallWorld(seats=3, last_events=11),),
    vocabulary=tuple(range(8)),  # piles, seats, ranks
    longest=112,
)
