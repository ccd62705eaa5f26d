"""Law 5 for hints, and for the form of hidden commands.

Form is public: what refuses a command by its form must not depend on what is hidden. Stated as a symmetry: swap two
cards that a viewer cannot tell apart, where they lie and in the command that is hidden from it. Then the command is
accepted as well, looks the same to the viewer, and leads to the swapped state; or it is refused by a numbered rule of
the game's book. So neither a refusal by form nor a public place or number tells what lies face down.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from math import isfinite
from typing import Any

from attrs import frozen

from ..errors import KifuError
from ..game import TABLE, AnyGame, Hints, ObservedEvent, RedactedCommand, Shuffler, Step, hints_of
from ..game.timeline import effective
from ..match import AnyMatch, Match
from ..match.bot import ObservationHistory
from ..match.legal import MAX_LEGAL
from .channels import (
    Path,
    Rows,
    card_places,
    get,
    is_ascending,
    kept_of_command,
    leaves,
    pattern,
    put,
    rows,
    sorted_rows,
    states_behind,
    step_of,
    swap,
)
from .laws_of_play import answer
from .play import named, pick, prefix, seats_of, shuffler_of, take_back_and_forth

SAMPLED_STATES = 3
DETERMINIZATIONS = 2
LEVELS = ("easy", "normal", "strong")
"""Of the bots that ask `remembered`."""


def hints_hold(match: AnyMatch) -> None:
    """Priors are legal, each once and weighed, one at least for who has a choice; draws by a history give the view.

    And they keep all the cards. So it is where something was undone, and where that was restored.
    """
    game, shuffler = match.game, shuffler_of(match, "hints")
    hints = hints_of(game)
    if hints is None:
        return
    for events in pick(shuffler, range(len(match.events) + 1), SAMPLED_STATES):
        there = prefix(match, events)
        if shuffler.below(2):
            take_back_and_forth(there, shuffler)
        _values_hold(game, hints, there.state, seats_of(match))
        for seat in seats_of(match) if events else []:
            draws, history = shuffler_of(there, "recall"), ObservationHistory(there, seat).information_state().history
            for _ in range(DETERMINIZATIONS):
                _remembered(game, hints, there.state, seat, history, draws)


def hints_hold_throughout(match: AnyMatch) -> None:
    """Judge the hints before every event, rare as its state may be, and in a state drawn for each seat that is to act.

    It is drawn states that bots ask about.
    """
    game, seats, shuffler = match.game, seats_of(match), shuffler_of(match, "recall")
    hints = hints_of(game)
    if hints is None:
        return
    histories: dict[int, list[ObservedEvent[Any]]] = {seat: [] for seat in seats}
    for step in match.steps:
        try:
            _values_hold(game, hints, step.before, seats)
            for seat in game.to_act(step.before) - {TABLE}:
                drawn = _remembered(game, hints, step.before, seat, histories[seat], shuffler)
                _values_hold(game, hints, drawn, seats)
                weigh = hints.playout_priors
                assert weigh is None or list(weigh(step.before, seat)) == list(weigh(drawn, seat)), (
                    f"`playout_priors` differ for seat {seat} in two states that it cannot tell apart"
                )
        except Exception as failure:  # a hint may raise anything
            said = failure if isinstance(failure, AssertionError) else f"a hint raised {failure!r}"
            raise AssertionError(f"match {match.header.match}, before event {step.seq}: {said}") from failure
        for seat, history in histories.items():
            history.append(ObservedEvent(step.seq, step.seat, step.command_for(seat), step.notes_for(seat)))


def _values_hold(game: AnyGame, hints: Hints[Any, Any, Any], state: Any, seats: Sequence[int]) -> None:
    """Hold what the hints say of a state itself: its evaluation, and the priors of each seat that is to act."""
    assert len(hints.evaluate(state)) == len(seats), "`evaluate` has a number for every seat"
    for seat in game.to_act(state) - {TABLE}:
        for weigh in filter(None, (hints.priors, hints.playout_priors)):
            _priors_hold(game, state, seat, weigh)


def _priors_hold(
    game: AnyGame, state: Any, seat: int, weigh: Callable[[Any, int], Iterable[tuple[Any, float]]]
) -> None:
    priors = list(weigh(state, seat))
    assert priors or next(iter(game.legal(state, seat)), None) is None, (
        f"seat {seat} may act, but there is no prior for it"
    )
    assert len({command for command, _ in priors}) == len(priors), f"a prior for seat {seat} comes twice"
    for command, weight in priors:
        _check_weight(weight, f"the weight of {command!r}")
        try:
            game.apply(state, seat, command)
        except KifuError as refused:
            raise AssertionError(f"the prior {command!r} for seat {seat} is refused: {refused}") from refused


def _check_weight(weight: float, what: str) -> None:
    assert isfinite(weight), f"{what} is {weight}"
    assert weight > 0, f"{what} is {weight}: above 0 is asked for"


def _remembered(
    game: AnyGame,
    hints: Hints[Any, Any, Any],
    state: Any,
    seat: int,
    history: Sequence[ObservedEvent[Any]],
    shuffler: Shuffler,
) -> Any:
    """Draw a state by what a bot of some level remembers: it gives the seat's view, and has the same cards."""
    view, level = game.view(state, seat), LEVELS[shuffler.below(len(LEVELS))]
    kept = hints.remembered(effective(history), level)
    drawn = hints.determinize_history(view, kept)(shuffler)
    assert game.view(drawn, seat) == view, f"a draw by the history of seat {seat} gives another view than the state"
    assert Counter(game.cards(drawn)) == Counter(game.cards(state)), (
        f"a draw by the history of seat {seat} has other cards than the state"
    )
    if hints.likelihood is not None:
        _check_weight(hints.likelihood(view, kept)(drawn), f"the likelihood of a state drawn for seat {seat}")
    return drawn


