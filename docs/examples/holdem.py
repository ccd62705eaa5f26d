"""No-limit Texas hold'em for three to six: one hand, from the blinds to the pots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from kifu.core import game as k

RULES = """
HE-1 The first seat puts in the small blind, the second the big one; everybody gets two cards, face down.
HE-2 The third seat begins, on later streets the first that is in the hand; who has no chips left is passed over.
HE-3 Who acts may call, that is, match the highest bet of the street as far as its chips go, or check if it does.
HE-4 Who would have to pay to call may fold instead, and loses what it has put in.
HE-5 Who has more than a call takes may raise: by the big blind and the last raise at least, or with all its chips.
HE-6 When all have acted and match the highest bet, the street ends: three, one and one cards are turned up.
HE-7 After the fourth street all show their hands, in any order, or lay them away once another is shown.
HE-8 The best five of seven cards win each pot that they have paid into; odd chips go to the first seats.
"""
RANKS, SUITS = "23456789TJQKA", "cdhs"
DECK = tuple(map(k.Card, range(52)))
Ints = tuple[int, ...]


@k.options
class Options:
    """The chips of each seat (none given: 200 each), and the blinds."""

    stacks: tuple[int, ...] = ()
    small: int = 1
    big: int = 2


@k.command("deal", rule="HE-1")
class Deal:
    """The shuffled deck: two cards for each seat in turn, the five to be turned up, the rest."""

    cards: tuple[k.Card, ...] = k.secret()


@k.command("fold", rule="HE-4")
class Fold:
    """Give the hand up; at the end, lay it away unseen."""


@k.command("call", rule="HE-3")
class Call:
    """Match the highest bet, or check."""


@k.command("raise", rule="HE-5")
class Raise:
    """Raise the highest bet of the street."""

    to: int = k.public()


@k.command("show", rule="HE-7")
class Show:
    """Show the hand."""


def in_sight(state: State, viewer: int | None) -> tuple[bool, ...]:
    """Return who sees a hand: its owner, and everybody once it is shown; what is turned up is open."""
    hands = [viewer == seat or shown for seat, shown in enumerate(state.shown) for _ in range(2)]
    board = [place < min(state.turned, 5) for place in range(52 - len(hands))]
    return (*hands, *board)[: len(state.deck)]


@k.state
class State:
    """The whole table."""

    options: Options
    deck: tuple[k.Card, ...] = k.seen_by(in_sight, sizes="", in_order=True, rule="HE-6")
    stacks: Ints = k.public()
    paid: Ints = k.public()
    """What each seat has put in on all streets."""
    bets: Ints = k.public()
    """What of it it has put in on this street."""
    folded: tuple[bool, ...] = k.public()
    acted: tuple[bool, ...] = k.public()
    """Who has acted on this street since the last raise."""
    shown: tuple[bool, ...] = k.public()
    turned: int = k.public()
    step: int = k.public()
    """The least raise."""
    turn: int = k.public()
    """Who acts, on the streets alone; -1 before the deal and after the end."""


def check_options(options: Options, seats: int) -> None:
    if options.stacks and (len(options.stacks) != seats or min(options.stacks) < 1):
        raise k.OptionError("stacks", "the chips of each seat, 1 or more")
    if not 0 < options.small <= options.big:
        raise k.OptionError("small", "1 or more, and no more than the big blind")


def start(options: Options, seats: int) -> State:
    none, zero = (False,) * seats, (0,) * seats
    return State(options, (), options.stacks or (200,) * seats, zero, zero, none, none, none, 0, options.big, -1)


def to_act(state: State) -> frozenset[int]:
    if not state.deck:
        return k.DEALER
    if state.turn < 0 or state.turned < 6:
        return k.NOBODY if state.turn < 0 else k.ALONE[state.turn]
    shown = zip(state.folded, state.shown, strict=True)
    return frozenset(k.Seat(seat) for seat, done in enumerate(shown) if not any(done))


def pay(state: State, seat: int, to: int) -> State:
    """Bring the bet of a seat to this, as far as its chips go."""
    more = min(to - state.bets[seat], state.stacks[seat] - state.paid[seat])
    paid = k.replace_at(state.paid, seat, state.paid[seat] + more)
    return k.evolve(state, paid=paid, bets=k.replace_at(state.bets, seat, state.bets[seat] + more))


def go_on(state: State, seat: int) -> State:
    """Return the state in which the next seat after this one acts, on this street or a later one (HE-2, HE-6)."""
    seats = len(state.stacks)
    within = [each for each in range(seats) if not state.folded[each]]
    if len(within) == 1:
        return k.evolve(state, turn=-1)
    order = [each % seats for each in range(seat + 1, seat + 1 + seats) if each % seats in within]
    with_chips = [each for each in order if state.paid[each] < state.stacks[each]]
    if state.turned < 6:
        asked = [each for each in with_chips if not state.acted[each] or state.bets[each] < max(state.bets)]
        idle = len(with_chips) == 1 and state.bets[with_chips[0]] == max(state.bets)
        if asked and not idle:
            return k.evolve(state, turn=asked[0])
        none, turned = (False,) * seats, {0: 3, 3: 4, 4: 5, 5: 6}[state.turned]
        after = k.evolve(state, bets=(0,) * seats, acted=none, turned=turned, step=state.options.big)
        return go_on(after, seats - 1)
    hidden = [each for each in within if not state.shown[each]]
    return k.evolve(state, turn=hidden[0] if hidden else -1)


def apply(state: State, seat: int, command: Deal | Fold | Call | Raise | Show) -> State:
    if isinstance(command, Deal):
        k.check_deck(k.DEALER, seat, command.cards, DECK)
        blinds = pay(pay(k.evolve(state, deck=command.cards), 0, state.options.small), 1, state.options.big)
        return go_on(blinds, 1)
    high, at_end = max(state.bets), state.turned == 6
    if isinstance(command, Show) is not at_end and not (at_end and isinstance(command, Fold)):
        raise k.Illegal("HE-7")
    if isinstance(command, Show):
        return go_on(k.evolve(state, shown=k.replace_at(state.shown, seat, True)), seat)
    if isinstance(command, Fold):
        if not any(state.shown) if at_end else state.bets[seat] == high:
            raise k.Illegal("HE-7" if at_end else "HE-4")
        return go_on(k.evolve(state, folded=k.replace_at(state.folded, seat, True)), seat)
    acted = k.replace_at(state.acted, seat, True)
    if isinstance(command, Call):
        return go_on(k.evolve(pay(state, seat, high), acted=acted), seat)
    most = state.bets[seat] + state.stacks[seat] - state.paid[seat]
    if not high < command.to <= most or command.to < min(high + state.step, most):
        raise k.Illegal("HE-5", to=command.to, least=min(high + state.step, most), most=most)
    raised = k.evolve(pay(state, seat, command.to), step=max(state.step, command.to - high))
    return go_on(k.evolve(raised, acted=k.replace_at((False,) * len(acted), seat, True)), seat)


def legal(state: State, seat: int) -> Iterator[Fold | Call | Raise | Show]:
    if state.turned == 6:
        yield Show()
        if any(state.shown):
            yield Fold()
        return
    high, most = max(state.bets), state.bets[seat] + state.stacks[seat] - state.paid[seat]
    if state.bets[seat] < high:
        yield Fold()
    yield Call()
    if most > high:
        yield from map(Raise, range(min(high + state.step, most), most + 1))


def deal(state: State, shuffler: k.Shuffler) -> Deal:
    return Deal(shuffler.shuffle(DECK))


def strength(cards: tuple[k.Card, ...]) -> tuple[int, list[int]]:
    """Return the strength of five cards: the greater wins."""
    counts = Counter(card // 4 for card in cards)
    ranks = sorted(counts, key=lambda rank: (-counts[rank], -rank))
    shape = tuple(sorted(counts.values(), reverse=True))
    flush = len({card % 4 for card in cards}) == 1
    if ranks == [12, 3, 2, 1, 0]:
        ranks = [3, 2, 1, 0, -1]  # the ace is below the two
    straight = len(ranks) == 5 and ranks[0] - ranks[4] == 4
    kinds = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}
    return kinds.get(shape, 8 if straight and flush else 5 if flush else 4 if straight else 0), ranks


def best(state: State, seat: int) -> tuple[int, list[int]]:
    seats = len(state.stacks)
    cards = state.deck[2 * seat : 2 * seat + 2] + state.deck[2 * seats : 2 * seats + 5]
    return max(map(strength, combinations(cards, 5)))


def result(state: State) -> k.Result | None:
    if to_act(state):
        return None
    within = [seat for seat, folded in enumerate(state.folded) if not folded]
    hands = {seat: best(state, seat) for seat in within} if len(within) > 1 else {within[0]: (0, [])}
    points, below = [-each for each in state.paid], 0
    for level in sorted({state.paid[seat] for seat in within} | {max(state.paid)}):  # a pot for each
        pot = sum(min(each, level) - min(each, below) for each in state.paid)
        rivals = [seat for seat in within if state.paid[seat] >= level] or within
        winners = [seat for seat in rivals if hands[seat] == max(hands[each] for each in rivals)]
        for place, seat in enumerate(winners):
            points[seat] += pot // len(winners) + (place < pot % len(winners))
        below = level
    return k.Result(tuple(points), k.winners_by(tuple(points)))


def face(card: k.Card) -> k.Face:
    return k.Face(RANKS[card // 4] + "♣♦♥♠"[card % 4], "red" if card % 4 in (1, 2) else "ink")


GAME = k.Game.of(__name__, seats=range(3, 7), state=State, book=RULES)
