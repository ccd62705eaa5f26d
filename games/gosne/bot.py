"""Hints for bots that play Gosne is Gone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from ...core.game import Hints, ObservedEvent, RedactedCommand, Seat, Shuffler, add_each, evolve
from .belief import BELIEF, HYOJU, height, lead, likelihood, playout_priors, thrift, worth
from .model import SEATS, Cards, Command, Declare, Play, State, Trick
from .rules import legal, score, sides, strength
from .view import View, determinize


def priors(state: State, seat: int) -> Iterator[tuple[Command, float]]:
    """Weigh a card by whether it wins for the side of its seat as the trick lies, and how little it gives away."""
    return ((command, _promise(state, seat, command)) for command in legal(state, seat))


def _promise(state: State, seat: int, command: Command) -> float:
    match command:
        case Declare():
            return lead(command)
        case Play():
            return _follow(state, seat, command)
        case _:
            return 1.0


def _follow(state: State, seat: int, play: Play) -> float:
    trick, last = (*state.trick, play), len(state.trick) == SEATS - 1
    ahead = Seat((state.gosne + _ahead(trick, state.declared)) % SEATS)
    believed = BELIEF if trick[0].card == state.declared and len(state.trick) == HYOJU else 1.0
    ours = float(_side(state, ahead) == _side(state, seat))
    return worth(ours, height(trick[(ahead - state.gosne) % SEATS]), last=last) * thrift(play) * believed


def _side(state: State, seat: int) -> bool:
    return seat in sides(state)[0]


def _ahead(trick: Trick, declared: int | None) -> int:
    """Return the place that would win if the trick ended here."""
    truth = trick[0].card == declared
    hyoju_shoots = truth and len(trick) > 2 and trick[2].gun
    rivals = [place for place, play in enumerate(trick) if play.gun is not truth]
    if hyoju_shoots:
        rivals = [place for place in (1, 3) if place < len(trick) and not trick[place].gun] or [1]
    places = rivals or range(len(trick))
    return max(places, key=lambda place: (strength(trick[place]), place))


def evaluate(state: State) -> Sequence[float]:
    """Return each seat's points, the chestnuts taken in this hand included."""
    return add_each(state.points, score(state)) if any(state.hands) else state.points


def determinize_history(view: View, seen: Sequence[ObservedEvent[Command]]) -> Callable[[Shuffler], State]:
    """Return a sampler of states that keeps all tricks of this hand: each was turned up when it was won."""
    taken: list[Cards] = [()] * SEATS
    trick: list[int] = []
    for observed in seen:
        match observed.command:
            case RedactedCommand("deal"):
                taken, trick = [()] * SEATS, []
            case Declare() | Play() | RedactedCommand("declare" | "play"):
                trick.append(observed.seat)
        notes = {note.key: dict(note.values) for note in observed.notes}
        if "turned-up" in notes:
            cards = notes["turned-up"]["cards"]
            by_seat = tuple([cards[trick.index(Seat(seat))] for seat in range(SEATS)])
            key = "takes" if "takes" in notes else "takes-last"
            taken[notes[key]["seat"]] += by_seat
            trick = []
    if view.taken_sizes == tuple(map(len, taken)):  # else the hand is counted
        view = evolve(view, taken=tuple(taken))
    return partial(determinize, view)


HINTS = Hints(
    priors=priors,
    evaluate=evaluate,
    determinize_history=determinize_history,
    rollouts=32,
    playout_priors=playout_priors,
    likelihood=likelihood,
)
