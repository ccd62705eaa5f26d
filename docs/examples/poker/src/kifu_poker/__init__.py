"""Kuhn's and Leduc poker for two, as one game of kifu: games whose exact values are published.

Kuhn (1950): a card each of J, Q, K; one round of bets of 1. Leduc (Southey and others 2005): a card each of
two J, two Q, two K; bets of 2, then an open card, then bets of 4, at most two in a round. Both ante 1.
"""

from collections.abc import Iterator
from typing import Literal

from attrs import evolve, frozen
from kifu.core.game import (
    DEALER,
    NOBODY,
    TABLE,
    Card,
    Face,
    Fact,
    Game,
    Note,
    Part,
    Place,
    RedactedCommand,
    Result,
    RuleBook,
    RuleViolation,
    Scene,
    Seat,
    Shuffler,
    SmallWorld,
    Step,
    Zone,
    card_things,
    check_deck,
    check_turn,
)


class Rule(RuleBook):
    """The rules of both."""

    POK_1 = "Both put 1 into the pot and get a card, face down; the first seat begins every round of bets."
    POK_2 = "Who is to act may call, that is, match the other's stake, or raise by the bet of the round."
    POK_3 = "Who would have to pay to call may fold instead, and loses what lies in the pot."
    POK_4 = "A round has one raise at most, in Leduc two; it ends when a raise is called, or both check."
    POK_5 = "In Leduc a card is turned up after the first round; bets are 2 before, 4 after it; in Kuhn's poker 1."
    POK_6 = "At the end a pair with the open card wins the pot, else the higher card; equal cards share it."


@frozen
class Options:
    """Which of the two is played."""

    variant: Literal["kuhn", "leduc"] = "kuhn"


@frozen(slots=False)
class Deal:
    """The shuffled deck: a card for each seat, then the one that is turned up."""

    cards: tuple[Card, ...]


@frozen(slots=False)
class Fold:
    """Give up."""


@frozen(slots=False)
class Call:
    """Match the other's stake; a check if there is nothing to match."""


@frozen(slots=False)
class Raise:
    """Match the other's stake and put in the bet of the round."""


Command = Deal | Fold | Call | Raise
Action = Literal["fold", "call", "raise"]


@frozen(slots=False)
class State:
    """The whole table."""

    options: Options
    deck: tuple[Card, ...]
    """Before the deal it is empty."""
    rounds: tuple[tuple[Action, ...], ...]
    """What was done in each round so far."""


DECKS = {"kuhn": tuple(map(Card, (0, 1, 2))), "leduc": tuple(map(Card, (0, 0, 1, 1, 2, 2)))}
BETS = {"kuhn": (1,), "leduc": (2, 4)}
RAISES = {"kuhn": 1, "leduc": 2}


def start(options: Options, seats: int) -> State:
    return State(options, (), ((),))


def is_closed(actions: tuple[Action, ...]) -> bool:
    """Return True if a round of bets is over: a raise was called, or both checked."""
    return len(actions) > 1 and actions[-1] == "call"


def is_over(state: State) -> bool:
    last = state.rounds[-1]
    return last[-1:] == ("fold",) or (is_closed(last) and len(state.rounds) == len(BETS[state.options.variant]))


def to_act(state: State) -> frozenset[Seat]:
    if not state.deck:
        return DEALER
    return NOBODY if is_over(state) else frozenset({Seat(len(state.rounds[-1]) % 2)})


def stakes(state: State) -> tuple[int, int]:
    """Return what each seat has put into the pot."""
    paid = [1, 1]
    for bet, actions in zip(BETS[state.options.variant], state.rounds, strict=False):
        for place, action in enumerate(actions):
            if action != "fold":
                paid[place % 2] = max(paid) + (bet if action == "raise" else 0)
    return paid[0], paid[1]


def apply(state: State, seat: Seat, command: Command) -> State:
    if isinstance(command, Deal):
        check_deck(to_act(state), seat, command.cards, DECKS[state.options.variant])
        return evolve(state, deck=command.cards)
    check_turn(to_act(state), seat)
    actions = state.rounds[-1]
    if isinstance(command, Raise) and actions.count("raise") == RAISES[state.options.variant]:
        raise RuleViolation(Rule.POK_4, seat)
    if isinstance(command, Fold) and len(set(stakes(state))) == 1:
        raise RuleViolation(Rule.POK_3, seat)
    done: Action = "raise" if isinstance(command, Raise) else "fold" if isinstance(command, Fold) else "call"
    after = evolve(state, rounds=(*state.rounds[:-1], (*actions, done)))
    return after if is_over(after) or not is_closed(after.rounds[-1]) else evolve(after, rounds=(*after.rounds, ()))


def legal(state: State, seat: Seat) -> Iterator[Command]:
    if seat == TABLE or seat not in to_act(state):
        return
    if len(set(stakes(state))) == 2:
        yield Fold()
    yield Call()
    if state.rounds[-1].count("raise") < RAISES[state.options.variant]:
        yield Raise()


