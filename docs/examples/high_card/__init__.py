"""High Card: a whole game on a page, to begin your own from.

Everybody lays a card face down; all are turned up, and the highest scores. Whoever scores most wins.
"""

from collections.abc import Iterator
from itertools import chain
from typing import Literal, assert_never

from attrs import frozen
from kifu.core.errors import RuleViolation
from kifu.core.game import (
    DEALER,
    TABLE,
    Card,
    Game,
    Hidden,
    Mark,
    Note,
    Result,
    RuleBook,
    Seat,
    Step,
    TableRule,
    best,
    check_turn,
    evolve,
)
from kifu.core.scene import Face, Fact, Part, Place, Scene, Thing, Zone
from kifu.core.shuffle import Shuffler

# Data: the rules by number, the cards, the options, the commands, the state. All of it is immutable.


class Rule(RuleBook):
    HC_1 = "HC-1", "Every seat gets a hand; the rest of the thirty cards stays face down."
    HC_2 = "HC-2", "Everybody lays one card of the hand face down, in any order."
    HC_3 = "HC-3", "When all have laid a card, all are turned up, and the highest scores one point."
    HC_4 = "HC-4", "When the hands are empty the most points win; ties share the victory."


Cards = tuple[Card, ...]
DECK: Cards = tuple(Card(number) for number in range(1, 31))


@frozen
class Options:
    hand: Literal[1, 3, 5] = 3
    """How many cards each seat is dealt."""


@frozen(slots=False)
class Deal:
    """The shuffled deck: each seat's hand in turn, then the rest."""

    cards: Cards


@frozen(slots=False)
class Lay:
    """A card of the hand, face down."""

    card: Card


Command = Deal | Lay


@frozen(slots=False)
class State:
    options: Options
    hands: tuple[Cards, ...]
    laid: tuple[Card | None, ...]
    turned: tuple[Cards, ...]
    """Each seat's cards that were turned up, round by round."""
    rest: Cards
    """The cards that nobody has; before the deal there are none."""


# The rules, in their order. `apply` is guards first, then one change.


def start(options: Options, seats: int) -> State:
    return State(options, hands=((),) * seats, laid=(None,) * seats, turned=((),) * seats, rest=())


def to_act(state: State) -> frozenset[Seat]:
    if not state.rest:
        return DEALER
    return frozenset(Seat(seat) for seat, hand in enumerate(state.hands) if hand and state.laid[seat] is None)


def apply(state: State, seat: Seat, command: Command) -> State:
    match command:
        case Deal():
            return _deal(state, seat, command)
        case Lay():
            return _lay(state, seat, command)
        case _:
            assert_never(command)


def _deal(state: State, seat: Seat, deal: Deal) -> State:
    """Deal the hands (HC-1)."""
    if len(deal.cards) != len(DECK) or not set(deal.cards) <= set(DECK):
        raise RuleViolation(TableRule.FORM, seat, why=f"a deal is {len(DECK)} cards of 1 to {DECK[-1]}")
    check_turn(to_act(state), seat, deals=True)
    if tuple(sorted(deal.cards)) != DECK:
        raise RuleViolation(TableRule.DEAL, seat, expected="each card once")

    size, seats = state.options.hand, len(state.hands)
    hands = tuple(tuple(sorted(deal.cards[i * size : (i + 1) * size])) for i in range(seats))
    return evolve(state, hands=hands, rest=deal.cards[seats * size :])


def _lay(state: State, seat: Seat, lay: Lay) -> State:
    """Lay a card face down; the last one turns all of them up (HC-2, HC-3)."""
    if lay.card not in DECK:
        raise RuleViolation(TableRule.FORM, seat, why=f"{lay.card} is no card")
    check_turn(to_act(state), seat)
    if lay.card not in state.hands[seat]:
        raise RuleViolation(Rule.HC_2, seat, card=lay.card)

    hand = tuple(card for card in state.hands[seat] if card != lay.card)
    hands = (*state.hands[:seat], hand, *state.hands[seat + 1 :])
    laid = (*state.laid[:seat], lay.card, *state.laid[seat + 1 :])
    if None in laid:
        return evolve(state, hands=hands, laid=laid)
    turned = tuple((*cards, card) for cards, card in zip(state.turned, laid, strict=True))
    return evolve(state, hands=hands, laid=(None,) * len(laid), turned=turned)


def points(turned: tuple[Cards, ...]) -> tuple[int, ...]:
    """Count for each seat the rounds in which its card was the highest (HC-3)."""
    highest = [max(cards) for cards in zip(*turned, strict=True)]
    return tuple(sum(card in highest for card in cards) for cards in turned)


def result(state: State) -> Result | None:
    """Name who has the most points once nobody is to act (HC-4)."""
    if to_act(state):
        return None
    scored = points(state.turned)
    return Result(scored, best(scored))


