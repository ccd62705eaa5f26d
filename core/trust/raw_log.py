"""A log as its bytes have it: header, events and end record, whatever they are worth, and the marks over them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, partial
from itertools import accumulate
from typing import Any, TypeVar

from attrs import frozen

from ..errors import Message, TrustError
from ..game import TABLE
from ..log.broken import BrokenObject
from ..log.framing import ObjectStream, is_list_of_seven, parse_strict
from ..log.reader import EVENT_ITEMS, MAX_STRANGE
from ..log.validation import is_int, is_text
from ..match.header import TRUST_KEYS
from ..wire import RULES
from .formulas import first_mark, next_mark
from .header_keys import FairDeal, Keys, read_fair, read_keys, read_veil
from .roster import Roster, roster_of

T = TypeVar("T")


@frozen
class RawEvent:
    """One object between header and end record: its bytes, and its parts as far as it is an event."""

    raw: bytes
    seat: Any = None
    meta: Any = None
    tag: Any = None
    fields: Any = None

    @property
    def is_event(self) -> bool:
        """Whether the parts are of the kinds that an event's are."""
        return is_int(self.seat, -1) and is_text(self.tag) and self.fields.__class__ is dict

    def of_meta(self, key: str) -> Any:
        """Return a value of the meta, None if there is none."""
        return self.meta.get(key) if self.meta.__class__ is dict else None

    def has_meta(self, key: str) -> bool:
        """Return True if the meta has this key, even with nil."""
        return self.meta.__class__ is dict and key in self.meta


@frozen(slots=False)
class RawLog:
    """The objects of a log; `header` is empty where the first is no map, `end` None where the log has no end record."""

    header: dict[str, Any]
    header_raw: bytes
    events: tuple[RawEvent, ...]
    end: dict[str, Any] | None
    end_raw: bytes
    is_whole: bool
    """Whether the file ends with the end record."""

    @property
    def forked_at(self) -> int:
        """The last event that a fork shares with its parent, -1 if there is none."""
        fork = self.header.get("fork")
        seq = fork.get("seq") if fork.__class__ is dict else None
        return seq if seq.__class__ is int and seq >= 0 else -1

    @property
    def is_trusted(self) -> bool:
        """Whether the header has `fair`, `veil` or `sign`."""
        return not self.header.keys().isdisjoint(TRUST_KEYS)

    @cached_property
    def versions(self) -> list[tuple[int, int]]:
        """The rules version and the layout that the log is recorded under, at each moment."""
        found = [_version(self.header.get("rules"), self.header.get("layout", 1))]
        for event in self.events:
            changes = event.seat == TABLE and event.tag == RULES and event.is_event
            found.append(_version(event.fields.get("to"), event.fields.get("layout")) if changes else found[-1])
        return found

    @cached_property
    def keys(self) -> Keys | None:
        """The public keys; None if `sign` is malformed."""
        return _read(read_keys, self.header)

    @cached_property
    def veil(self) -> bytes | None:
        """The veil; None if there is none, or it is malformed."""
        return _read(read_veil, self.header)

    @cached_property
    def deal(self) -> FairDeal | None:
        """The fair deal; None if there is none, or it is malformed."""
        return _read(read_fair, self.header)

    @cached_property
    def roster(self) -> Roster | None:
        """The roster; None if none can be made."""
        return _read(roster_of, self.header)

    @cached_property
    def marks(self) -> list[bytes]:
        """The mark of each moment, from that of the header to that after the last event; none without a veil."""
        veil = self.veil
        if veil is None:
            return []
        raw = [event.raw for event in self.events]
        return list(accumulate(raw, partial(next_mark, veil), initial=first_mark(veil, self.header_raw)))

    @property
    def end_mark(self) -> bytes | None:
        """The mark of the end record, None if there is none."""
        return None if self.end is None or self.veil is None else next_mark(self.veil, self.marks[-1], self.end_raw)


def _version(rules: Any, layout: Any) -> tuple[int, int]:
    return (rules if is_int(rules) else 0), (layout if is_int(layout) else 0)


def _read(read: Callable[[Mapping[str, Any]], T], header: Mapping[str, Any]) -> T | None:
    try:
        return read(header)
    except TrustError:
        return None


def read_log(data: bytes, *, strict: bool = False) -> RawLog:
    """Take a log apart; never raises. What follows the end record, or cannot be taken apart, is left off.

    So is what follows `MAX_STRANGE` objects that are no events: there the reader of logs stops, too.
    With `strict` an object that no log may hold is an event of which only the bytes count: ask for it where a reader
    has found one.
    """
    stream = iter(ObjectStream(data))
    first, start, size = next(stream, (None, 0, 0))
    header_raw = data[start:size]
    header = parse_strict(header_raw) if first.__class__ is dict else None
    events: list[RawEvent] = []
    end, end_raw, is_whole = None, b"", False
    strange = 0
    for value, start, stop in stream:
        raw = data[start:stop]
        strange += not is_list_of_seven(raw)
        value = parse_strict(raw) if strict else value
        if value.__class__ is dict and "end" in value:
            end, end_raw, is_whole = value, raw, stop == len(data)
            break
        events.append(_event(value, raw))
        if strange > MAX_STRANGE:
            break
    known = header if isinstance(header, dict) else {}
    return RawLog(known, header_raw, tuple(events), end, end_raw, is_whole)


def _event(value: Any, raw: bytes) -> RawEvent:
    if isinstance(value, BrokenObject) or value.__class__ is not list or len(value) != EVENT_ITEMS:
        return RawEvent(raw)
    return RawEvent(raw, *value[1:5])


def marks(log: bytes) -> list[bytes]:
    """Return the mark of each moment of a log, 0 to the number of its events; then that of its end, if it has one.

    Raises `TrustError` if the log has no veil.
    """
    raw = read_log(log)
    if read_veil(raw.header) is None:
        raise TrustError("record", Message("no-veil", "the log has no veil, so it has no marks"))
    return raw.marks if raw.end_mark is None else [*raw.marks, raw.end_mark]
