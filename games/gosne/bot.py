"""Hints for bots that play Gosne is Gone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import attrs

from ...core.game import Hints, ObservedEvent, RedactedCommand, Seat, Shuffler, add_each, evolve
from .model import Cards, Command, Declare, Play, State, Trick, is_x
from .rules import SEATS, legal, score, sides, strength
from .view import View, determinize

HIGHEST = 12
HYOJU = 2
"""The place of Hyoju's card in a trick."""
TRUTH, LIE, X_LEAD = 3.0, 0.8, 0.2
"""What a lead is worth: a truth of the highest number, a lie of the lowest, and an X, which is always a lie."""
WON, LEADS, LEAD_HOLDS, X_STRENGTH = 8.0, 3.0, 3.0, 13
"""The value of a trick won, of one that the side leads, and what that gains if nothing is higher; X is next to 12."""
BELIEF = 8.0
"""How many times likelier than by the cards alone Hyoju takes it that his partner told the truth."""


def priors(state: State, seat: Seat) -> Iterator[tuple[Command, float]]:
    """Weigh a card by whether it wins for the side of its seat as the trick lies, and how little it gives away."""
    return ((command, _promise(state, seat, command)) for command in legal(state, seat))


def _promise(state: State, seat: Seat, command: Command) -> float:
    match command:
        case Declare():
            return _lead(state, seat, command)
        case Play():
            return _follow(state, seat, command)
        case _:
            return 1.0


def _lead(state: State, seat: Seat, declare: Declare) -> float:
    """Weigh Gosne's card by who is likely to win the trick, and by what it gives away.

    A truth is won by the highest chestnut, if Hyoju believes it; a lie by the highest gun, and guns are the rivals'
    as likely as Hyoju's. An X wins nothing where it is laid, and the trick in which it is a chestnut later.
    """
    card = declare.card
    if is_x(card):
        return X_LEAD
    if card == declare.number:
        return TRUTH * card / HIGHEST
    return LIE * (1 - card / (2 * HIGHEST))  # what wins later is not led away


def _follow(state: State, seat: Seat, play: Play) -> float:
    trick, last = (*state.trick, play), len(state.trick) == SEATS - 1
    ahead = Seat((state.gosne + _ahead(trick, state.declared)) % SEATS)
    thrift = 1 - strength(evolve(play, gun=False)) / 200  # an X is the dearest chestnut
    believed = BELIEF if trick[0].card == state.declared and len(state.trick) == HYOJU else 1.0
    if _side(state, ahead) != _side(state, seat):
        return 0.5 * thrift * believed
    if last:
        return WON * thrift * believed
    leading = min(strength(trick[(ahead - state.gosne) % SEATS]), X_STRENGTH) / X_STRENGTH
    return (LEADS + LEAD_HOLDS * leading) * thrift * believed


def _side(state: State, seat: Seat) -> bool:
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
    trick: list[Seat] = []
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
        view = attrs.evolve(view, taken=tuple(taken))
    return partial(determinize, view)


HINTS = Hints(priors=priors, evaluate=evaluate, determinize_history=determinize_history, iterations=0)
