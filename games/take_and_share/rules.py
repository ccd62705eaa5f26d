"""The rules of Take & Share, in the order of the rulebook; every judgement names its rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice, permutations

from ...core import game as k
from .model import Cards, Command, Deal, Message, Options, Play, Rule, Share, State

SUITS = "♠♥♦♣★☾"
TINTS = ("ink", "red", "orange", "green", "blue", "purple")


def suit(card: k.Card) -> int:
    """Return the suit 0-5 of a card, which is `suit * 100 + number` (TS-R1)."""
    return card // 100


def number(card: k.Card) -> int:
    """Return the number 1-10 of a card; the ace counts 1."""
    return card % 100


def face(card: k.Card) -> k.Face:
    """Return how a card looks."""
    return k.Face(f"{SUITS[suit(card)]}{number(card)}", TINTS[suit(card)])


NUMBERS = {3: range(3, 11), 4: range(1, 11)}
DECKS = {
    seats: tuple([k.Card(100 * of + value) for of in range(len(SUITS)) for value in numbers])
    for seats, numbers in NUMBERS.items()
}
"""By the number of seats the cards, ascending."""
HAND_SIZES = {3: 15, 4: 14}
"""The cards of a hand, which are also the tricks of a deal (TS-1)."""
KNOWN = {seats: frozenset(cards) for seats, cards in DECKS.items()}
PLAYS = {card: Play(card) for card in DECKS[4]}
LONG_GOAL = {3: 30, 4: 20}
MOST_DEALS = 12


def check_options(options: Options, seats: int) -> None:
    """Refuse a number of deals that is none or very many, and several in a long game, which has its own end."""
    if not 1 <= options.deals <= MOST_DEALS:
        why = Message("other-deals", "1 to {most} deals are played, not {given}", most=MOST_DEALS, given=options.deals)
        raise k.OptionError("deals", why)
    if options.long and options.deals > 1:
        why = Message("deals-or-long", "a long game has no number of deals: leave out one of them")
        raise k.OptionError("deals", why)


def idle_rules(options: Options, seats: int) -> tuple[Rule, ...]:
    """Return the rules of the long game, unless it is one, and of several deals, unless there are any."""
    if options.long:
        return (Rule.TS_R3,)
    return (Rule.TS_14,) if options.deals > 1 else (Rule.TS_14, Rule.TS_R2, Rule.TS_R3)


def start(options: Options, seats: int) -> State:
    """Set the table before the first deal."""
    nothing: tuple[Cards, ...] = ((),) * seats
    return State(options, 0, (0,) * seats, k.Seat(options.first), nothing, (), (), nothing)


def to_act(state: State) -> frozenset[int]:
    """Return the seat in turn, the trick's winner for a share, the table for a deal, or nobody after the end."""
    trick, seats = state.trick, len(state.totals)
    if trick:
        return k.ALONE[taker(state)] if len(trick) == seats else k.ALONE[(state.lead + len(trick)) % seats]
    if state.hands[state.lead]:
        return k.ALONE[state.lead]
    return k.NOBODY if is_over(state) else k.DEALER


def _deal(state: State, seat: int, deal: Deal) -> State:
    """Deal the hands and the share cards (TS-1)."""
    seats = state.seats
    k.check_deck(to_act(state), seat, deal.cards, DECKS[seats])

    size = HAND_SIZES[seats]
    return k.evolve(
        state,
        deals=state.deals + 1,
        lead=k.Seat((state.options.first + state.deals) % seats),  # TS-R2
        hands=k.deal_hands(deal.cards, seats, size),
        shares=deal.cards[seats * size :],
        piles=((),) * seats,
    )


def _expected(state: State) -> str:
    return "share" if len(state.trick) == len(state.totals) else "play"


def _play(state: State, seat: int, play: Play) -> State:
    """Play a card of the hand to the trick (TS-2, TS-3)."""
    card, trick, seats = play.card, state.trick, len(state.totals)
    k.check_cards(seat, (card,), KNOWN[seats])
    k.check_order(to_act(state), seat, "play", _expected(state))
    hand = state.hands[seat]
    if card not in hand:
        raise k.RuleViolation(Rule.TS_2, seat, card=card)
    if trick:
        led = suit(trick[0])
        if suit(card) != led and (held := _of_suit(hand, led)):
            raise k.RuleViolation(Rule.TS_3, seat, card=card, led=SUITS[led], held=held[0])

    hands = k.replace_at(state.hands, seat, k.remove_card(hand, card))
    return k.evolve(state, hands=hands, trick=(*trick, card))


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


