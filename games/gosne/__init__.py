"""Gosne is Gone, a trick-taking game by Kazuma Suzuki (rules: `docs/rules/gosne.md`)."""

from ...core.game import Game, SmallWorld
from .bot import HINTS
from .explain import explain
from .model import Deal, Declare, Give, Options, Play, Rule, State, face
from .rules import apply, cards, check, deal, idle_rules, legal, result, scores, start, to_act
from .scene import parts, scene
from .view import View, determinize, redact, view

GAME: Game[State, Deal | Give | Declare | Play, View] = Game(
    name="gosne",
    rules=1,
    layout=2,
    seats=range(4, 5),
    options=Options,
    check_options=check,
    book=Rule,
    wire={Deal: "deal", Give: "give", Declare: "declare", Play: "play"},
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
    idle_rules=idle_rules,
    texts=__name__,
    hints=HINTS,
    small_worlds=(SmallWorld(seats=4, last_events=7),),
    planes={"trick": "sequence"},
    longest=33,
    vocabulary=tuple(range(15)),  # cards, and the numbers that are declared
)
