"""The rules of Gosne is Gone, in the order of the rulebook; every judgement names its rule."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations, combinations_with_replacement
from typing import assert_never

from ...core.game import (
    ALONE,
    DEALER,
    NOBODY,
    TABLE,
    Card,
    OptionError,
    Result,
    RuleViolation,
    Seat,
    Shuffler,
    add_each,
    check_cards,
    check_count,
    check_deck,
    check_order,
    check_seat_options,
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
    CEO,
    GOSNE,
    HAND,
    NUMBERS,
    Cards,
    Command,
    Deal,
    Declare,
    Give,
    LastTrick,
    Message,
    Options,
    Play,
    Rule,
    State,
    Trick,
    X,
    chestnuts_on,
    deck,
    is_x,
)

SEATS = 4
DECKS = {whistleblower: deck(whistleblower=whistleblower) for whistleblower in (False, True)}
KNOWN = {whistleblower: frozenset(cards) for whistleblower, cards in DECKS.items()}
GIVES = {cards: Give(cards) for cards in combinations_with_replacement(sorted(KNOWN[True]), 2)}
PLAYS = {card: (Play(card, gun=False), Play(card, gun=True)) for card in KNOWN[True]}
NOTHING: tuple[Cards, ...] = ((),) * SEATS

MAX_CHESTNUTS = 2**32
"""So that no sum of them outgrows the integers of a log."""


def check(options: Options, seats: int) -> None:
    """Refuse a dealer who is no seat, a number of hands other than 1 and 4, chestnuts on no card or below 0."""
    check_seat_options(options, seats)
    if options.hands not in (1, SEATS):
        why = Message("other-hands", "1 or {most} hands are played, not {given}", most=SEATS, given=options.hands)
        raise OptionError("hands", why)
    for rank, count in options.chestnuts:
        if not X <= rank <= CEO:
            why = Message("no-such-rank", "a rank is {x} (X) to {ceo} (CEO), not {given}", x=X, ceo=CEO, given=rank)
            raise OptionError("chestnuts", why)
        if not 0 <= count <= MAX_CHESTNUTS:
            english = "a card shows 0 to {most} chestnuts, not {given}"
            why = Message("no-such-chestnuts", english, most=MAX_CHESTNUTS, given=count)
            raise OptionError("chestnuts", why)


def idle_rules(options: Options, seats: int) -> tuple[Rule, ...]:
    """Return the rules of the variant unless it is played, of the exchange if it is, and of several hands."""
    variant = (Rule.GOS_16, Rule.GOS_17, Rule.GOS_18, Rule.GOS_19, Rule.GOS_R3, Rule.GOS_R6)
    idle = (Rule.GOS_2,) if options.whistleblower else variant
    return idle if options.hands > 1 else (*idle, Rule.GOS_15)


def start(options: Options, seats: int) -> State:
    """Set the table before the first deal."""
    return State(
        options=options,
        finished=0,
        points=(0,) * seats,
        gosne=first_gosne(options, 0),
        gosne_card=None,
        ceo_card=None,
        hands=NOTHING,
        unseen=(),
        gifts=(),
        declared=None,
        trick=(),
        taken=NOTHING,
        last=None,
    )


def dealer(options: Options, finished: int) -> Seat:
    """Return the seat that deals the hand after so many finished ones (GOS-15)."""
    return Seat((options.dealer + finished) % SEATS)


def first_gosne(options: Options, finished: int) -> Seat:
    """Return the dealer's left neighbour, who opens the first trick (GOS-3)."""
    return Seat((options.dealer + finished + 1) % SEATS)


def hyoju(gosne: Seat) -> Seat:
    """Return the seat opposite Gosne, whichever pair it is in (GOS-3, GOS-19)."""
    return Seat((gosne + 2) % SEATS)


def partner(seat: Seat) -> Seat:
    """Return the partner where the pairs are those of the table (GOS-1)."""
    return Seat((seat + 2) % SEATS)


def to_act(state: State) -> frozenset[Seat]:
    """Return the seat in turn, the table for a deal, or nobody once the game is over."""
    if state.trick:
        return ALONE[(state.gosne + len(state.trick)) % SEATS]
    if not state.hands[state.gosne] or is_misdeal(state):
        return NOBODY if is_over(state) else DEALER
    if is_exchange(state):
        return ALONE[giver(state.options, state.finished, len(state.gifts))]
    return ALONE[state.gosne]


def apply(state: State, seat: Seat, command: Command) -> State:
    """Return the state after the command, or raise `RuleViolation`."""
    match command:
        case Play():
            return _play(state, seat, command)
        case Declare():
            return _declare(state, seat, command)
        case Give():
            return _give(state, seat, command)
        case Deal():
            return _deal(state, seat, command)
        case _:
            assert_never(command)


