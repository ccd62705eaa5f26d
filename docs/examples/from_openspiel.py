"""A playthrough of OpenSpiel's Leduc poker as a match: chance deals a card to each seat, then turns one up."""

import re
from typing import Any

import kifu
from kifu import TABLE
from kifu.core.game import Card
from small_poker import Call, Deal, Fold, Raise

ACTIONS = {"Fold": Fold(), "Call": Call(), "Raise": Raise()}


def match_of(playthrough: str) -> kifu.Match[Any, Any, Any]:
    """Return the match of a playthrough, in which each step is a line `# Apply action "…"`."""
    actions = re.findall(r'^# Apply action "(.*)"$', playthrough, re.MULTILINE)
    chance = [action.partition(":")[2] for action in actions if action.startswith("Chance outcome:")]
    dealt = [Card(int(outcome) // 2) for outcome in chance]  # 0 and 1 are the two jacks
    rest = [Card(rank) for rank in range(3) for _ in range(2 - dealt.count(Card(rank)))]
    match = kifu.new("small_poker:GAME", ["seat 0", "seat 1"], {"variant": "leduc"}, seed=None)
    match.play(TABLE, Deal((*dealt, *rest)))
    for action in actions:
        if action in ACTIONS:
            match.play(min(match.to_act), ACTIONS[action])
    return match
