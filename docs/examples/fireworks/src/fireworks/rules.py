"""The rules of Fireworks: by number, the data, then what a command does. All data is immutable."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Literal

from kifu.core import game as k

COLOURS, NUMBERS, COPIES = "RYGBP", "12345", (3, 2, 2, 2, 1)
KINDS = COLOURS + NUMBERS
TINTS = ("red", "yellow", "green", "blue", "purple")
TOKENS = 8


class Rule(k.RuleBook):
    """The rulebook, a sentence a member: `FIR_1` is rule FIR-1. A ruling of your own is `FIR_R1`."""

    FIR_1 = "Each seat gets five cards, or four if there are four or five seats, and sees all hands but its own."
    FIR_2 = "A hint costs a token: it points out all cards of one colour or number, at least one, in another hand."
    FIR_3 = "A discard brings a token back; nobody discards while no token is spent."
    FIR_4 = "A card that is next in its colour is laid; any other that is played is lost, and a life with it."
    FIR_5 = "A five that is laid brings a token back, if one is spent."
    FIR_6 = "Who has discarded or played draws a card; once the last is drawn, each seat has one more turn."
    FIR_7 = "All win together with a point for each card laid. Without a life left, all lose at once, with none."


Cards = tuple[k.Card, ...]


@k.options
class Options:
    """The options of the game; each has a default."""

    colours: Literal[2, 3, 4, 5] = 5
    lives: Literal[1, 2, 3] = 3


@k.command("deal")
class Deal:
    """The shuffled deck: each seat's hand in turn, then the rest."""

    cards: Cards = k.secret()


@k.command("hint")
class Hint:
    """All cards of one kind in another hand; a kind is a colour such as `R`, or a number such as `3`."""

    seat: k.Seat = k.public()
    kind: str = k.public()


@k.command("discard")
class Discard:
    """The card at a place of the own hand, from 0."""

    place: int = k.public()


@k.command("play")
class Play:
    """The card at a place of the own hand, from 0."""

    place: int = k.public()


Command = Deal | Hint | Discard | Play


def sees(viewer: int | None, seat: int) -> bool:
    """Return True if the viewer sees the hand of a seat: each other seat does (FIR-1)."""
    return viewer is not None and viewer != seat


def all_but_its_own(state: State, viewer: int | None) -> tuple[bool, ...]:
    """Every seat but the one whose hand it is; no spectator (FIR-1)."""
    return tuple(sees(viewer, seat) for seat in range(len(state.hands)))


@k.state
class State:
    """The whole table. What can be derived is not stored."""

    options: Options
    turn: k.Seat = k.public()
    hands: tuple[Cards, ...] = k.seen_by(all_but_its_own, sizes="")
    known: tuple[tuple[str, ...], ...] = k.public()
    """By seat and place the kinds that a card can be after the hints: `R345` is red, and no 1 or 2."""
    deck: Cards | None = k.nobody(size="")
    """None before the deal."""
    laid: tuple[int, ...] = k.public()
    """The number of the last card laid in each colour."""
    lost: Cards = k.public()
    tokens: int = k.public()
    lives: int = k.public()
    left: int = k.public()
    """The turns that are left once the deck is empty."""


def all_cards(options: Options) -> Cards:
    """Return all cards, ascending: 23 is the second colour's 3."""
    numbers = [number for number, copies in enumerate(COPIES, 1) for _ in range(copies)]
    return tuple(k.Card(10 * row + number) for row in range(1, options.colours + 1) for number in numbers)


def kinds(card: k.Card) -> str:
    """Return the colour and the number of a card: `R3`."""
    return f"{COLOURS[card // 10 - 1]}{card % 10}"


def start(options: Options, seats: int) -> State:
    """Return the state before the first event."""
    empty = ((),) * seats
    return State(options, k.Seat(0), empty, empty, None, (0,) * options.colours, (), TOKENS, options.lives, seats)


def to_act(state: State) -> frozenset[int]:
    """Return the seat that is to act: the table before the deal, nobody once the game is over (FIR-6, FIR-7)."""
    if state.deck is None:
        return k.DEALER
    over = not state.lives or not state.left or sum(state.laid) == 5 * len(state.laid)
    return k.NOBODY if over else k.ALONE[state.turn]


def deal(state: State, shuffler: k.Shuffler) -> Deal:
    """Return the table's command."""
    return Deal(shuffler.shuffle(all_cards(state.options)))


def apply(state: State, seat: int, command: Command) -> State:
    """Return the state after a command; raises `Illegal` if a rule forbids it."""
    if isinstance(command, Deal):
        return _deal(state, seat, command)
    after = _hint(state, seat, command) if isinstance(command, Hint) else _use(state, seat, command)
    return k.evolve(after, turn=(seat + 1) % len(state.hands), left=state.left - (not state.deck))


