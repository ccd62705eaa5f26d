"""Bids, a game at its second rules version: each seat is dealt a card, bids coins twice, hidden; most coins win.

Version 2 calls things by better names: `bid n` became `offer coins`. It also changed a ruling: of equal sums that with
the highest card wins. The old reading, by which the first of them won, lives on as `equal="first"`, which the upcast
writes into the header of every older log. Its view has a field more, and its states another layout.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import SimpleNamespace
from typing import Any, Literal

from kifu.core.game import (
    TABLE,
    Card,
    Fact,
    Game,
    Note,
    Past,
    Place,
    Result,
    RuleBook,
    RuleViolation,
    Scene,
    Seat,
    Shuffler,
    Step,
    Upcast,
    check_turn,
    command,
    evolve,
    options,
    public,
    secret,
    seen_by,
    state,
    view_of,
)

DECK = tuple(map(Card, range(1, 10)))
COINS = 4


class Rule(RuleBook):
    BID_1 = "BID-1", "A bid is 0 to 4 coins."
    BID_2 = "BID-2", "Bids are hidden until all have bid."


@options
class OldOptions:
    coins: int = COINS


@options
class Options:
    coins: int = COINS
    equal: Literal["first", "card"] = "card"


@command("deal")
class Deal:
    cards: tuple[Card, ...] = secret()


@command("bid")
class Bid:
    n: int = secret()


@command("offer")
class Offer:
    coins: int = secret()


def sees_cards(state: Any, viewer: int | None) -> tuple[bool, ...]:
    """Each seat its own, all see those of the seats once all have bid."""
    return tuple(seat < state.seats and (is_over(state) or viewer == seat) for seat, _ in enumerate(state.cards))


def sees_bids(state: Any, viewer: int | None) -> tuple[bool, ...]:
    """Each seat its own, all of them once all have bid."""
    return tuple(is_over(state) or viewer == at % state.seats for at, _ in enumerate(state.bids))


@state
class OldState:
    options: OldOptions
    seats: int = public()
    cards: tuple[Card, ...] = seen_by(sees_cards, default=())
    bids: tuple[int, ...] = seen_by(sees_bids, default=())


@state
class State:
    options: Options
    seats: int = public()
    cards: tuple[Card, ...] = seen_by(sees_cards, default=())
    bids: tuple[int, ...] = seen_by(sees_bids, default=())


@view_of(OldState)
class OldView:
    options: OldOptions
    viewer: Seat | None
    cards: tuple[Card | None, ...]
    bids: tuple[int | None, ...]
    pile: tuple[Card, ...] | None


@view_of(State)
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


def determinize(view: Any, shuffler: Shuffler) -> Any:
    raise NotImplementedError


def game(state: Any, options: Any, bid: Any, view: Any, **more: Any) -> Game[Any, Any, Any]:
    return Game(
        name="bids",
        seats=range(2, 4),
        state=state,
        commands=(Deal, bid),
        rules=SimpleNamespace(start=state, to_act=to_act, apply=apply, legal=legal(bid), deal=deal, result=result),
        options=options,
        book=Rule,
        secrets=SimpleNamespace(view=view, determinize=determinize),
        table=SimpleNamespace(explain=explain, scene=scene),
        texts="bids",
        **more,
    )


def old_view(state: OldState, viewer: Seat | None) -> OldView:
    return OldView(**shown(state, viewer))


OLD = game(OldState, OldOptions, Bid, old_view)


def first_of_equals(header: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**header, "options": {**header["options"], "equal": "first"}}


def offer(seat: int, tag: str, fields: Mapping[str, Any]) -> tuple[int, str, Mapping[str, Any]]:
    return seat, {"bid": "offer", "deal": "deal"}[tag], {"coins": fields["n"]} if tag == "bid" else fields


NEW = game(State, Options, Offer, view, version=2, past=Past(2, {1: Upcast(first_of_equals, offer)}))
