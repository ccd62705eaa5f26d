"""Take & Share, a trick-taking game by 山口真功 (Yamaguchi) (rules: `docs/rules/take_and_share.md`)."""

from ...core.game import Game, SmallWorld
from .bot import HINTS
from .cards import deck, face
from .explain import explain
from .model import Deal, Options, Play, Rule, Share, State
from .rules import apply, cards, deal, idle_rules, legal, legal_by_kind, result, scores, start, to_act
from .scene import parts, scene
from .view import View, determinize, redact, view

GAME: Game[State, Deal | Play | Share, View] = Game(
    name="take_and_share",
    rules=1,
    seats=range(3, 5),
    options=Options,
    book=Rule,
    wire={Deal: "deal", Play: "play", Share: "share"},
    start=start,
    to_act=to_act,
    apply=apply,
    legal=legal,
    legal_by_kind=legal_by_kind,
    deal=deal,
    view=view,
    redact=redact,
    determinize=determinize,
    cards=cards,
    result=result,
    scores=scores,
    explain=explain,
    scene=scene,
    parts=parts,
    face=face,
    idle_rules=idle_rules,
    texts=__name__,
    hints=HINTS,
    small_worlds=(SmallWorld(seats=3, last_events=7),),
    shows={"share": ("cards",), "shared": ("cards",), "pile-open": ("cards",)},
    vocabulary=deck(4),
    planes={"share.cards": "seats", "trick": "sequence"},
    longest=71,
)
