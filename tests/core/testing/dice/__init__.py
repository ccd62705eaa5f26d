"""Dice: bids on what all dice show, each seat sees its own, who is wrong loses one. Nothing stays: all is rolled anew.

The table acts in mid-game, seats are eliminated, a bid is two numbers, and what a call shows no view keeps.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from attrs import frozen
from kifu.core.game import (
    ALONE,
    DEALER,
    NOBODY,
    TABLE,
    Card,
    Game,
    Note,
    RedactedCommand,
    Result,
    RuleBook,
    RuleViolation,
    Seat,
    SectionKind,
    Step,
    check_cards,
    check_count,
    check_turn,
    copy_fields,
    evolve,
    replace_at,
    show_own,
    visible_to,
)
from kifu.core.game.scene import Face, Fact, Part, Place, Scene, Zone, card_things
from kifu.core.game.shuffle import Shuffler


class Rule(RuleBook):
    """The rulebook."""

    DICE_1 = "Every round all dice are rolled; everybody looks at the own ones only."
    DICE_2 = "A bid names a number of dice of one face among all; each bid is higher than the one before."
    DICE_3 = "Instead of a bid one may call; all dice are shown, and who was wrong loses a die."
    DICE_4 = "Who has lost a die begins the next round; if it was the last one, the next seat begins."
    DICE_5 = "Who is left alone with dice wins."


Dice = tuple[Card, ...]
FACES: Dice = tuple(Card(number) for number in range(1, 7))


def face(card: Card) -> Face:
    return Face(str(card), shape="die")


@frozen
class Options:
    """The options of the game."""

    dice: Literal[1, 2, 3, 5] = 2


@frozen(slots=False)
class Roll:
    """All dice, seat after seat."""

    dice: Dice


@frozen(slots=False)
class Bid:
    """At least so many dice show this face."""

    count: int
    face: Card


@frozen(slots=False)
class Call:
    """The last bid is a lie."""


Command = Roll | Bid | Call


@frozen(slots=False)
class State:
    options: Options
    left: tuple[int, ...]
    dice: tuple[Dice, ...]
    turn: int
    count: int
    face: int
    bidder: int


def start(options: Options, seats: int) -> State:
    return State(options, (options.dice,) * seats, ((),) * seats, 0, 0, 0, -1)


def to_act(state: State) -> frozenset[Seat]:
    if sum(map(bool, state.left)) == 1:
        return NOBODY
    return ALONE[state.turn] if any(state.dice) else DEALER


def deal(state: State, shuffler: Shuffler) -> Roll:
    return Roll(tuple(Card(1 + shuffler.below(6)) for _ in range(sum(state.left))))


def apply(state: State, seat: Seat, command: Command) -> State:
    match command:
        case Roll():
            return _roll(state, seat, command)
        case Bid():
            return _bid(state, seat, command)
        case Call():
            return _call(state, seat)


def _roll(state: State, seat: Seat, roll: Roll) -> State:
    check_cards(seat, roll.dice, FACES)
    check_turn(to_act(state), seat, deals=True)
    check_count(seat, roll.dice, sum(state.left))
    dice, at = [], 0
    for count in state.left:
        dice.append(tuple(sorted(roll.dice[at : at + count])))
        at += count
    return evolve(state, dice=tuple(dice), count=0, face=0, bidder=-1)


def _bid(state: State, seat: Seat, bid: Bid) -> State:
    check_cards(seat, [bid.face], FACES)
    check_turn(to_act(state), seat)
    if bid.count < 1 or not (state.count, state.face) < (bid.count, bid.face) or bid.count > sum(state.left):
        raise RuleViolation(Rule.DICE_2, seat, count=bid.count, card=bid.face)
    return evolve(state, count=bid.count, face=bid.face, bidder=int(seat), turn=_next(state.left, seat))


def _next(left: tuple[int, ...], seat: int) -> int:
    seats = len(left)
    return next((seat + step) % seats for step in range(1, seats + 1) if left[(seat + step) % seats])


def _call(state: State, seat: Seat) -> State:
    check_turn(to_act(state), seat)
    if not state.count:
        raise RuleViolation(Rule.DICE_3, seat)
    loser = seat if shown(state) >= state.count else state.bidder
    left = replace_at(state.left, loser, state.left[loser] - 1)
    turn = loser if left[loser] else _next(left, loser)
    return evolve(state, left=left, dice=((),) * len(left), turn=int(turn), count=0, face=0, bidder=-1)


def shown(state: State) -> int:
    return sum(dice.count(Card(state.face)) for dice in state.dice)


def legal(state: State, seat: Seat) -> Iterator[Command]:
    if seat == TABLE or seat not in to_act(state):
        return
    if state.count:
        yield Call()
    for count in range(max(1, state.count), sum(state.left) + 1):
        for face in FACES:
            if (count, face) > (state.count, state.face):
                yield Bid(count, face)


def result(state: State) -> Result | None:
    if to_act(state):
        return None
    return Result(state.left, tuple(Seat(seat) for seat, left in enumerate(state.left) if left))


@frozen
class View:
    viewer: Seat | None
    options: Options
    left: tuple[int, ...]
    dice: tuple[Dice | None, ...]
    rolled: bool
    turn: int
    count: int
    face: int
    bidder: int


def view(state: State, viewer: Seat | None) -> View:
    return copy_fields(View, state, viewer=viewer, dice=show_own(state.dice, viewer), rolled=any(state.dice))


def redact(command: Command, seat: Seat, viewer: Seat | None) -> Command | RedactedCommand:
    if isinstance(command, Roll) and not visible_to(viewer, seat):
        return RedactedCommand("roll")
    return command


def determinize(view: View, shuffler: Shuffler) -> State:
    dice = tuple(
        own if own is not None else tuple(sorted(Card(1 + shuffler.below(6)) for _ in range(left * view.rolled)))
        for own, left in zip(view.dice, view.left, strict=True)
    )
    return copy_fields(State, view, dice=dice)


def explain(step: Step[State, Command], viewer: Seat | None) -> Iterator[Note]:
    before, after = step.before, step.after
    if isinstance(step.command, Roll):
        yield Note.of("rolled", Rule.DICE_1, begins=SectionKind.ROUND, count=sum(after.left))
        for seat, dice in enumerate(after.dice):
            if dice and visible_to(viewer, seat):
                yield Note.of("dice", Rule.DICE_1, seat=seat, cards=dice)
        return
    if isinstance(step.command, Bid):
        yield Note.of("bid", Rule.DICE_2, seat=step.seat, count=step.command.count, card=step.command.face)
        return
    loser = next(seat for seat, left in enumerate(after.left) if left != before.left[seat])
    yield Note.of("called", Rule.DICE_3, seat=step.seat, count=shown(before), card=before.face)
    for seat, dice in enumerate(before.dice):
        if dice:
            yield Note.of("shows", Rule.DICE_3, seat=seat, cards=dice)
    yield Note.of("loses", Rule.DICE_3, seat=loser)
    ended = result(after)
    if ended is None:
        yield Note.of("begins", Rule.DICE_4, seat=after.turn)
    else:
        yield Note.of("won", Rule.DICE_5, seats=ended.winners, points=ended.points)


def scene(view: View) -> Scene:
    facts = (Fact("fact-count", view.count), Fact("fact-face", view.face)) if view.count else ()
    return Scene(view.viewer, Place(None, facts=facts), tuple(_place(view, seat) for seat in range(len(view.left))))


def _place(view: View, seat: int) -> Place:
    dice = view.dice[seat]
    return Place(
        seat,
        zones=(Zone("zone-dice", card_things(dice, face, view.left[seat] * view.rolled, back="die")),),
        facts=(Fact("fact-left", view.left[seat]),),
        marks=("mark-bid",) if seat == view.bidder else (),
    )


def parts(command: Command) -> tuple[Part, ...]:
    match command:
        case Bid():
            return (("count", command.count), ("face", int(command.face)))
        case Call():
            return (("call", "call"),)
    return ()


GAME: Game[State, Command, View] = Game(
    name="dice",
    rules=1,
    seats=range(2, 6),
    options=Options,
    book=Rule,
    wire={Roll: "roll", Bid: "bid", Call: "call"},
    start=start,
    to_act=to_act,
    apply=apply,
    legal=legal,
    deal=deal,
    view=view,
    redact=redact,
    determinize=determinize,
    shows={"shows": ("cards",), "called": ("count",), "loses": ("seat",)},
    result=result,
    explain=explain,
    scene=scene,
    parts=parts,
    face=face,
    texts=__name__,
)
