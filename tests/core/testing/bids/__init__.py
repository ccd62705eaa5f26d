"""Bids: both seats bid a card at the same time, face down; the second turns both up. Nothing is dealt.

Each seat has 1 to 3. The higher bid scores a point, equal ones none; after three rounds the most points win.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from attrs import frozen
from kifu.core.game import (
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
    TableRule,
    check_turn,
    evolve,
    malformed_command,
    replace_at,
    winners_by,
)
from kifu.core.game.scene import Face, Fact, Part, Place, Scene, Thing, Zone
from kifu.core.game.shuffle import Shuffler

Cards = tuple[Card, ...]
DECK: Cards = tuple(map(Card, range(1, 4)))
SEATS = (Seat(0), Seat(1))


class Rule(RuleBook):
    B_1 = "B-1", "Each seat bids one card of its hand, face down, at the same time."
    B_2 = "B-2", "The higher bid scores a point; equal ones score none."


@frozen
class Options:
    """There is nothing to agree on."""


@frozen(slots=False)
class Bid:
    card: Card


@frozen(slots=False)
class State:
    hands: tuple[Cards, Cards]
    bids: tuple[Card | None, Card | None]
    played: tuple[Cards, Cards]


def start(options: Options, seats: int) -> State:
    return State((DECK, DECK), (None, None), ((), ()))


def to_act(state: State) -> frozenset[Seat]:
    if not state.hands[0] and not state.hands[1] and state.bids == (None, None):
        return NOBODY
    return frozenset(seat for seat in SEATS if state.bids[seat] is None)


def apply(state: State, seat: Seat, command: Bid) -> State:
    if command.card not in DECK:
        raise malformed_command(seat, "there is no such card")
    check_turn(to_act(state), seat)
    if command.card not in state.hands[seat]:
        raise RuleViolation(Rule.B_1, seat, card=command.card)
    hand = tuple(card for card in state.hands[seat] if card != command.card)
    state = evolve(state, hands=replace_at(state.hands, seat, hand), bids=replace_at(state.bids, seat, command.card))
    if None in state.bids:
        return state
    played = tuple((*cards, bid) for cards, bid in zip(state.played, state.bids, strict=True) if bid is not None)
    return evolve(state, bids=(None, None), played=played)


def legal(state: State, seat: Seat) -> Iterator[Bid]:
    return map(Bid, state.hands[seat]) if seat != TABLE and seat in to_act(state) else iter(())


def scores_of(played: tuple[Cards, Cards]) -> tuple[int, int]:
    pairs = list(zip(*played, strict=True))
    return sum(a > b for a, b in pairs), sum(b > a for a, b in pairs)


def scores(state: State) -> tuple[int, int]:
    return scores_of(state.played)


def result(state: State) -> Result | None:
    return None if to_act(state) else Result(scores(state), winners_by(scores(state)))


def cards(state: State) -> Iterator[Card]:
    return chain(*state.hands, *state.played, (bid for bid in state.bids if bid is not None))


@frozen
class View:
    viewer: Seat | None
    hands: tuple[Cards | None, ...]
    has_bid: tuple[bool, ...]
    bids: tuple[Card | None, ...]
    played: tuple[Cards, Cards]


def view(state: State, viewer: Seat | None) -> View:
    return View(
        viewer,
        tuple(hand if viewer in (seat, TABLE) else None for seat, hand in enumerate(state.hands)),
        tuple(bid is not None for bid in state.bids),
        tuple(bid if viewer in (seat, TABLE) else None for seat, bid in enumerate(state.bids)),
        state.played,
    )


def redact(command: Bid, seat: Seat, viewer: Seat | None) -> Bid | RedactedCommand:
    return command if viewer in (seat, TABLE) else RedactedCommand("bid")


def determinize(view: View, shuffler: Shuffler) -> State:
    hands, bids = list(view.hands), list(view.bids)
    for seat, hand in enumerate(view.hands):
        if hand is None:
            left = list(shuffler.shuffle(card for card in DECK if card not in view.played[seat]))
            bids[seat] = left.pop() if view.has_bid[seat] else None
            hands[seat] = tuple(sorted(left))
    assert hands[0] is not None
    assert hands[1] is not None
    return State((hands[0], hands[1]), (bids[0], bids[1]), view.played)


def explain(step: Step[State, Bid], viewer: Seat | None) -> Iterator[Note]:
    yield Note.of("bid", Rule.B_1, begins=SectionKind.TURN, seat=step.seat)
    if None not in step.after.bids or step.after.bids != (None, None):
        return
    last = tuple(cards[-1] for cards in step.after.played)
    yield Note.of("turned-up", Rule.B_2, cards=last)
    ended = result(step.after)
    if ended is not None:
        yield Note.of("won", Rule.B_2, seats=ended.winners, points=ended.points)


def scene(view: View) -> Scene:
    return Scene(view.viewer, Place(None), tuple(_place(view, seat) for seat in SEATS))


def _place(view: View, seat: Seat) -> Place:
    hand, played, bid = view.hands[seat], view.played[seat], view.bids[seat]
    left = len(DECK) - len(played) - view.has_bid[seat]
    things = (Thing(count=left),) if hand is None else tuple(_thing(card) for card in hand)
    lies = () if not view.has_bid[seat] else (Thing() if bid is None else _thing(bid),)
    zones = (Zone("zone-hand", things), Zone("zone-bid", lies), Zone("zone-played", tuple(map(_thing, played))))
    return Place(seat, zones, (Fact("fact-points", scores_of(view.played)[seat]),))


def _thing(card: Card) -> Thing:
    return Thing((face(card),), part=("card", card))


def face(card: Card) -> Face:
    return Face(str(card))


def parts(command: Bid) -> tuple[Part, ...]:
    return (("card", command.card),)


GAME: Game[State, Bid, View] = Game(
    name="bids",
    rules=1,
    seats=range(2, 3),
    options=Options,
    book=Rule,
    wire={Bid: "bid"},
    start=start,
    to_act=to_act,
    apply=apply,
    legal=legal,
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
    scores=scores,
)
START = start(Options(), 2)
HALF = apply(START, Seat(0), Bid(Card(1)))
OVER = State(((), ()), (None, None), (DECK, DECK))
NEXT = apply(HALF, Seat(1), Bid(Card(2)))
BROKEN_RULES = (
    (TableRule.FORM, START, Seat(0), Bid(Card(9))),
    (TableRule.TURN, HALF, Seat(0), Bid(Card(2))),
    (TableRule.OVER, OVER, Seat(0), Bid(Card(1))),
    (Rule.B_1, NEXT, Seat(0), Bid(Card(1))),
)
