"""Dice: bids on what all dice show, each seat sees its own, who is wrong loses one. Nothing stays: all is rolled anew.

The table acts in mid-game, seats are eliminated, a bid is two numbers, and what a call shows no view keeps.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from kifu.core import game as k

Die = Literal[1, 2, 3, 4, 5, 6]
Dice = tuple[Die, ...]
FACES: Dice = (1, 2, 3, 4, 5, 6)
TEXTS = """
doing-bid = bid { $count } dice of { $face }
note-rolled = { $count } dice are rolled.
note-dice = { SEAT($seat) } rolls { CARDS($cards) }.
note-bid = { SEAT($seat) } bids { $count } dice of { CARD($card) }.
note-called = { SEAT($seat) } calls: there are { $count } of { CARD($card) }.
note-shows = { SEAT($seat) } shows { CARDS($cards) }.
note-loses = { SEAT($seat) } loses a die.
note-begins = { SEAT($seat) } begins the next round.
violation-DICE-2 = { SEAT($seat) } bid { $count } of { CARD($card) }, which is not higher, or too high
part-do-call = call it a lie
note-won = { SEATS($seats) } wins: { POINTS($points) }.
"""


class Rule(k.RuleBook):
    """The rulebook."""

    DICE_1 = "Every round all dice are rolled; everybody looks at the own ones only."
    DICE_2 = "A bid names a number of dice of one face among all; each bid is higher than the one before."
    DICE_3 = "Instead of a bid one may call; all dice are shown, and who was wrong loses a die."
    DICE_4 = "Who has lost a die begins the next round; if it was the last one, the next seat begins."
    DICE_5 = "Who is left alone with dice wins."


def face(die: Die) -> k.Face:
    return k.Face(str(die), shape="die")


@k.options
class Options:
    """The options of the game."""

    dice: Literal[1, 2, 3, 5] = 2


@k.command("roll")
class Roll:
    """All dice, seat after seat."""

    dice: Dice = k.secret()


@k.command("bid")
class Bid:
    """At least so many dice show this face."""

    count: int = k.public()
    face: Die = k.public()


@k.command("call", rule="DICE-3")
class Call:
    """The last bid is a lie."""


Command = Roll | Bid | Call


@k.state
class State:
    options: Options
    left: tuple[int, ...] = k.public()
    dice: tuple[Dice, ...] = k.own()
    turn: int = k.public()
    count: int = k.public()
    face: int = k.public()
    bidder: int = k.public()


def start(options: Options, seats: int) -> State:
    return State(options, (options.dice,) * seats, ((),) * seats, 0, 0, 0, -1)


def to_act(state: State) -> frozenset[int]:
    if sum(map(bool, state.left)) == 1:
        return k.NOBODY
    return k.ALONE[state.turn] if any(state.dice) else k.DEALER


def deal(state: State, shuffler: k.Shuffler) -> Roll:
    return Roll(tuple(FACES[shuffler.below(6)] for _ in range(sum(state.left))))


def apply(state: State, seat: int, command: Command) -> State:
    match command:
        case Roll():
            return _roll(state, seat, command)
        case Bid():
            return _bid(state, seat, command)
        case Call():
            return _call(state, seat)


def _roll(state: State, seat: int, roll: Roll) -> State:
    k.check_cards(seat, roll.dice, FACES)
    k.check_count(seat, roll.dice, sum(state.left))
    dice, at = [], 0
    for count in state.left:
        dice.append(tuple(sorted(roll.dice[at : at + count])))
        at += count
    return k.evolve(state, dice=tuple(dice), count=0, face=0, bidder=-1)


def _bid(state: State, seat: int, bid: Bid) -> State:
    k.check_cards(seat, [bid.face], FACES)
    if bid.count < 1 or not (state.count, state.face) < (bid.count, bid.face) or bid.count > sum(state.left):
        raise k.Illegal("DICE-2", count=bid.count, card=bid.face)
    return k.evolve(state, count=bid.count, face=bid.face, bidder=seat, turn=_next(state.left, seat))


def _next(left: tuple[int, ...], seat: int) -> int:
    seats = len(left)
    return next((seat + step) % seats for step in range(1, seats + 1) if left[(seat + step) % seats])


def _call(state: State, seat: int) -> State:
    if not state.count:
        raise k.Illegal("DICE-3")
    loser = seat if shown(state) >= state.count else state.bidder
    left = k.replace_at(state.left, loser, state.left[loser] - 1)
    turn = loser if left[loser] else _next(left, loser)
    return k.evolve(state, left=left, dice=((),) * len(left), turn=turn, count=0, face=0, bidder=-1)


def shown(state: State) -> int:
    return sum(dice.count(state.face) for dice in state.dice)


def legal(state: State, seat: int) -> Iterator[Command]:
    if state.count:
        yield Call()
    for count in range(max(1, state.count), sum(state.left) + 1):
        for face in FACES:
            if (count, face) > (state.count, state.face):
                yield Bid(count, face)


def result(state: State) -> k.Result | None:
    if to_act(state):
        return None
    return k.Result(state.left, tuple(seat for seat, left in enumerate(state.left) if left))


def explain(step: k.Step[State, Command], viewer: int | None) -> Iterator[k.Note]:
    before, after = step.before, step.after
    if isinstance(step.command, Roll):
        yield k.Note.of("rolled", Rule.DICE_1, begins=k.SectionKind.ROUND, count=sum(after.left))
        for seat, dice in enumerate(after.dice):
            if dice and k.visible_to(viewer, seat):
                yield k.Note.of("dice", Rule.DICE_1, seat=seat, cards=dice)
        return
    if isinstance(step.command, Bid):
        yield k.Note.of("bid", Rule.DICE_2, seat=step.seat, count=step.command.count, card=step.command.face)
        return
    loser = next(seat for seat, left in enumerate(after.left) if left != before.left[seat])
    yield k.Note.of("called", Rule.DICE_3, seat=step.seat, count=shown(before), card=before.face)
    for seat, dice in enumerate(before.dice):
        if dice:
            yield k.Note.of("shows", Rule.DICE_3, seat=seat, cards=dice)
    yield k.Note.of("loses", Rule.DICE_3, seat=loser)
    ended = result(after)
    if ended is None:
        yield k.Note.of("begins", Rule.DICE_4, seat=after.turn)
    else:
        yield k.Note.of("won", Rule.DICE_5, seats=ended.winners, points=ended.points)


def scores(state: State) -> tuple[int, ...]:
    return state.left


GAME = k.Game.of(
    __name__,
    seats=range(2, 6),
    state=State,
    book=Rule,
    texts={"en": TEXTS},
    extras=(k.Passing(shows={"shows": ("cards",), "called": ("count",), "loses": ("seat",)}),),
)
