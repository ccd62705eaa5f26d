"""MABR: the sparkle of marble, a word game by Tsukue Games (rules: `docs/rules/mabr.md`)."""

from collections.abc import Mapping
from typing import Any

from ...core.game import Game, Upcast
from .bot import HINTS
from .explain import explain
from .legal import legal, legal_by_kind, open_ended
from .model import VOCABULARY, Command, Conceal, Deal, Draw, Judge, Options, Pass, Rule, State, Swap, Word, face
from .rules import apply, cards, check, deal, result, scores, start, to_act
from .scene import parts, scene
from .view import View, determinize, redact, view


def _as_of_version_2(header: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a header of rules version 1 as one of 2.

    In version 1 the lexicon was kifu-ja-1 unless another was named, and a void gave no leave to pass (MABR-R6).
    """
    return {**header, "options": {"lexicon": "kifu-ja-1", **header["options"], "pass_after_void": False}}


GAME: Game[State, Command, View] = Game(
    name="mabr",
    rules=2,
    layout=2,
    upcasts={1: Upcast(header=_as_of_version_2)},
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
    scores=scores,
    explain=explain,
    scene=scene,
    parts=parts,
    face=face,
    texts=__name__,
    open_ended=open_ended,
    legal_by_kind=legal_by_kind,
    hints=HINTS,
    shows={
        "swap": ("place", "seat", "other"),
        "swapped": ("place", "other", "at", "letter"),
        "void": ("accept", "object"),
        "accepted": ("accept", "object"),
    },
    vocabulary=VOCABULARY,
    planes={"judged": "seats", "votes": "seats"},
    longest=288,
)
