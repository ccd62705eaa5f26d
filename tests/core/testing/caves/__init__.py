"""Caves: all who are inside say at the same time whether they go on or home; the table turns treasures and dangers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Literal

from attrs import frozen
from kifu.core.game import (
    DEALER,
    NOBODY,
    TABLE,
    Card,
    Face,
    Fact,
    Game,
    Note,
    Part,
    Place,
    RedactedCommand,
    Result,
    RuleBook,
    RuleViolation,
    Scene,
    Seat,
    SectionKind,
    Shuffler,
    Step,
    TableRule,
    Zone,
    card_bundle,
    card_things,
    check_cards,
    check_turn,
    copy_fields,
    evolve,
    remove_card,
    replace_at,
    show_own,
    winners_by,
)

DECK = tuple(map(Card, (1, 2, 3, 4, 5, 7, 9, 100, 100, 101, 101, 102, 102)))
DANGER = 100


class Rule(RuleBook):
    CA_1 = "The table turns a card: a treasure is shared by all who are inside, what is left over lies there."
    CA_2 = "A second danger of its kind drives all out without what they carry; the round is over."
    CA_3 = "All who are inside say secretly whether they go home: they share what lies there, and bank what they carry."
    CA_4 = "When nobody is inside, the cards are shuffled for the next round; after the last one most gems win."


@frozen
class Options:
    rounds: Literal[1, 2, 3] = 2


@frozen(slots=False)
class Turn:
    card: Card


@frozen(slots=False)
class Say:
    home: bool


Command = Turn | Say


@frozen(slots=False)
class State:
    deck: tuple[Card, ...]
    path: tuple[Card, ...]
    lying: int
    carried: tuple[int, ...]
    banked: tuple[int, ...]
    inside: tuple[bool, ...]
    said: tuple[bool | None, ...]
    asks: bool
    rounds: int


@frozen(slots=False)
class View:
    viewer: Seat | None
    deck: tuple[Card, ...]
    path: tuple[Card, ...]
    lying: int
    carried: tuple[int, ...]
    banked: tuple[int, ...]
    inside: tuple[bool, ...]
    said: tuple[bool | str | None, ...]
    has_said: tuple[bool, ...]
    asks: bool
    rounds: int


def start(options: Options, seats: int) -> State:
    none = (0,) * seats
    return State(DECK, (), 0, none, none, (True,) * seats, (None,) * seats, False, options.rounds)


def to_act(s: State) -> frozenset[Seat]:
    if not s.rounds:
        return NOBODY
    if not s.asks:
        return DEALER
    return frozenset(Seat(seat) for seat, said in enumerate(s.said) if said is None and s.inside[seat])


def apply(s: State, seat: Seat, c: Command) -> State:
    if isinstance(c, Turn):
        check_cards(seat, [c.card], DECK)
        check_turn(to_act(s), seat, deals=True)
        if c.card not in s.deck:
            raise RuleViolation(TableRule.DEAL, seat, expected="a card of the deck")
        return _turned(evolve(s, deck=remove_card(s.deck, c.card), path=(*s.path, c.card)), c.card)
    check_turn(to_act(s), seat)
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


def legal(s: State, seat: Seat) -> Iterator[Say]:
    if seat != TABLE and seat in to_act(s):
        yield Say(False)
        yield Say(True)


def deal(s: State, shuffler: Shuffler) -> Turn:
    return Turn(s.deck[shuffler.below(len(s.deck))])


def scores(s: State | View) -> tuple[int, ...]:
    return s.banked


def result(s: State) -> Result | None:
    return None if s.rounds else Result(s.banked, winners_by(s.banked))


def view(s: State, viewer: Seat | None) -> View:
    has_said = tuple(each is not None for each in s.said)
    return copy_fields(View, s, viewer=viewer, said=show_own(s.said, viewer), has_said=has_said)


def redact(c: Command, seat: Seat, viewer: Seat | None) -> Command | RedactedCommand:
    return c if isinstance(c, Turn) or viewer in (seat, TABLE) else RedactedCommand("say")


def determinize(v: View, shuffler: Shuffler) -> State:
    said = tuple(
        shuffler.below(2) == 1 if known is None and has else known
        for known, has in zip(v.said, v.has_said, strict=True)
    )
    return copy_fields(State, v, said=said)


def explain(step: Step[State, Command], viewer: Seat | None) -> Iterator[Note]:
    c, before, after = step.command, step.before, step.after
    if isinstance(c, Turn):
        begins = None if before.path else SectionKind.ROUND
        yield Note.of("turned", Rule.CA_1, begins=begins, card=c.card)
        if c.card >= DANGER and c.card in before.path:
            yield Note.of("driven", Rule.CA_2, seats=tuple(seat for seat, inside in enumerate(before.inside) if inside))
    else:
        yield Note.of("said", Rule.CA_3, seat=step.seat)
        if not after.asks:
            said = replace_at(before.said, step.seat, c.home)
            yield Note.of("home", Rule.CA_3, seats=tuple(seat for seat, home in enumerate(said) if home))
    ended = result(after)
    if after.rounds < before.rounds and ended is None:
        yield Note.of("again", Rule.CA_4)
    if ended is not None:
        yield Note.of("won", Rule.CA_4, seats=ended.winners, points=ended.points)


def face(card: Card) -> Face:
    return Face("SFR"[card - DANGER], "red") if card >= DANGER else Face(str(card), "yellow")


def scene(v: View) -> Scene:
    middle = Place(
        None,
        (Zone("zone-path", card_things(v.path, face)), Zone("zone-deck", card_bundle(None, face, len(v.deck)))),
        (Fact("fact-lying", v.lying), Fact("fact-rounds", v.rounds)),
    )
    return Scene(v.viewer, middle, tuple(_place(v, seat) for seat in range(len(v.said))))


def _place(v: View, seat: int) -> Place:
    marks = [*(["mark-inside"] if v.inside[seat] else []), *(["mark-said"] if v.has_said[seat] else [])]
    facts = (Fact("fact-banked", v.banked[seat]), Fact("fact-carried", v.carried[seat]))
    said = v.said[seat]
    return Place(Seat(seat), (), facts, (*marks, *([] if said is None else ["mark-home" if said else "mark-on"])))


def parts(c: Command) -> tuple[Part, ...]:
    return () if isinstance(c, Turn) else (("say", "home" if c.home else "on"),)


GAME: Game[State, Command, View] = Game(
    name="caves",
    rules=1,
    seats=range(2, 5),
    options=Options,
    book=Rule,
    wire={Turn: "turn", Say: "say"},
    start=start,
    to_act=to_act,
    apply=apply,
    legal=legal,
    deal=deal,
    result=result,
    cards=lambda s: chain(s.deck, s.path),
    scores=scores,
    view=view,
    redact=redact,
    determinize=determinize,
    explain=explain,
    scene=scene,
    parts=parts,
    face=face,
    texts=__name__,
)