def _deal(state: State, seat: int, deal: Deal) -> State:
    """Deal the hands, whose order stays as it is (FIR-1)."""
    k.check_deck(k.DEALER, seat, deal.cards, all_cards(state.options))
    seats, size = len(state.hands), 5 if len(state.hands) < 4 else 4
    hands = tuple(deal.cards[first : first + size] for first in range(0, seats * size, size))
    return k.evolve(state, hands=hands, known=((_anything(state),) * size,) * seats, deck=deal.cards[seats * size :])


def _anything(state: State) -> str:
    return COLOURS[: state.options.colours] + NUMBERS


def _hint(state: State, seat: int, hint: Hint) -> State:
    """Point out all cards of a kind (FIR-2)."""
    k.check_seat(seat, hint.seat, len(state.hands))
    if hint.kind not in tuple(KINDS):
        raise k.malformed_command(seat, "there is no such kind")
    if hint.seat == seat or not state.tokens or not pointed_out(state, hint):
        raise k.Illegal("FIR-2", other=hint.seat, kind=hint.kind)

    hand, known = state.hands[hint.seat], state.known[hint.seat]
    heard = tuple(_heard(of, hint.kind, hint.kind in kinds(card)) for of, card in zip(known, hand, strict=True))
    return k.evolve(state, known=k.replace_at(state.known, hint.seat, heard), tokens=state.tokens - 1)


def pointed_out(state: State, hint: Hint) -> tuple[int, ...]:
    """Return the places of the cards of this kind."""
    return tuple(place for place, card in enumerate(state.hands[hint.seat]) if hint.kind in kinds(card))


def _heard(known: str, kind: str, is_it: bool) -> str:
    kept = [other for other in known if other == kind or other.isdigit() != kind.isdigit()]
    return "".join(kept) if is_it else known.replace(kind, "")


def _use(state: State, seat: int, command: Discard | Play) -> State:
    """Discard or play a card, and draw another (FIR-3 to FIR-6)."""
    hand, place = state.hands[seat], command.place
    if not 0 <= place < len(hand):
        raise k.malformed_command(seat, "there is no card at this place")
    if isinstance(command, Discard) and state.tokens == TOKENS:
        raise k.Illegal("FIR-3")

    row, number = hand[place] // 10 - 1, hand[place] % 10
    fits = isinstance(command, Play) and state.laid[row] == number - 1
    new = (state.deck or ())[:1]
    known = (*state.known[seat][:place], *state.known[seat][place + 1 :], *(_anything(state) for _ in new))
    return k.evolve(
        state,
        hands=k.replace_at(state.hands, seat, (*hand[:place], *hand[place + 1 :], *new)),
        known=k.replace_at(state.known, seat, known),
        deck=(state.deck or ())[1:],
        laid=k.replace_at(state.laid, row, number) if fits else state.laid,
        lost=state.lost if fits else (*state.lost, hand[place]),
        tokens=min(TOKENS, state.tokens + (isinstance(command, Discard) or (fits and number == 5))),
        lives=state.lives - (isinstance(command, Play) and not fits),
    )


def legal(state: State, seat: int) -> Iterator[Command]:
    """Yield exactly the commands that `apply` accepts from a seat that is to act."""
    places = range(len(state.hands[seat]))
    yield from map(Play, places)
    yield from map(Discard, places) if state.tokens < TOKENS else ()
    for other, hand in enumerate(state.hands) if state.tokens else ():
        shown = "".join(map(kinds, hand)) if other != seat else ""
        yield from (Hint(k.Seat(other), kind) for kind in KINDS if kind in shown)


def score(laid: tuple[int, ...], lives: int) -> int:
    """Return the common score (FIR-7)."""
    return sum(laid) if lives else 0


def scores(state: State) -> tuple[int, ...]:
    """Return the score of each seat so far: they have one together."""
    return (score(state.laid, state.lives),) * len(state.hands)


def result(state: State) -> k.Result | None:
    """Return the common points once nobody is to act; all have won or all have lost (FIR-7)."""
    winners = tuple(map(k.Seat, range(len(state.hands)))) if state.lives else ()
    return None if to_act(state) else k.Result(scores(state), winners, teams=(0,) * len(state.hands))


def laid_cards(laid: tuple[int, ...]) -> list[k.Card]:
    """Return all cards that have been laid."""
    return [k.Card(10 * row + number) for row, top in enumerate(laid, 1) for number in range(1, top + 1)]


def cards(state: State) -> Iterator[k.Card]:
    """Yield the cards of all places: always the same deck, once it is dealt."""
    return chain(*state.hands, state.deck or (), laid_cards(state.laid), state.lost)
