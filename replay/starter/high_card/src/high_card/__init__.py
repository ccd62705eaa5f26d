"""High Card: every seat lays a card face down, all are turned up, and the highest scores. The most points win."""

from kifu.core.game import Game

from .explain import explain
from .model import Command, Deal, Lay, Options, Rule, State, face
from .rules import apply, cards, deal, legal, result, start, to_act
from .scene import parts, scene
from .view import View, determinize, redact, view

GAME: Game[State, Command, View] = Game(
    name="high_card",
    rules=1,
    seats=range(2, 6),
    options=Options,
    book=Rule,
    wire={Deal: "deal", Lay: "lay"},
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
    explain=explain,
    scene=scene,
    parts=parts,
    face=face,
    texts=__name__,
)
