"""The reader of logs: it goes through every object, whatever is wrong, and folds the valid prefix."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from os import PathLike
from typing import Any, Final

import msgpack

from ..errors import GameError, KifuError, MatchError, Message, NewerRules
from ..game import AnyGame, Event, RulesChange, RuleViolation, TableRule
from ..match import AnyMatch, Match, Steps
from ..match.fold import Fold, call_game
from ..match.header import TRUST_KEYS, Header
from ..match.registry import find as find_installed
from ..match.witness import first_difference, witnesses_in
from ..wire import RULES, TAKEBACK, wire_of
from .broken import BrokenObject
from .files import read_error, require_regular
from .findings import Finding, FindingKind, LogKind, Reading
from .format import CHAIN_BYTES, LINK_BYTES, LINK_HEAD, digest, first_chain, next_chain, pack_plain
from .framing import ObjectStream, has_long_int, is_array, is_list_of_seven, is_map, parse_strict
from .header_codec import event_upcasts, read_header, upcast_event
from .json_form import is_json, log_in
from .validation import LONG_INT, end_error, event_error, is_int, is_text, read_meta, result_error

Find = Callable[[str], AnyGame]

EVENT_ITEMS: Final = 7
MAX_STRANGE = 1000
"""So many objects that are no events end the reading: what follows is no log."""

STRANGERS = (
    (b"\x1f\x8b", Message("gzip", "this is not a log: it is packed by gzip; unpack it first")),
    (b"PK\x03\x04", Message("zip", "this is not a log: it is a zip archive; unpack it first")),
    (b"\xef\xbb\xbf", Message("byte-order-mark", "this is not a log: a byte order mark stands before it; remove it")),
    (b"\xef\xbf\xbd", Message("saved-as-text", "this is not a log: a program has saved it as text, which spoils it")),
)
"""What other files begin with, and what is said of them."""

LINE_ENDS = Message(
    "line-ends", "each line feed has a carriage return before it: the log was copied as text; copy it as it is"
)

MAX_REREADS = 16
"""How often the tail of a growing log is read again."""


def load(path: str | PathLike[str], find: Find = find_installed) -> AnyMatch:
    """Return the match in a log, or in its JSON form; raises `LogError` if anything is wrong."""
    reading = read(path, find, also_json=True)
    if reading.match is None or not reading.ok:
        raise reading.error(os.fspath(path))
    return reading.match


def read(
    path: str | PathLike[str], find: Find = find_installed, *, keep_states: bool = True, also_json: bool = False
) -> Reading:
    """Read a log, whatever is wrong with it; raises `LogError` if the file cannot be read.

    With `keep_states` False the reading has no match, only findings and totals. With `also_json` the file may be the
    JSON form of a log; a broken one raises `LogError`. A file that grows meanwhile is read on, so that its tail is not
    reported as torn.
    """
    try:
        require_regular(path)
        with open(path, "rb") as file:
            data = file.read(os.fstat(file.fileno()).st_size)
            if also_json and is_json(data):
                return read_bytes(log_in(data, os.fspath(path)), find, keep_states=keep_states)
            for _ in range(MAX_REREADS):
                reading = read_bytes(data, find, keep_states=keep_states)
                more = file.read() if reading.tail else b""
                if not more:
                    return reading
                data += more
    except (OSError, ValueError, TypeError) as cause:
        raise read_error(path, cause) from None
    reading.findings = [finding for finding in reading.findings if finding.kind != "torn"]
    return reading


def read_bytes(data: bytes, find: Find = find_installed, *, keep_states: bool = True, digests: bool = True) -> Reading:
    """Read a log from its bytes, as `read` does; raises nothing. With `digests` False, none are compared."""
    reading = _read(data, find, keep_states, digests)
    if not reading.ok and 0 < data.count(b"\n") == data.count(b"\r\n"):
        as_written = data.replace(b"\r\n", b"\n")
        if _read(as_written, find, keep_states=False, digests=digests).ok:
            reading.findings = [Finding("form" if reading.header else "header", LINE_ENDS)]
    return reading


def _read(data: bytes, find: Find, keep_states: bool, digests: bool) -> Reading:
    reading, objects = Reading(), ObjectStream(data)
    stream = iter(objects)
    _, start, end = next(stream, (None, 0, 0))
    try:
        if not end or data.startswith(tuple(beginning for beginning, _ in STRANGERS)):
            raise MatchError(_no_header(objects))
        game, header = _header(data[start:end], reading, find)
    except KifuError as cause:
        reading.findings.append(Finding("header", cause.summary))
        return reading
    reading.game, reading.header = game, header
    reading.chain, reading.size = first_chain(data[start:end]), end
    _Reader(data, reading, game, header, keep_states, digests).read(objects, stream)
    return reading


def _no_header(objects: ObjectStream) -> Message:
    """Return the message why a file has no first object."""
    if not objects.data:
        return Message("empty", "this is not a log: the file is empty")
    for beginning, message in STRANGERS:
        if objects.data.startswith(beginning):
            return message
    if objects.torn:
        return Message("torn-header", "the file ends inside the header")
    return Message("no-log", "this is not a log")


def _header(raw: bytes, reading: Reading, find: Find) -> tuple[AnyGame, Header]:
    """Return the game and the header; raises `KifuError` if it cannot be used. The reading has what it says anyway."""
    value = parse_strict(raw)
    if isinstance(value, BrokenObject):
        raise MatchError(Message("no-log-but", "this is not a log: {why}", why=value.why))
    if value.__class__ is dict:
        reading.name = value["game"] if is_text(value.get("game")) else None
        reading.trusted = not value.keys().isdisjoint(TRUST_KEYS)
        reading.rules = value["rules"] if is_int(value.get("rules"), -(2**63)) else None
    found = read_header(value, find)
    if pack_plain(value) != raw:
        english = "the header is not in the shortest form of msgpack"
        reading.findings.append(Finding("form", Message("long-header", english)))
    return found


class _Reader:
    """One pass over the objects behind a header: it folds them for as long as nothing is wrong."""

    def __init__(
        self, data: bytes, reading: Reading, game: AnyGame, header: Header, keep_states: bool, digests: bool
    ) -> None:
        self.data = data
        self.reading = reading
        self.game = game
        self.seats = len(header.seats)
        self.digests = digests
        self.wire = wire_of(game)
        self.upcasts = event_upcasts(game, header.rules)
        self.pack = msgpack.Packer().pack
        self._hold_to(header.layout)
        self.digest_differs = False
        self.stopped = False
        self.strange = 0
        self.events: list[Event[Any]] = []
        self.end_record: dict[str, Any] | None = None
        self.at_no_event: list[Finding] = []
        self.folded = reading.chain
        """The chain after the last event that was folded."""
        self.fold: Fold | None = None
        """None if the game cannot even start; then the fold has stopped."""
        try:
            keep = keep_states or any(tag.encode() in data for tag in (TAKEBACK, RULES))
            self.fold = Fold(game, header, keep_states=keep)
        except KifuError as cause:
            self._stop("header", cause.summary)
            return
        if keep_states:
            reading.match = Match(game, header, fold=self.fold, events=self.events)

    def read(self, objects: ObjectStream, stream: Iterator[tuple[Any, int, int]]) -> None:
        """Go through the objects that follow."""
        reading, data = self.reading, self.data
        for value, start, end in stream:
            raw = data[start:end]
            if reading.ended is not None:
                self._add("form", Message("follows-end", "something follows the end record"))
                break
            if value.__class__ is not list and is_map(raw) and _is_end_record(value, raw):
                self._read_end_record(raw)
            else:
                self._event(value, raw)
                if self.strange > MAX_STRANGE:
                    break
        self._close(objects)
        if reading.match is not None:
            reading.match.recorded = (len(self.events), self.folded)
        reading.findings += self.at_no_event

    def _event(self, value: Any, raw: bytes) -> None:
        """Check the chain and the shape of one event, and fold it."""
        reading, fold = self.reading, self.fold
        seq = reading.events
        self._check_chain(raw, seq)
        reading.events += value.__class__ is list or is_array(raw)
        wrong = None if self.stopped else event_error(value, raw, seq, self.pack)
        if wrong is not None:
            self._stop("form", wrong, seq)
        if self.stopped or fold is None:
            self.strange += not is_list_of_seven(raw)
            return
        self._fold_in(seq, value, fold)

    def _fold_in(self, seq: int, value: list[Any], fold: Fold) -> None:
        """Fold an event of the right shape, and compare the digest."""
        _, seat, meta, tag, fields, recorded, _ = value
        command: Any = None
        rules = fold.rules
        try:
            if self.upcasts and not tag.startswith("."):
                seat, tag, fields = upcast_event(self.upcasts, seat, tag, fields)
            command = self.wire.decode(tag, fields)
            state = fold.apply(seat, command)
        except RuleViolation as violation:
            self._refused(violation, Event(seq, seat, command, read_meta(meta)))
            return
        except NewerRules as cause:
            self.reading.newer_rules = cause.rules
            self._stop("rules", cause.summary, seq)
            return
        except KifuError as cause:
            self._stop(_kind_of(cause), cause.summary, seq)
            return
        if fold.states is not None:
            self.events.append(Event(seq, seat, command, meta and read_meta(meta)))
        self.folded = self.reading.chain
        if command.__class__ is RulesChange:
            self._change_rules(command, rules, fold.states or [])
        if recorded is not None:
            self._compare(recorded, state, seq)

    def _check_chain(self, raw: bytes, seq: int) -> None:
        reading, link = self.reading, raw[-LINK_BYTES:]
        if link.startswith(LINK_HEAD) and len(raw) > LINK_BYTES:
            chain = link[-CHAIN_BYTES:]
            if next_chain(reading.chain, raw[:-LINK_BYTES]) != chain:
                english = "bytes were changed, removed, added or moved here"
                self._add("chain", Message("broken-chain", english), seq)
            reading.chain = chain

    def _change_rules(self, command: RulesChange, before: int, states: list[Any]) -> None:
        """Read on under another rules version, and check that nobody sees anything else than before."""
        self.upcasts = event_upcasts(self.game, command.to)
        self._hold_to(command.layout)
        if command.to == before:
            return
        *earlier, change = self.events
        try:
            found = first_difference(Steps(self.game, earlier, states), self.seats, witnesses_in(change))
        except KifuError as cause:
            self._add("rules", cause.summary, change.seq)
        else:
            if found is not None:
                self._add("rules", found.why, change.seq)

    def _refused(self, violation: RuleViolation, event: Event[Any]) -> None:
        if event.command is not None:
            self.reading.refused = event
        violation.seat = event.seat if violation.seat is None else violation.seat
        kind: FindingKind = "form" if violation.rule is TableRule.FORM else "rule"
        self._stop(kind, str(violation), event.seq, violation)

    def _hold_to(self, layout: int) -> None:
        """Compare the digests that follow, if states of this layout can still be packed."""
        past = self.game.past
        self.packed_as = past.earlier.get(layout)
        self.compare = self.digests and (layout == past.layout or self.packed_as is not None)

    def _compare(self, recorded: bytes, state: Any, seq: int) -> None:
        if not self.compare:
            self.reading.digests = "unchecked"
            return
        if self.reading.digests == "absent":
            self.reading.digests = "checked"
        if not self.digest_differs and digest(state if self.packed_as is None else self.packed_as(state)) != recorded:
            self.digest_differs = True
            self._add("digest", Message("other-state", "the state after this event is not the recorded one"), seq)

    def _read_end_record(self, raw: bytes) -> None:
        """Check the chain and the shape of the end record, and its number of events."""
        reading = self.reading
        value = parse_strict(raw)
        linked = raw[-LINK_BYTES:-CHAIN_BYTES] == LINK_HEAD
        if linked:
            if next_chain(reading.chain, raw[:-LINK_BYTES]) != raw[-CHAIN_BYTES:]:
                self._add(
                    "chain",
                    Message("broken-at-end", "the end record or what lies before it was changed"),
                )
            reading.chain = raw[-CHAIN_BYTES:]
        if isinstance(value, BrokenObject):
            self._add("form", Message("end-record", "the end record: {why}", why=value.why))
            reading.ended = "over"
            return
        if has_long_int(raw):
            self._add("form", Message("end-record", "the end record: {why}", why=LONG_INT))
        wrong = end_error(value, self.seats)
        if wrong is None and not linked:
            wrong = Message("chain-not-last", "its last {count} bytes are not the chain", count=CHAIN_BYTES)
        reading.ended = "over" if value["end"] == "over" else "abandoned"
        if wrong is not None:
            self._add("result", Message("end-record", "the end record: {why}", why=wrong))
        elif value["events"] != reading.events:
            english = "the end record counts {counted} events, there are {events}"
            self._add("result", Message("end-counts", english, counted=value["events"], events=reading.events))
        else:
            self.end_record = value

    def _close(self, objects: ObjectStream) -> None:
        """Set the result, and check how the file ends."""
        reading = self.reading
        reading.tail = self.data[objects.end :] if objects.torn else b""
        reading.size = objects.end
        if objects.torn and reading.ended is not None:
            self._add("form", Message("follows-end", "something follows the end record"))
        elif objects.torn:
            english = "the file ends inside an object: {count} bytes of it are there"
            self._add("torn", Message("torn", english, count=len(reading.tail)))
        elif objects.noise is not None:
            self._add("form", objects.noise, None if reading.ended is not None else reading.events)
        if self.fold is None:
            return
        try:
            if not self.fold.is_refused:
                reading.result = call_game(self.game, self.game.result, self.fold.state)
        except KifuError as cause:
            self._stop(_kind_of(cause), cause.summary)
        if self.stopped:
            return
        if self.end_record is not None and (wrong := result_error(self.end_record, reading.result)):
            self._add("result", wrong)
        if reading.match is not None:
            reading.match.abandoned = reading.ended == "abandoned" and reading.result is None

    def _stop(
        self, kind: FindingKind, why: str, seq: int | None = None, violation: RuleViolation | None = None
    ) -> None:
        """Add the finding that stops the fold; from here on only the chain is checked."""
        rule = violation.rule.number if violation is not None and kind == "rule" else None
        self.stopped = True
        self.reading.findings.append(Finding(kind, why, seq, rule, violation))

    def _add(self, kind: FindingKind, why: str, seq: int | None = None) -> None:
        (self.reading.findings if seq is not None else self.at_no_event).append(Finding(kind, why, seq))


def _kind_of(cause: KifuError) -> LogKind:
    """Return the kind of the finding where a fold stops: what the game's own code fails on says nothing of the log."""
    return "game" if isinstance(cause, GameError) else "form"


def _is_end_record(value: Any, raw: bytes) -> bool:
    """Return True if a map is meant as the end record: it has the key `end`, or cannot be decoded."""
    return (value.__class__ is dict and "end" in value) or isinstance(parse_strict(raw), BrokenObject)
