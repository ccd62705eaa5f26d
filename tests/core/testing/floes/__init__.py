"""Floes: penguins on a board of hexagons take the floes they leave; who cannot move is out, and the others go on."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from attrs import frozen
from kifu.core.game import (
    ALONE,
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
    card_bundle,
    check_deck,
    check_order,
    copy_fields,
    evolve,
    hex_grid,
    lay,
    malformed_command,
    replace_at,
    winners_by,
)

SIDE = 4
BOARD = hex_grid(SIDE, SIDE)
NAMES = tuple(name for row in BOARD.rows for name in row)
DECK = tuple(map(Card, (1,) * 8 + (2,) * 5 + (3,) * 3))
WAYS = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1))


class Rule(RuleBook):
    F_1 = "Sixteen floes of one to three fish are laid at random."
    F_2 = "In turn everybody puts a penguin on a floe of one fish."
    F_3 = "In turn a penguin goes straight over floes, as far as it likes, not over a hole or another penguin."
    F_4 = "Its seat takes the floe that it left."
    F_5 = "Who cannot move is out, and takes the floe it stands on; most fish win."


@frozen
class Options:
    """There is nothing to agree on."""


@frozen(slots=False)
class Deal:
    floes: tuple[Card, ...]


@frozen(slots=False)
class Put:
    space: str


@frozen(slots=False)
class Go:
    space: str


Command = Deal | Put | Go


@frozen(slots=False)
class State:
    floes: tuple[Card | None, ...]
    penguins: tuple[int | None, ...]
    taken: tuple[tuple[Card, ...], ...]
    out: tuple[bool, ...]
    turn: Seat


@frozen(slots=False)
class View:
    viewer: Seat | None
    floes: tuple[Card | None, ...]
    penguins: tuple[int | None, ...]
    taken: tuple[tuple[Card, ...], ...]
    out: tuple[bool, ...]
    turn: Seat


def start(options: Options, seats: int) -> State:
    return State((), (None,) * seats, ((),) * seats, (False,) * seats, Seat(0))


def to_act(s: State) -> frozenset[Seat]:
    return DEALER if not s.floes else NOBODY if all(s.out) else ALONE[s.turn]


def expected(s: State) -> str:
    return "put" if None in s.penguins else "go"


def reached(s: State, seat: Seat) -> list[int]:
    """List the spaces to which a penguin can go."""
    at, found = s.penguins[seat], []
    assert at is not None
    for down, right in WAYS:
        row, column = divmod(at, SIDE)
        while 0 <= (row := row + down) < SIDE and 0 <= (column := column + right) < SIDE:
            to = row * SIDE + column
            if s.floes[to] is None or to in s.penguins:
                break
            found.append(to)
    return sorted(found)


def places(s: State) -> list[int]:
    return [at for at, fish in enumerate(s.floes) if fish == 1 and at not in s.penguins]


def apply(s: State, seat: Seat, c: Command) -> State:
    if isinstance(c, Deal):
        check_deck(to_act(s), seat, c.floes, DECK)
        return evolve(s, floes=c.floes)
    if c.space not in NAMES:
        raise malformed_command(seat, "there is no such space")
    to = NAMES.index(c.space)
    if isinstance(c, Put):
        check_order(to_act(s), seat, "put", expected(s))
        if to not in places(s):
            raise RuleViolation(Rule.F_2, seat, space=c.space)
        return onward(evolve(s, penguins=replace_at(s.penguins, seat, to)), seat)
    check_order(to_act(s), seat, "go", expected(s))
    if to not in reached(s, seat):
        raise RuleViolation(Rule.F_3, seat, space=c.space)
    return onward(evolve(leave(s, seat), penguins=replace_at(s.penguins, seat, to)), seat)


def leave(s: State, seat: Seat) -> State:
    at = s.penguins[seat]
    assert at is not None
    fish = s.floes[at]
    assert fish is not None
    return evolve(s, floes=replace_at(s.floes, at, None), taken=replace_at(s.taken, seat, (*s.taken[seat], fish)))


def onward(s: State, seat: Seat) -> State:
    """Whoever cannot move is out; the next one that can is to act."""
    seats = len(s.out)
    if None in s.penguins:
        return evolve(s, turn=Seat((seat + 1) % seats))
    for each in range(seats):
        who = Seat((seat + 1 + each) % seats)
        if not s.out[who] and not reached(s, who):
            s = evolve(leave(s, who), out=replace_at(s.out, who, True), penguins=replace_at(s.penguins, who, -1))
    left = [Seat((seat + 1 + each) % seats) for each in range(seats) if not s.out[(seat + 1 + each) % seats]]
    return evolve(s, turn=left[0] if left else Seat(0))


def legal(s: State, seat: Seat) -> Iterator[Command]:
    if seat == TABLE or seat not in to_act(s):
        return
    if None in s.penguins:
        yield from (Put(NAMES[at]) for at in places(s))
    else:
        yield from (Go(NAMES[at]) for at in reached(s, seat))


def deal(s: State, shuffler: Shuffler) -> Deal:
    return Deal(shuffler.shuffle(DECK))


def scores(s: State | View) -> tuple[int, ...]:
    return tuple(map(sum, s.taken))


def result(s: State) -> Result | None:
    return Result(scores(s), winners_by(scores(s))) if all(s.out) else None


def cards(s: State) -> Iterator[Card]:
    return chain((fish for fish in s.floes if fish is not None), *s.taken)


def view(s: State, viewer: Seat | None) -> View:
    return copy_fields(View, s, viewer=viewer)


def explain(step: Step[State, Command], viewer: Seat | None) -> Iterator[Note]:
    c, before, after = step.command, step.before, step.after
    if isinstance(c, Deal):
        yield Note.of("laid", Rule.F_1, begins=SectionKind.DEAL, cards=c.floes)
        return
    if isinstance(c, Put):
        yield Note.of("puts", Rule.F_2, seat=step.seat, space=c.space)
    else:
        yield Note.of("goes", Rule.F_3, begins=SectionKind.TURN, seat=step.seat, space=c.space)
        yield Note.of("takes", Rule.F_4, seat=step.seat, card=before.floes[before.penguins[step.seat] or 0])
    for seat, out in enumerate(after.out):
        if out and not before.out[seat]:
            yield Note.of("out", Rule.F_5, seat=seat, card=after.taken[seat][-1])
    ended = result(after)
    if ended is not None:
        yield Note.of("won", Rule.F_5, seats=ended.winners, points=ended.points)


def face(card: Card) -> Face:
    return Face(str(card), "blue", "piece")


def scene(v: View) -> Scene:
    things = {}
    for at, fish in enumerate(v.floes):
        stands = [seat for seat, where in enumerate(v.penguins) if where == at]
        if fish is not None:
            faces = (*(Face("ABCD"[seat], "red", "piece") for seat in stands), face(fish))
            things[NAMES[at]] = Thing(faces, len(faces), part=("space", NAMES[at]))
    board = Zone("zone-board", lay(BOARD, things, Thing(count=0)), BOARD)
    return Scene(v.viewer, Place(None, (board,)), tuple(_place(v, seat) for seat in range(len(v.out))))


def _place(v: View, seat: int) -> Place:
    return Place(
        Seat(seat),
        (Zone("zone-taken", card_bundle(v.taken[seat], face, len(v.taken[seat]))),),
        (Fact("fact-fish", scores(v)[seat]),),
        ("mark-out",) if v.out[seat] else (),
    )


def parts(c: Command) -> tuple[Part, ...]:
    return () if isinstance(c, Deal) else (("space", c.space),)


GAME: Game[State, Command, View] = Game(
    name="floes",
    rules=1,
    seats=range(2, 5),
    options=Options,
    book=Rule,
    wire={Deal: "deal", Put: "put", Go: "go"},
    start=start,
    to_act=to_act,
    apply=apply,
    legal=legal,
    deal=deal,
    result=result,
    cards=cards,
    scores=scores,
    view=view,
    redact=lambda command, seat, viewer: command,
    determinize=lambda v, shuffler: copy_fields(State, v),
    explain=explain,
    scene=scene,
    parts=parts,
    face=face,
    vocabulary=NAMES,
    texts=__name__,
)
