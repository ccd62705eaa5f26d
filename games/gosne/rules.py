"""The rules of Gosne is Gone, in the order of the rulebook; every judgement names its rule."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations, combinations_with_replacement

from ...core import game as k
from .model import (
    CEO,
    GOSNE,
    HAND,
    NUMBERS,
    SEATS,
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
    giver,
    is_x,
    partner,
)

PLAIN = (X, X, X, X, *[k.Card(rank) for rank in range(1, 13) for _ in range(2)])
DECKS = {False: PLAIN, True: (*PLAIN, GOSNE, CEO)}
"""The cards, ascending: without and with the whistleblower rules."""
KNOWN = {whistleblower: frozenset(cards) for whistleblower, cards in DECKS.items()}
GIVES = {cards: Give(cards) for cards in combinations_with_replacement(sorted(KNOWN[True]), 2)}
PLAYS = {card: (Play(card, gun=False), Play(card, gun=True)) for card in KNOWN[True]}
NOTHING: tuple[Cards, ...] = ((),) * SEATS

MAX_CHESTNUTS = 2**32
"""So that no sum of them outgrows the integers of a log."""


def check_options(options: Options, seats: int) -> None:
    """Refuse a dealer who is no seat, a number of hands other than 1 and 4, chestnuts on no card or below 0."""
    if options.hands not in (1, SEATS):
        why = Message("other-hands", "1 or {most} hands are played, not {given}", most=SEATS, given=options.hands)
        raise k.OptionError("hands", why)
    for rank, count in options.chestnuts:
        if not X <= rank <= CEO:
            why = Message("no-such-rank", "a rank is {x} (X) to {ceo} (CEO), not {given}", x=X, ceo=CEO, given=rank)
            raise k.OptionError("chestnuts", why)
        if not 0 <= count <= MAX_CHESTNUTS:
            english = "a card shows 0 to {most} chestnuts, not {given}"
            why = Message("no-such-chestnuts", english, most=MAX_CHESTNUTS, given=count)
            raise k.OptionError("chestnuts", why)


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


def first_gosne(options: Options, finished: int) -> k.Seat:
    """Return the dealer's left neighbour, who opens the first trick (GOS-3)."""
    return k.Seat((options.dealer + finished + 1) % SEATS)


def hyoju(gosne: int) -> int:
    """Return the seat opposite Gosne, whichever pair it is in (GOS-3, GOS-19)."""
    return k.Seat((gosne + 2) % SEATS)


def to_act(state: State) -> frozenset[int]:
    """Return the seat in turn, the table for a deal, or nobody once the game is over."""
    if state.trick:
        return k.ALONE[(state.gosne + len(state.trick)) % SEATS]
    if not state.hands[state.gosne] or is_misdeal(state):
        return k.NOBODY if is_over(state) else k.DEALER
    if is_exchange(state):
        return k.ALONE[giver(state.options, state.finished, len(state.gifts))]
    return k.ALONE[state.gosne]


def _check_cards(state: State, seat: int, *cards: k.Card) -> None:
    k.check_cards(seat, cards, KNOWN[state.options.whistleblower])


def _expected(state: State) -> str:
    return "play" if state.trick else "give" if is_exchange(state) else "declare"


def _deal(state: State, seat: int, deal: Deal) -> State:
    """Deal seven cards each (GOS-1); the two that are left of 30 stay unseen (GOS-16).

    The holder of the Gosne card is the first Gosne, and the partner of CEO's holder (GOS-17, GOS-18).
    """
    options, cards = state.options, deal.cards
    k.check_deck(to_act(state), seat, cards, DECKS[options.whistleblower])

    dealt = k.evolve(
        state,
        gosne=first_gosne(options, state.finished),
        gosne_card=None,
        ceo_card=None,
        hands=k.deal_hands(cards, SEATS, HAND),
        unseen=cards[SEATS * HAND :],
        taken=NOTHING,
        last=None,
    )
    holder = _dealt_to(dealt, GOSNE)
    if holder is None:
        return dealt
    return k.evolve(dealt, gosne=holder, gosne_card=holder, ceo_card=_dealt_to(dealt, CEO))


def _dealt_to(state: State, card: k.Card) -> int | None:
    return next((k.Seat(seat) for seat, hand in enumerate(state.hands) if card in hand), None)


def is_misdeal(state: State) -> bool:
    """Return True if the same dealer deals again: nobody was dealt the Gosne card (GOS-17), or its holder is alone.

    That is a reason by the option `alone` (GOS-R3).
    """
    return GOSNE in state.unseen or (state.options.alone == "redeal" and is_alone(state))


def is_alone(state: State) -> bool:
    """Return True if the holder of the Gosne card has no partner (GOS-R3)."""
    return state.gosne_card is not None and state.ceo_card in (None, state.gosne_card)


def is_exchange(state: State) -> bool:
    """Return True if gifts are still due, once the hands are dealt (GOS-2); whistleblowers make none (GOS-18)."""
    return len(state.gifts) < 4 and not state.options.whistleblower


def _give(state: State, seat: int, give: Give) -> State:
    """Move two cards of the hand to the partner's (GOS-2)."""
    cards = give.cards
    k.check_count(seat, cards, 2)
    _check_cards(state, seat, *cards)
    if cards[0] > cards[1]:
        raise k.malformed_command(seat, Message("given-ascending", "the cards given are in ascending order"))
    k.check_order(to_act(state), seat, "give", _expected(state))
    if not k.contains_cards(state.hands[seat], cards):
        raise k.RuleViolation(Rule.GOS_2, seat, cards=cards)

    to = partner(seat)
    hands = k.replace_at(state.hands, seat, k.remove_cards(state.hands[seat], cards))
    hands = k.replace_at(hands, to, tuple(sorted(hands[to] + cards)))
    return k.evolve(state, hands=hands, gifts=(*state.gifts, cards))


