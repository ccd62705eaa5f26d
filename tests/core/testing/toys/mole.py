"""Mole: three seats, one of them a mole by a role that is dealt face down; three missions, helped or spoiled in secret.

The mole knows every role by its own; nobody else does. The loyal win or lose together.
"""

from __future__ import annotations

from collections.abc import Iterator

from kifu.core.game import (
    DEALER,
    NOBODY,
    Card,
    Game,
    Illegal,
    NoOptions,
    Result,
    Shuffler,
    check_deck,
    command,
    evolve,
    own,
    public,
    replace_at,
    secret,
    seen_by,
    state,
)

MOLE, LOYAL = Card(1), Card(2)
DECK = (MOLE, LOYAL, LOYAL)
RULES = """
M-1 Each seat is dealt a role: one is the mole.
M-2 Who is loyal helps each mission; the mole may spoil it.
M-3 All choose at once; then it is told whether it was spoiled.
M-4 The mole wins if two of three are spoiled; else the loyal win.
"""


@command("deal", rule="M-1")
class Deal:
    roles: tuple[Card, ...] = secret()


@command("go", rule="M-2")
class Go:
    helps: bool = secret()


def unmasked(s: State, viewer: int | None) -> bool | tuple[bool, ...]:
    """Its seat, and everybody when it is over."""
    return len(s.spoiled) == 3 or tuple(seat == viewer for seat in range(3))


@state
class State:
    roles: tuple[tuple[Card, ...], ...] = seen_by(unmasked)
    chosen: tuple[bool | None, ...] = own()
    spoiled: tuple[bool, ...] = public(rule="M-3")


def start(options: NoOptions, seats: int) -> State:
    return State(((),) * 3, (None,) * 3, ())


def to_act(s: State) -> frozenset[int]:
    if not any(s.roles):
        return DEALER
    if len(s.spoiled) == 3:
        return NOBODY
    return frozenset(i for i in range(3) if s.chosen[i] is None)


def deal(s: State, shuffler: Shuffler) -> Deal:
    return Deal(shuffler.shuffle(DECK))


def apply(s: State, seat: int, c: Deal | Go) -> State:
    if isinstance(c, Deal):
        check_deck(to_act(s), seat, c.roles, DECK)
        return evolve(s, roles=tuple((role,) for role in c.roles))
    if s.roles[seat] == (LOYAL,) and not c.helps:
        raise Illegal("M-2")
    chosen = replace_at(s.chosen, seat, c.helps)
    if None in chosen:
        return evolve(s, chosen=chosen)
    return evolve(s, chosen=(None,) * 3, spoiled=(*s.spoiled, False in chosen))


def legal(s: State, seat: int) -> Iterator[Go]:
    yield Go(True)
    if s.roles[seat] == (MOLE,):
        yield Go(False)


def result(s: State) -> Result | None:
    if to_act(s):
        return None
    fails = sum(s.spoiled)
    is_mole = [role == (MOLE,) for role in s.roles]
    points = tuple(fails if mole else 3 - fails for mole in is_mole)
    return Result(points, tuple(i for i in range(3) if is_mole[i] is (fails >= 2)))


def constraint(view: object, s: State) -> bool:
    """Who is loyal has helped."""
    return all(helps is not False or role == (MOLE,) for role, helps in zip(s.roles, s.chosen, strict=True))


GAME = Game.of(__name__, seats=range(3, 4), state=State, book=RULES)
