"""Palace, a game of thrifty architects by Toshihiro Hachisuka (rules: `docs/rules/palace.md`)."""

from ...core.game import Game
from .bot import HINTS
from .choices import legal
from .explain import explain
from .model import Build, Command, Deal, Draw, Inspect, Options, Quake, Rule, State, face
from .rules import apply, cards, check, deal, result, start, to_act
from .scene import parts, scene
from .view import View, determinize, redact, view

GAME: Game[State, Command, View] = Game(
    name="palace",
    rules=1,
    seats=range(3, 7),
    options=Options,
    check_options=check,
    book=Rule,
    wire={Deal: "deal", Draw: "draw", Build: "build", Inspect: "inspect", Quake: "quake"},
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
    hints=HINTS,
)
