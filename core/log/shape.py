"""The shapes that the objects of a log must have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..game import Meta
from .format import CHAIN_BYTES, DIGEST_BYTES, LINK_BYTES, LINK_HEAD
from .objects import Broken, has_long_int, strict

ID_BYTES = 32
BY_LETTERS = 64


def is_int(value: Any, least: int = 0) -> bool:
    """Tell whether a value is an int, not a bool, and at least so much."""
    return value.__class__ is int and value >= least


def is_text(value: Any) -> bool:
    return value.__class__ is str


def event_shape(value: Any, raw: bytes, seq: int, pack: Callable[[Any], bytes]) -> str | None:
    """Say what is wrong with the shape of an event, None if nothing is."""
    if isinstance(value, Broken):
        return value.why
    if value.__class__ is not list or len(value) != 7:
        return "this is no event: an event is a list of seven"
    number, seat, meta, tag, fields, recorded, chain = value
    if number.__class__ is not int or number != seq:
        return f"its number is {ascii(number)[:24]}, but event {seq} is next"
    if seat.__class__ is not int or tag.__class__ is not str or fields.__class__ is not dict:
        return "the seat is no int, the tag no text or the fields are no map"
    if recorded is not None and (recorded.__class__ is not bytes or len(recorded) != DIGEST_BYTES):
        return f"the digest is not {DIGEST_BYTES} bytes or nil"
    if chain.__class__ is not bytes or len(chain) != CHAIN_BYTES or raw[-LINK_BYTES:-CHAIN_BYTES] != LINK_HEAD:
        return f"the chain is not {CHAIN_BYTES} bytes"
    if meta is not None and (wrong := _meta_shape(meta)):
        return wrong
    if meta is not None or pack(value) != raw:
        exact = strict(raw)
        if isinstance(exact, Broken):
            return exact.why
        if has_long_int(raw):
            return "an int is not in its shortest form"
    return None


_META: tuple[tuple[str, Callable[[Any], bool], str], ...] = (
    ("at", is_int, "milliseconds, 0 or more"),
    ("id", lambda value: value.__class__ is bytes and len(value) <= ID_BYTES, f"at most {ID_BYTES} bytes"),
    ("by", lambda value: is_text(value) and len(value) <= BY_LETTERS, f"a text of at most {BY_LETTERS} letters"),
)


def _meta_shape(meta: Any) -> str | None:
    if meta.__class__ is not dict or not meta:
        return "meta is not nil or a map of something"
    for key, fits, shape in _META:
        if key in meta and not fits(meta[key]):
            return f"meta: {key!r} is not {shape}"
    return None


def read_meta(meta: dict[str, Any] | None) -> Meta | None:
    """Make the meta of an event from its map."""
    if meta is None:
        return None
    more = tuple((key, value) for key, value in meta.items() if key not in ("at", "id", "by"))
    return Meta(meta.get("at"), meta.get("id"), meta.get("by"), more)


def end_shape(value: dict[Any, Any], seats: int) -> str | None:
    """Say what is wrong with the shape of an end record, None if nothing is."""
    if set(value) != {"end", "events", "points", "winners", "chain"}:
        return "it has not exactly the keys end, events, points, winners, chain"
    if value["end"] not in ("over", "abandoned"):
        return "'end' is neither over nor abandoned"
    if not is_int(value["events"]):
        return "'events' is no number"
    if value["chain"].__class__ is not bytes or len(value["chain"]) != CHAIN_BYTES:
        return f"the chain is not {CHAIN_BYTES} bytes"
    points, winners = value["points"], value["winners"]
    if value["end"] == "abandoned":
        return None if points is None and winners is None else "an abandoned match has neither points nor winners"
    if points.__class__ is not list or len(points) != seats or not all(is_int(each, -(2**63)) for each in points):
        return "'points' is not a list of an int for each seat"
    if winners.__class__ is not list or not all(is_int(each) and each < seats for each in winners):
        return "'winners' is not a list of seats"
    return None if winners == sorted(set(winners)) else "'winners' are not ascending"