def _declare(state: State, seat: int, declare: Declare) -> State:
    """Open the trick with a card face down and its number, true or halved (GOS-4, GOS-5, GOS-12)."""
    card, number = declare.card, declare.number
    _check_cards(state, seat, card)
    k.check_order(to_act(state), seat, "declare", _expected(state))
    if number not in NUMBERS:
        raise k.RuleViolation(Rule.GOS_5, seat, number=number)
    if card not in state.hands[seat]:
        raise k.RuleViolation(Rule.GOS_4, seat, card=card, number=number, held="no")
    if not may_declare(card, number):
        raise k.RuleViolation(Rule.GOS_4, seat, card=card, number=number, held="yes")

    return _lay(state, seat, PLAYS[card][False], number)


def may_declare(card: k.Card, number: int) -> bool:
    """Return True if the number, which is 1 to 9, suits the card: it, half of it (GOS-4), or an X (GOS-12)."""
    return is_x(card) or number in (card, card // 2)


DECLARES = {
    card: tuple(Declare(card, number) for number in NUMBERS if may_declare(card, number)) for card in KNOWN[True]
}


def _play(state: State, seat: int, play: Play) -> State:
    """Follow with any card of the hand, as a gun or a chestnut (GOS-6)."""
    card = play.card
    _check_cards(state, seat, card)
    k.check_order(to_act(state), seat, "play", _expected(state))
    if card not in state.hands[seat]:
        raise k.RuleViolation(Rule.GOS_6, seat, card=card)

    laid = _lay(state, seat, play, state.declared)
    return _take(laid) if len(laid.trick) == SEATS else laid


def _lay(state: State, seat: int, play: Play, declared: int | None) -> State:
    hands = k.replace_at(state.hands, seat, k.remove_card(state.hands[seat], play.card))
    return k.evolve(state, hands=hands, declared=declared, trick=(*state.trick, play))


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
    taker = k.Seat((gosne + winner(trick, state.declared)) % SEATS)
    last = LastTrick(gosne, state.declared, trick)
    ended = not any(state.hands)
    cards = (*state.unseen, *last.cards) if ended else last.cards
    taken = k.replace_at(state.taken, taker, state.taken[taker] + cards)
    after = k.evolve(state, gosne=taker, declared=None, trick=(), taken=taken, last=last)
    return _count(after) if ended else after


def _count(state: State) -> State:
    """Add the chestnuts of each side to the points of its seats once the hands are empty (GOS-14, GOS-R4)."""
    counted = k.evolve(state, finished=state.finished + 1, unseen=(), gifts=())
    return k.evolve(counted, points=k.add_each(state.points, score(counted)))


apply = k.applying({Deal: _deal, Give: _give, Declare: _declare, Play: _play})
"""Return the state after the command, or raise `RuleViolation`."""


def sides(state: State) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the two sides: seats 0 and 2 (GOS-1) or the holders of Gosne and CEO (GOS-18, GOS-R3), and the others."""
    holders = {state.gosne_card, state.ceo_card} if state.options.whistleblower else {0, 2}
    seats = [k.Seat(seat) for seat in range(SEATS)]
    return tuple(seat for seat in seats if seat in holders), tuple(seat for seat in seats if seat not in holders)


def score(state: State) -> tuple[int, ...]:
    """Count for each seat the chestnuts that its side took (GOS-14, GOS-R1, GOS-R4)."""
    points = [0] * SEATS
    for side in sides(state):
        total = sum(chestnuts_on(state.options, card) for seat in side for card in state.taken[seat])
        for seat in side:
            points[seat] = total
    return tuple(points)


def is_over(state: State) -> bool:
    """Return True if all hands were played (GOS-14, GOS-15)."""
    return state.finished == state.options.hands


def scores(state: State) -> tuple[int, ...]:
    """Return each seat's points of all finished hands (GOS-15)."""
    return state.points


def result(state: State) -> k.Result | None:
    """Return the points and the seats that share the most (GOS-14, GOS-R2, GOS-R4)."""
    return k.Result(state.points, k.winners_by(state.points)) if is_over(state) else None


def legal(state: State, seat: int) -> Iterator[Command]:
    """Yield every command that the seat may give now."""
    if seat == k.TABLE or seat not in to_act(state):
        return iter(())
    hand = state.hands[seat]
    if state.trick:
        return chain.from_iterable(map(PLAYS.__getitem__, dict.fromkeys(hand)))
    if is_exchange(state):
        return map(GIVES.__getitem__, dict.fromkeys(combinations(hand, 2)))
    return chain.from_iterable(map(DECLARES.__getitem__, dict.fromkeys(hand)))


def deal(state: State, shuffler: k.Shuffler) -> Deal:
    """Return a deal of the shuffled deck."""
    return Deal(shuffler.shuffle(DECKS[state.options.whistleblower]))


def cards(state: State) -> Iterator[k.Card]:
    """Yield the cards of all places together; gifts and the last trick are only remembered."""
    return chain(*state.hands, state.unseen, [play.card for play in state.trick], *state.taken)
