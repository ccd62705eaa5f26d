"""Hearts: follow suit, take no hearts and no ♠Q, or take all of them. The fewest points win."""

from collections.abc import Mapping
from typing import Any

from kifu.core.game import Game, Upcast

from .explain import explain
from .model import Command, Deal, Options, Pass, Play, Rule, State, face
from .rules import apply, cards, deal, legal, legal_by_kind, result, start, to_act
from .scene import parts, scene
from .view import View, determinize, redact, view


def _with_first_points(header: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the header of a log of version 1, which had no HEARTS-6, as one of version 2."""
    return {**header, "options": {**header["options"], "first_points": True}}


GAME: Game[State, Command, View] = Game(
    name="hearts",
    rules=2,
    layout=2,
    upcasts={1: Upcast(header=_with_first_points)},
    seats=range(4, 5),
    options=Options,
    book=Rule,
    wire={Deal: "deal", Pass: "pass", Play: "play"},
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
    explain=explain,
    scene=scene,
    parts=parts,
    face=face,
    texts=__name__,
)
