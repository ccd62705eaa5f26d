"""Palace, a game of thrifty architects by Toshihiro Hachisuka (rules: `docs/rules/palace.md`)."""

from collections.abc import Mapping
from typing import Any

from ...core.game import Game, SmallWorld, Upcast
from .bot import HINTS
from .explain import explain
from .legal import legal, legal_by_kind
from .model import Build, Command, Deal, Draw, Inspect, Options, Quake, Rule, State, face
from .rules import apply, cards, check, deal, idle_rules, result, scores, start, to_act
from .scene import parts, scene
from .view import View, determinize, redact, view


def _with_exact_end(header: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a header of rules version 1, where END has 45 cards above it with 3 seats, as one of 2 (PAL-R1)."""
    return {**header, "options": {**header["options"], "end_place": "exact"}}


GAME: Game[State, Command, View] = Game(
    name="palace",
    rules=2,
    layout=2,
    upcasts={1: Upcast(header=_with_exact_end)},
    seats=range(3, 7),
    options=Options,
    check_options=check,
    book=Rule,
    wire={Deal: "deal", Draw: "draw", Build: "build", Inspect: "inspect", Quake: "quake"},
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
    small_worlds=(SmallWorld(seats=3, last_events=3, longest=4),),
    shows={"charge-holds": ("cards",), "pulled-down": ("cards",)},
    longest=224,
)
