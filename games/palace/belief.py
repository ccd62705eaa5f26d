"""States that a seat of Palace may be in, by who took which cards, and as builders would lay their palaces."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial

from ...core.game import Card, ObservedEvent, RedactedCommand, Shuffler, evolve, weight_of
from .model import Build, Cards, Charge, Command, Inspect, Quake, State
from .rules import CHARGES, COLOUR_CHARGES, END, QUAKE_SIZE, holds
from .view import View, determinize

GRAINS = 2**16
"""Into so many parts a probability is divided for a draw."""
Place = tuple[str, int, int]
"""The place of a card that a view does not show: `hand`, `pile` or `palace`, the seat, and the palace's number."""
ACCUSED = 0.85
"""The probability that a palace is accused of lacking a colour before the end; it is any of the four."""
NO_PAIR, ALL_COLOURS = 0.15, 0.05
"""The probability that it is accused of having no pair, and of having all colours."""
CARE = 8.0
"""How often the likelihood halves that a palace was built, with all of the risk that it has."""


class Known:
    """Cards that went to a hand face up, each with the number of the first palace that it may be in since."""

    def __init__(self) -> None:
        self.built = 0
        self.cards: list[tuple[Card, int]] = []

    def gain(self, cards: Cards) -> None:
        """Add cards that were taken to the hand."""
        self.cards += [(card, self.built) for card in cards]

    def lose(self, cards: Cards, palace: int) -> None:
        """Take away what has come to light in a palace."""
        for card in cards:
            of_it = [each for each in self.cards if each[0] == card and each[1] <= palace]
            if of_it:
                self.cards.remove(of_it[0])


def determinize_history(view: View, seen: Sequence[ObservedEvent[Command]]) -> Callable[[Shuffler], State]:
    """Return a sampler of states that agrees with who took which cards of palaces pulled down."""
    known = [Known() for _ in range(view.seats)]
    for observed in seen:
        match observed.command:
            case Build(palaces):
                known[observed.seat].built += len(palaces)
            case RedactedCommand("build", ((_, sizes),)):
                known[observed.seat].built += len(sizes)
            case Quake(colour):
                hand = known[observed.seat]
                hand.lose((colour,) * QUAKE_SIZE, hand.built)
            case Inspect():
                _judged(known, observed)
    return partial(_draw, view, known)


def _judged(known: list[Known], observed: ObservedEvent[Command]) -> None:
    for note in observed.notes:
        if note.key in ("charge-holds", "charge-fails"):
            values = dict(note.values)
            known[values["owner"]].lose(values["cards"], values["palace"])
            if note.key == "charge-holds":
                known[observed.seat].gain(values["cards"])


def _draw(view: View, known: list[Known], shuffler: Shuffler) -> State:
    """Draw a state, then exchange cards in it so that known ones lie where they may be, as far as possible."""
    state = determinize(view, shuffler)
    where: list[Place] = []
    cards: list[Card] = []
    for seat, hand in enumerate(state.hands):
        if view.hands[seat] is None:
            where += [("hand", seat, 0)] * len(hand)
            cards += hand
            for each in state.palaces[seat]:
                if not each.verified:
                    where += [("palace", seat, each.number)] * len(each.cards)
                    cards += each.cards
    pillars = [card for card in state.pile if card != END]
    where += [("pile", 0, 0)] * len(pillars)
    cards += pillars

    free = list(shuffler.shuffle(range(len(cards))))
    wanted = [(first, seat, card) for seat, each in enumerate(known) for card, first in each.cards]
    for first, seat, card in sorted(wanted, reverse=True):  # those that may be in the fewest places first
        place = next((at for at in free if _may_lie(where[at], seat, first)), None)
        found = next((at for at in free if cards[at] == card), None)
        if place is not None and found is not None:
            cards[place], cards[found] = cards[found], cards[place]
            free.remove(place)
    _as_builders_would(where, cards, free, shuffler)
    return _laid(state, where, cards)


def _as_builders_would(where: list[Place], cards: list[Card], free: Sequence[int], shuffler: Shuffler) -> None:
    """Exchange cards of palaces that lie face down: one that fewer charges hold against is likelier to be built.

    These are steps of the algorithm of Metropolis. A palace of one card is left alone: all charges but one hold.
    """
    spots: dict[Place, list[int]] = {}
    for at, place in enumerate(where):
        if place[0] == "palace":
            spots.setdefault(place, []).append(at)
    movable = frozenset(free)
    for own in spots.values():
        for at in own if len(own) > 1 else ():
            other = free[shuffler.below(len(free))] if at in movable else at
            if cards[other] == cards[at] or other in own:
                continue
            touched = [own, spots.get(where[other], ())]
            before = _likelihood(cards, touched)
            cards[at], cards[other] = cards[other], cards[at]
            after = _likelihood(cards, touched)
            if after < before and shuffler.below(GRAINS) * before >= GRAINS * after:
                cards[at], cards[other] = cards[other], cards[at]


def _likelihood(cards: list[Card], palaces: Sequence[Sequence[int]]) -> float:
    """Return how likely builders are to build such palaces, among all of their sizes."""
    likelihood = 1.0
    for spots in palaces:
        if len(spots) > 1:
            likelihood *= liking(tuple(sorted([cards[at] for at in spots])))
    return likelihood


def _may_lie(place: Place, seat: int, first: int) -> bool:
    kind, of, number = place
    return of == seat and (kind == "hand" or (kind == "palace" and number >= first))


def _laid(state: State, where: list[Place], cards: list[Card]) -> State:
    """Put the cards back where they lie."""
    lying: dict[Place, list[Card]] = {}
    for place, card in zip(where, cards, strict=True):
        lying.setdefault(place, []).append(card)

    def found(kind: str, seat: int, number: int, cards: Cards) -> Cards:
        return tuple(sorted(lying.get((kind, seat, number), cards)))

    pillars = iter(lying.get(("pile", 0, 0), ()))
    return evolve(
        state,
        hands=tuple([found("hand", seat, 0, hand) for seat, hand in enumerate(state.hands)]),
        palaces=tuple(
            tuple([evolve(each, cards=found("palace", seat, each.number, each.cards)) for each in palaces])
            for seat, palaces in enumerate(state.palaces)
        ),
        pile=tuple([card if card == END else next(pillars) for card in state.pile]),
    )


@cache
def risk_of(palace: Cards) -> float:
    """Estimate how likely a palace falls while many rounds are left."""
    charges = against(palace)
    colours = len(charges.intersection(COLOUR_CHARGES)) / len(COLOUR_CHARGES)
    return min(ACCUSED * colours + NO_PAIR * ("no_pair" in charges) + ALL_COLOURS * ("all_colours" in charges), 1)


@cache
def against(palace: Cards) -> frozenset[Charge]:
    """Return the charges that hold against a palace."""
    return frozenset(charge for charge in CHARGES if holds(charge, palace))


@cache
def liking(palace: Cards) -> float:
    """Return how likely builders are to lay such a palace, where one that nothing is against has 1."""
    return weight_of(-CARE * risk_of(palace))
