"""The rules of Hearts, in the order of their numbers: checks first, then one change."""

from collections.abc import Iterator, Sequence
from itertools import chain, combinations, islice
from typing import assert_never

from kifu.core.game import (
    ALONE,
    DEALER,
    NOBODY,
    Card,
    MadeOnAccess,
    Result,
    RuleViolation,
    Seat,
    Shuffler,
    add_each,
    check_cards,
    check_count,
    check_deck,
    check_order,
    contains_cards,
    deal_hands,
    evolve,
    malformed_command,
    remove_card,
    remove_cards,
    replace_at,
    winners_by,
)

from .model import (
    CLUBS_2,
    DECK,
    HEARTS,
    PASSED,
    SEATS,
    SPADES_Q,
    Cards,
    Command,
    Deal,
    Message,
    Options,
    Pass,
    Play,
    Rule,
    State,
    suit,
)

STEPS = (1, 3, 2, 0)
"""How many seats to the left the cards are passed, deal by deal (HEARTS-2)."""
ALL_POINTS = 26


def start(options: Options, seats: int) -> State:
    """Return the state before the first event."""
    nothing: tuple[Cards, ...] = ((),) * seats
    return State(options, 0, (0,) * seats, nothing, (None,) * seats, False, Seat(0), (), nothing)


def to_act(state: State) -> frozenset[Seat]:
    """Return the seats that are to act: the table, all who have not passed yet, or the one whose turn it is."""
    if state.passing:
        return frozenset(Seat(seat) for seat in range(SEATS) if state.passed[seat] is None)
    if any(state.hands) or state.trick:
        return ALONE[(state.leader + len(state.trick)) % SEATS]
    return DEALER if state.dealt < state.options.deals else NOBODY


def step_of(state: State) -> int:
    """Return how many seats to the left this deal's cards are passed; 0: not at all (HEARTS-2)."""
    return STEPS[(state.dealt - 1) % len(STEPS)]


def deal(state: State, shuffler: Shuffler) -> Deal:
    """Return the table's command."""
    return Deal(shuffler.shuffle(DECK))


def apply(state: State, seat: Seat, command: Command) -> State:
    """Return the state after a command; raises `RuleViolation` if a rule forbids it."""
    match command:
        case Deal():
            return _deal(state, seat, command)
        case Pass():
            return _pass(state, seat, command)
        case Play():
            return _play(state, seat, command)
        case _:
            assert_never(command)


