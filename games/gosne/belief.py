"""What a seat of Gosne may think of what it does not see: how it plays in rollouts, and how likely a state is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache, partial

from ...core.game import Card, ObservedEvent, RedactedCommand, Seat, evolve, ordered_sum
from .model import SEATS, Cards, Command, Declare, Play, State, is_ceo_known, is_x
from .rules import DECKS, DECLARES, PLAYS, is_exchange, legal, may_declare, sides, strength
from .view import View

OTHERWISE = 0.05
"""How likely a seat leads as these hints do not say: any of its commands."""
GRAINS = 8
"""Into so many parts the probability of a truth is divided, so that cards are weighed once."""
MEMORY = 2**14
"""How many results are kept, for a hand comes up in many playouts."""

Weighed = Sequence[tuple[Command, float]]
Guns = tuple[Card | None, ...]
"""What lies in a trick, Gosne's card first, as who follows sees it: guns; None for a chestnut."""
Friends = tuple[bool, ...]
"""For each place in a trick, True if who follows takes it for his side."""
HIGHEST = 12
HYOJU = 2
"""The place of Hyoju's card in a trick."""
TRUTH, LIE, X_LEAD = 3.0, 0.8, 0.2
"""What a lead is worth: a truth of the highest number, a lie of the lowest, and an X, which is always a lie."""
WON, LEADS, LEAD_HOLDS, X_STRENGTH = 8.0, 3.0, 3.0, 13
"""The value of a trick won, of one that the side leads, and what that gains if nothing is higher; X is next to 12."""
BEHIND = 0.5
"""The value of a trick that the other side leads or has won."""
BELIEF = 8.0
"""How many times likelier than by the cards alone Hyoju takes it that his partner told the truth."""


def playout_priors(state: State, seat: int) -> Iterable[tuple[Command, float]]:
    """Weigh a command by what the seat may see: neither Gosne's card nor any chestnut of others, nor who holds CEO."""
    hand = state.hands[seat]
    if state.trick:
        assert state.declared is not None  # a trick begins with a declaration
        guns = tuple([play.card if play.gun else None for play in state.trick])
        return _follows(hand, state.declared, guns, _friends(state, seat), _truth(state, seat, state.declared))
    if is_exchange(state):
        return ((command, 1.0) for command in legal(state, seat))
    return _leads(hand)


@lru_cache(MEMORY)
def _leads(hand: Cards) -> Weighed:
    return tuple([(declare, lead(declare)) for card in dict.fromkeys(hand) for declare in DECLARES[card]])


def _friends(state: State, seat: int) -> Friends:
    """Return who is on the seat's side, as far as it may know: until CEO is seen, all against who showed Gosne."""
    if not state.options.whistleblower or is_ceo_known(state, seat):
        own = next(side for side in sides(state) if seat in side)
    else:
        own = tuple(Seat(each) for each in range(SEATS) if (each == state.gosne_card) == (seat == state.gosne_card))
    return tuple([(state.gosne + place) % SEATS in own for place in range(SEATS)])


def _truth(state: State, seat: int, declared: int) -> int:
    """Return how likely Gosne told the truth, in `GRAINS`, by the cards that the seat has not seen."""
    count = _counts(state.options.whistleblower)
    seen = [state.hands[seat], *state.taken, [play.card for play in state.trick if play.gun]]
    true = lies = 0.0
    for card in _declarable(state.options.whistleblower, declared):
        left = count[card]
        for cards in seen:
            left -= cards.count(card)
        if card == declared:
            true += left * (BELIEF if len(state.trick) == HYOJU else 1.0)
        else:
            lies += left
    return int(GRAINS * true / (true + lies) + 0.5) if true + lies else GRAINS // 2


@cache
def _counts(whistleblower: bool) -> Counter[Card]:
    return Counter(DECKS[whistleblower])


@cache
def _declarable(whistleblower: bool, number: int) -> Cards:
    return tuple(card for card in _counts(whistleblower) if may_declare(card, number))


@lru_cache(MEMORY)
def _follows(hand: Cards, declared: int, guns: Guns, friends: Friends, truth: int) -> Weighed:
    """Weigh each card of a hand, laid as either, by how likely its side wins if Gosne told the truth, and if not."""
    last, told = len(guns) == SEATS - 1, truth / GRAINS

    def weight(play: Play) -> float:
        if_true = worth(*_if_true(declared, guns, friends, play), last=last)
        if_lie = worth(*_if_lie(guns, friends, play), last=last)
        return thrift(play) * (told * if_true + (1 - told) * if_lie)

    return tuple([(play, weight(play)) for card in dict.fromkeys(hand) for play in PLAYS[card]])


