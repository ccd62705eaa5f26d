"""MABR: the sparkle of marble, a word game by Tsukue Games (rules: `docs/rules/mabr.md`)."""

from ...core.game import Game
from .bot import HINTS
from .explain import explain
from .legal import legal, open_ended
from .model import ALPHABET, Command, Conceal, Deal, Draw, Judge, Options, Pass, Rule, State, Swap, Word, face
from .rules import apply, cards, check, deal, result, start, to_act
from .scene import parts, scene
from .view import View, determinize, redact, view

GAME: Game[State, Command, View] = Game(
    name="mabr",
    rules=1,
    seats=range(2, 5),
    options=Options,
    check_options=check,
    book=Rule,
    wire={Deal: "deal", Draw: "draw", Word: "word", Swap: "swap", Judge: "judge", Conceal: "conceal", Pass: "pass"},
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
    open_ended=open_ended,
    hints=HINTS,
    vocabulary=ALPHABET,
)