def _check_cards(state: State, seat: Seat, *cards: Card) -> None:
    check_cards(seat, cards, KNOWN[state.options.whistleblower])


def _expected(state: State) -> str:
    return "play" if state.trick else "give" if is_exchange(state) else "declare"


def _deal(state: State, seat: Seat, deal: Deal) -> State:
    """Deal seven cards each (GOS-1); the two that are left of 30 stay unseen (GOS-16)."""
    options, cards = state.options, deal.cards
    check_deck(to_act(state), seat, cards, DECKS[options.whistleblower])

    dealt = evolve(
        state,
        gosne=first_gosne(options, state.finished),
        gosne_card=None,
        ceo_card=None,
        hands=deal_hands(cards, SEATS, HAND),
        unseen=cards[SEATS * HAND :],
        taken=NOTHING,
        last=None,
    )
    return _show_gosne(dealt) if options.whistleblower and not is_misdeal(dealt) else dealt


def is_misdeal(state: State) -> bool:
    """Return True if nobody was dealt the Gosne card, so that the same dealer deals again (GOS-17)."""
    return GOSNE in state.unseen


def _show_gosne(state: State) -> State:
    """Make the holder of the Gosne card the first Gosne, and the partner of CEO's holder (GOS-17, GOS-18)."""
    holder = _dealt_to(state, GOSNE)
    assert holder is not None  # else the deal is made again
    return evolve(state, gosne=holder, gosne_card=holder, ceo_card=_dealt_to(state, CEO))


def _dealt_to(state: State, card: Card) -> Seat | None:
    return next((Seat(seat) for seat, hand in enumerate(state.hands) if card in hand), None)


def is_exchange(state: State) -> bool:
    """Return True if gifts are still due, once the hands are dealt (GOS-2); whistleblowers make none (GOS-18)."""
    return len(state.gifts) < 4 and not state.options.whistleblower


def giver(options: Options, finished: int, gift: int) -> Seat:
    """Return the seat that gives in the exchange: the dealer, his partner, the dealer's left, his partner (GOS-2)."""
    return Seat((dealer(options, finished) + (0, 2, 1, 3)[gift]) % SEATS)


def _give(state: State, seat: Seat, give: Give) -> State:
    """Move two cards of the hand to the partner's (GOS-2)."""
    cards = give.cards
    check_count(seat, cards, 2)
    _check_cards(state, seat, *cards)
    if cards[0] > cards[1]:
        raise malformed_command(seat, Message("given-ascending", "the cards given are in ascending order"))
    check_order(to_act(state), seat, "give", _expected(state))
    if not contains_cards(state.hands[seat], cards):
        raise RuleViolation(Rule.GOS_2, seat, cards=cards)

    to = partner(seat)
    hands = replace_at(state.hands, seat, remove_cards(state.hands[seat], cards))
    hands = replace_at(hands, to, tuple(sorted(hands[to] + cards)))
    return evolve(state, hands=hands, gifts=(*state.gifts, cards))


def _declare(state: State, seat: Seat, declare: Declare) -> State:
    """Open the trick with a card face down and its number, true or halved (GOS-4, GOS-5, GOS-12)."""
    card, number = declare.card, declare.number
    _check_cards(state, seat, card)
    check_order(to_act(state), seat, "declare", _expected(state))
    if number not in NUMBERS:
        raise RuleViolation(Rule.GOS_5, seat, number=number)
    if card not in state.hands[seat]:
        raise RuleViolation(Rule.GOS_4, seat, card=card, number=number, held="no")
    if not may_declare(card, number):
        raise RuleViolation(Rule.GOS_4, seat, card=card, number=number, held="yes")

    return _lay(state, seat, PLAYS[card][False], number)