def _if_true(declared: int, guns: Guns, friends: Friends, play: Play) -> tuple[float, int]:
    """Return how likely the side is ahead after the card if Gosne told the truth, and how high the card ahead is."""
    laid = (*guns, play.card if play.gun else None)
    if len(laid) > HYOJU and laid[HYOJU] is not None:
        return (friends[1] + friends[3]) / 2, X_STRENGTH
    hidden = [friends[place] for place in range(1, len(guns)) if guns[place] is None]
    own = 0 if play.gun else height(play)
    return _holds(hidden, max(own, declared), ours=own >= declared or friends[0])


def _if_lie(guns: Guns, friends: Friends, play: Play) -> tuple[float, int]:
    """Return the same if he lied: the highest gun is ahead, and only without guns the highest card."""
    laid = (*guns, play.card if play.gun else None)
    shot = [(card, place) for place, card in enumerate(map(_gun, laid)) if card is not None]
    if shot:
        highest, place = max(shot)
        return float(friends[place]), highest
    return _holds(friends[: len(guns)], height(play), ours=True)


def _gun(card: Card | None) -> int | None:
    return None if card is None else strength(PLAYS[card][True])


def _holds(hidden: Sequence[bool], highest: int, *, ours: bool) -> tuple[float, int]:
    """Return how likely the side is ahead where others' cards lie face down beside the highest that is known."""
    holds = 1.0
    for _ in hidden:
        holds *= highest / (X_STRENGTH + 1)
    of_friends = sum(hidden) / len(hidden) if hidden else 0.0
    return holds * ours + (1 - holds) * of_friends, highest


def likelihood(view: View, seen: Sequence[ObservedEvent[Command]]) -> Callable[[State], float]:
    """Return how likely the others would have led in this hand as they did, if they lead as these hints say."""
    leads: list[tuple[int, int]] = []
    takers: list[int] = []
    for observed in seen:
        match observed.command:
            case RedactedCommand("deal"):
                leads, takers = [], []
            case Declare(number=number) | RedactedCommand("declare", (("number", number),)):
                leads.append((observed.seat, number))
        takers += [dict(note.values)["seat"] for note in observed.notes if note.key in ("takes", "takes-last")]
    return partial(_likelihood, view.viewer, leads, takers)


def _likelihood(viewer: int | None, leads: list[tuple[int, int]], takers: list[int], state: State) -> float:
    """Return the product of the chances of what each of the others led of the hand that he had then."""
    hands, left = list(state.hands), [len(pile) for pile in state.taken]
    for place, play in enumerate(state.trick):
        hands[(state.gosne + place) % SEATS] += (play.card,)
    likely = 1.0
    for number, (gosne, declared) in reversed([*enumerate(leads)]):
        if number == len(takers):
            led = state.trick[0].card
        else:
            taker = takers[number]
            left[taker] -= SEATS
            cards = state.taken[taker][left[taker] : left[taker] + SEATS]
            hands = [(*hand, card) for hand, card in zip(hands, cards, strict=True)]
            led = cards[gosne]
        if gosne != viewer:
            likely *= _lead_chance(led, declared, tuple(sorted(hands[gosne])))
    return likely


@lru_cache(MEMORY)
def _lead_chance(card: Card, number: int, hand: Cards) -> float:
    """Return how likely a seat leads this card as this number, of all that it may lead of its hand."""
    weights = {declare: weight * weight * weight for declare, weight in _leads(hand)}  # as in a playout
    likely = weights[Declare(card, number)] / ordered_sum(weights.values())
    return (1 - OTHERWISE) * likely + OTHERWISE / len(weights)


def lead(declare: Declare) -> float:
    """Weigh Gosne's card by who is likely to win the trick, and by what it gives away.

    A truth is won by the highest chestnut, if Hyoju believes it; a lie by the highest gun, and guns are the rivals'
    as likely as Hyoju's. An X wins nothing where it is laid, and the trick in which it is a chestnut later.
    """
    card = declare.card
    if is_x(card):
        return X_LEAD
    if card == declare.number:
        return TRUTH * card / HIGHEST
    return LIE * (1 - card / (2 * HIGHEST))  # what wins later is not led away


def worth(chance: float, height: int, *, last: bool) -> float:
    """Weigh a trick that the side leads with this chance, by a card so high; after the last card it is won."""
    ahead = WON if last else LEADS + LEAD_HOLDS * (height / X_STRENGTH)
    return chance * ahead + (1 - chance) * BEHIND


def height(play: Play) -> int:
    """Return how high a card is, X being next to 12 where it is a chestnut."""
    return min(strength(play), X_STRENGTH)


def thrift(play: Play) -> float:
    """Return the factor by which a dear card is worth less to play: the dearest is an X, which may be a chestnut."""
    return 1 - strength(evolve(play, gun=False)) / 200
