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

from ... import game as k

Cards = tuple[k.Card, ...]
DECK: Cards = tuple(map(k.Card, range(1, 13)))
HAND = 2


class Rule(k.RuleBook):
    """The rules by number."""

    R_1 = "R-1", "Each seat gets two cards."
    R_2 = "R-2", "All lay one of them at once, face down."
    R_3 = "R-3", "Then each plays the other in turn; the highest sum wins the round."


@k.options
class Options:
    """What is agreed on: how many rounds are played."""

    rounds: int = 2


@k.command("deal")
class Deal:
    """The cards of all seats, two for each."""

    cards: Cards = k.secret()


@k.command("lay")
class Lay:
    """A card laid face down."""

    card: k.Card = k.secret()


@k.command("play")
class Play:
    """The last card, played open."""

    card: k.Card = k.public()


@k.state
class State:
    """The cards of each seat, and the rounds it has won."""

    rounds: int = k.public()
    hands: tuple[Cards, ...] = k.own()
    laid: tuple[k.Card | None, ...] = k.own()
    played: Cards = k.public()
    points: tuple[int, ...] = k.public()


def start(options: Options, seats: int) -> State:
    """Return the state before the first deal."""
    return State(options.rounds, ((),) * seats, (None,) * seats, (), (0,) * seats)


def to_act(state: State) -> frozenset[int]:
    """Return the seats that are to act."""
    if state.rounds == 0:
        return k.NOBODY
    if not any(state.hands):
        return k.DEALER
    waiting = frozenset(k.Seat(seat) for seat, card in enumerate(state.laid) if card is None)
    return waiting or k.ALONE[len(state.played)]


def apply(state: State, seat: int, command: Deal | Lay | Play) -> State:
    """Return the state after a command."""
    if isinstance(command, Deal):
        return _dealt(state, seat, command.cards)
    lays = state.laid[seat] is None
    if isinstance(command, Lay) != lays:
        raise k.RuleViolation(k.TableRule.ORDER, seat, expected="lay" if lays else "play")
    hand = state.hands[seat]
    if command.card not in hand:
        raise k.RuleViolation(Rule.R_2 if lays else Rule.R_3, seat, card=command.card)
    hands = k.replace_at(state.hands, seat, tuple(card for card in hand if card != command.card))
    if lays:
        return k.evolve(state, hands=hands, laid=k.replace_at(state.laid, seat, command.card))
    after = k.evolve(state, hands=hands, played=(*state.played, command.card))
    return after if any(hands) else _counted(after)


def _dealt(state: State, seat: int, cards: Cards) -> State:
    seats = len(state.hands)
    if len(cards) != HAND * seats:
        raise k.malformed_command(seat, f"{HAND * seats} cards")
    if len(set(cards)) != len(cards) or not set(cards) <= set(DECK):
        raise k.RuleViolation(k.TableRule.DEAL, seat)
    hands = tuple(tuple(sorted(cards[HAND * each : HAND * each + HAND])) for each in range(seats))
    return k.evolve(state, hands=hands, laid=(None,) * seats, played=())


def _counted(state: State) -> State:
    """Return the state after a round: those with the highest sum have a point more."""
    sums = [(laid or 0) + played for laid, played in zip(state.laid, state.played, strict=True)]
    points = tuple(each + (total == max(sums)) for each, total in zip(state.points, sums, strict=True))
    return k.evolve(state, rounds=state.rounds - 1, points=points)


def result(state: State) -> k.Result | None:
    """Return the result once all rounds are played."""
    return k.Result(state.points, k.winners_by(state.points)) if state.rounds == 0 else None


def legal(state: State, seat: int) -> Iterator[Lay | Play]:
    """Yield the legal commands of a seat."""
    kind: type[Lay] | type[Play] = Lay if state.laid[seat] is None else Play
    return map(kind, state.hands[seat])


def deal(state: State, shuffler: k.Shuffler) -> Deal:
    """Return a deal."""
    return Deal(shuffler.shuffle(DECK)[: HAND * len(state.hands)])


def explain(step: k.Step[State, Any], viewer: int | None) -> Iterator[k.Note]:
    """Yield what happened; a seat is told its hand for a moment."""
    if isinstance(step.command, Deal):
        yield k.Note.of("dealt", Rule.R_1, begins=k.SectionKind.DEAL)
        if viewer is not None and viewer != k.TABLE:
            yield k.Note.of("hand", Rule.R_1, momentary=True, seat=viewer, cards=step.after.hands[viewer])
    else:
        rule = Rule.R_2 if isinstance(step.command, Lay) else Rule.R_3
        yield k.Note.of("acted", rule, seat=step.seat, begins=k.SectionKind.TURN)


GAME: k.Game[State, Any, Any] = k.Game.of(__name__, seats=range(2, 5), state=State, book=Rule)


# The second version.


@k.options
class NewerOptions:
    """What is agreed on: how many rounds are played, and who wins one where several have the highest sum."""

    rounds: int = 2
    equal: Literal["all", "none"] = "none"


@k.state
class NewerState(State):
    """The state of version 1, and who wins an equal round."""

    equal: str = k.public(default="none")


def _start(options: NewerOptions, seats: int) -> NewerState:
    return NewerState(options.rounds, ((),) * seats, (None,) * seats, (), (0,) * seats, options.equal)


def _apply(state: Any, seat: int, command: Any) -> Any:
    after = apply(state, seat, command)
    won = sum(after.points) - sum(state.points)
    return k.evolve(after, points=state.points) if won > 1 and state.equal == "none" else after


def _explain_otherwise(step: k.Step[Any, Any], viewer: int | None) -> Iterator[k.Note]:
    """Tell seat 1 less than version 1 did."""
    return iter(()) if viewer == 1 and isinstance(step.command, Play) else explain(step, viewer)


SHOWN = [field.name for field in attrs.fields(type(GAME.view(start(Options(), 2), None)))]


def in_common(seen: Any) -> Any:
    """Return what a view shows in every version."""
    return seen and tuple(getattr(seen, name) for name in SHOWN)


_newer = ModuleType("rounds")
vars(_newer).update({**globals(), "Options": NewerOptions, "start": _start, "apply": _apply, "__name__": "rounds"})
NEWER: k.Game[Any, Any, Any] = k.Game.of(
    _newer,
    seats=GAME.seats,
    state=NewerState,
    book=Rule,
    version=2,
    past=k.Past(layout=2, upcasts={1: k.Upcast.of_options(equal="all")}),
)
BREAKING: k.Game[Any, Any, Any] = NEWER.altered(explain=_explain_otherwise)
