"""Hosts of whom only the rules say that they cheat: they deal other cards, or tell and show what is not so.

All else that outsiders who knew only the contract have thought of stands in the vectors of version 2.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

from attrs import evolve, frozen
from kifu.core.match import Match
from kifu.core.trust import records
from kifu.core.trust.canonical import canonical
from kifu.core.trust.seat_record import Entry

from .playing import KEYS, Table, cake, held, taken_apart

Case = tuple[bytes | None, ...]
"""A record, or None, and a log or another seat's record."""


@cache
def table() -> Table:
    """A table of three, two of whom sign, recorded by this program; a takeback was agreed to, and the end."""
    at = cake(3, engine=None)
    at.play(10)
    at.take_back(6, 0, [0, 1])
    at.look()
    at.play(24)
    at.abandon(1)
    return at


def deals_other_cards() -> Case:
    """Deal fairly, up to the seed, and then other cards than it gives; what is told and recorded fits."""
    keys = [KEYS[0], KEYS[1], None]
    honest = held("cake", (0, 0, 0), Random(3), keys=keys, host_key=KEYS[6], engine=None)
    match: Match[Any, Any, Any] = Match(honest.game, evolve(honest.header, seed=bytes(32)))
    match.deal()
    match.header = honest.header
    at = Table(match, keys, KEYS[6], Random(3))
    at.play(12)
    return at.record(0), at.log


@frozen
class Lie:
    """What seat 0 is told that is not so: the kind of finding, which entry it is, and how that is changed."""

    kind: str
    holds: Callable[[Entry], Any]
    change: Callable[[list[Any]], object]


def of_another(*, redacted: bool) -> Callable[[Entry], bool]:
    """Return what finds the event of another seat that was told whole, or redacted."""
    return lambda entry: entry.kind == records.EVENT and entry.value()[1] in (1, 2) and entry.value()[4] is redacted


def as_in_the_log(told: list[Any]) -> None:
    told[3:5] = [taken_apart(table().log)[1][told[0]][4], False]


def number_in(view: dict[str, Any]) -> str:
    return next(key for key, value in view.items() if type(value) is int)


OPEN, HIDDEN = of_another(redacted=False), of_another(redacted=True)
LOOK, END = (lambda entry, kind=kind: entry.kind == kind for kind in (records.LOOK, records.END))
LIES: dict[str, Lie] = {
    "another actor": Lie("told", OPEN, lambda told: told.__setitem__(1, 3 - told[1])),
    "another command": Lie("told", OPEN, lambda told: told.__setitem__(2, "dance")),
    "other fields": Lie("told", OPEN, lambda told: told.__setitem__(3, {"pile": 99})),
    "hides what is open": Lie("told", OPEN, lambda told: told.__setitem__(slice(3, 5), [{}, True])),
    "calls hidden what it shows": Lie("told", OPEN, lambda told: told.__setitem__(4, True)),
    "lies in a hidden command": Lie("told", HIDDEN, lambda told: told[3].update(lie=1)),
    "shows what is hidden": Lie("told", HIDDEN, as_in_the_log),
    "another time": Lie("told", OPEN, lambda told: told.__setitem__(5, 1)),
    "another who acts": Lie("told", OPEN, lambda told: told.__setitem__(6, "stand-in")),
    "no notes": Lie("told", OPEN, lambda told: told.__setitem__(7, [])),
    "another note": Lie("told", OPEN, lambda told: told[7][0].__setitem__(0, "another-note")),
    "another event": Lie("told", OPEN, lambda told: told.__setitem__(0, 3)),
    "lies in a view": Lie("view", LOOK, lambda told: told[1].update({number_in(told[1]): 99})),
    "shows more than a view has": Lie("view", LOOK, lambda told: told[1].update(deck=[])),
    "leaves a part of a view out": Lie("view", LOOK, lambda told: told[1].pop(number_in(told[1]))),
    "another moment": Lie("told", LOOK, lambda told: told.__setitem__(0, 3)),
    "another end": Lie("told", END, lambda told: told.__setitem__(1, "over")),
    "points": Lie("told", END, lambda told: told.__setitem__(2, [1, 2, 3])),
    "fewer events": Lie("told", END, lambda told: told.__setitem__(0, 3)),
}
"""What a host can tell a seat, and sign, beside a log that says otherwise."""


def told_a_lie(lie: Lie) -> tuple[int, Case]:
    """Return the number of the entry that is a lie, and the record with it, beside the log."""
    record = records.read_bytes(table().record(0))
    true = next(entry for entry in record.entries if lie.holds(entry))
    told = true.value()
    lie.change(told)
    false = table().evidence._told(0, true.kind, true.number, canonical(told), true.mark)
    entries = tuple(false if each is true else each for each in record.entries)
    return true.number, (evolve(record, entries=entries).packed(), table().log)


def lies() -> dict[str, Case]:
    """Return the record and the log of each lie."""
    return {name: told_a_lie(lie)[1] for name, lie in LIES.items()}
