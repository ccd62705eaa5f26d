"""Bids, a game at its second rules version: each seat is dealt a card, bids coins twice, hidden; most coins win.

Version 2 calls things by better names: `bid n` became `offer coins`. It also changed a ruling: of equal sums that with
the highest card wins. The old reading, by which the first of them won, lives on as `equal="first"`, which the upcast
writes into the header of every older log. Its view has a field more, and its states another layout.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from attrs import evolve, frozen
from kifu.core.game import (
    TABLE,
    Card,
    Game,
    Note,
    RedactedCommand,
    Result,
    RuleBook,
    RuleViolation,
    Seat,
    Step,
    Upcast,
    check_turn,
)
from kifu.core.game.scene import Face, Fact, Part, Place, Scene
from kifu.core.game.shuffle import Shuffler

DECK = tuple(map(Card, range(1, 10)))
COINS = 4


class Rule(RuleBook):
    BID_1 = "BID-1", "A bid is 0 to 4 coins."
    BID_2 = "BID-2", "Bids are hidden until all have bid."


@frozen
class OldOptions:
    coins: int = COINS


@frozen
class Options:
    coins: int = COINS
    equal: Literal["first", "card"] = "card"


@frozen(slots=False)
class Deal:
    cards: tuple[Card, ...]


@frozen(slots=False)
class Bid:
    n: int


@frozen(slots=False)
class Offer:
    coins: int


@frozen(slots=False)
class OldState:
    options: OldOptions
    seats: int
    cards: tuple[Card, ...] = ()
    bids: tuple[int, ...] = ()


@frozen(slots=False)
class State:
    options: Options
    seats: int
    cards: tuple[Card, ...] = ()
    bids: tuple[int, ...] = ()


@frozen(slots=False)
class OldView:
    options: OldOptions
    viewer: Seat | None
    cards: tuple[Card | None, ...]
    bids: tuple[int | None, ...]
    pile: tuple[Card, ...] | None


@frozen(slots=False)
class View:
    options: Options
    left: int
    viewer: Seat | None
    cards: tuple[Card | None, ...]
    bids: tuple[int | None, ...]
    pile: tuple[Card, ...] | None


def to_act(state: Any) -> frozenset[Seat]:
    if not state.cards:
        return frozenset({TABLE})
    return frozenset({Seat(len(state.bids) % state.seats)}) if not is_over(state) else frozenset()


def is_over(state: Any) -> bool:
    return len(state.bids) == 2 * state.seats


def apply(state: Any, seat: Seat, command: Any) -> Any:
    check_turn(to_act(state), seat, deals=isinstance(command, Deal))
    if isinstance(command, Deal):
        return evolve(state, cards=command.cards)
    coins = command.n if isinstance(command, Bid) else command.coins
    if not 0 <= coins <= state.options.coins:
        raise RuleViolation(Rule.BID_1, seat, coins=coins)
    return evolve(state, bids=(*state.bids, coins))


def legal(kind: Any) -> Any:
    def commands(state: Any, seat: Seat) -> Iterator[Any]:
        return (kind(coins) for coins in range(state.options.coins + 1) if seat != TABLE and seat in to_act(state))

    return commands


def deal(state: Any, shuffler: Shuffler) -> Deal:
    return Deal(tuple(shuffler.shuffle(DECK)))


def shown(state: Any, viewer: Seat | None) -> dict[str, Any]:
    """Return what a viewer may see: its card and bid; all of them once all have bid; the pile only the table."""
    over = is_over(state)
    cards, seats = state.cards[: state.seats], state.seats
    return {
        "options": state.options,
        "viewer": viewer,
        "cards": tuple(card if over or viewer in (TABLE, seat) else None for seat, card in enumerate(cards)),
        "bids": tuple(bid if over or viewer in (TABLE, at % seats) else None for at, bid in enumerate(state.bids)),
        "pile": state.cards[state.seats :] if viewer == TABLE else None,
    }


def view(state: State, viewer: Seat | None) -> View:
    return View(left=2 * state.seats - len(state.bids), **shown(state, viewer))


def redact(command: Any, seat: Seat, viewer: Seat | None) -> Any:
    if viewer in (seat, TABLE):
        return command
    return RedactedCommand({Deal: "deal", Bid: "bid", Offer: "offer"}[type(command)])


def result(state: Any) -> Result | None:
    if not is_over(state):
        return None
    by_card = getattr(state.options, "equal", "first") == "card"
    points = tuple(sum(state.bids[seat :: state.seats]) for seat in range(state.seats))
    ranking = [(coins, state.cards[seat] if by_card else -seat) for seat, coins in enumerate(points)]
    return Result(points, (Seat(ranking.index(max(ranking))),))


def explain(step: Step[Any, Any], viewer: Seat | None) -> Iterator[Note]:
    if step.seat == TABLE:
        yield Note.of("dealt", Rule.BID_2)
    elif viewer in (step.seat, TABLE):
        yield Note.of("bid", Rule.BID_1, seat=step.seat, coins=step.after.bids[-1])
    else:
        yield Note.of("bid-hidden", Rule.BID_2, seat=step.seat)


def scene(view: Any) -> Scene:
    bid = Fact("fact-bids", len(view.bids))
    return Scene(None, Place(None, facts=(bid,)), tuple(Place(seat) for seat, _ in enumerate(view.cards)))


def parts(command: Any) -> tuple[Part, ...]:
    return (("coins", getattr(command, "n", None) or getattr(command, "coins", 0)),)


def determinize(view: Any, shuffler: Shuffler) -> Any:
    raise NotImplementedError


OLD: Game[Any, Any, Any] = Game(
    name="bids",
    rules=1,
    seats=range(2, 4),
    options=OldOptions,
    book=Rule,
    wire={Deal: "deal", Bid: "bid"},
    start=lambda options, seats: OldState(options, seats),
    to_act=to_act,
    apply=apply,
    legal=legal(Bid),
    deal=deal,
    view=lambda state, viewer: OldView(**shown(state, viewer)),
    redact=redact,
    determinize=determinize,
    cards=lambda state: state.cards,
    result=result,
    explain=explain,
    scene=scene,
    parts=parts,
    face=lambda card: Face(str(card)),
    texts="bids",
)


def first_of_equals(header: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**header, "options": {**header["options"], "equal": "first"}}


def offer(seat: int, tag: str, fields: Mapping[str, Any]) -> tuple[int, str, Mapping[str, Any]]:
    return seat, {"bid": "offer", "deal": "deal"}[tag], {"coins": fields["n"]} if tag == "bid" else fields


NEW: Game[Any, Any, Any] = evolve(
    OLD,
    rules=2,
    layout=2,
    options=Options,
    wire={Deal: "deal", Offer: "offer"},
    start=lambda options, seats: State(options, seats),
    legal=legal(Offer),
    view=view,
    upcasts={1: Upcast(first_of_equals, offer)},
)
