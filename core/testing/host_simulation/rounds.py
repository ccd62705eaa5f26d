"""Rounds: a small game that brings a host into all its phases. Deals come in the middle, seats act alone and at once.

In each round every seat gets two cards. All lay one at once, face down; then each plays the other in turn, and the
higher sum takes the round.

Hosts are upgraded from its first rules version to a second one, under which nobody gets a point where several have the
highest sum. The old reading lives on as `equal="all"`, which the upcast writes into the header of every older log. Its
states and views have a field more. Under `BREAKING` no match can go on in which anybody has played.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import Any, Literal

import attrs

from ...game import (
    ALONE,
    DEALER,
    NOBODY,
    TABLE,
    Card,
    Game,
    Note,
    Past,
    Result,
    RuleBook,
    RuleViolation,
    Seat,
    SectionKind,
    Shuffler,
    Step,
    TableRule,
    Upcast,
    command,
    evolve,
    malformed_command,
    options,
    own,
    public,
    replace_at,
    secret,
    state,
    winners_by,
)

Cards = tuple[Card, ...]
DECK: Cards = tuple(map(Card, range(1, 13)))
HAND = 2


class Rule(RuleBook):
    """The rules by number."""

    R_1 = "R-1", "Each seat gets two cards."
    R_2 = "R-2", "All lay one of them at once, face down."
    R_3 = "R-3", "Then each plays the other in turn; the highest sum wins the round."


@options
class Options:
    """What is agreed on: how many rounds are played."""

    rounds: int = 2


@command("deal")
class Deal:
    """The cards of all seats, two for each."""

    cards: Cards = secret()


@command("lay")
class Lay:
    """A card laid face down."""

    card: Card = secret()


@command("play")
class Play:
    """The last card, played open."""

    card: Card = public()


@state
class State:
    """The cards of each seat, and the rounds it has won."""

    rounds: int = public()
    hands: tuple[Cards, ...] = own()
    laid: tuple[Card | None, ...] = own()
    played: Cards = public()
    points: tuple[int, ...] = public()


def start(options: Options, seats: int) -> State:
    """Return the state before the first deal."""
    return State(options.rounds, ((),) * seats, (None,) * seats, (), (0,) * seats)


def to_act(state: State) -> frozenset[int]:
    """Return the seats that are to act."""
    if state.rounds == 0:
        return NOBODY
    if not any(state.hands):
        return DEALER
    waiting = frozenset(Seat(seat) for seat, card in enumerate(state.laid) if card is None)
    return waiting or ALONE[len(state.played)]


def apply(state: State, seat: int, command: Deal | Lay | Play) -> State:
    """Return the state after a command."""
    if isinstance(command, Deal):
        return _dealt(state, seat, command.cards)
    lays = state.laid[seat] is None
    if isinstance(command, Lay) != lays:
        raise RuleViolation(TableRule.ORDER, seat, expected="lay" if lays else "play")
    hand = state.hands[seat]
    if command.card not in hand:
        raise RuleViolation(Rule.R_2 if lays else Rule.R_3, seat, card=command.card)
    hands = replace_at(state.hands, seat, tuple(card for card in hand if card != command.card))
    if lays:
        return evolve(state, hands=hands, laid=replace_at(state.laid, seat, command.card))
    after = evolve(state, hands=hands, played=(*state.played, command.card))
    return after if any(hands) else _counted(after)


def _dealt(state: State, seat: int, cards: Cards) -> State:
    seats = len(state.hands)
    if len(cards) != HAND * seats:
        raise malformed_command(seat, f"{HAND * seats} cards")
    if len(set(cards)) != len(cards) or not set(cards) <= set(DECK):
        raise RuleViolation(TableRule.DEAL, seat)
    hands = tuple(tuple(sorted(cards[HAND * each : HAND * each + HAND])) for each in range(seats))
    return evolve(state, hands=hands, laid=(None,) * seats, played=())


def _counted(state: State) -> State:
    """Return the state after a round: those with the highest sum have a point more."""
    sums = [(laid or 0) + played for laid, played in zip(state.laid, state.played, strict=True)]
    points = tuple(each + (total == max(sums)) for each, total in zip(state.points, sums, strict=True))
    return evolve(state, rounds=state.rounds - 1, points=points)


def result(state: State) -> Result | None:
    """Return the result once all rounds are played."""
    return Result(state.points, winners_by(state.points)) if state.rounds == 0 else None


def legal(state: State, seat: int) -> Iterator[Lay | Play]:
    """Yield the legal commands of a seat."""
    kind: type[Lay] | type[Play] = Lay if state.laid[seat] is None else Play
    return map(kind, state.hands[seat])


def deal(state: State, shuffler: Shuffler) -> Deal:
    """Return a deal."""
    return Deal(shuffler.shuffle(DECK)[: HAND * len(state.hands)])


def explain(step: Step[State, Any], viewer: int | None) -> Iterator[Note]:
    """Yield what happened; a seat is told its hand for a moment."""
    if isinstance(step.command, Deal):
        yield Note.of("dealt", Rule.R_1, begins=SectionKind.DEAL)
        if viewer is not None and viewer != TABLE:
            yield Note.of("hand", Rule.R_1, momentary=True, seat=viewer, cards=step.after.hands[viewer])
    else:
        rule = Rule.R_2 if isinstance(step.command, Lay) else Rule.R_3
        yield Note.of("acted", rule, seat=step.seat, begins=SectionKind.TURN)


GAME: Game[State, Any, Any] = Game.of(__name__, seats=range(2, 5), state=State, book=Rule)


# The second version.


@options
class NewerOptions:
    """What is agreed on: how many rounds are played, and who wins one where several have the highest sum."""

    rounds: int = 2
    equal: Literal["all", "none"] = "none"


@state
class NewerState(State):
    """The state of version 1, and who wins an equal round."""

    equal: str = public(default="none")


def _start(options: NewerOptions, seats: int) -> NewerState:
    return NewerState(options.rounds, ((),) * seats, (None,) * seats, (), (0,) * seats, options.equal)


def _apply(state: Any, seat: int, command: Any) -> Any:
    after = apply(state, seat, command)
    won = sum(after.points) - sum(state.points)
    return evolve(after, points=state.points) if won > 1 and state.equal == "none" else after


def _explain_otherwise(step: Step[Any, Any], viewer: int | None) -> Iterator[Note]:
    """Tell seat 1 less than version 1 did."""
    return iter(()) if viewer == 1 and isinstance(step.command, Play) else explain(step, viewer)


SHOWN = [field.name for field in attrs.fields(type(GAME.view(start(Options(), 2), None)))]


def in_common(seen: Any) -> Any:
    """Return what a view shows in every version."""
    return seen and tuple(getattr(seen, name) for name in SHOWN)


_newer = ModuleType("rounds")
vars(_newer).update({**globals(), "Options": NewerOptions, "start": _start, "apply": _apply, "__name__": "rounds"})
NEWER: Game[Any, Any, Any] = Game.of(
    _newer,
    seats=GAME.seats,
    state=NewerState,
    book=Rule,
    version=2,
    past=Past(layout=2, upcasts={1: Upcast.of_options(equal="all")}),
)
BREAKING: Game[Any, Any, Any] = NEWER.altered(explain=_explain_otherwise)
