"""Mole: three seats, one of them a mole by a role that is dealt face down; three missions, helped or spoiled in secret.

The mole knows every role by its own; nobody else does. The loyal win or lose together.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

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
    Thing,
    Zone,
    check_deck,
    check_turn,
    evolve,
    replace_at,
)

MOLE, LOYAL = Card(1), Card(2)
DECK = (MOLE, LOYAL, LOYAL)


class Rule(RuleBook):
    M_1 = "M-1", "Each seat is dealt a role: one is the mole."
    M_2 = "M-2", "Who is loyal helps each mission; the mole may spoil it."
    M_3 = "M-3", "All choose at once; then it is told whether it was spoiled."
    M_4 = "M-4", "The mole wins if two of three are spoiled; else the loyal win."


@frozen
class Options:
    """There is nothing to agree on."""


@frozen(slots=False)
class Deal:
    roles: tuple[Card, ...]


@frozen(slots=False)
class Go:
    helps: bool


@frozen(slots=False)
class State:
    roles: tuple[Card, ...]
    chosen: tuple[bool | None, ...]
    spoiled: tuple[bool, ...]


def start(options: Options, seats: int) -> State:
    return State((), (None,) * 3, ())


def to_act(s: State) -> frozenset[Seat]:
    if not s.roles:
        return DEALER
    if len(s.spoiled) == 3:
        return NOBODY
    return frozenset(Seat(i) for i in range(3) if s.chosen[i] is None)


def deal(s: State, shuffler: Shuffler) -> Deal:
    return Deal(shuffler.shuffle(DECK))


def apply(s: State, seat: Seat, c: Deal | Go) -> State:
    if isinstance(c, Deal):
        check_deck(to_act(s), seat, c.roles, DECK)
        return evolve(s, roles=c.roles)
    check_turn(to_act(s), seat)
    if s.roles[seat] == LOYAL and not c.helps:
        raise RuleViolation(Rule.M_2, seat)
    chosen = replace_at(s.chosen, seat, c.helps)
    if None in chosen:
        return evolve(s, chosen=chosen)
    return evolve(s, chosen=(None,) * 3, spoiled=(*s.spoiled, False in chosen))


def legal(s: State, seat: Seat) -> Iterator[Go]:
    if seat == TABLE or seat not in to_act(s):
        return
    yield Go(True)
    if s.roles[seat] == MOLE:
        yield Go(False)


def result(s: State) -> Result | None:
    if to_act(s):
        return None
    fails = sum(s.spoiled)
    points = tuple(fails if r == MOLE else 3 - fails for r in s.roles)
    wins = MOLE if fails >= 2 else LOYAL
    return Result(points, tuple(Seat(i) for i in range(3) if s.roles[i] == wins))


def cards(s: State) -> Iterator[Card]:
    return iter(s.roles)


@frozen
class View:
    viewer: Seat | None
    roles: tuple[Card | None, ...]
    chosen: tuple[bool | None, ...]
    has_chosen: tuple[bool, ...]
    spoiled: tuple[bool, ...]


def view(s: State, viewer: Seat | None) -> View:
    over = len(s.spoiled) == 3

    def own(row: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(x if viewer in (i, TABLE) else None for i, x in enumerate(row))

    return View(
        viewer, s.roles if over else own(s.roles), own(s.chosen), tuple(x is not None for x in s.chosen), s.spoiled
    )


def redact(c: Deal | Go, seat: Seat, viewer: Seat | None) -> Deal | Go | RedactedCommand:
    return c if viewer in (seat, TABLE) else RedactedCommand("deal" if isinstance(c, Deal) else "go")


def determinize(v: View, shuffler: Shuffler) -> State:
    if not v.roles:
        return State((), v.chosen, v.spoiled)
    left = list(DECK)
    for r in v.roles:
        if r is not None:
            left.remove(r)
    left = list(shuffler.shuffle(left))
    roles = tuple(r if r is not None else left.pop() for r in v.roles)
    chosen = tuple(
        None if not has else (c if c is not None else (True if roles[i] == LOYAL else bool(shuffler.below(2))))
        for i, (c, has) in enumerate(zip(v.chosen, v.has_chosen, strict=True))
    )
    return State(roles, chosen, v.spoiled)


def explain(step: Step[State, Any], viewer: Seat | None) -> Iterator[Note]:
    if isinstance(step.command, Deal):
        yield Note.of("dealt", Rule.M_1, begins=SectionKind.DEAL)
        if viewer is not None and viewer != TABLE:
            yield Note.of("role", Rule.M_1, role=step.after.roles[viewer])
        return
    yield Note.of("chosen", Rule.M_2, begins=SectionKind.TURN, seat=step.seat)
    if len(step.after.spoiled) > len(step.before.spoiled):
        yield Note.of("mission", Rule.M_3, spoiled=step.after.spoiled[-1])
    r = result(step.after)
    if r is not None:
        yield Note.of("won", Rule.M_4, seats=r.winners, points=r.points, roles=step.after.roles)


def face(card: Card) -> Face:
    return Face(str(card))


def scene(v: View) -> Scene:
    fails, over = sum(v.spoiled), len(v.spoiled) == 3

    def place(i: int) -> Place:
        role = v.roles[i] if v.roles else None
        things = () if not v.roles else (Thing() if role is None else Thing((face(role),)),)
        pts = (fails if role == MOLE else 3 - fails) if over else 0
        return Place(Seat(i), (Zone("zone-role", things),), (Fact("fact-points", pts),))

    return Scene(v.viewer, Place(None, (), (Fact("fact-spoiled", fails),)), tuple(place(i) for i in range(3)))


def parts(c: Deal | Go) -> tuple[Part, ...]:
    return () if isinstance(c, Deal) else (("helps", str(c.helps)),)


GAME = Game(
    name="mole",
    rules=1,
    seats=range(3, 4),
    options=Options,
    book=Rule,
    wire={Deal: "deal", Go: "go"},
    start=start,
    to_act=to_act,
    apply=apply,
    legal=legal,
    view=view,
    redact=redact,
    determinize=determinize,
    deal=deal,
    cards=cards,
    result=result,
    explain=explain,
    scene=scene,
    parts=parts,
    face=face,
    texts=__name__,
)
