"""The bytes of a log: header, events, end record and the chain that binds them (`docs/log-format.md`)."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import msgpack

from ..game import Event, Game, Meta, Result
from ..header import FORMAT, Header
from ..wire import Wire, pack, wire_of

CHAIN_BYTES = 16
DIGEST_BYTES = 8
LINK_HEAD = b"\xc4\x10"
LINK_BYTES = len(LINK_HEAD) + CHAIN_BYTES
EVENT_HEAD = b"\x97"
END_HEAD = b"\x85"


def first_chain(header: bytes) -> bytes:
    """Give the chain before the first event: of the header's bytes."""
    return blake2b(header, digest_size=CHAIN_BYTES).digest()


def next_chain(chain: bytes, body: bytes) -> bytes:
    """Give the chain of an object from the one before it and the object's bytes without its last 18."""
    return blake2b(chain + body, digest_size=CHAIN_BYTES).digest()


def digest(state: Any) -> bytes:
    """Give the eight bytes that stand for a state."""
    return blake2b(pack(state), digest_size=DIGEST_BYTES).digest()


def header_bytes(header: Header, game: Game[Any, Any, Any]) -> bytes:
    """Pack the header; `layout` and `fork` stand in it only where they say something.

    Rules version and layout are the game's, whatever the match was recorded under: what a game writes is of today.
    """
    values: dict[str, Any] = {
        "kifu": FORMAT,
        "game": header.game,
        "rules": game.rules,
        "seats": header.seats,
        "options": wire_of(game).plain_options(header.options),
        "seed": header.seed,
        "match": header.match,
        "started": header.started,
        "engine": header.engine,
    }
    if game.layout != 1:
        values["layout"] = game.layout
    if header.fork is not None:
        values["fork"] = {"match": header.fork.match, "seq": header.fork.seq}
    return pack_plain({**values, **dict(header.more)})


def event_bytes(event: Event[Any], wire: Wire, state_digest: bytes | None, chain: bytes) -> bytes:
    """Pack an event; its chain is the last 16 bytes."""
    tag, fields = wire.encode(event.command)
    return linked_event([event.seq, event.seat, meta_map(event.meta), tag, fields, state_digest], chain)


def linked_event(six: list[Any], chain: bytes) -> bytes:
    """Pack the first six of an event, and its chain."""
    body = EVENT_HEAD + pack_plain(six)[1:]
    return body + LINK_HEAD + next_chain(chain, body)


def end_bytes(result: Result | None, events: int, chain: bytes) -> bytes:
    """Pack the end record: `over` with its result, or `abandoned` without one."""
    values = {
        "end": "over" if result else "abandoned",
        "events": events,
        "points": result.points if result else None,
        "winners": result.winners if result else None,
    }
    return linked_end(values, chain)


def linked_end(values: dict[str, Any], chain: bytes) -> bytes:
    """Pack the first four of an end record, and its chain."""
    body = END_HEAD + pack_plain(values)[1:] + pack_plain("chain")
    return body + LINK_HEAD + next_chain(chain, body)


def meta_map(meta: Meta | None) -> dict[str, Any] | None:
    """Give the meta map of an event, nil where there is nothing in it."""
    if meta is None:
        return None
    known = {"at": meta.at, "id": meta.id, "by": meta.by}
    return {**{key: value for key, value in known.items() if value is not None}, **dict(meta.more)} or None


def pack_plain(value: Any) -> bytes:
    """Pack plain data."""
    return msgpack.packb(value)  # type: ignore[no-any-return]
