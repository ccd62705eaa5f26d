"""What holds of the hints that a game gives to bots, if it gives any."""

from __future__ import annotations

from math import isfinite
from typing import Any

from ..errors import KifuError
from ..game import TABLE, Hints
from ..game.timeline import effective
from ..match import Match
from ..match.bot import ObservationHistory
from .laws_of_play import seats_of
from .play import pick, prefix, shuffler_of, take_back_and_forth

SAMPLED_STATES = 3
DETERMINIZATIONS = 2


def hints_hold(match: Match[Any, Any, Any]) -> None:
    """Priors are legal, each once and weighed, one at least for who has a choice; draws by a history give the view.

    And they keep all the cards. So it is where something was undone, and where that was restored.
    """
    hints, shuffler = match.game.hints, shuffler_of(match, "hints")
    if hints is None:
        return
    for events in pick(shuffler, range(len(match.events) + 1), SAMPLED_STATES):
        there = prefix(match, events)
        if shuffler.below(2):
            take_back_and_forth(there, shuffler)
        assert len(hints.evaluate(there.state)) == len(match.header.seats), "`evaluate` has a number for every seat"
        for seat in there.to_act - {TABLE}:
            _priors_hold(there, seat, hints)
        for seat in seats_of(match) if events else []:
            _draws_hold(there, seat, hints)


def _priors_hold(match: Match[Any, Any, Any], seat: Any, hints: Hints[Any, Any, Any]) -> None:
    priors = list(hints.priors(match.state, seat))
    assert priors or not match.legal(seat), f"seat {seat} may act, but there is no prior for it"
    assert len({command for command, _ in priors}) == len(priors), f"a prior for seat {seat} comes twice"
    for command, weight in priors:
        assert isfinite(weight), f"the weight of {command!r} is {weight}"
        assert weight > 0, f"the weight of {command!r} is {weight}: above 0 is asked for"
        try:
            match.game.apply(match.state, seat, command)
        except KifuError as refused:
            raise AssertionError(f"the prior {command!r} for seat {seat} is refused: {refused}") from refused


def _draws_hold(match: Match[Any, Any, Any], seat: Any, hints: Hints[Any, Any, Any]) -> None:
    game, shuffler = match.game, shuffler_of(match, "recall")
    view, cards = match.view(seat), sorted(game.cards(match.state))
    draw = hints.determinize_history(view, effective(ObservationHistory(match, seat).information_state().history))
    for _ in range(DETERMINIZATIONS):
        determinization = draw(shuffler)
        assert game.view(determinization, seat) == view, (
            f"a draw by the history of seat {seat} gives another view than the state"
        )
        assert sorted(game.cards(determinization)) == cards, (
            f"a draw by the history of seat {seat} has other cards than the state"
        )
