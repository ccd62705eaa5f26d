"""Reversi: discs on a board, black and white, turned over where they are enclosed. The most discs win."""

from kifu.core.game import Game

from .explain import explain
from .model import SIZES, Command, Options, Pass, Place, Rule, State, View, face, names
from .rules import apply, cards, determinize, legal, redact, result, scores, start, to_act, view
from .scene import parts, scene

GAME: Game[State, Command, View] = Game(
    name="reversi",
    rules=1,
    seats=range(2, 3),
    options=Options,
    book=Rule,
    wire={Place: "place", Pass: "pass"},
    start=start,
    to_act=to_act,
    apply=apply,
    legal=legal,
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
    vocabulary=names(max(SIZES)),
    longest=max(SIZES) ** 2 + 20,
)
