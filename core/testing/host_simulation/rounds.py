"""Rounds: a small game that brings a host into all its phases. Deals come in the middle, seats act alone and at once.

In each round every seat gets two cards. All lay one at once, face down; then each plays the other in turn, and the
higher sum takes the round.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve, frozen

from ...game import (
    ALONE,
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
    SectionKind,
    Shuffler,
    Step,
    TableRule,
    Thing,
    Zone,
    check_turn,
    malformed_command,
    replace_at,
    winners_by,
)

Cards = tuple[Card, ...]
DECK: Cards = tuple(map(Card, range(1, 13)))
HAND = 2


class Rule(RuleBook):
    """The rules by number."""

    R_1 = "R-1", "Each seat gets two cards."
    R_2 = "R-2", "All lay one of them at once, face down."
    R_3 = "R-3", "Then each plays the other in turn; the highest sum wins the round."


@frozen
class Options:
    """What is agreed on: how many rounds are played."""

    rounds: int = 2


@frozen(slots=False)
class Deal:
    """The cards of all seats, two for each."""

    cards: Cards


@frozen(slots=False)
class Lay:
    """A card laid face down."""

    card: Card


@frozen(slots=False)
class Play:
    """The last card, played open."""

    card: Card


Command = Deal | Lay | Play


@frozen(slots=False)
class State:
    """The cards of each seat, and the rounds it has won."""

    rounds: int
    hands: tuple[Cards, ...]
    laid: tuple[Card | None, ...]
    played: Cards
    points: tuple[int, ...]


def start(options: Options, seats: int) -> State:
    """Return the state before the first deal."""
    return State(options.rounds, ((),) * seats, (None,) * seats, (), (0,) * seats)


def to_act(state: State) -> frozenset[Seat]:
    """Return the seats that are to act."""
    if state.rounds == 0:
        return NOBODY
    if not any(state.hands):
        return DEALER
    waiting = frozenset(Seat(seat) for seat, card in enumerate(state.laid) if card is None)
    return waiting or ALONE[len(state.played)]


def apply(state: State, seat: Seat, command: Command) -> State:
    """Return the state after a command."""
    if isinstance(command, Deal):
        return _dealt(state, seat, command.cards)
    check_turn(to_act(state), seat)
    lays = state.laid[seat] is None
    if isinstance(command, Lay) != lays:
        raise RuleViolation(TableRule.ORDER, seat, expected="lay" if lays else "play")
    hand = state.hands[seat]
    if command.card not in hand:
        raise RuleViolation(Rule.R_2 if lays else Rule.R_3, seat, card=command.card)
    hands = replace_at(state.hands, seat, tuple(card for card in hand if card != command.card))
    if lays:
        return evolve(state, hands=hands, laid=replace_at(state.laid, seat, command.card))
    after = evolve(state, hands=hands, played=(*state.played, command.card))
    return after if any(hands) else _counted(after)


def _dealt(state: State, seat: Seat, cards: Cards) -> State:
    seats = len(state.hands)
    if len(cards) != HAND * seats:
        raise malformed_command(seat, f"{HAND * seats} cards")
    check_turn(to_act(state), seat, deals=True)
    if len(set(cards)) != len(cards) or not set(cards) <= set(DECK):
        raise RuleViolation(TableRule.DEAL, seat)
    hands = tuple(tuple(sorted(cards[HAND * each : HAND * each + HAND])) for each in range(seats))
    return evolve(state, hands=hands, laid=(None,) * seats, played=())


def _counted(state: State) -> State:
    """Return the state after a round: those with the highest sum have a point more."""
    sums = [(laid or 0) + played for laid, played in zip(state.laid, state.played, strict=True)]
    points = tuple(each + (total == max(sums)) for each, total in zip(state.points, sums, strict=True))
    return evolve(state, rounds=state.rounds - 1, points=points)


def result(state: State) -> Result | None:
    """Return the result once all rounds are played."""
    return Result(state.points, winners_by(state.points)) if state.rounds == 0 else None


def legal(state: State, seat: Seat) -> Iterator[Command]:
    """Yield the legal commands of a seat."""
    if seat == TABLE or seat not in to_act(state):
        return iter(())
    kind: type[Lay] | type[Play] = Lay if state.laid[seat] is None else Play
    return map(kind, state.hands[seat])


def deal(state: State, shuffler: Shuffler) -> Deal:
    """Return a deal."""
    return Deal(shuffler.shuffle(DECK)[: HAND * len(state.hands)])


@frozen
class View:
    """What a viewer sees: its own cards, and what lies open."""

    viewer: Seat | None
    hands: tuple[Cards | None, ...]
    laid: tuple[Card | bool, ...]
    """The card that a seat has laid; to others only whether it has."""
    played: Cards
    points: tuple[int, ...]
    rounds: int


def view(state: State, viewer: Seat | None) -> View:
    """Return what a viewer sees."""
    own = [viewer in (seat, TABLE) for seat in range(len(state.hands))]
    return View(
        viewer,
        tuple(hand if sees else None for hand, sees in zip(state.hands, own, strict=True)),
        tuple(card if sees and card else card is not None for card, sees in zip(state.laid, own, strict=True)),
        state.played,
        state.points,
        state.rounds,
    )


def redact(command: Command, seat: Seat, viewer: Seat | None) -> Command | RedactedCommand:
    """Return the command as a viewer sees it."""
    if viewer in (seat, TABLE) or isinstance(command, Play):
        return command
    return RedactedCommand("deal" if isinstance(command, Deal) else "lay")


def cards(state: State) -> Iterator[Card]:
    """Yield the cards that are in a state."""
    return (card for hand in (*state.hands, state.laid, state.played) for card in hand if card is not None)


def explain(step: Step[State, Command], viewer: Seat | None) -> Iterator[Note]:
    """Yield what happened."""
    command = step.command
    if isinstance(command, Deal):
        yield Note.of("dealt", Rule.R_1, begins=SectionKind.DEAL)
        if viewer is not None and viewer != TABLE:
            yield Note.of("hand", Rule.R_1, momentary=True, seat=viewer, cards=step.after.hands[viewer])
    else:
        rule = Rule.R_2 if isinstance(command, Lay) else Rule.R_3
        yield Note.of("acted", rule, seat=step.seat, begins=SectionKind.TURN)


def scene(view: View) -> Scene:
    """Return a view as zones of cards."""
    places = tuple(
        Place(Seat(seat), (Zone("zone-hand", tuple(map(_thing, hand or ()))),), (Fact("fact-points", points),))
        for seat, (hand, points) in enumerate(zip(view.hands, view.points, strict=True))
    )
    return Scene(view.viewer, Place(None, (Zone("zone-played", tuple(map(_thing, view.played))),)), places)


def _thing(card: Card) -> Thing:
    return Thing((face(card),), part=("card", card))


def face(card: Card) -> Face:
    """Return the face of a card."""
    return Face(str(card))


def parts(command: Command) -> tuple[Part, ...]:
    """Return what of a command lies on the table."""
    return () if isinstance(command, Deal) else (("card", command.card),)


def determinize(view: View, shuffler: Shuffler) -> State:
    """Raise: nobody searches this game."""
    raise NotImplementedError


GAME: Game[State, Command, View] = Game(
    name="rounds",
    rules=1,
    seats=range(2, 5),
    options=Options,
    book=Rule,
    wire={Deal: "deal", Lay: "lay", Play: "play"},
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
