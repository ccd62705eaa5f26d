"""What holds of the hints that a game gives to bots, if it gives any."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from math import isfinite
from typing import Any

from ..errors import KifuError
from ..game import TABLE, AnyGame, ObservedEvent, Seat, Shuffler
from ..game.timeline import effective
from ..match import AnyMatch
from ..match.bot import ObservationHistory
from .laws_of_play import seats_of
from .play import pick, prefix, shuffler_of, take_back_and_forth

SAMPLED_STATES = 3
DETERMINIZATIONS = 2
LEVELS = ("easy", "normal", "strong")
"""Of the bots that ask `remembered`."""

History = Sequence[ObservedEvent[Any]]


def hints_hold(match: AnyMatch) -> None:
    """Priors are legal, each once and weighed, one at least for who has a choice; draws by a history give the view.

    And they keep all the cards. So it is where something was undone, and where that was restored.
    """
    game, shuffler = match.game, shuffler_of(match, "hints")
    if game.hints is None:
        return
    for events in pick(shuffler, range(len(match.events) + 1), SAMPLED_STATES):
        there = prefix(match, events)
        if shuffler.below(2):
            take_back_and_forth(there, shuffler)
        _values_hold(game, there.state, seats_of(match))
        for seat in seats_of(match) if events else []:
            draws = shuffler_of(there, "recall")
            for _ in range(DETERMINIZATIONS):
                _drawn(game, there.state, seat, ObservationHistory(there, seat).information_state().history, draws)


def hints_hold_throughout(match: AnyMatch) -> None:
    """Judge the hints before every event, rare as its state may be, and in a state drawn for each seat that is to act.

    It is drawn states that bots ask about.
    """
    game, seats, shuffler = match.game, seats_of(match), shuffler_of(match, "recall")
    if game.hints is None:
        return
    histories: dict[Seat, list[ObservedEvent[Any]]] = {seat: [] for seat in seats}
    for step in match.steps:
        try:
            _values_hold(game, step.before, seats)
            for seat in game.to_act(step.before) - {TABLE}:
                drawn = _drawn(game, step.before, seat, histories[seat], shuffler)
                _values_hold(game, drawn, seats)
                _playouts_know_no_more(game, step.before, drawn, seat)
        except Exception as failure:  # a hint may raise anything
            said = failure if isinstance(failure, AssertionError) else f"a hint raised {failure!r}"
            raise AssertionError(f"match {match.header.match}, before event {step.seq}: {said}") from failure
        for seat, history in histories.items():
            history.append(ObservedEvent(step.seq, step.seat, step.command_for(seat), step.notes_for(seat)))


def _values_hold(game: AnyGame, state: Any, seats: Sequence[Seat]) -> None:
    """Hold what the hints say of a state itself: its evaluation, and the priors of each seat that is to act."""
    assert game.hints is not None
    assert len(game.hints.evaluate(state)) == len(seats), "`evaluate` has a number for every seat"
    for seat in game.to_act(state) - {TABLE}:
        for weigh in filter(None, (game.hints.priors, game.hints.playout_priors)):
            _priors_hold(game, state, seat, weigh)


def _playouts_know_no_more(game: AnyGame, state: Any, drawn: Any, seat: Seat) -> None:
    """Hold that in two states which the seat cannot tell apart it plays alike in rollouts."""
    assert game.hints is not None
    weigh = game.hints.playout_priors
    assert weigh is None or list(weigh(state, seat)) == list(weigh(drawn, seat)), (
        f"`playout_priors` differ for seat {seat} in two states that it cannot tell apart"
    )


def _priors_hold(
    game: AnyGame, state: Any, seat: Seat, weigh: Callable[[Any, Seat], Iterable[tuple[Any, float]]]
) -> None:
    priors = list(weigh(state, seat))
    assert priors or next(game.legal(state, seat), None) is None, f"seat {seat} may act, but there is no prior for it"
    assert len({command for command, _ in priors}) == len(priors), f"a prior for seat {seat} comes twice"
    for command, weight in priors:
        assert isfinite(weight), f"the weight of {command!r} is {weight}"
        assert weight > 0, f"the weight of {command!r} is {weight}: above 0 is asked for"
        try:
            game.apply(state, seat, command)
        except KifuError as refused:
            raise AssertionError(f"the prior {command!r} for seat {seat} is refused: {refused}") from refused


def _drawn(game: AnyGame, state: Any, seat: Seat, history: History, shuffler: Shuffler) -> Any:
    """Draw a state by what a bot of some level remembers: it gives the seat's view, and has the same cards."""
    assert game.hints is not None
    view, level = game.view(state, seat), LEVELS[shuffler.below(len(LEVELS))]
    kept = game.hints.remembered(effective(history), level)
    drawn = game.hints.determinize_history(view, kept)(shuffler)
    assert game.view(drawn, seat) == view, f"a draw by the history of seat {seat} gives another view than the state"
    assert Counter(game.cards(drawn)) == Counter(game.cards(state)), (
        f"a draw by the history of seat {seat} has other cards than the state"
    )
    if game.hints.likelihood is not None:
        likely = game.hints.likelihood(view, kept)(drawn)
        assert isfinite(likely), f"the likelihood of a state drawn for seat {seat} is {likely}"
        assert likely > 0, f"the likelihood of a state drawn for seat {seat} is {likely}: above 0 is asked for"
    return drawn
