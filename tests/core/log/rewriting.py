"""Logs taken apart, and put together again with chains that fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgpack
from kifu.core.log.format import first_chain, next_chain
from kifu.core.log.framing import ObjectStream


def pieces(log: bytes) -> list[bytes]:
    """Return the bytes of each object, the header's first."""
    return [log[start:end] for _, start, end in ObjectStream(log)]


def unchained(log: bytes) -> tuple[bytes, list[Any]]:
    """Return the header's bytes, and the other objects without their chains."""
    header, *rest = pieces(log)
    objects = [msgpack.unpackb(raw, strict_map_key=False) for raw in rest]
    for each in objects:
        each.pop(*["chain"] * isinstance(each, dict))
    return header, objects


def chained(header: bytes, objects: Sequence[Any]) -> bytes:
    """Return the log of these objects, their chains made right."""
    out, chain = [header], first_chain(header)
    for each in objects:
        raw = msgpack.packb({**each, "chain": bytes(16)} if isinstance(each, dict) else [*each, bytes(16)])
        chain = next_chain(chain, raw[:-18])
        out.append(raw[:-16] + chain)
    return b"".join(out)


def followed(log: bytes, *events: Sequence[Any], end: bool = False) -> bytes:
    """Append events, each without its number, digest and chain; with `end` the match is abandoned."""
    header, objects = unchained(log)
    objects += [[len(objects) + at, *event, None] for at, event in enumerate(events)]
    ended = {"end": "abandoned", "events": len(objects), "points": None, "winners": None}
    return chained(header, [*objects, *[ended] * end])
