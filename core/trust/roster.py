"""The roster: all that is public of a match before its first event, in bytes that can be compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from ..errors import Message, TrustError
from ..log.validation import is_int, is_text
from .canonical import canonical, from_canonical
from .formulas import KEY_BYTES, SECRET_BYTES, roster_digest, veil_commitment
from .header_keys import Attempt, Keys, has_bytes, read_fair, read_keys, read_veil, seats_of

NAME = "kifu roster 1"
FIELDS = 14


@frozen
class Deal:
    """What a roster says of a fair deal: who holds each seat, the attempt, those that failed, and all commitments.

    `past` has for each failed attempt the digest of its roster and the seats that refused.
    """

    who: tuple[int, ...] | None
    attempt: int
    past: tuple[tuple[bytes, tuple[int, ...]], ...]
    host: bytes | None
    seats: tuple[bytes | None, ...] | None


NO_DEAL = Deal(None, 0, (), None, None)


@frozen
class Roster:
    """A roster, taken apart; `veil` is the veil's commitment."""

    match: str
    game: str
    rules: int
    options: Mapping[str, Any]
    names: tuple[str, ...]
    deal: Deal
    veil: bytes | None
    keys: Keys

    def packed(self) -> bytes:
        """Return the roster's bytes; raises `TrustError` where options or names have no canonical form."""
        deal = self.deal
        return canonical(
            [
                NAME,
                *(self.match, self.game, self.rules, self.options, self.names),
                *(deal.who, deal.attempt, deal.past, deal.host, deal.seats),
                *(self.veil, self.keys.host, self.keys.seats),
            ]
        )


def read_roster(raw: bytes) -> Roster:
    """Take a roster apart; raises `TrustError` for what is none."""
    value = from_canonical(raw)
    if value.__class__ is not list or len(value) != FIELDS or value[0] != NAME:
        raise TrustError("roster", Message("no-roster", "it is no roster: a list of 14 that begins with its name"))
    _, match, game, rules, options, names, who, attempt, past, host, seats, veil, host_key, seat_keys = value
    shaped = (
        is_text(match)
        and is_text(game)
        and is_int(rules)
        and options.__class__ is dict
        and _all_of(names, is_text)
        and (who is None or _all_of(who, is_int))
        and is_int(attempt)
        and _all_of(past, _is_past)
        and all(each is None or has_bytes(each, SECRET_BYTES) for each in (host, veil))
        and (seats is None or _all_of(seats, lambda each: each is None or has_bytes(each, SECRET_BYTES)))
        and _all_of([host_key], _is_key)
        and _all_of(seat_keys, _is_key)
        and len(seat_keys) == len(names)
    )
    if not shaped:
        raise TrustError("roster", Message("roster-shape", "it is no roster: a part of it has the wrong kind"))
    deal = Deal(
        None if who is None else tuple(who),
        attempt,
        tuple((digest, tuple(refused)) for digest, refused in past),
        host,
        None if seats is None else tuple(seats),
    )
    return Roster(match, game, rules, options, tuple(names), deal, veil, Keys(host_key, tuple(seat_keys)))


def _all_of(values: Any, fits: Any) -> bool:
    return values.__class__ is list and all(map(fits, values))


def _is_past(value: Any) -> bool:
    return (
        value.__class__ is list and len(value) == 2 and has_bytes(value[0], SECRET_BYTES) and _all_of(value[1], is_int)
    )


def _is_key(value: Any) -> bool:
    return value is None or has_bytes(value, KEY_BYTES)


def roster_of(header: Mapping[str, Any]) -> Roster:
    """Make the roster of a log's header, as the file has it; raises `TrustError` where none can be made."""
    for key in ("match", "game"):
        if not is_text(header.get(key)):
            raise TrustError("roster", Message("roster-key", "the header has no {key}", key=repr(key)))
    if not is_int(header.get("rules")) or header.get("options").__class__ is not dict or seats_of(header) is None:
        raise TrustError("roster", Message("roster-header", "the header has no 'rules', 'options' or 'seats'"))
    keys, veil, fair = read_keys(header), read_veil(header), read_fair(header)
    match = header["match"]
    roster = Roster(
        match,
        header["game"],
        header["rules"],
        header["options"],
        tuple(header["seats"]),
        NO_DEAL,
        None if veil is None else veil_commitment(match, veil),
        keys,
    )
    return roster if fair is None else with_attempts(roster, fair.who, fair.attempts)


def with_attempts(roster: Roster, who: Sequence[int], attempts: Sequence[Attempt]) -> Roster:
    """Return the roster of the last of these attempts: each names the rosters of those before it."""
    past: tuple[tuple[bytes, tuple[int, ...]], ...] = ()
    for number, attempt in enumerate(attempts, 1):
        deal = Deal(tuple(who), number, past, attempt.host[0], tuple(attempt.commitments))
        roster = evolve(roster, deal=deal)
        past = (*past, (roster_digest(roster.packed()), attempt.refusers))
    return roster
