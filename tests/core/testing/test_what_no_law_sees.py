"""Rules read otherwise: no law of play sees it, and a golden log does, as docs/mutants.md says."""

from itertools import count
from typing import Any

import pytest
from hearts import GAME as HEARTS
from kifu.core.game import Game, evolve, winners_by
from kifu.core.log import log_bytes, read_bytes
from kifu.core.testing.laws_of_play import (
    apply_is_pure,
    legal_and_apply_agree,
    no_card_is_lost,
    somebody_can_act,
)
from kifu.core.testing.laws_of_scenes import scores_come_first, the_result_is_noted
from kifu.core.testing.play import played

from .toys import pits

LAWS = (somebody_can_act, no_card_is_lost, scores_come_first, the_result_is_noted)
TRIED = (apply_is_pure, legal_and_apply_agree)


def captures_anywhere(state: Any, seat: int, command: Any) -> Any:
    """Take a last seed that falls into an empty pit of the other seat, too."""
    after = pits.GAME.apply(state, seat, command)
    at = (command.pit + state.pits[command.pit]) % pits.PITS
    if at in pits.OWN[seat] or after.pits[at] != 1:
        return after
    left = tuple(0 if pit == at else seeds for pit, seeds in enumerate(after.pits))
    return evolve(after, pits=left, stores=tuple(each + (who == seat) for who, each in enumerate(after.stores)))


def lowest_seat_leads(state: Any, seat: int, command: Any) -> Any:
    after = HEARTS.apply(state, seat, command)
    return evolve(after, leader=0) if state.trick and not after.trick else after


def golden(game: Game[Any, Any, Any], shows: Any) -> bytes:
    """Return the log of a match at random that shows what the broken game reads otherwise."""
    seats = min(game.seats)
    matches = (played(game, seats, game.options(), number) for number in count())
    return log_bytes(next(match for match in matches if shows(match)))


def is_long(match: Any) -> bool:
    return len(match.events) == pits.MOVES


def is_tied(match: Any) -> bool:
    return len(match.result.winners) > 1


def differs(match: Any) -> bool:
    return any(captures_anywhere(step.before, step.seat, step.command) != step.after for step in match.steps)


BREAKS: dict[str, tuple[Any, Any, dict[str, Any], dict[str, Any]]] = {
    "a match ends a move early": (pits.GAME, is_long, {"MOVES": pits.MOVES - 1}, {}),
    "a tie goes to the first seat": (pits.GAME, is_tied, {"winners_by": lambda scores: winners_by(scores)[:1]}, {}),
    "a capture that is forbidden": (pits.GAME, differs, {}, {"apply": captures_anywhere}),
    "the lowest seat leads": (HEARTS, lambda match: match.result, {}, {"apply": lowest_seat_leads}),
}
"""By what is broken: the game, what a golden log must show, and what of the game's module and functions is replaced."""


@pytest.mark.parametrize(("game", "shows", "names", "functions"), BREAKS.values(), ids=BREAKS.keys())
def test_a_golden_log_sees_what_no_law_of_play_does(
    monkeypatch: pytest.MonkeyPatch, game: Any, shows: Any, names: dict[str, Any], functions: dict[str, Any]
) -> None:
    data = golden(game, shows)
    was = read_bytes(data, lambda _: game)
    assert was.ok
    for name, value in names.items():
        monkeypatch.setattr(pits, name, value)
    broken = game.altered(**functions)
    now = read_bytes(data, lambda _: broken)
    assert not now.ok or now.result != was.result
    for number in range(1000, 1004):
        match = played(broken, min(broken.seats), broken.options(), number)
        for law in LAWS:
            law(match)
        for law in TRIED:
            law(match, [])
