"""High Card: a whole game on a page, to begin your own from.

Every seat lays a card face down; all are turned up, and the highest scores. The most points win.
"""

from collections.abc import Iterator
from itertools import chain
from typing import Literal, assert_never

from attrs import frozen
from kifu.core.checks import check_cards, check_deck
from kifu.core.game import (
    DEALER,
    TABLE,
    Card,
    Game,
    Mark,
    Note,
    RedactedCommand,
    Result,
    RuleBook,
    RuleViolation,
    Seat,
    Step,
    check_turn,
    evolve,
    winners_by,
)
from kifu.core.scene import Face, Fact, Part, Place, Scene, Zone, card_parts, card_things
from kifu.core.shuffle import Shuffler
from kifu.core.tabletop import (
    copy_fields,
    deal_hands,
    draw_rows,
    remove_card,
    replace_at,
    show_own,
    unseen_cards,
    visible_to,
)

# Data: the rules by number, the cards, the options, the commands, the state. All of it is immutable.


class Rule(RuleBook):
    HC_1 = "Every seat gets a hand; the rest of the thirty cards stays face down."
    HC_2 = "Everybody lays one card of the hand face down, in any order."
    HC_3 = "When all have laid a card, all are turned up, and the highest scores one point."
    HC_4 = "When the hands are empty the most points win; ties share the victory."


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
    check_deck(to_act(state), seat, deal.cards, DECK)

    size, seats = state.options.hand, len(state.hands)
    return evolve(state, hands=deal_hands(deal.cards, seats, size), rest=deal.cards[seats * size :])


def _lay(state: State, seat: Seat, lay: Lay) -> State:
    """Lay a card face down; the last one turns all of them up (HC-2, HC-3)."""
    check_cards(seat, [lay.card], DECK)
    check_turn(to_act(state), seat)
    if lay.card not in state.hands[seat]:
        raise RuleViolation(Rule.HC_2, seat, card=lay.card)

    hands = replace_at(state.hands, seat, remove_card(state.hands[seat], lay.card))
    laid = replace_at(state.laid, seat, lay.card)
    if None in laid:
        return evolve(state, hands=hands, laid=laid)
    turned = tuple((*cards, card) for cards, card in zip(state.turned, laid, strict=True))
    return evolve(state, hands=hands, laid=(None,) * len(laid), turned=turned)


def points(turned: tuple[Cards, ...]) -> tuple[int, ...]:
    """Return for each seat the number of rounds in which its card was the highest (HC-3)."""
    highest = [max(cards) for cards in zip(*turned, strict=True)]
    return tuple(sum(card in highest for card in cards) for cards in turned)


def result(state: State) -> Result | None:
    """Return the points and the seats with the most, once nobody is to act (HC-4)."""
    if to_act(state):
        return None
    scored = points(state.turned)
    return Result(scored, winners_by(scored))


def legal(state: State, seat: Seat) -> Iterator[Command]:
    return map(Lay, state.hands[seat]) if seat != TABLE and seat in to_act(state) else iter(())


def deal(state: State, shuffler: Shuffler) -> Deal:
    return Deal(shuffler.shuffle(DECK))


def cards(state: State) -> Iterator[Card]:
    return chain(*state.hands, (card for card in state.laid if card is not None), *state.turned, state.rest)


# What each seat may see. A view is an allow-list: `copy_fields` copies what has the same name and type in both
# classes, so a field that a seat may not always see is typed `… | None` here.


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
    return copy_fields(
        View,
        state,
        viewer=viewer,
        hands=show_own(state.hands, viewer),
        sizes=tuple(map(len, state.hands)),
        laid=show_own(state.laid, viewer),
        has_laid=tuple(card is not None for card in state.laid),
        dealt=bool(state.rest),
    )


def redact(command: Command, seat: Seat, viewer: Seat | None) -> Command | RedactedCommand:
    if visible_to(viewer, seat):
        return command
    return RedactedCommand("deal" if isinstance(command, Deal) else "lay")


def determinize(view: View, shuffler: Shuffler) -> State:
    """Deal all that the view does not show anew."""
    unseen = unseen_cards(DECK, *view.hands, [card for card in view.laid if card], *view.turned) if view.dealt else []
    pool = list(shuffler.shuffle(unseen))
    hands = draw_rows(view.hands, view.sizes, pool)
    laid = [
        pool.pop() if has_laid and card is None else card
        for card, has_laid in zip(view.laid, view.has_laid, strict=True)
    ]
    return copy_fields(State, view, hands=hands, laid=tuple(laid), rest=tuple(pool))


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
    return Place(
        seat,
        zones=(
            Zone("zone-hand", card_things(hand, face, view.sizes[seat], "card")),
            Zone("zone-laid", card_things(None if laid is None else [laid], face, int(view.has_laid[seat]))),
            Zone("zone-turned", card_things(view.turned[seat], face)),
        ),
        facts=(Fact("fact-points", points(view.turned)[seat]),),
    )


def face(card: Card) -> Face:
    return Face(str(card))


def parts(command: Command) -> tuple[Part, ...]:
    return card_parts([command.card]) if isinstance(command, Lay) else ()


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
    redact=redact,
    determinize=determinize,
    cards=cards,
    result=result,
    explain=explain,
    scene=scene,
    parts=parts,
    face=face,
    texts=__name__,
)
