"""A playthrough of OpenSpiel's Leduc poker as a match: chance deals a card to each seat, then turns one up."""

import re
from typing import Any

import kifu
from kifu import TABLE, UNKNOWN
from kifu.core.game import Card
from small_poker import Call, Deal, Fold, Raise

ACTIONS = {"Fold": Fold(), "Call": Call(), "Raise": Raise()}


def from_openspiel(playthrough: str) -> kifu.Match[Any, Any, Any]:
    """Return the match of a playthrough, in which each step is a line `# Apply action "…"`."""
    dealt: list[Any] = []
    events: list[tuple[int, Any]] = []
    turn = 0
    for action in re.findall(r'^# Apply action "(.*)"$', playthrough, re.MULTILINE):
        if action.startswith("Chance outcome:"):
            dealt.append(Card(int(action.partition(":")[2]) // 2))  # 0 and 1 are the two jacks
            turn = 0  # seat 0 begins every round
        else:
            events.append((turn, ACTIONS[action]))
            turn = 1 - turn
    deal = Deal((*dealt, *[UNKNOWN] * (6 - len(dealt))))
    return kifu.reconstruct("small_poker:GAME", ["seat 0", "seat 1"], [(TABLE, deal), *events], {"variant": "leduc"})