SWAPPED = 4
TRIES = 6
DRAWN_ROWS = 20


def form_is_public(match: Match[Any, Any, Any]) -> None:
    """Law 5: a command whose hidden cards are swapped is accepted as well, or refused by a rule of the book."""
    shuffler, seats = shuffler_of(match, "symmetry"), seats_of(match)
    order = sorted_rows(match.states)
    hidden = [step for step in match.steps if step.seat != TABLE and _unseen_by(step, seats)]
    named = {leaf for step in hidden for leaf in _named(step)}
    for step in pick(shuffler, hidden, SWAPPED):
        for viewer in pick(shuffler, _unseen_by(step, seats), 2):
            for swapped in _swaps(step, viewer, shuffler):
                if (type(step.command), pattern(swapped.leaf), swapped.other) in named:
                    same_as_swapped(step, swapped, viewer, order)


def _unseen_by(step: Step[Any, Any], seats: list[int]) -> list[int | None]:
    return [viewer for viewer in (None, *seats) if isinstance(step.command_for(viewer), RedactedCommand)]


def _named(step: Step[Any, Any]) -> Iterator[tuple[type, Path, Any]]:
    """Yield what the legal commands of a step's seat name, and where: no other card may take its place."""
    for command in islice(step.game.legal(step.before, step.seat), MAX_LEGAL):
        for path, value in leaves(command):
            yield type(command), pattern(path), value


@frozen
class Swapped:
    """A state in which the cards `mine` and `other` have changed places, and the place of `mine` in the command."""

    state: Any
    mine: Any
    other: Any
    leaf: Path


def _swaps(step: Step[Any, Any], viewer: int | None, shuffler: Shuffler) -> Iterator[Swapped]:
    """Yield some ways to swap a card of the command with another one so that the viewer's view stays as it is."""
    game, before, after = step.game, step.before, dict(rows(step.after))
    view, places = game.view(before, viewer), card_places(game, before)
    lost = {path: Counter(row) - Counter(after.get(path, ())) for path, row in rows(before)}
    observed = step.command_for(viewer)
    public = {name for name, _ in observed.fields} if isinstance(observed, RedactedCommand) else set()
    hidden = [(leaf, card) for leaf, card in leaves(step.command) if leaf[0] not in public]
    counts = Counter(game.cards(before))
    drawn = [dict(rows(each)) for each in states_behind(game, view, shuffler, DRAWN_ROWS)] if hidden else []
    both = {card for _, card in hidden if counts[card] == 1}  # swapped with one of these, the command stays as it is
    for leaf, mine in pick(shuffler, hidden, TRIES):
        source = next((path for path, card in places if card == mine in lost[path[:-1]]), None)
        if source is None:
            continue
        targets = [(path, card) for path, card in places if card not in (mine, *both) and type(card) is type(mine)]
        for target, other in pick(shuffler, targets, TRIES):
            state = swap(before, source, target)
            if game.view(state, viewer) == view and _may_lie_so(state, (source[:-1], target[:-1]), drawn):
                yield Swapped(state, mine, other, leaf)


