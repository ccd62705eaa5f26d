"""Tiny: a game so small that all its deals and histories can be listed.

Two seats and five cards: two are dealt to seat 0, one to seat 1, and two are left. Seat 0 may peek at one of those,
then each seat lays a card face down; both are turned up, and the higher wins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import assert_never

from attrs import frozen
from kifu.core.game import (
    ALONE,
    DEALER,
    NOBODY,
    TABLE,
    Card,
    Game,
    Hints,
    Note,
    ObservedEvent,
    RedactedCommand,
    Result,
    RuleBook,
    RuleViolation,
    Seat,
    SectionKind,
    Step,
    TableRule,
    check_turn,
    evolve,
    malformed_command,
    winners_by,
)
from kifu.core.game.scene import Face, Fact, Part, Place, Scene, Thing, Zone
from kifu.core.game.shuffle import Shuffler

Cards = tuple[Card, ...]
DECK: Cards = tuple(map(Card, range(1, 6)))
SEATS = (Seat(0), Seat(1))


class Rule(RuleBook):
    T_1 = "T-1", "Seat 0 gets two cards and seat 1 one; two are left, face down."
    T_2 = "T-2", "Seat 0 may peek at the first of them, once."
    T_3 = "T-3", "Each seat lays one card of its hand face down."
    T_4 = "T-4", "Both are turned up; the higher wins."


@frozen
class Options:
    """There is nothing to agree on."""


@frozen(slots=False)
class Deal:
    cards: Cards


@frozen(slots=False)
class Peek:
    peek: bool


@frozen(slots=False)
class Lay:
    card: Card


Command = Deal | Peek | Lay


@frozen(slots=False)
class State:
    hands: tuple[Cards, Cards]
    laid: Cards
    left: Cards
    asked: bool
    """Whether seat 0 has said if it peeks."""


def start(options: Options, seats: int) -> State:
    return State(((), ()), (), (), False)


def to_act(state: State) -> frozenset[Seat]:
    if not state.left:
        return DEALER
    return NOBODY if len(state.laid) == 2 else ALONE[len(state.laid)]


def apply(state: State, seat: Seat, command: Command) -> State:
    match command:
        case Deal(cards):
            if len(cards) != len(DECK):
                raise malformed_command(seat, "five cards")
            check_turn(to_act(state), seat, deals=True)
            if tuple(sorted(cards)) != DECK:
                raise RuleViolation(TableRule.DEAL, seat)
            return evolve(state, hands=(tuple(sorted(cards[:2])), cards[2:3]), left=cards[3:])
        case Peek():
            check_turn(to_act(state), seat)
            if state.asked:
                raise RuleViolation(Rule.T_2, seat)
            return evolve(state, asked=True)
        case Lay(card):
            check_turn(to_act(state), seat)
            if not state.asked:
                raise RuleViolation(TableRule.ORDER, seat, expected="peek")
            hand = state.hands[seat]
            if card not in hand:
                raise RuleViolation(Rule.T_3, seat, card=card)
            rest = tuple(each for each in hand if each != card)
            hands = (rest, state.hands[1]) if seat == 0 else (state.hands[0], rest)
            return evolve(state, hands=hands, laid=(*state.laid, card))
        case _:
            assert_never(command)


def result(state: State) -> Result | None:
    if len(state.laid) < 2:
        return None
    points = tuple(int(card == max(state.laid)) for card in state.laid)
    return Result(points, winners_by(points))


def legal(state: State, seat: Seat) -> Iterator[Command]:
    if seat == TABLE or seat not in to_act(state):
        return iter(())
    if not state.asked:
        return iter((Peek(False), Peek(True)))
    return map(Lay, state.hands[seat])


def deal(state: State, shuffler: Shuffler) -> Deal:
    return Deal(shuffler.shuffle(DECK))


def cards(state: State) -> Iterator[Card]:
    return chain(*state.hands, state.laid, state.left)


@frozen
class View:
    viewer: Seat | None
    hands: tuple[Cards | None, ...]
    sizes: tuple[int, ...]
    laid: tuple[Card | None, ...]
    left: Cards | None
    dealt: bool
    asked: bool


def view(state: State, viewer: Seat | None) -> View:
    up = len(state.laid) == 2
    return View(
        viewer,
        tuple(hand if viewer in (seat, TABLE) else None for seat, hand in enumerate(state.hands)),
        tuple(map(len, state.hands)),
        tuple(card if up or viewer in (seat, TABLE) else None for seat, card in enumerate(state.laid)),
        state.left if viewer == TABLE else None,
        bool(state.left),
        state.asked,
    )


def redact(command: Command, seat: Seat, viewer: Seat | None) -> Command | RedactedCommand:
    if viewer in (seat, TABLE) or isinstance(command, Peek):
        return command
    return RedactedCommand("deal" if isinstance(command, Deal) else "lay")


def determinize(view: View, shuffler: Shuffler) -> State:
    shown = {*chain(*(hand or () for hand in view.hands)), *view.laid, *(view.left or ())}
    unseen = list(shuffler.shuffle(card for card in DECK if card not in shown)) if view.dealt else []
    hands = [
        hand if hand is not None else tuple(sorted(unseen.pop() for _ in range(size)))
        for hand, size in zip(view.hands, view.sizes, strict=True)
    ]
    laid = tuple(card if card is not None else unseen.pop() for card in view.laid)
    left = view.left if view.left is not None else tuple(unseen)
    return State((hands[0], hands[1]), laid, left, view.asked)


def explain(step: Step[State, Command], viewer: Seat | None) -> Iterator[Note]:
    after = step.after
    match step.command:
        case Deal():
            yield Note.of("dealt", Rule.T_1, begins=SectionKind.DEAL)
            for seat in SEATS:
                if viewer in (seat, TABLE):
                    yield Note.of("hand", Rule.T_1, seat=seat, cards=after.hands[seat])
        case Peek(peek):
            yield Note.of("peeks" if peek else "waits", Rule.T_2, seat=step.seat)
            if peek and viewer in (step.seat, TABLE):
                yield Note.of("left", Rule.T_2, cards=after.left[:1])
        case Lay():
            yield Note.of("laid", Rule.T_3, begins=SectionKind.TURN, seat=step.seat)
            ended = result(after)
            if ended is not None:
                yield Note.of("turned-up", Rule.T_4, cards=after.laid)
                yield Note.of("won", Rule.T_4, seats=ended.winners, points=ended.points)


def scene(view: View) -> Scene:
    return Scene(view.viewer, Place(None), tuple(_place(view, seat) for seat in SEATS))


def _place(view: View, seat: Seat) -> Place:
    hand, laid = view.hands[seat], view.laid[seat : seat + 1]
    things = (Thing(count=view.sizes[seat]),) if hand is None else tuple(_thing(card) for card in hand)
    lies = tuple(Thing() if card is None else _thing(card) for card in laid)
    score = int(len(view.laid) == 2 and None not in view.laid and view.laid[seat] == max(filter(None, view.laid)))
    return Place(seat, (Zone("zone-hand", things), Zone("zone-laid", lies)), (Fact("fact-points", score),))


def _thing(card: Card) -> Thing:
    return Thing((face(card),), part=("card", card))


def face(card: Card) -> Face:
    return Face(str(card))


def parts(command: Command) -> tuple[Part, ...]:
    match command:
        case Lay(card):
            return (("card", card),)
        case Peek(peek):
            return (("peek", "yes" if peek else "no"),)
        case _:
            return ()


def priors(state: State, seat: Seat) -> Iterator[tuple[Command, float]]:
    return ((command, 1.0) for command in legal(state, seat))


def evaluate(state: State) -> Sequence[float]:
    return [0.0, 0.0]


def determinize_history(view: View, history: Sequence[ObservedEvent[Command]]) -> Callable[[Shuffler], State]:
    """Draw states that keep to what the seat has peeked at, and to what it has laid."""
    peeked = [dict(note.values)["cards"] for event in history for note in event.notes if note.key == "left"]

    def draw(shuffler: Shuffler) -> State:
        while True:
            drawn = determinize(view, shuffler)
            if not peeked or drawn.left[:1] == peeked[0]:
                return drawn

    return draw


GAME: Game[State, Command, View] = Game(
    name="tiny",
    rules=1,
    seats=range(2, 3),
    options=Options,
    book=Rule,
    wire={Deal: "deal", Peek: "peek", Lay: "lay"},
    start=start,
    to_act=to_act,
    apply=apply,
    legal=legal,
    deal=deal,
    view=view,
    redact=redact,
    determinize=determinize,
    cards=cards,
    result=result,
    explain=explain,
    scene=scene,
    parts=parts,
    face=face,
    texts=__name__,
    looks={"left": ("cards",)},
    hints=Hints(priors, evaluate, determinize_history),
)
