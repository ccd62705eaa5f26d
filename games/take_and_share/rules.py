"""The rules of Take & Share, in the order of the rulebook; every judgement names its rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice, permutations
from typing import assert_never

from ...core.game import (
    ALONE,
    DEALER,
    NOBODY,
    TABLE,
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
    deal_hands,
    evolve,
    remove_card,
    replace_at,
    winners_by,
)
from .cards import SUITS, deck, hand_size, number, suit
from .model import Cards, Command, Deal, Options, Play, Rule, Share, State

DECKS = {seats: deck(seats) for seats in (3, 4)}
KNOWN = {seats: frozenset(cards) for seats, cards in DECKS.items()}
PLAYS = {card: Play(card) for card in DECKS[4]}
LONG_GOAL = {3: 30, 4: 20}


def idle_rules(options: Options, seats: int) -> tuple[Rule, ...]:
    """Return the rules of the long game, unless it is one."""
    return () if options.long else (Rule.TS_14, Rule.TS_R2)


def start(options: Options, seats: int) -> State:
    """Set the table before the first deal."""
    nothing: tuple[Cards, ...] = ((),) * seats
    return State(options, 0, (0,) * seats, Seat(options.first), nothing, (), (), nothing)


def to_act(state: State) -> frozenset[Seat]:
    """Return the seat in turn, the trick's winner for a share, the table for a deal, or nobody after the end."""
    trick, seats = state.trick, len(state.totals)
    if trick:
        return ALONE[taker(state)] if len(trick) == seats else ALONE[(state.lead + len(trick)) % seats]
    if state.hands[state.lead]:
        return ALONE[state.lead]
    return NOBODY if is_over(state) else DEALER


def apply(state: State, seat: Seat, command: Command) -> State:
    """Return the state after the command, or raise `RuleViolation`."""
    match command:
        case Play():
            return _play(state, seat, command)
        case Share():
            return _share(state, seat, command)
        case Deal():
            return _deal(state, seat, command)
        case _:
            assert_never(command)


def _deal(state: State, seat: Seat, deal: Deal) -> State:
    """Deal the hands and the share cards (TS-1)."""
    seats = state.seats
    check_deck(to_act(state), seat, deal.cards, DECKS[seats])

    size = hand_size(seats)
    return evolve(
        state,
        deals=state.deals + 1,
        lead=first_lead(state.options, state.deals, seats),
        hands=deal_hands(deal.cards, seats, size),
        shares=deal.cards[seats * size :],
        piles=((),) * seats,
    )


def _expected(state: State) -> str:
    return "share" if len(state.trick) == len(state.totals) else "play"


def first_lead(options: Options, deal: int, seats: int) -> Seat:
    """Return the seat that leads the first trick of deal 0, 1, …: one seat further to the left each time (TS-R2)."""
    return Seat((options.first + deal) % seats)


def _play(state: State, seat: Seat, play: Play) -> State:
    """Play a card of the hand to the trick (TS-2, TS-3)."""
    card, trick, seats = play.card, state.trick, len(state.totals)
    check_cards(seat, (card,), KNOWN[seats])
    check_order(to_act(state), seat, "play", _expected(state))
    hand = state.hands[seat]
    if card not in hand:
        raise RuleViolation(Rule.TS_2, seat, card=card)
    if trick:
        led = suit(trick[0])
        if suit(card) != led and (held := _of_suit(hand, led)):
            raise RuleViolation(Rule.TS_3, seat, card=card, led=SUITS[led], held=held[0])

    hands = replace_at(state.hands, seat, remove_card(hand, card))
    return evolve(state, hands=hands, trick=(*trick, card))