def taker(state: State) -> int:
    """Return the seat that wins the trick, which is full."""
    return k.Seat((state.lead + winner(state.trick)) % len(state.totals))


def _share(state: State, seat: int, share: Share) -> State:
    """Hand every seat one of the old share cards; the trick's cards take their place (TS-7, TS-8)."""
    k.check_count(seat, share.cards, state.seats)
    k.check_cards(seat, share.cards, KNOWN[state.seats])
    k.check_order(to_act(state), seat, "share", _expected(state))
    if sorted(share.cards) != sorted(state.shares):
        raise k.RuleViolation(Rule.TS_8, seat, cards=share.cards, shares=state.shares)

    piles = tuple([(*pile, card) for pile, card in zip(state.piles, share.cards, strict=True)])
    shared = k.evolve(state, lead=seat, shares=state.trick, trick=(), piles=piles)
    if shared.hands[seat]:
        return shared
    return k.evolve(shared, totals=k.add_each(shared.totals, score(piles)))  # TS-11


apply = k.applying({Deal: _deal, Play: _play, Share: _share})
"""Return the state after the command, or raise `RuleViolation`."""


@lru_cache(maxsize=64)
def score(piles: tuple[Cards, ...]) -> tuple[int, ...]:
    """Count the points of each seat over the cards received, suit by suit (TS-12)."""
    points = [0] * len(piles)
    for numbers in by_suit(piles):
        for seat in k.winners_by(map(sum, numbers)):
            points[seat] += len(numbers[seat])
    return tuple(points)


def by_suit(piles: tuple[Cards, ...]) -> list[list[list[int]]]:
    """Return for each suit, and for each seat, the numbers of the cards received."""
    numbers: list[list[list[int]]] = [[[] for _ in piles] for _ in SUITS]
    for seat, pile in enumerate(piles):
        for card in pile:
            numbers[suit(card)][seat].append(number(card))
    return numbers


def is_over(state: State) -> bool:
    """Return True if the game has ended: after one deal (TS-10), so many (TS-R3), or in a long game enough (TS-14)."""
    if not state.deals or state.trick or any(state.hands):
        return False
    if state.options.long:
        return max(state.totals) > LONG_GOAL[state.seats]
    return state.deals == state.options.deals


def scores(state: State) -> tuple[int, ...]:
    """Return each seat's total of all deals so far (TS-12)."""
    return state.totals


def result(state: State) -> k.Result | None:
    """Return the totals and the seats that share the highest (TS-13)."""
    return k.Result(state.totals, k.winners_by(state.totals)) if is_over(state) else None


def legal(state: State, seat: int) -> Iterator[Command]:
    """Yield every command that the seat may give now."""
    if seat == k.TABLE or seat not in to_act(state):
        return iter(())
    if len(state.trick) == len(state.totals):
        return map(Share, permutations(state.shares))
    return map(PLAYS.__getitem__, _playable(state, seat))


def legal_by_kind(state: State, seat: int, limit: int) -> list[Sequence[Command]]:
    """Return the first `limit` commands of `legal`, which are of one kind; a share is made when it is asked for."""
    if not limit or seat == k.TABLE or seat not in to_act(state):
        return []
    if len(state.trick) == len(state.totals):
        return [k.MadeOnAccess(Share, list(islice(permutations(state.shares), limit)))]
    return [[PLAYS[card] for card in _playable(state, seat)[:limit]]]


def _playable(state: State, seat: int) -> Cards:
    """List the cards of the hand that may be played: those of the led suit, or all (TS-2, TS-3)."""
    hand = state.hands[seat]
    return (_of_suit(hand, suit(state.trick[0])) or hand) if state.trick else hand


def deal(state: State, shuffler: k.Shuffler) -> Deal:
    """Return a deal of the shuffled deck."""
    return Deal(shuffler.shuffle(DECKS[state.seats]))