def deal(state: State, shuffler: Shuffler) -> Deal:
    return Deal(shuffler.shuffle(DECKS[state.options.variant]))


def result(state: State) -> Result | None:
    if to_act(state):
        return None
    last, paid = state.rounds[-1], stakes(state)
    if last[-1] == "fold":
        winner = len(last) % 2  # who folded acted last
    else:
        paired = [len(state.rounds) > 1 and state.deck[seat] == state.deck[2] for seat in range(2)]
        strength = [(pair, state.deck[seat]) for seat, pair in enumerate(paired)]
        if strength[0] == strength[1]:
            return Result((0, 0), (Seat(0), Seat(1)))
        winner = Seat(strength.index(max(strength)))
    lost = paid[1 - winner]
    return Result((lost, -lost) if winner == 0 else (-lost, lost), (Seat(winner),))


def scores(state: State) -> tuple[int, ...]:
    ended = result(state)
    return (0, 0) if ended is None else ended.points


def cards(state: State) -> Iterator[Card]:
    return iter(state.deck)


@frozen
class View:
    """What one seat may look at now."""

    viewer: Seat | None
    options: Options
    hands: tuple[Card | None, ...]
    open: Card | None
    """In Leduc after the first round."""
    rounds: tuple[tuple[Action, ...], ...]
    dealt: bool
    points: tuple[int, ...]
    """0 before the end."""


def view(state: State, viewer: Seat | None) -> View:
    over = bool(state.deck) and is_over(state) and state.rounds[-1][-1] != "fold"
    hands = tuple(state.deck[seat] if state.deck and (over or viewer in (seat, TABLE)) else None for seat in range(2))
    turned = state.deck[2] if state.deck and (len(state.rounds) > 1 or viewer == TABLE) else None
    return View(viewer, state.options, hands, turned, state.rounds, bool(state.deck), scores(state))


def redact(command: Command, seat: Seat, viewer: Seat | None) -> Command | RedactedCommand:
    return RedactedCommand("deal") if isinstance(command, Deal) and viewer != TABLE else command


def determinize(view: View, shuffler: Shuffler) -> State:
    if not view.dealt:
        return State(view.options, (), view.rounds)
    left = list(DECKS[view.options.variant])
    for card in (*view.hands, view.open):
        if card is not None:
            left.remove(card)
    drawn = list(shuffler.shuffle(left))
    hands = [drawn.pop() if card is None else card for card in view.hands]
    turned = [drawn.pop() if view.open is None and drawn else view.open] if left or view.open is not None else []
    known = [card for card in turned if card is not None]
    return State(view.options, (*hands, *known, *drawn), view.rounds)


def explain(step: Step[State, Command], viewer: Seat | None) -> Iterator[Note]:
    state = step.after
    if isinstance(step.command, Deal):
        yield Note.of("dealt", Rule.POK_1)
        if viewer in (0, 1):
            yield Note.of("hand", Rule.POK_1, seat=viewer, card=state.deck[viewer])
        return
    done = state.rounds[-1][-1] if state.rounds[-1] else state.rounds[-2][-1]
    rule = {"fold": Rule.POK_3, "call": Rule.POK_2, "raise": Rule.POK_2}[done]
    yield Note.of(done, rule, seat=step.seat)
    if len(state.rounds) > len(step.before.rounds):
        yield Note.of("turned-up", Rule.POK_5, card=state.deck[2])
    ended = result(state)
    if ended is not None and done != "fold":
        yield Note.of("shown", Rule.POK_6, cards=state.deck[:2])
    if ended is not None:
        yield Note.of("won", Rule.POK_6, seats=ended.winners, points=ended.points)


def face(card: Card) -> Face:
    return Face("JQK"[card])


def scene(view: View) -> Scene:
    turned = () if view.open is None else (view.open,)
    middle = Place(None, (Zone("zone-open", card_things(turned, face)),), (Fact("fact-round", len(view.rounds)),))
    places = tuple(
        Place(
            seat,
            (Zone("zone-hand", card_things(None if card is None else (card,), face, int(view.dealt))),),
            (Fact("fact-points", view.points[seat]),),
        )
        for seat, card in enumerate(view.hands)
    )
    return Scene(view.viewer, middle, places)


def parts(command: Command) -> tuple[Part, ...]:
    names = {Fold: "fold", Call: "call", Raise: "raise"}
    return (("bet", names[type(command)]),) if type(command) in names else ()


GAME: Game[State, Command, View] = Game(
    name="small_poker",
    rules=1,
    seats=range(2, 3),
    options=Options,
    book=Rule,
    wire={Deal: "deal", Fold: "fold", Call: "call", Raise: "raise"},
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
    scores=scores,
    face=face,
    texts=__name__,
    small_worlds=(SmallWorld(2, {"variant": "kuhn"}), SmallWorld(2, {"variant": "leduc"})),
)
