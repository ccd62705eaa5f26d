"""Play a match of the laws again: `python -m kifu.core.testing high_card:GAME random-17 3 '{"hand": 3}'`."""

from __future__ import annotations

import json
import sys

from ..log import save
from ..match.registry import resolve
from ..wire import wire_of
from .laws_of_play import everything_answers
from .play import PLAY, begun, prefix

USAGE = "usage: python -m kifu.core.testing GAME MATCH SEATS OPTIONS, as a law that failed prints it"


def main(*words: str) -> str:
    """Play it, ask every function of the game after each event, and write its log; return what there is to say."""
    try:
        reference, name, seats, chosen = words
        way, number = name.rsplit("-", 1)
        play = PLAY[way]
    except (ValueError, KeyError):
        return USAGE
    game = resolve(reference)
    options = wire_of(game).options(json.loads(chosen))
    match = begun(game, int(seats), options, int(number), way)
    try:
        play(match, int(number))
        everything_answers(match)
        said = f"{len(match.events)} events, and every function answers"
    except AssertionError as found:
        said, match = str(found), prefix(match, len(match.events) - 1)  # the game may fail after the last event
    save(match, f"{name}.log")
    return f"{said}\nits log: replay show {name}.log --game {reference}"


if __name__ == "__main__":
    print(main(*sys.argv[1:]))  # noqa: T201 (a program)