def may_declare(card: Card, number: int) -> bool:
    """Return True if the number, which is 1 to 9, suits the card: it, half of it (GOS-4), or an X (GOS-12)."""
    return is_x(card) or number in (card, card // 2)


DECLARES = {
    card: tuple(Declare(card, number) for number in NUMBERS if may_declare(card, number)) for card in KNOWN[True]
}


def _play(state: State, seat: Seat, play: Play) -> State:
    """Follow with any card of the hand, as a gun or a chestnut (GOS-6)."""
    card = play.card
    _check_cards(state, seat, card)
    check_order(to_act(state), seat, "play", _expected(state))
    if card not in state.hands[seat]:
        raise RuleViolation(Rule.GOS_6, seat, card=card)

    laid = _lay(state, seat, play, state.declared)
    return _take(laid) if len(laid.trick) == SEATS else laid


def _lay(state: State, seat: Seat, play: Play, declared: int | None) -> State:
    hands = replace_at(state.hands, seat, remove_card(state.hands[seat], play.card))
    return evolve(state, hands=hands, declared=declared, trick=(*state.trick, play))


def contenders(trick: Trick, declared: int) -> tuple[Rule, list[int]]:
    """Return the rule that decides a full trick, and the places of which the highest wins; Gosne's is 0."""
    chestnuts = [place for place, play in enumerate(trick) if not play.gun]
    guns = [place for place, play in enumerate(trick) if play.gun]
    if trick[0].card != declared:
        return Rule.GOS_8, guns or chestnuts
    if trick[2].gun:
        return Rule.GOS_9, [place for place in (1, 3) if not trick[place].gun] or [1, 3]
    return Rule.GOS_7, chestnuts


def strength(play: Play) -> int:
    """Rank a card among chestnuts or among guns: X is the highest of those, the lowest of these (GOS-11, GOS-R6)."""
    if is_x(play.card):
        return 0 if play.gun else 100
    return play.card


def winner(trick: Trick, declared: int) -> int:
    """Return the place in a full trick that wins it, the later played of equals (GOS-7 to GOS-12)."""
    _, places = contenders(trick, declared)
    return max(places, key=lambda place: (strength(trick[place]), place))


def _take(state: State) -> State:
    """Move the full trick to its winner, the next Gosne (GOS-13), and the unseen two to the last one (GOS-16)."""
    trick, gosne = state.trick, state.gosne
    assert state.declared is not None  # a trick begins with a declaration
    taker = Seat((gosne + winner(trick, state.declared)) % SEATS)
    last = LastTrick(gosne, state.declared, trick)
    ended = not any(state.hands)
    cards = (*state.unseen, *last.cards) if ended else last.cards
    taken = replace_at(state.taken, taker, state.taken[taker] + cards)
    after = evolve(state, gosne=taker, declared=None, trick=(), taken=taken, last=last)
    return _count(after) if ended else after


def _count(state: State) -> State:
    """Add the chestnuts of each side to the points of its seats once the hands are empty (GOS-14, GOS-R4)."""
    counted = evolve(state, finished=state.finished + 1, unseen=(), gifts=())
    return evolve(counted, points=add_each(state.points, score(counted)))


def sides(state: State) -> tuple[tuple[Seat, ...], tuple[Seat, ...]]:
    """Return the two sides: seats 0 and 2 (GOS-1) or the holders of Gosne and CEO (GOS-18, GOS-R3), and the others."""
    holders = {state.gosne_card, state.ceo_card} if state.options.whistleblower else {0, 2}
    seats = [Seat(seat) for seat in range(SEATS)]
    return tuple(seat for seat in seats if seat in holders), tuple(seat for seat in seats if seat not in holders)


def score(state: State) -> tuple[int, ...]:
    """Count for each seat the chestnuts that its side took (GOS-14, GOS-R1, GOS-R4)."""
    points = [0] * SEATS
    for side in sides(state):
        total = sum(chestnuts_on(state.options, card) for seat in side for card in state.taken[seat])
        for seat in side:
            points[seat] = total
    return tuple(points)


def is_counted(state: State) -> bool:
    """Return True if a hand was played to its end, and the next is not yet dealt: then all piles lie open (GOS-R7)."""
    return any(state.taken) and not state.trick and not any(state.hands)


def is_over(state: State) -> bool:
    """Return True if all hands were played (GOS-14, GOS-15)."""
    return state.finished == state.options.hands


def scores(state: State) -> tuple[int, ...]:
    """Return each seat's points of all finished hands (GOS-15)."""
    return state.points


def result(state: State) -> Result | None:
    """Return the points and the seats that share the most (GOS-14, GOS-R2, GOS-R4)."""
    return Result(state.points, winners_by(state.points)) if is_over(state) else None


def legal(state: State, seat: Seat) -> Iterator[Command]:
    """Yield every command that the seat may give now."""
    if seat == TABLE or seat not in to_act(state):
        return iter(())
    hand = state.hands[seat]
    if state.trick:
        return chain.from_iterable(map(PLAYS.__getitem__, dict.fromkeys(hand)))
    if is_exchange(state):
        return map(GIVES.__getitem__, dict.fromkeys(combinations(hand, 2)))
    return chain.from_iterable(map(DECLARES.__getitem__, dict.fromkeys(hand)))


def deal(state: State, shuffler: Shuffler) -> Deal:
    """Return a deal of the shuffled deck."""
    return Deal(shuffler.shuffle(DECKS[state.options.whistleblower]))


def cards(state: State) -> Iterator[Card]:
    """Yield the cards of all places together."""
    return chain(*state.hands, state.unseen, (play.card for play in state.trick), *state.taken)