def _may_lie_so(state: Any, paths: Iterable[Path], drawn: Iterable[Mapping[Path, Any]]) -> bool:
    """Return False if one of these rows holds a card more often than any draw has it there: then no deal gives that.

    In a game that deals nothing each seat may have the same cards, and cards of two seats are not exchangeable.
    """
    for path in paths:
        for card, times in Counter(get(state, path)).items() if type(get(state, path)) is tuple else ():
            if times > 1 and all(Counter(each.get(path, ()))[card] < times for each in drawn):
                return False
    return True


def same_as_swapped(step: Step[Any, Any], swapped: Swapped, viewer: int | None, order: Rows) -> None:
    """Raise unless the swapped command does to the swapped state what the command did, for all the viewer can tell."""
    game, seat, state = step.game, step.seat, order.settled(swapped.state)
    if game.view(state, viewer) != game.view(step.before, viewer):
        return
    command, after = _swapped_command(step, swapped, state)
    what = f"{step.command!r} of seat {seat} is accepted; with {swapped.mine} and {swapped.other} swapped, which "
    what += f"{named(viewer)} cannot tell apart, {command!r}"
    if type(after) is tuple:
        assert after[0] in step.game.book, (
            f"{what} is refused by {after[0].number}, {after[2]}: so the form of a command tells what is hidden\n"
            f"state: {step.before!r}"
        )
        return
    steps = (step, step_of(game, state, seat, command, after))
    observed = [kept_of_command(game, game.redact(each, viewer)) for each in steps]
    assert observed[0] == observed[1], f"{what} looks otherwise: {observed[0]}, {observed[1]}"
    if game.view(after, viewer) != game.view(step.after, viewer):
        return  # it has turned something up: `others_stay_hidden` looks at what
    assert _is_swapped(game, step.after, after, swapped), (
        f"{what} leads to another state than the swapped one: so a place or number tells what is hidden\n"
        f"{step.after!r}\n{after!r}"
    )


def _swapped_command(step: Step[Any, Any], swapped: Swapped, state: Any) -> tuple[Any, Any]:
    """Return the command with the cards swapped, and what came of it; one choice may have a spelling in order only."""
    command = put(step.command, swapped.leaf, swapped.other)
    after = answer(step.game, state, step.seat, command)
    path = swapped.leaf[:-1]
    row = get(command, path)
    if type(after) is tuple and after[0] not in step.game.book and type(row) is tuple:
        command = put(command, path, tuple(sorted(row)))
        after = answer(step.game, state, step.seat, command)
    return command, after


def _is_swapped(game: AnyGame, one: Any, other: Any, swapped: Swapped) -> bool:
    """Tell whether two cards of the one state, swapped, make the other.

    A row may be in ascending order again. Rows that hold no card of their own, but a copy (what was given), follow.
    """
    wanted, lie = dict(rows(other)), card_places(game, one)
    apart = {path for path, row in rows(one) if wanted.get(path) != row}
    own = {path[:-1] for path, _ in lie}
    places = [(path, card) for path, card in lie if path[:-1] in apart]
    mine = [path for path, card in places if card == swapped.mine]
    others = [path for path, card in places if card == swapped.other]

    def alike(path: Path, row: tuple[Any, ...]) -> bool:
        given = wanted.get(path, ())
        if row == given or (is_ascending(given) and sorted(row, key=repr) == sorted(given, key=repr)):
            return True
        cards = {swapped.mine, swapped.other}
        return path not in own and _without(row, cards) == _without(given, cards)

    swaps = (swap(one, first, second) for first in mine for second in others)
    return any(all(alike(*each) for each in rows(state)) for state in chain([one], swaps))


def _without(row: tuple[Any, ...], cards: set[Any]) -> list[Any]:
    return sorted((card for card in row if card not in cards), key=repr)
