"""Hands of hold'em in PHH, the Poker Hand History format, as matches of `holdem`."""

import tomllib
from itertools import chain
from typing import Any

import holdem
import kifu
from kifu import TABLE, UNKNOWN
from kifu.core.game import Card


def cards(text: str) -> list[Any]:
    pairs = [text[at : at + 2] for at in range(0, len(text), 2)]
    return [
        UNKNOWN if "?" in pair else Card(4 * holdem.RANKS.index(pair[0]) + holdem.SUITS.index(pair[1]))
        for pair in pairs
    ]


def match_of(text: str) -> kifu.Match[Any, Any, Any]:
    """Return the match of one hand, with the cards that it does not tell filled in."""
    hand = tomllib.loads(text)
    hands = [[UNKNOWN] * 2 for _ in hand["starting_stacks"]]
    board: list[Any] = []
    events: list[tuple[int, Any]] = []
    for action in hand["actions"]:
        who, what, *more = action.partition("#")[0].split()
        if what == "dh":
            hands[int(more[0][1:]) - 1] = cards(more[1])
        elif what == "db":
            board += cards(more[0])
        else:
            seat = int(who[1:]) - 1
            if what == "sm" and more:  # a hand that is shown becomes known
                hands[seat] = cards(more[0])
            commands = {"f": holdem.Fold(), "cc": holdem.Call(), "sm": holdem.Show() if more else holdem.Fold()}
            events.append((seat, holdem.Raise(int(more[0])) if what == "cbr" else commands[what]))
    known = [*chain(*hands), *board]
    deal = holdem.Deal((*known, *[UNKNOWN] * (52 - len(known))))
    blinds = sorted(filter(None, hand["blinds_or_straddles"]))
    options = {"stacks": hand["starting_stacks"], "small": blinds[0], "big": blinds[1]}
    return kifu.reconstruct(holdem.GAME, hand["players"], [(TABLE, deal), *events], options)