def _of_suit(hand: Cards, led: int) -> Cards:
    return tuple([card for card in hand if card // 100 == led])


@lru_cache(maxsize=1024)
def winner(trick: Cards) -> int:
    """Return the place in a full trick that wins it.

    The highest number if all followed suit (TS-4), else the lowest (TS-5), the earliest of equals (TS-6).
    """
    numbers = [number(card) for card in trick]
    return numbers.index(max(numbers) if followed(trick) else min(numbers))


def followed(trick: Cards) -> bool:
    """Return True if all cards of the trick are of the led suit (TS-4)."""
    return len(_of_suit(trick, suit(trick[0]))) == len(trick)


def taker(state: State) -> Seat:
    """Return the seat that wins the trick, which is full."""
    return Seat((state.lead + winner(state.trick)) % len(state.totals))


def _share(state: State, seat: Seat, share: Share) -> State:
    """Hand every seat one of the old share cards; the trick's cards take their place (TS-7, TS-8)."""
    check_count(seat, share.cards, state.seats)
    check_cards(seat, share.cards, KNOWN[state.seats])
    check_order(to_act(state), seat, "share", _expected(state))
    if sorted(share.cards) != sorted(state.shares):
        raise RuleViolation(Rule.TS_8, seat, cards=share.cards, shares=state.shares)

    piles = tuple([(*pile, card) for pile, card in zip(state.piles, share.cards, strict=True)])
    shared = evolve(state, lead=seat, shares=state.trick, trick=(), piles=piles)
    if shared.hands[seat]:
        return shared
    return evolve(shared, totals=add_each(shared.totals, score(piles)))  # TS-11


@lru_cache(maxsize=64)
def score(piles: tuple[Cards, ...]) -> tuple[int, ...]:
    """Count the points of each seat over the cards received, suit by suit (TS-12)."""
    sums = [[0] * len(piles) for _ in SUITS]
    counts = [[0] * len(piles) for _ in SUITS]
    for seat, pile in enumerate(piles):
        for card in pile:
            of = suit(card)
            sums[of][seat] += number(card)
            counts[of][seat] += 1
    points = [0] * len(piles)
    for totals, held in zip(sums, counts, strict=True):
        for seat in winners_by(totals):
            points[seat] += held[seat]
    return tuple(points)


def is_over(state: State) -> bool:
    """Return True if the game has ended: one deal, or in a long game enough of them (TS-10, TS-14)."""
    if not state.deals or state.trick or any(state.hands):
        return False
    return not state.options.long or max(state.totals) > LONG_GOAL[state.seats]


def scores(state: State) -> tuple[int, ...]:
    """Return each seat's total of all deals so far (TS-12)."""
    return state.totals


def result(state: State) -> Result | None:
    """Return the totals and the seats that share the highest (TS-13)."""
    return Result(state.totals, winners_by(state.totals)) if is_over(state) else None


def legal(state: State, seat: Seat) -> Iterator[Command]:
    """Yield every command that the seat may give now."""
    if seat == TABLE or seat not in to_act(state):
        return iter(())
    if len(state.trick) == len(state.totals):
        return map(Share, permutations(state.shares))
    return map(PLAYS.__getitem__, _playable(state, seat))


def legal_by_kind(state: State, seat: Seat, limit: int) -> list[Sequence[Command]]:
    """Return the first `limit` commands of `legal`, which are of one kind; a share is made when it is asked for."""
    if not limit or seat == TABLE or seat not in to_act(state):
        return []
    if len(state.trick) == len(state.totals):
        return [MadeOnAccess(Share, list(islice(permutations(state.shares), limit)))]
    return [[PLAYS[card] for card in _playable(state, seat)[:limit]]]


def _playable(state: State, seat: Seat) -> Cards:
    """List the cards of the hand that may be played: those of the led suit, or all (TS-2, TS-3)."""
    hand = state.hands[seat]
    return (_of_suit(hand, suit(state.trick[0])) or hand) if state.trick else hand


def deal(state: State, shuffler: Shuffler) -> Deal:
    """Return a deal of the shuffled deck."""
    return Deal(shuffler.shuffle(DECKS[state.seats]))


def cards(state: State) -> Iterator[Card]:
    """Yield the cards of all places together."""
    return chain(*state.hands, state.shares, state.trick, *state.piles)
