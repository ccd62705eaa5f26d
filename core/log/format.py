"""The bytes of a log: header, events, end record and the chain that binds them (`docs/log-format.md`)."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import Any, Final

import msgpack

from ..game import AnyGame, Event, Result
from ..match import AnyMatch
from ..match.fold import call_game
from ..match.header import FORMAT, Header, without_trust
from ..wire import Wire, pack, wire_of

pack_plain: Final[Callable[[Any], bytes]] = msgpack.packb
"""Packs plain data."""

CHAIN_BYTES: Final = 16
DIGEST_BYTES: Final = 8
LINK_HEAD: Final = b"\xc4\x10"
LINK_BYTES: Final = len(LINK_HEAD) + CHAIN_BYTES
CHAIN_HEAD: Final = b"\xa5chain"
EVENT_HEAD: Final = b"\x97"
END_HEADS: Final = (b"\x85", b"\x86")
"""How an end record begins: without the host's signature, and with it."""
SIGNATURE_BYTES: Final = 64

_CHAIN_HASH: Final = blake2b(digest_size=CHAIN_BYTES)
_DIGEST_HASH: Final = blake2b(digest_size=DIGEST_BYTES)
"""Hashes of nothing yet: a copy of one costs less than a new one."""


def first_chain(header: bytes) -> bytes:
    """Return the 16-byte chain before the first event: the hash of the header's bytes."""
    return blake2b(header, digest_size=CHAIN_BYTES).digest()


def next_chain(chain: bytes, body: bytes) -> bytes:
    """Return the 16-byte chain of an object, from the chain before it and the object's bytes without its last 18."""
    hashed = _CHAIN_HASH.copy()
    hashed.update(chain + body)
    return hashed.digest()


def digest(state: Any) -> bytes:
    """Return the 8-byte digest of a state."""
    hashed = _DIGEST_HASH.copy()
    hashed.update(pack(state))
    return hashed.digest()


def header_bytes(header: Header, game: AnyGame) -> bytes:
    """Pack the header as msgpack.

    Omits `layout` if 1 and `fork` if None. Writes the game's current rules version and layout, not
    those the match was recorded under; where they differ, omits `fair`, `veil` and `sign`, which no longer hold.
    """
    if changes_version(header, game):
        header = without_trust(header)
    values: dict[str, Any] = {
        "kifu": FORMAT,
        "game": header.game,
        "rules": game.version,
        "seats": header.seats,
        "options": wire_of(game).plain_options(header.options),
        "seed": header.seed,
        "match": header.match,
        "started": header.started,
        "engine": header.engine,
    }
    if game.past.layout != 1:
        values["layout"] = game.past.layout
    if header.fork is not None:
        values["fork"] = {"match": header.fork.match, "seq": header.fork.seq}
    return pack_plain({**values, **dict(header.more)})


def changes_version(header: Header, game: AnyGame) -> bool:
    """Return True if the game today writes another version of the rules or layout than the match was recorded under."""
    return (header.rules, header.layout) != (game.version, game.past.layout)


def event_bytes(event: Event[Any], wire: Wire, state_digest: bytes | None, chain: bytes) -> bytes:
    """Pack an event; its last 16 bytes are its chain. A meta that would be empty is nil."""
    tag, fields = wire.encode(event.command)
    meta: dict[str, Any] = {}
    if event.meta is not None:
        known = {"at": event.meta.at, "id": event.meta.id, "by": event.meta.by}
        meta = {**{key: value for key, value in known.items() if value is not None}, **dict(event.meta.more)}
    return linked_event([event.seq, event.seat, meta or None, tag, fields, state_digest], chain)


def packed_events(match: AnyMatch, since: int, chain: bytes, *, digests: bool) -> list[bytes]:
    """Pack the events of a match from number `since` on; `chain` is that of the objects before them."""
    wire, raw = wire_of(match.game), list[bytes]()
    for event, state in zip(match.events[since:], match.states[since + 1 :], strict=True):
        state_digest = call_game(match.game, digest, state) if digests else None
        raw.append(event_bytes(event, wire, state_digest, chain))
        chain = raw[-1][-CHAIN_BYTES:]
    return raw


def linked_event(six: list[Any], chain: bytes) -> bytes:
    """Pack an event from its first six items, and append its chain."""
    body = EVENT_HEAD + pack_plain(six)[1:]
    return body + LINK_HEAD + next_chain(chain, body)


def end_map(result: Result | None, events: int) -> dict[str, Any]:
    """Return the end record without its chain: `over` with a result, `abandoned` without one."""
    return {
        "end": "over" if result else "abandoned",
        "events": events,
        "points": result.points if result else None,
        "winners": result.winners if result else None,
    }


def end_bytes(result: Result | None, events: int, chain: bytes, sign: bytes | None = None) -> bytes:
    """Pack the end record, with the host's signature of the log if it has one."""
    values = end_map(result, events)
    return linked_end(values if sign is None else {**values, "sign": sign}, chain)


def linked_end(values: dict[str, Any], chain: bytes) -> bytes:
    """Pack an end record from all of its entries but the chain, and append that."""
    body = END_HEADS[len(values) - 4] + pack_plain(values)[1:] + CHAIN_HEAD
    return body + LINK_HEAD + next_chain(chain, body)
