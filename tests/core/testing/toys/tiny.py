"""Tiny: a game so small that all its deals and histories can be listed.

Two seats and five cards: two are dealt to seat 0, one to seat 1, and two are left. Seat 0 may peek at one of those,
then each seat lays a card face down; both are turned up, and the higher wins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from kifu.core import game as k

Cards = tuple[k.Card, ...]
DECK: Cards = tuple(map(k.Card, range(1, 6)))
TEXTS = """
note-dealt = All is dealt.
note-hand = { SEAT($seat) } gets { CARDS($cards) }.
note-peeks = { SEAT($seat) } peeks at what is left.
note-waits = { SEAT($seat) } does not peek.
note-left = { CARDS($cards) } is one of those left.
note-laid = { SEAT($seat) } lays a card face down.
note-turned-up = { CARDS($cards) } are turned up.
note-won = { SEATS($seats) } wins: { POINTS($points) }.
"""


class Rule(k.RuleBook):
    T_1 = "T-1", "Seat 0 gets two cards and seat 1 one; two are left, face down."
    T_2 = "T-2", "Seat 0 may peek at the first of them, once."
    T_3 = "T-3", "Each seat lays one card of its hand face down."
    T_4 = "T-4", "Both are turned up; the higher wins."


@k.command("deal", rule="T-1")
class Deal:
    cards: Cards = k.secret()


@k.command("peek", rule="T-2")
class Peek:
    peek: bool = k.public()


@k.command("lay", rule="T-3")
class Lay:
    card: k.Card = k.secret()


Command = Deal | Peek | Lay


def turned_up(state: State, viewer: int | None) -> bool | tuple[bool, ...]:
    """Its seat, and everybody once both are laid."""
    return len(state.laid) == 2 or tuple(seat == viewer for seat in range(len(state.laid)))


@k.state
class State:
    hands: tuple[Cards, ...] = k.own()
    laid: Cards = k.seen_by(turned_up)
    left: Cards = k.nobody()
    asked: bool = k.public()
    """Whether seat 0 has said if it peeks."""


def start(options: k.NoOptions, seats: int) -> State:
    return State(((), ()), (), (), False)


def to_act(state: State) -> frozenset[int]:
    if not state.left:
        return k.DEALER
    return k.NOBODY if len(state.laid) == 2 else k.ALONE[len(state.laid)]


def apply(state: State, seat: int, command: Command) -> State:
    match command:
        case Deal(cards):
            k.check_count(seat, cards, len(DECK))
            k.check_deck(k.DEALER, seat, cards, DECK)
            return k.evolve(state, hands=(tuple(sorted(cards[:2])), cards[2:3]), left=cards[3:])
        case Peek():
            if state.asked:
                raise k.Illegal("T-2")
            return k.evolve(state, asked=True)
        case Lay(card):
            if not state.asked:
                raise k.RuleViolation(k.TableRule.ORDER, seat, expected="peek")
            hand = state.hands[seat]
            if card not in hand:
                raise k.Illegal("T-3", card=card)
            rest = tuple(each for each in hand if each != card)
            hands = (rest, state.hands[1]) if seat == 0 else (state.hands[0], rest)
            return k.evolve(state, hands=hands, laid=(*state.laid, card))


def result(state: State) -> k.Result | None:
    if len(state.laid) < 2:
        return None
    points = tuple(int(card == max(state.laid)) for card in state.laid)
    return k.Result(points, k.winners_by(points))


def legal(state: State, seat: int) -> Iterator[Command]:
    if not state.asked:
        return iter((Peek(False), Peek(True)))
    return map(Lay, state.hands[seat])


def deal(state: State, shuffler: k.Shuffler) -> Deal:
    return Deal(shuffler.shuffle(DECK))


def explain(step: k.Step[State, Command], viewer: int | None) -> Iterator[k.Note]:
    after = step.after
    match step.command:
        case Deal():
            yield k.Note.of("dealt", Rule.T_1, begins=k.SectionKind.DEAL)
            for seat in (0, 1):
                if viewer in (seat, k.TABLE):
                    yield k.Note.of("hand", Rule.T_1, seat=seat, cards=after.hands[seat])
        case Peek(peek):
            yield k.Note.of("peeks" if peek else "waits", Rule.T_2, seat=step.seat)
            if peek and viewer in (step.seat, k.TABLE):
                yield k.Note.of("left", Rule.T_2, cards=after.left[:1])
        case Lay():
            yield k.Note.of("laid", Rule.T_3, begins=k.SectionKind.TURN, seat=step.seat)
            ended = result(after)
            if ended is not None:
                yield k.Note.of("turned-up", Rule.T_4, cards=after.laid)
                yield k.Note.of("won", Rule.T_4, seats=ended.winners, points=ended.points)


def priors(state: State, seat: int) -> Iterator[tuple[Command, float]]:
    return ((command, 1.0) for command in legal(state, seat))


def evaluate(state: State) -> Sequence[float]:
    return [0.0, 0.0]


def determinize_history(view: Any, history: Sequence[k.ObservedEvent[Command]]) -> Callable[[k.Shuffler], State]:
    """Draw states that keep to what the seat has peeked at, and to what it has laid."""
    peeked = [dict(note.values)["cards"] for event in history for note in event.notes if note.key == "left"]

    def draw(shuffler: k.Shuffler) -> State:
        while True:
            drawn = GAME.determinize(view, shuffler)
            if not peeked or drawn.left[:1] == peeked[0]:
                return drawn

    return draw


GAME = k.Game.of(
    __name__,
    seats=range(2, 3),
    state=State,
    book=Rule,
    texts={"en": TEXTS},
    extras=(k.Passing(looks={"left": ("cards",)}), k.Hints(priors, evaluate, determinize_history)),
)
