"""Caves: all who are inside say at the same time whether they go on or home; the table turns treasures and dangers."""

from __future__ import annotations

from typing import Literal

from kifu.core.game import (
    DEALER,
    NOBODY,
    Card,
    Face,
    Game,
    Result,
    RuleViolation,
    Shuffler,
    TableRule,
    check_cards,
    command,
    evolve,
    options,
    own,
    public,
    remove_card,
    replace_at,
    secret,
    state,
    winners_by,
)

DECK = tuple(map(Card, (1, 2, 3, 4, 5, 7, 9, 100, 100, 101, 101, 102, 102)))
DANGER = 100
RULES = """
CA-1 The table turns a card: a treasure is shared by all who are inside, what is left over lies there.
CA-2 A second danger of its kind drives all out without what they carry; the round is over.
CA-3 All who are inside say secretly whether they go home: they share what lies there, and bank what they carry.
CA-4 When nobody is inside, the cards are shuffled for the next round; after the last one most gems win.
"""


@options
class Options:
    rounds: Literal[1, 2, 3] = 2


@command("turn", rule="CA-1")
class Turn:
    card: Card = public()


@command("say", rule="CA-3")
class Say:
    home: bool = secret()


Command = Turn | Say


@state
class State:
    deck: tuple[Card, ...] = public()
    path: tuple[Card, ...] = public()
    lying: int = public()
    carried: tuple[int, ...] = public()
    banked: tuple[int, ...] = public()
    inside: tuple[bool, ...] = public()
    said: tuple[bool | None, ...] = own()
    asks: bool = public()
    rounds: int = public()


def start(options: Options, seats: int) -> State:
    none = (0,) * seats
    return State(DECK, (), 0, none, none, (True,) * seats, (None,) * seats, False, options.rounds)


def to_act(s: State) -> frozenset[int]:
    if not s.rounds:
        return NOBODY
    if not s.asks:
        return DEALER
    return frozenset(seat for seat, said in enumerate(s.said) if said is None and s.inside[seat])


def apply(s: State, seat: int, c: Command) -> State:
    if isinstance(c, Turn):
        check_cards(seat, [c.card], DECK)
        if c.card not in s.deck:
            raise RuleViolation(TableRule.DEAL, seat, expected="a card of the deck")
        return _turned(evolve(s, deck=remove_card(s.deck, c.card), path=(*s.path, c.card)), c.card)
    said = replace_at(s.said, seat, c.home)
    if any(inside and each is None for inside, each in zip(s.inside, said, strict=True)):
        return evolve(s, said=said)
    return _gone(evolve(s, said=said))


def _turned(s: State, card: Card) -> State:
    if card >= DANGER:
        return _next_round(s) if s.path.count(card) == 2 else evolve(s, asks=True)
    share, left = divmod(card, s.inside.count(True))
    carried = tuple(each + share * inside for each, inside in zip(s.carried, s.inside, strict=True))
    return evolve(s, carried=carried, lying=s.lying + left, asks=True)


def _gone(s: State) -> State:
    """Let all go home who have said so."""
    home = [seat for seat, said in enumerate(s.said) if said]
    share, left = divmod(s.lying, len(home)) if home else (0, s.lying)
    banked = tuple(each + (s.carried[seat] + share if seat in home else 0) for seat, each in enumerate(s.banked))
    carried = tuple(0 if seat in home else each for seat, each in enumerate(s.carried))
    inside = tuple(each and seat not in home for seat, each in enumerate(s.inside))
    s = evolve(s, banked=banked, carried=carried, inside=inside, lying=left, said=(None,) * len(s.said), asks=False)
    return s if any(inside) and s.deck else _next_round(s)


def _next_round(s: State) -> State:
    seats = len(s.said)
    return evolve(start(Options(1), seats), banked=s.banked, rounds=s.rounds - 1)


def legal(s: State, seat: int) -> list[Say]:
    return [Say(False), Say(True)]


def deal(s: State, shuffler: Shuffler) -> Turn:
    return Turn(s.deck[shuffler.below(len(s.deck))])


def scores(s: State) -> tuple[int, ...]:
    return s.banked


def result(s: State) -> Result | None:
    return None if s.rounds else Result(s.banked, winners_by(s.banked))


def face(card: Card) -> Face:
    return Face("SFR"[card - DANGER], "red") if card >= DANGER else Face(str(card), "yellow")


GAME = Game.of(__name__, seats=range(2, 5), state=State, book=RULES)
