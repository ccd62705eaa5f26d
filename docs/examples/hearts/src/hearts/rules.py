"""The data and the rules of Hearts, in the order of their numbers: checks first, then one change."""

from collections.abc import Iterator
from itertools import chain, combinations
from typing import Literal

from kifu.core import game as k


class Message(k.Message):
    """A message of Hearts."""

    package = __package__


class Rule(k.RuleBook):
    """The rulebook, a sentence a member."""

    HEARTS_1 = "Each of four seats gets thirteen of the fifty-two cards."
    HEARTS_2 = "Every seat passes three cards: in the first deal to the left, then to the right, across, not at all."
    HEARTS_3 = "Who holds ♣2 leads it to the first trick."
    HEARTS_4 = "In turn every seat plays one card of its hand."
    HEARTS_5 = "A seat that has a card of the led suit follows suit."
    HEARTS_6 = "In the first trick nobody plays a heart or ♠Q, unless the hand has nothing else."
    HEARTS_7 = "Hearts are led only once one has been played, unless the hand has nothing else."
    HEARTS_8 = "The highest card of the led suit takes the trick, and its seat leads the next."
    HEARTS_9 = "Each heart that a seat has taken is one point, ♠Q is thirteen."
    HEARTS_10 = "A seat that has taken all of them has no points for it, and every other seat has twenty-six."
    HEARTS_11 = "After the last deal the fewest points win; ties share the victory."


SEATS, PASSED = 4, 3
SUITS, RANKS = "♣♦♠♥", ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
SPADES, HEARTS = 2, 3

Cards = tuple[k.Card, ...]
DECK: Cards = tuple(k.Card(number) for number in range(52))
"""A card is its suit times thirteen, and its rank."""
CLUBS_2, SPADES_Q = k.Card(0), k.Card(13 * SPADES + 10)


def suit(card: k.Card) -> int:
    """Return the number of a card's suit."""
    return card // 13


@k.options
class Options:
    """The options of the game; each has a default."""

    deals: Literal[1, 2, 3, 4] = 1
    """How many deals are played."""
    first_points: bool = False
    """Points may be played to the first trick: HEARTS-6 does not hold. So it was in version 1 of these rules."""


@k.command("deal")
class Deal:
    """The shuffled deck: each seat's hand in turn."""

    cards: Cards = k.secret()


@k.command("pass")
class Pass:
    """Three cards of the hand, ascending."""

    cards: Cards = k.secret()


@k.command("play")
class Play:
    """A card of the hand."""

    card: k.Card = k.public()


Command = Deal | Pass | Play


@k.state
class State:
    """The whole table. What can be derived is not stored."""

    options: Options
    dealt: int = k.public()
    """The number of deals so far."""
    totals: tuple[int, ...] = k.public()
    """The points of the deals before this one."""
    hands: tuple[Cards, ...] = k.own()
    passed: tuple[Cards | None, ...] = k.own(sizes="has_passed")
    """What each seat passes, until all have; None: nothing yet, or no longer."""
    passing: bool = k.public()
    leader: k.Seat = k.public()
    trick: Cards = k.public()
    """From the leader on."""
    taken: tuple[Cards, ...] = k.public()
    """What each seat has taken in this deal."""


STEPS = (1, 3, 2, 0)
"""How many seats to the left the cards are passed, deal by deal (HEARTS-2)."""
ALL_POINTS = 26


def start(options: Options, seats: int) -> State:
    """Return the state before the first event."""
    nothing: tuple[Cards, ...] = ((),) * seats
    return State(options, 0, (0,) * seats, nothing, (None,) * seats, False, k.Seat(0), (), nothing)


def to_act(state: State) -> frozenset[int]:
    """Return the seats that are to act: the table, all who have not passed yet, or the one whose turn it is."""
    if state.passing:
        return frozenset(seat for seat in range(SEATS) if state.passed[seat] is None)
    if any(state.hands) or state.trick:
        return k.ALONE[(state.leader + len(state.trick)) % SEATS]
    return k.DEALER if state.dealt < state.options.deals else k.NOBODY


def step_of(state: State) -> int:
    """Return how many seats to the left this deal's cards are passed; 0: not at all (HEARTS-2)."""
    return STEPS[(state.dealt - 1) % len(STEPS)]


def deal(state: State, shuffler: k.Shuffler) -> Deal:
    """Return the table's command."""
    return Deal(shuffler.shuffle(DECK))


def apply(state: State, seat: int, command: Command) -> State:
    """Return the state after a command; raises `Illegal` if a rule forbids it."""
    if isinstance(command, Deal):
        return _deal(state, command)
    return _pass(state, seat, command) if isinstance(command, Pass) else _play(state, seat, command.card)


