"""The roster: all that is public of a match before its first event, in bytes that can be compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from attrs import astuple, evolve, frozen

from ..errors import Message, TrustError
from .canonical import canonical, from_canonical
from .formulas import KEY_BYTES, SECRET_BYTES, Binding, roster_digest, veil_commitment
from .header_keys import VERSION, Attempt, Keys, check_number, read_fair, read_keys, read_veil
from .shapes import COUNT, TEXT, Shape, anything, fits, maybe

NAMED: Shape = (TEXT, TEXT, TEXT, COUNT, dict, [TEXT])
DEALT: Shape = (maybe([COUNT]), COUNT, [(SECRET_BYTES, [COUNT])], maybe(SECRET_BYTES), maybe([maybe(SECRET_BYTES)]))
KEYS: Shape = (maybe(SECRET_BYTES), maybe(KEY_BYTES), [maybe(KEY_BYTES)])
ROSTERS: dict[Any, Shape] = {
    "kifu roster 1": (*NAMED, *DEALT, *KEYS),
    "kifu roster 2": (*NAMED, *DEALT, *KEYS, anything, anything, anything),
}
"""The parts of a roster, by its name."""
HEADER: Shape = {"match": TEXT, "game": TEXT, "rules": COUNT, "options": dict, "seats": [TEXT]}


@frozen(slots=False)
class Roster:
    """A roster, taken apart: its parts in the order of its bytes, and the version of what is signed under it.

    Version 1 binds no `fork`, `engine` and `layout`, and no message to the roster. `past` has for each failed attempt
    the digest of its roster and the seats that refused; `host` and `seats` are the commitments to secrets, `veil` that
    to the veil.
    """

    match: str
    game: str
    rules: int
    options: Mapping[str, Any]
    names: tuple[str, ...]
    who: tuple[int, ...] | None = None
    attempt: int = 0
    past: tuple[tuple[bytes, tuple[int, ...]], ...] = ()
    host: bytes | None = None
    seats: tuple[bytes | None, ...] | None = None
    veil: bytes | None = None
    host_key: bytes | None = None
    seat_keys: tuple[bytes | None, ...] = ()
    fork: Any = None
    engine: Any = None
    layout: Any = 1
    version: int = VERSION

    @cached_property
    def keys(self) -> Keys:
        """The public keys."""
        return Keys(self.host_key, self.seat_keys, self.version)

    @cached_property
    def digest(self) -> bytes:
        """H0."""
        return roster_digest(self.packed())

    @property
    def of(self) -> Binding:
        """What every message names that is signed under this roster."""
        return self.match if self.version == 1 else self.digest

    def packed(self) -> bytes:
        """Return the roster's bytes; raises `TrustError` where options or names have no canonical form."""
        name = f"kifu roster {self.version}"
        return canonical([name, *astuple(self, recurse=False)[: len(ROSTERS[name]) - 1]])


def read_roster(raw: bytes) -> Roster:
    """Take a roster apart; raises `TrustError` for what is none."""
    value = from_canonical(raw)
    shape = ROSTERS.get(value[0]) if fits(value, list) and value and fits(value[0], TEXT) else None
    if shape is None or not fits(value, shape) or len(value[5]) != len(value[13]):
        raise TrustError("roster", Message("no-roster", "it is not a roster: its parts are not those of one"))
    check_number(value[13])
    name, *parts = map(_frozen, value)
    return evolve(Roster(*parts), version=int(name[-1]))


def _frozen(value: Any) -> Any:
    """Return a value with tuples for its lists."""
    return tuple(map(_frozen, value)) if value.__class__ is list else value


def roster_of(header: Mapping[str, Any], version: int = VERSION) -> Roster:
    """Make the roster of a log's header, as the file has it; raises `TrustError` where none can be made.

    It is of the version that `sign` and `fair` say; without both, of this one.
    """
    if not fits(header, HEADER):
        english = "the header has no 'match', 'game', 'rules', 'options' or 'seats'"
        raise TrustError("roster", Message("roster-header", english))
    keys, veil, fair = read_keys(header), read_veil(header), read_fair(header)
    versions = {each.version for each in (fair, keys if "sign" in header else None) if each is not None} or {version}
    if len(versions) > 1:
        raise TrustError("roster", Message("two-versions", "'sign' and 'fair' are of two versions"))
    roster = Roster(
        *(header["match"], header["game"], header["rules"], header["options"], tuple(header["seats"])),
        veil=None if veil is None else veil_commitment(header["match"], veil),
        host_key=keys.host,
        seat_keys=keys.seats,
        fork=header.get("fork"),
        engine=header.get("engine"),
        layout=header.get("layout", 1),
        version=versions.pop(),
    )
    return roster if fair is None else with_attempts(roster, fair.who, fair.attempts)


def with_attempts(roster: Roster, who: tuple[int, ...], attempts: Sequence[Attempt]) -> Roster:
    """Return the roster of the last of these attempts: each names the rosters of those before it."""
    past: tuple[tuple[bytes, tuple[int, ...]], ...] = ()
    for number, each in enumerate(attempts, 1):
        roster = evolve(roster, who=who, attempt=number, past=past, host=each.host[0], seats=each.commitments)
        past = (*past, (roster.digest, each.refusers))
    return roster