def _deal(state: State, seat: Seat, deal: Deal) -> State:
    """Deal the hands (HEARTS-1)."""
    check_deck(to_act(state), seat, deal.cards, DECK)

    dealt = evolve(
        state,
        dealt=state.dealt + 1,
        totals=score(state.totals, state.taken),
        hands=deal_hands(deal.cards, SEATS, len(DECK) // SEATS),
        taken=((),) * SEATS,
        passing=True,
    )
    return dealt if step_of(dealt) else _begin(dealt)


def _pass(state: State, seat: Seat, given: Pass) -> State:
    """Put three cards aside; the last ones to come hand all of them over (HEARTS-2)."""
    check_cards(seat, given.cards, DECK)
    check_count(seat, given.cards, PASSED)
    if list(given.cards) != sorted(set(given.cards)):
        raise malformed_command(seat, Message("ascending", "the cards are three different ones, ascending"))
    check_order(to_act(state), seat, "pass", "pass" if state.passing else "play")
    if not contains_cards(state.hands[seat], given.cards):
        raise RuleViolation(Rule.HEARTS_2, seat, cards=given.cards)

    hands = replace_at(state.hands, seat, remove_cards(state.hands[seat], given.cards))
    after = evolve(state, hands=hands, passed=replace_at(state.passed, seat, given.cards))
    return after if None in after.passed else _begin(after)


def _begin(state: State) -> State:
    """Hand over what is passed; who holds ♣2 then leads (HEARTS-2, HEARTS-3)."""
    step = step_of(state)
    hands = tuple(
        tuple(sorted((*hand, *(state.passed[(seat - step) % SEATS] or ())))) for seat, hand in enumerate(state.hands)
    )
    leader = next(seat for seat, hand in enumerate(hands) if CLUBS_2 in hand)
    return evolve(state, hands=hands, passed=(None,) * SEATS, passing=False, leader=Seat(leader))


def _play(state: State, seat: Seat, play: Play) -> State:
    """Play a card to the trick; the fourth one ends it (HEARTS-3 to HEARTS-8)."""
    check_cards(seat, [play.card], DECK)
    check_order(to_act(state), seat, "play", "pass" if state.passing else "play")
    _check_card(state, seat, play.card)

    after = evolve(
        state,
        hands=replace_at(state.hands, seat, remove_card(state.hands[seat], play.card)),
        trick=(*state.trick, play.card),
    )
    if len(after.trick) < SEATS:
        return after
    winner = taker(after.leader, after.trick)
    taken = replace_at(after.taken, winner, (*after.taken[winner], *after.trick))
    return evolve(after, leader=winner, trick=(), taken=taken)


def _check_card(state: State, seat: Seat, card: Card) -> None:
    """Raise a violation if a rule forbids this card of a seat whose turn it is (HEARTS-3 to HEARTS-7)."""
    hand = state.hands[seat]
    if is_first(state) and not state.trick and card != CLUBS_2:
        raise RuleViolation(Rule.HEARTS_3, seat, card=card)
    if card not in hand:
        raise RuleViolation(Rule.HEARTS_4, seat, card=card)
    if state.trick and suit(card) != suit(state.trick[0]) and suit(state.trick[0]) in map(suit, hand):
        raise RuleViolation(Rule.HEARTS_5, seat, card=card, led=state.trick[0])
    if is_first(state) and value(card) and not state.options.first_points and not all(map(value, hand)):
        raise RuleViolation(Rule.HEARTS_6, seat, card=card)
    if not state.trick and suit(card) == HEARTS and not is_broken(state) and {*map(suit, hand)} != {HEARTS}:
        raise RuleViolation(Rule.HEARTS_7, seat, card=card)


def is_first(state: State) -> bool:
    """Return True in the first trick of a deal."""
    return not any(state.taken)


def is_broken(state: State) -> bool:
    """Return True if a heart has been played in this deal (HEARTS-7)."""
    return any(suit(card) == HEARTS for card in chain(state.trick, *state.taken))


def taker(leader: Seat, trick: Cards) -> Seat:
    """Return the seat that takes a whole trick (HEARTS-8)."""
    led = [card for card in trick if suit(card) == suit(trick[0])]
    return Seat((leader + trick.index(max(led))) % SEATS)


def value(card: Card) -> int:
    """Return the points of a card (HEARTS-9)."""
    return 13 if card == SPADES_Q else int(suit(card) == HEARTS)


def points(taken: tuple[Cards, ...]) -> tuple[int, ...]:
    """Return each seat's points in a deal (HEARTS-9, HEARTS-10)."""
    values = tuple(sum(map(value, cards)) for cards in taken)
    return tuple(ALL_POINTS - each for each in values) if ALL_POINTS in values else values


def score(totals: tuple[int, ...], taken: tuple[Cards, ...]) -> tuple[int, ...]:
    """Return each seat's points so far."""
    return add_each(totals, points(taken))


def legal(state: State, seat: Seat) -> Iterator[Command]:
    """Yield exactly the commands that `apply` accepts from a seat."""
    if seat not in to_act(state) or seat < 0:
        return
    if state.passing:
        yield from map(Pass, combinations(state.hands[seat], PASSED))
        return
    for card in state.hands[seat]:
        try:
            _check_card(state, seat, card)
        except RuleViolation:
            continue
        yield Play(card)


def legal_by_kind(state: State, seat: Seat, limit: int) -> list[Sequence[Command]]:
    """Return the first commands of `legal`, which are of one kind; of 286 passes only that which is drawn is made."""
    if state.passing and limit and seat in to_act(state):
        return [MadeOnAccess(Pass, list(islice(combinations(state.hands[seat], PASSED), limit)))]
    commands = list(islice(legal(state, seat), limit))
    return [commands] if commands else []


def result(state: State) -> Result | None:
    """Return the points, and the seats with the fewest, once nobody is to act (HEARTS-11)."""
    if to_act(state):
        return None
    scored = score(state.totals, state.taken)
    return Result(scored, winners_by(-each for each in scored))


def cards(state: State) -> Iterator[Card]:
    """Yield the cards of all places: always the same deck, once it is dealt."""
    return chain(*state.hands, *(each or () for each in state.passed), state.trick, *state.taken)
