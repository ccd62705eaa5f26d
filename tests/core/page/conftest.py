"""Matches to export: short ones, hostile ones, and pairs that a seat cannot distinguish."""

import json
import re
from copy import copy
from typing import Any

from kifu import games
from kifu.core.game import Game, Meta, Seat
from kifu.core.game.shuffle import Shuffler
from kifu.core.match import Match
from kifu.core.match.header import new_header
from kifu.replay.tournament.random_matches import NAMES, play_out

GAMES = games.names()
SEED = bytes(range(32))
HOSTILE = {
    "markup": "</script><img src=x onerror=alert(1)>",
    "script": "<script>document.title='owned'</script>",
    "escapes": "\x1b[31m\x1b]0;owned\x07",
    "right to left": "\u202eevil\u202c שלום",
    "zero width": "Mi\u200bo\u2060\ufeff",
    "without end": "W" * 10_000,
    "blank": " \u3000 ",
    "many marks": "Z" + "\u0301" * 500,
    "a place holder": "⸨1⸩ {count}",
    "line separators": "a\u2028b\u2029c\nd",
}


def played(name: str, *names: str, most: int = 10_000, seats: int = 0, **options: Any) -> Match:
    """A random match, the same each time."""
    game = games.find(name)
    seated = names or NAMES[: seats or game.seats[-1]]
    header = new_header(game, seated, options, SEED, match="the id", started=1_700_000_000_000, engine="kifu test")
    match: Match = Match(game, header)
    play_out(match, SEED, most)
    match.abandoned = False
    return match


def embedded(page: str, of: str = "match") -> Any:
    """The data that stand in a page."""
    found = re.search(rf'<script type="application/json" id="{of}">(.*?)</script>', page, re.DOTALL)
    return json.loads(found[1])


def indistinguishable(name: str, viewer: Seat | None, enough: int = 6) -> tuple[Match, Match]:
    """Two matches that are apart in all that the viewer does not see, and alike to it from the first deal on.

    Their seeds, ids, engines and metas are apart too. Of some tries the first of enough steps, else the longest.
    """
    longest = None
    for number in range(12):
        pair = _pair_of(games.find(name), viewer, Shuffler(bytes([100 + number]) * 32))
        if longest is None or len(pair[0].events) > len(longest[0].events):
            longest = pair
        if len(longest[0].events) >= enough:
            break
    return longest


def _pair_of(game: Game, viewer: Seat | None, choices: Shuffler, most: int = 40) -> tuple[Match, Match]:
    first, second = (_dealt(game, number) for number in (0, 1))
    state = game.determinize(first.view(viewer), choices)
    second._fold.state = second._fold.states[-1] = state
    while len(first.events) < most and (found := _alike(first, second, viewer, choices)):
        seat, *commands = found
        for number, (match, command) in enumerate(zip((first, second), commands, strict=True)):
            match.apply(seat, command, Meta(id=bytes([number]) * 8, by=f"machine {number}"))
    return first, second


def _dealt(game: Game, number: int) -> Match:
    seats = NAMES[: game.seats[-1]]
    ids = {"match": f"match {number}", "engine": f"engine {number}"}
    header = new_header(game, seats, {}, bytes([number]) * 32, started=0, **ids)
    match: Match = Match(game, header)
    match.deal()
    return match


def _alike(first: Match, second: Match, viewer: Seat | None, choices: Shuffler) -> tuple | None:
    """Find a command for each match that look the same to the viewer, and show it nothing that is apart."""
    for seat in choices.shuffle(sorted(first.to_act)):
        for command in choices.shuffle(first.legal(seat)[:500])[:12]:
            mine = _seen(first, viewer, seat, command)
            others = [command] if mine is not None and mine[0] == command else second.legal(seat)[:500]
            for other in choices.shuffle(others)[:12]:
                if mine is not None and _seen(second, viewer, seat, other) == mine:
                    return seat, command, other
    return None


def _seen(match: Match, viewer: Seat | None, seat: Seat, command: Any) -> tuple | None:
    """Return all that a viewer would see of a command; None if the table refuses it."""
    fold = copy(match._fold)
    fold.states = list(fold.states)
    tried: Match = Match(match.game, match.header, fold=fold, events=list(match.events))
    try:
        step = tried.apply(seat, command)
    except Exception:  # what one table accepts the other may refuse
        return None
    return step.command_for(viewer), step.notes_for(viewer), tried.view(viewer), tried.to_act, tried.result
