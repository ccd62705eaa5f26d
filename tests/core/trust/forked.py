"""Forks, with the logs of the matches that they fork: honest ones, and what a host could pass off, by name, by seed."""

from __future__ import annotations

from random import Random
from typing import Any

from attrs import evolve
from kifu.core.game import Meta
from kifu.core.match import Match
from kifu.core.match.header import Fork
from kifu.core.trust.signing import SigningKey

from .playing import Table
from .test_honest import KEYS, cake
from .test_tampering import put_together, taken_apart

Case = tuple[bytes | None, bytes, bytes]
"""A record of the fork, or None, the fork's log, and its parent's."""

SHARED = 9


def parent(*, ended: bool = False) -> Table:
    """A match at which two of three sign."""
    table = cake(Random(13), engine=None)
    table.play(20)
    if ended:
        table.abandon(None)
    return table


def fork_of(old: Table, agreed: list[list[Any]], shared: int = SHARED, version: int = 1) -> Table:
    """Begin a fork as a host does, and play on."""
    random = Random(f"{shared} {agreed}")
    keys = {"v": version, "host": KEYS[6].public, "seats": [each and each.public for each in old.keys]}
    more = (("veil", random.randbytes(32)), ("sign", {**keys, **({"agreed": agreed} if agreed else {})}))
    fork = Fork(old.match.header.match, shared - 1)
    match = Match(old.match.game, evolve(old.match.header, match="fork", seed=None, fork=fork, more=more))
    for event in old.match.events[:shared]:
        match.apply(event.seat, event.command, Meta())
    match.deal(Meta(), random.randbytes)
    table = Table(match, old.keys, old.host_key, random)
    table.look()
    table.play(shared + 8)
    table.abandon(0)
    return table


def consents(old: Table, shared: int = SHARED) -> list[list[Any]]:
    return old.consent("fork", shared, range(3))


def honest() -> dict[str, Case]:
    """Return forks that nobody can object to, with records of them and without."""
    live, ended = parent(), parent(ended=True)
    agreed, alone = fork_of(live, consents(live)), fork_of(ended, [])
    whole = fork_of(live, consents(live, 0), 0)
    later = parent()
    later.play(24)
    return {
        "agreed to": (None, agreed.log, live.log),
        "agreed to, of a match that went on": (agreed.record(0), agreed.log, later.log),
        "a spectator's": (agreed.record(None), agreed.log, live.log),
        "of a match that is over": (alone.record(1), alone.log, ended.log),
        "of the match that is over, alone": (None, alone.log, ended.log),
        "of no event": (whole.record(2), whole.log, live.log),
    }


def wrong() -> dict[str, Case]:
    """Return forks, and parents, that have a finding each."""
    live = parent()
    record, fork = fork_of(live, consents(live)).record(0), fork_of(live, consents(live))
    stranger = cake(Random(14), engine=None)
    stranger.play(20)
    found: dict[str, Case] = {
        "of another match": (record, fork.log, stranger.log),
        "of itself": (None, fork.log, fork.log),
        "of nothing": (None, fork.log, b""),
        "no fork": (live.record(0), live.log, live.log),
        "that nobody has signed": (None, fork_of(live, []).log, live.log),
        "that one has not signed": (None, fork_of(live, consents(live)[:1]).log, live.log),
        "signed for another event": (None, fork_of(live, consents(live, SHARED - 1)).log, live.log),
        "signed at two moments": (None, fork_of(live, _at_two_moments()).log, live.log),
        "signed by who has no key": (None, fork_of(live, [*consents(live), [2, bytes(64)]]).log, live.log),
        "signed by seat 9": (None, fork_of(live, [*consents(live), [9, bytes(64)]]).log, live.log),
    }
    for name, alter in ALTERED.items():
        header, events, end = taken_apart(fork.log)
        header = {**header, "sign": dict(header["sign"]), "fork": dict(header["fork"])}
        alter(header, events)
        found[name] = (None, put_together((header, events, end)), live.log)
    for name, alter in ALTERED_PARENTS.items():
        header, events, end = taken_apart(live.log)
        header = {**header, "sign": dict(header["sign"])}
        alter(header, events)
        found[name] = (record, fork.log, put_together((header, events, end)))
    return found


def _at_two_moments() -> list[list[Any]]:
    early, late = cake(Random(13), engine=None), parent()
    early.play(SHARED + 2)
    return [consents(early)[0], consents(late)[1]]


def _keys(header: dict[str, Any], *keys: bytes | None) -> None:
    header["sign"]["seats"] = [*keys, *header["sign"]["seats"][len(keys) :]]


ALTERED = {
    "another actor": lambda header, events: events[3].__setitem__(1, (events[3][1] + 1) % 3),
    "another command": lambda header, events: events[4].__setitem__(3, "x"),
    "other fields": lambda header, events: events[5].__setitem__(4, {"card": "A♠"}),
    "true for 1": lambda header, events: events[3].__setitem__(1, bool(events[3][1])) if events[3][1] else None,
    "a stand-in": lambda header, events: events[4].__setitem__(2, {**(events[4][2] or {}), "by": "bot"}),
    "by whom it was no map": lambda header, events: events[6].__setitem__(2, {"by": {}}),
    "more than it has": lambda header, events: header["fork"].update(seq=len(events)),
    "far more than it has": lambda header, events: header["fork"].update(seq=2**64 - 1),
    "all that it has": lambda header, events: header["fork"].update(seq=len(events) - 1),
    "one event fewer": lambda header, events: header["fork"].update(seq=SHARED - 2),
    "other keys": lambda header, events: _keys(header, SigningKey(bytes(32)).public),
    "without a key": lambda header, events: _keys(header, None),
    "a consent that is none": lambda header, events: header["sign"].update(agreed=[[0, b""]]),
    "consents twice": lambda header, events: header["sign"].update(agreed=header["sign"]["agreed"][:1] * 2),
    "consents that are no list": lambda header, events: header["sign"].update(agreed=None),
    "other names": lambda header, events: header["seats"].reverse(),
    "other options": lambda header, events: header.update(options={**header["options"], "first": 1}),
    "another host": lambda header, events: header["sign"].update(host=KEYS[5].public),
    "sign of nothing": lambda header, events: header.update(sign=None),
    "a fork of nothing": lambda header, events: header.update(fork=None),
}
"""What a host changes in the fork's header and events."""

ALTERED_PARENTS = {
    "a parent without a signature": lambda header, events: events[-1].__setitem__(2, {}),
    "a parent with another event": lambda header, events: events[3].__setitem__(3, "x"),
    "a parent with no seat": lambda header, events: events.append([20, [], {"by": "new key"}, "x", {}, None]),
    "a parent with a short veil": lambda header, events: header.update(veil=bytes(31)),
    "a parent without a veil": lambda header, events: header.pop("veil"),
    "a parent without keys": lambda header, events: header.pop("sign"),
    "a parent with other keys": lambda header, events: _keys(header, SigningKey(bytes(32)).public),
    "a parent whose sign is malformed": lambda header, events: header["sign"].update(v=9),
    "a parent that is too short": lambda header, events: events.__delitem__(slice(SHARED - 2, None)),
    "a parent whose deal is unfair": lambda header, events: header.update(seed=bytes(32)),
    "a parent under rules that nobody knows": lambda header, events: header.update(rules=99),
}
