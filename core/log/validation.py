"""The shape of the objects of a log: which keys, types and lengths they must have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..errors import Message
from ..game import Meta, Result
from ..wire.exact import META
from .broken import BrokenObject
from .format import CHAIN_BYTES, DIGEST_BYTES, LINK_BYTES, LINK_HEAD, SIGNATURE_BYTES
from .framing import has_long_int, parse_strict, why_unfit

LONG_INT = Message("long-int", "an int is not in its shortest form")


def is_int(value: Any, least: int = 0) -> bool:
    """Return True if a value is an int, not a bool, and at least `least`."""
    return value.__class__ is int and value >= least


def is_text(value: Any) -> bool:
    """Return True if a value is a str and of no subclass."""
    return value.__class__ is str


def event_error(value: Any, raw: bytes, seq: int, pack: Callable[[Any], bytes]) -> str | None:
    """Return the message what is wrong with the shape of an event; None if nothing is.

    `raw` are its bytes, `seq` is the number that it must have, and `pack` packs a value as msgpack.
    """
    if isinstance(value, BrokenObject):
        return value.why
    if value.__class__ is not list or len(value) != 7:
        return Message("no-event-of-seven", "this is not an event: an event is a list of seven")
    number, seat, meta, tag, fields, recorded, chain = value
    if number.__class__ is not int or number != seq:
        return Message(
            "other-number", "its number is {number}, but event {seq} is next", number=ascii(number)[:24], seq=seq
        )
    if seat.__class__ is not int or tag.__class__ is not str or fields.__class__ is not dict:
        return Message("no-seat-tag-fields", "the seat must be an int, the tag a text and the fields a map")
    if recorded is not None and (recorded.__class__ is not bytes or len(recorded) != DIGEST_BYTES):
        return Message("digest-is-not", "the digest is not {count} bytes or nil", count=DIGEST_BYTES)
    if chain.__class__ is not bytes or len(chain) != CHAIN_BYTES or raw[-LINK_BYTES:-CHAIN_BYTES] != LINK_HEAD:
        return Message("chain-is-not", "the chain is not {count} bytes", count=CHAIN_BYTES)
    if meta is not None and (wrong := _meta_error(meta)):
        return wrong
    if pack(value) == raw:
        return None if meta is None else why_unfit(value)
    exact = parse_strict(raw)
    if isinstance(exact, BrokenObject):
        return exact.why
    return LONG_INT if has_long_int(raw) else None


_META_KEYS = frozenset(key for key, _, _ in META)


def _meta_error(meta: Any) -> str | None:
    if meta.__class__ is not dict or not meta:
        return Message("meta-is-not", "meta is not nil or a map of something")
    for key, fits, shape in META:
        if key in meta and not fits(meta[key]):
            return Message("meta-key-is-not", "meta: {key} is not {shape}", key=repr(key), shape=shape)
    return None


def read_meta(meta: dict[str, Any] | None) -> Meta | None:
    """Return the meta of an event from its map."""
    if meta is None:
        return None
    more = tuple((key, value) for key, value in meta.items() if key not in _META_KEYS)
    return Meta(meta.get("at"), meta.get("id"), meta.get("by"), more)


def end_error(value: dict[Any, Any], seats: int) -> str | None:
    """Return the message what is wrong with the shape of an end record; None if nothing is."""
    if value.keys() - {"sign"} != {"end", "events", "points", "winners", "chain"}:
        return Message("end-keys", "it must have exactly the keys end, events, points, winners, chain")
    if value["end"] not in ("over", "abandoned"):
        return Message("end-is-not", "'end' is neither over nor abandoned")
    if not is_int(value["events"]):
        return Message("events-is-not", "'events' is not a number")
    if value["chain"].__class__ is not bytes or len(value["chain"]) != CHAIN_BYTES:
        return Message("chain-is-not", "the chain is not {count} bytes", count=CHAIN_BYTES)
    if "sign" in value and (value["sign"].__class__ is not bytes or len(value["sign"]) != SIGNATURE_BYTES):
        return Message("end-sign-is-not", "the host's signature is not {count} bytes", count=SIGNATURE_BYTES)
    points, winners = value["points"], value["winners"]
    if value["end"] == "abandoned":
        neither = points is None and winners is None
        return None if neither else Message("abandoned-with", "an abandoned match has neither points nor winners")
    if points.__class__ is not list or len(points) != seats or not all(is_int(each, -(2**63)) for each in points):
        return Message("points-are-not", "'points' is not a list of an int for each seat")
    if winners.__class__ is not list or not all(is_int(each) and each < seats for each in winners):
        return Message("winners-are-not", "'winners' is not a list of seats")
    return None if winners == sorted(set(winners)) else Message("winners-not-ascending", "'winners' are not ascending")


def result_error(end: Mapping[str, Any], result: Result | None) -> Message | None:
    """Return the message how an end record contradicts the result of the game; None if it does not."""
    points, winners = (list(result.points), list(result.winners)) if result else (None, None)
    if end["end"] == "over" and result is None:
        return Message("end-not-over", "the end record says that the game is over, but it is not")
    if end["end"] == "abandoned" and result is not None:
        return Message("end-but-over", "the end record says abandoned, but the game is over")
    if end["points"] != points:
        english = "the end record says points {recorded}, the game gives {points}"
        return Message("end-points", english, recorded=str(end["points"]), points=str(points))
    if end["winners"] != winners:
        english = "the end record says winners {recorded}, the game gives {winners}"
        return Message("end-winners", english, recorded=str(end["winners"]), winners=str(winners))
    return None