def legal(state: State, seat: Seat) -> Iterator[Command]:
    return map(Lay, state.hands[seat]) if seat != TABLE and seat in to_act(state) else iter(())


def deal(state: State, shuffler: Shuffler) -> Deal:
    return Deal(shuffler.shuffle(DECK))


def cards(state: State) -> Iterator[Card]:
    return chain(*state.hands, (card for card in state.laid if card is not None), *state.turned, state.rest)


# What each seat may see. A view is built up from nothing: what is not written here stays hidden.


@frozen
class View:
    viewer: Seat | None
    options: Options
    hands: tuple[Cards | None, ...]
    sizes: tuple[int, ...]
    laid: tuple[Card | None, ...]
    has_laid: tuple[bool, ...]
    turned: tuple[Cards, ...]
    dealt: bool


def view(state: State, viewer: Seat | None) -> View:
    seats = range(len(state.hands))
    return View(
        viewer=viewer,
        options=state.options,
        hands=tuple(state.hands[seat] if viewer in (seat, TABLE) else None for seat in seats),
        sizes=tuple(map(len, state.hands)),
        laid=tuple(state.laid[seat] if viewer in (seat, TABLE) else None for seat in seats),
        has_laid=tuple(card is not None for card in state.laid),
        turned=state.turned,
        dealt=bool(state.rest),
    )


def seen(command: Command, seat: Seat, viewer: Seat | None) -> Command | Hidden:
    if viewer in (seat, TABLE):
        return command
    return Hidden("deal" if isinstance(command, Deal) else "lay")


def twin(view: View, shuffler: Shuffler) -> State:
    """Deal all that the view does not show anew."""
    shown = {*chain(*view.turned, *(hand or () for hand in view.hands)), *view.laid}
    unseen = list(shuffler.shuffle(card for card in DECK if card not in shown)) if view.dealt else []
    hands = [
        tuple(sorted(unseen.pop() for _ in range(size))) if hand is None else hand
        for hand, size in zip(view.hands, view.sizes, strict=True)
    ]
    laid = [
        unseen.pop() if has_laid and card is None else card
        for card, has_laid in zip(view.laid, view.has_laid, strict=True)
    ]
    return State(view.options, tuple(hands), tuple(laid), view.turned, tuple(unseen))


# What happened, by which rule; and what the table looks like.


def explain(step: Step[State, Command], viewer: Seat | None) -> Iterator[Note]:
    after = step.after
    if isinstance(step.command, Deal):
        yield Note.of("dealt", Rule.HC_1, begins=Mark.DEAL, cards=after.options.hand)
        for seat, hand in enumerate(after.hands):
            if viewer in (seat, TABLE):
                yield Note.of("hand", Rule.HC_1, seat=seat, cards=hand)
        return
    yield Note.of("laid", Rule.HC_2, begins=Mark.TURN, seat=step.seat)
    if after.turned != step.before.turned:
        up = tuple(cards[-1] for cards in after.turned)
        yield Note.of("turned-up", Rule.HC_3, cards=up, seat=up.index(max(up)), card=max(up))
    ended = result(after)
    if ended is not None:
        yield Note.of("won", Rule.HC_4, seats=ended.winners, points=ended.points)


def scene(view: View) -> Scene:
    return Scene(view.viewer, Place(None), tuple(_place(view, seat) for seat in range(len(view.sizes))))


def _place(view: View, seat: int) -> Place:
    hand, laid = view.hands[seat], view.laid[seat]
    in_hand = [Thing(count=view.sizes[seat])] if hand is None else [_thing(card) for card in hand]
    return Place(
        seat,
        zones=(
            Zone("zone-hand", tuple(in_hand) if view.sizes[seat] else ()),
            Zone("zone-laid", (Thing() if laid is None else _thing(laid),) if view.has_laid[seat] else ()),
            Zone("zone-turned", tuple(_thing(card) for card in view.turned[seat])),
        ),
        facts=(Fact("fact-points", points(view.turned)[seat]),),
    )


def _thing(card: Card) -> Thing:
    return Thing((face(card),), part=("card", card))


def face(card: Card) -> Face:
    return Face(str(card))


def parts(command: Command) -> tuple[Part, ...]:
    return (("card", command.card),) if isinstance(command, Lay) else ()


GAME: Game[State, Command, View] = Game(
    name="high_card",
    rules=1,
    seats=range(2, 6),
    options=Options,
    book=Rule,
    wire={Deal: "deal", Lay: "lay"},
    start=start,
    to_act=to_act,
    apply=apply,
    legal=legal,
    deal=deal,
    view=view,
    seen=seen,
    twin=twin,
    cards=cards,
    result=result,
    explain=explain,
    scene=scene,
    parts=parts,
    face=face,
    texts=__name__,
)