def _deal(state: State, deal: Deal) -> State:
    """Deal the hands (HEARTS-1)."""
    k.check_deck(k.DEALER, k.TABLE, deal.cards, DECK)

    dealt = k.evolve(
        state,
        dealt=state.dealt + 1,
        totals=scores(state),
        hands=k.deal_hands(deal.cards, SEATS, len(DECK) // SEATS),
        taken=((),) * SEATS,
        passing=True,
    )
    return dealt if step_of(dealt) else _begin(dealt)


def _pass(state: State, seat: int, given: Pass) -> State:
    """Put three cards aside; the last ones to come hand all of them over (HEARTS-2)."""
    k.check_cards(seat, given.cards, DECK)
    k.check_count(seat, given.cards, PASSED)
    if list(given.cards) != sorted(set(given.cards)):
        raise k.malformed_command(seat, Message("ascending", "the cards are three different ones, ascending"))
    k.check_order(to_act(state), seat, "pass", "pass" if state.passing else "play")
    if not k.contains_cards(state.hands[seat], given.cards):
        raise k.Illegal("HEARTS-2", cards=given.cards)

    hands = k.replace_at(state.hands, seat, k.remove_cards(state.hands[seat], given.cards))
    after = k.evolve(state, hands=hands, passed=k.replace_at(state.passed, seat, given.cards))
    return after if None in after.passed else _begin(after)


def _begin(state: State) -> State:
    """Hand over what is passed; who holds ♣2 then leads (HEARTS-2, HEARTS-3)."""
    step = step_of(state)
    hands = tuple(
        tuple(sorted((*hand, *(state.passed[(seat - step) % SEATS] or ())))) for seat, hand in enumerate(state.hands)
    )
    leader = next(seat for seat, hand in enumerate(hands) if CLUBS_2 in hand)
    return k.evolve(state, hands=hands, passed=(None,) * SEATS, passing=False, leader=leader)


def _play(state: State, seat: int, card: k.Card) -> State:
    """Play a card to the trick; the fourth one ends it (HEARTS-3 to HEARTS-8)."""
    k.check_cards(seat, [card], DECK)
    k.check_order(to_act(state), seat, "play", "pass" if state.passing else "play")
    _check_card(state, seat, card)

    after = k.evolve(
        state,
        hands=k.replace_at(state.hands, seat, k.remove_card(state.hands[seat], card)),
        trick=(*state.trick, card),
    )
    if len(after.trick) < SEATS:
        return after
    winner = taker(after.leader, after.trick)
    taken = k.replace_at(after.taken, winner, (*after.taken[winner], *after.trick))
    return k.evolve(after, leader=winner, trick=(), taken=taken)


def _check_card(state: State, seat: int, card: k.Card) -> None:
    """Raise `Illegal` if a rule forbids this card of a seat whose turn it is (HEARTS-3 to HEARTS-7)."""
    hand = state.hands[seat]
    if is_first(state) and not state.trick and card != CLUBS_2:
        raise k.Illegal("HEARTS-3", card=card)
    if card not in hand:
        raise k.Illegal("HEARTS-4", card=card)
    if state.trick and suit(card) != suit(state.trick[0]) and suit(state.trick[0]) in map(suit, hand):
        raise k.Illegal("HEARTS-5", card=card, led=state.trick[0])
    if is_first(state) and value(card) and not state.options.first_points and not all(map(value, hand)):
        raise k.Illegal("HEARTS-6", card=card)
    if not state.trick and suit(card) == HEARTS and not is_broken(state) and {*map(suit, hand)} != {HEARTS}:
        raise k.Illegal("HEARTS-7", card=card)


def is_first(state: State) -> bool:
    """Return True in the first trick of a deal."""
    return not any(state.taken)


def is_broken(state: State) -> bool:
    """Return True if a heart has been played in this deal (HEARTS-7)."""
    return any(suit(card) == HEARTS for card in chain(state.trick, *state.taken))


def taker(leader: int, trick: Cards) -> int:
    """Return the seat that takes a whole trick (HEARTS-8)."""
    led = [card for card in trick if suit(card) == suit(trick[0])]
    return (leader + trick.index(max(led))) % SEATS


def value(card: k.Card) -> int:
    """Return the points of a card (HEARTS-9)."""
    return 13 if card == SPADES_Q else int(suit(card) == HEARTS)


def points(taken: tuple[Cards, ...]) -> tuple[int, ...]:
    """Return each seat's points in a deal (HEARTS-9, HEARTS-10)."""
    values = tuple(sum(map(value, cards)) for cards in taken)
    return tuple(ALL_POINTS - each for each in values) if ALL_POINTS in values else values


def scores(state: State) -> tuple[int, ...]:
    """Return each seat's points so far."""
    return k.add_each(state.totals, points(state.taken))


def legal(state: State, seat: int) -> Iterator[Command]:
    """Yield exactly the commands that `apply` accepts from a seat that is to act."""
    if state.passing:
        yield from map(Pass, combinations(state.hands[seat], PASSED))
        return
    for card in state.hands[seat]:
        try:
            _check_card(state, seat, card)
        except k.Illegal:
            continue
        yield Play(card)


def result(state: State) -> k.Result | None:
    """Return the points, and the seats with the fewest, once nobody is to act (HEARTS-11)."""
    if to_act(state):
        return None
    return k.Result(scores(state), k.winners_by(-each for each in scores(state)))
