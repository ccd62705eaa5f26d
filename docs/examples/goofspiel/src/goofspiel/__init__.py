"""Goofspiel: all bid for a prize at once, face down, and the highest bid takes it. The most points win."""

from kifu.core.game import Game

from .explain import explain
from .model import Bid, Command, Deal, Options, Rule, State, face
from .rules import apply, cards, deal, legal, result, scores, start, to_act
from .scene import parts, scene
from .view import View, determinize, redact, view

GAME: Game[State, Command, View] = Game(
    name="goofspiel",
    rules=1,
    seats=range(2, 6),
    options=Options,
    book=Rule,
    wire={Deal: "deal", Bid: "bid"},
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
    scores=scores,
    explain=explain,
    scene=scene,
    parts=parts,
    face=face,
    texts=__name__,
)
