"""The reader of logs: it goes through every object, whatever is wrong, and folds the valid prefix."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from os import PathLike
from typing import Any, Final

import msgpack

from ..errors import KifuError, LogError, Message, NewerRules, os_error_message
from ..game import AnyGame, Event, Meta, RulesChange, RuleViolation, Seat, TableRule
from ..match import AnyMatch, Match, Steps
from ..match.fold import Fold, call_game
from ..match.header import TRUST_KEYS
from ..match.registry import find as find_installed
from ..match.witness import first_difference, witnesses_in
from ..wire import RULES, TAKEBACK, wire_of
from .broken import BrokenObject
from .findings import Finding, Reading
from .format import CHAIN_BYTES, LINK_BYTES, LINK_HEAD, digest, first_chain, next_chain
from .framing import ObjectStream, is_array, is_map, parse_strict
from .header_codec import read_header, upcast_event, upcasts
from .json_form import from_json, is_json
from .known_commands import KnownCommands, keep_command, known_commands, packed_command
from .regular_file import require_regular
from .validation import end_error, event_error, is_digest, is_int, is_text, is_usual, read_meta, result_error

Find = Callable[[str], AnyGame]

EVENT_ITEMS: Final = 7
MAX_STRANGE = 1000
"""So many objects that are no events end the reading: what follows is no log."""

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
                return read_bytes(_from_json(data, path), find, keep_states=keep_states)
            for _ in range(MAX_REREADS):
                reading = read_bytes(data, find, keep_states=keep_states)
                more = file.read() if reading.tail else b""
                if not more:
                    return reading
                data += more
    except OSError as cause:
        raise _unreadable(path, os_error_message(cause)) from None
    except (ValueError, TypeError):  # a name with a zero byte, or no name at all
        raise _unreadable(str(path), Message("no-file-name", "this is no file name")) from None
    reading.findings = [finding for finding in reading.findings if finding.kind != "torn"]
    return reading


def _unreadable(path: str | PathLike[str], why: str) -> LogError:
    return LogError("file", Message("unreadable", "cannot be read: {why}", why=why), path=os.fspath(path))


def _from_json(data: bytes, path: str | PathLike[str]) -> bytes:
    try:
        return from_json(data)
    except LogError as cause:
        raise LogError(cause.kind, cause.message, cause.seq, path=os.fspath(path)) from None


def read_bytes(data: bytes, find: Find = find_installed, *, keep_states: bool = True, digests: bool = True) -> Reading:
    """Read a log from its bytes, as `read` does; raises nothing. With `digests` False, none are compared."""
    return _Reader(data, find, keep_states, digests).read()


class _Reader:
    """One pass over the objects of a log."""

    def __init__(self, data: bytes, find: Find, keep_states: bool, digests: bool) -> None:
        self.data = data
        self.find = find
        self.keep_states = keep_states
        self.digests = digests
        self.reading = Reading()
        self.stopped = False
        self.strange = 0
        self.events: list[Event[Any]] = []
        self.end_record: dict[str, Any] | None = None
        self.at_no_event: list[Finding] = []

    def read(self) -> Reading:
        """Go through all objects and return the reading."""
        reading, objects = self.reading, ObjectStream(self.data)
        stream = iter(objects)
        value, start, end = next(stream, (None, 0, 0))
        if not self._header(self.data[start:end], objects.torn):
            return reading
        self._open(end)
        while (unusual := self._fold_usual(stream)) is not None:
            value, raw = unusual
            if reading.ended is not None:
                self._add("form", Message("follows-end", "something follows the end record"))
                break
            if is_map(raw) and _is_end_record(value, raw):
                self._read_end_record(raw)
            else:
                self._event(value, raw)
                if self.strange > MAX_STRANGE:
                    break
        self._close(objects)
        reading.findings += self.at_no_event
        return reading

    def _fold_usual(self, stream: Iterator[tuple[Any, int, int]]) -> tuple[Any, bytes] | None:
        """Fold events for as long as nothing is wrong with them; return the first other object, None at the end.

        It judges as `_event` does, but says nothing: `_event` judges that object again and says what is wrong. All but
        a few events of all logs are usual, so here every microsecond counts.
        """
        reading, data = self.reading, self.data
        if self.stopped or self.upcasts or reading.ended is not None:
            return next(((value, data[start:end]) for value, start, end in stream), None)
        fold, compare, known = self.fold, self.compare, known_commands(self.game)
        match, keep = reading.match, self.events.append
        seq, chain, checked = reading.events, reading.chain, False
        try:
            for value, start, end in stream:
                raw = data[start:end]
                if type(value) is not list or len(value) != EVENT_ITEMS:
                    return value, raw
                _, seat, meta, _, _, recorded, link = value
                if next_chain(chain, raw[:-LINK_BYTES]) != link:
                    return value, raw
                command = None
                if meta is None and type(seat) is int and is_digest(recorded):
                    command = known.get(packed_command(raw, seq, seat, None, recorded))
                try:
                    if command is None:
                        command = self._usual_command(value, raw, seq, known)
                        if command is None:
                            return value, raw
                    state = fold.apply(seat, command)
                except KifuError:
                    return value, raw
                if match is not None:
                    keep(_event(seq, seat, command, meta and read_meta(meta)))
                seq, chain = seq + 1, link
                if recorded is not None:
                    if compare and digest(state) == recorded:
                        checked = True
                    else:
                        self._compare(recorded, seq - 1)
        finally:
            reading.events, reading.chain = seq, chain
            if match is not None:
                match.recorded = (seq, chain)
            if checked:
                reading.digests = "checked"
        return None

    def _usual_command(self, value: list[Any], raw: bytes, seq: int, known: KnownCommands) -> Any:
        """Return the command of an event of seven items that is not known yet, or that has a meta.

        Return None for a command of the log format, and if the shape is not usual. Raises a violation of FORM.
        """
        if not is_usual(value, seq):
            return None
        _, seat, meta, tag, fields, recorded, _ = value
        packed = packed_command(raw, seq, seat, meta, recorded)
        command = known.get(packed)
        if command is None and not tag.startswith(".") and self.pack(value) == raw:
            command = self.wire.decode(tag, fields)
            keep_command(known, packed, command)
        return command

    def _header(self, raw: bytes, torn: bool) -> bool:
        reading = self.reading
        if not raw:
            why = Message("no-log", "this is no log")
            if torn:
                why = Message("torn-header", "the file ends inside the header")
            self._stop("header", why if self.data else Message("empty", "this is no log: the file is empty"))
            return False
        value = parse_strict(raw)
        if isinstance(value, BrokenObject):
            self._stop("header", Message("no-log-but", "this is no log: {why}", why=value.why))
            return False
        if value.__class__ is dict:
            reading.name = value["game"] if is_text(value.get("game")) else None
            reading.trusted = not value.keys().isdisjoint(TRUST_KEYS)
            reading.rules = value["rules"] if is_int(value.get("rules"), -(2**63)) else None
        try:
            reading.game, reading.header = read_header(value, self.find)
            self.upcasts = upcasts(reading.game, reading.header.rules)
        except KifuError as cause:
            self._stop("header", cause.summary)
            return False
        reading.chain = first_chain(raw)
        return True

    def _open(self, end: int) -> None:
        """Set up the fold, once the header is known."""
        reading = self.reading
        assert reading.game is not None
        assert reading.header is not None
        reading.size = end
        self.game = reading.game
        self.wire = wire_of(self.game)
        try:
            keep = self.keep_states or any(tag.encode() in self.data for tag in (TAKEBACK, RULES))
            self.fold = Fold(self.game, reading.header, keep_states=keep)
            if self.keep_states:
                reading.match = Match(self.game, reading.header, fold=self.fold, events=self.events)
                reading.match.recorded = (0, reading.chain)
        except KifuError as cause:
            self._stop("header", cause.summary)
        self.pack = msgpack.Packer().pack
        self.compare = self.digests and reading.header.layout == self.game.layout
        self.digest_differs = False

    def _event(self, value: Any, raw: bytes) -> None:
        """Check the chain, the shape, the rules and the digest of one event."""
        reading = self.reading
        seq = reading.events
        self._check_chain(raw, seq)
        wrong = event_error(value, raw, seq, self.pack)
        self.strange += value.__class__ is not list or len(value) != EVENT_ITEMS
        reading.events += is_array(raw)
        if self.stopped:
            return
        if wrong is not None:
            self._stop("form", wrong, seq)
            return
        _, seat, meta, tag, fields, recorded, _ = value
        command: Any = None
        try:
            if self.upcasts and not tag.startswith("."):
                seat, tag, fields = upcast_event(self.upcasts, seat, tag, fields)
            command, rules = self.wire.decode(tag, fields), self.fold.rules
            self.fold.apply(seat, command)
        except RuleViolation as violation:
            if command is not None:
                reading.refused = Event(seq, seat, command, read_meta(meta))
            self._refused(violation, seat, seq)
            return
        except NewerRules as cause:
            reading.newer_rules = cause.rules
            self._stop("rules", cause.summary, seq)
            return
        except KifuError as cause:
            self._stop("form", cause.summary, seq)
            return
        if self.fold.states is not None:
            self.events.append(Event(seq, seat, command, read_meta(meta)))
        if reading.match is not None:
            reading.match.recorded = (len(self.events), reading.chain)
        if command.__class__ is RulesChange:
            self._change_rules(command, rules, seq)
        if recorded is not None:
            self._compare(recorded, seq)

    def _check_chain(self, raw: bytes, seq: int) -> None:
        if raw[-LINK_BYTES:-CHAIN_BYTES] == LINK_HEAD and len(raw) > LINK_BYTES:
            chain = raw[-CHAIN_BYTES:]
            if next_chain(self.reading.chain, raw[:-LINK_BYTES]) != chain:
                english = "bytes were changed, removed, added or moved here"
                self._add("chain", Message("broken-chain", english), seq)
            self.reading.chain = chain

    def _change_rules(self, command: RulesChange, before: int, seq: int) -> None:
        """Read on under another rules version, and check that nobody has other than he had."""
        assert self.reading.header is not None
        self.upcasts = upcasts(self.game, command.to)
        self.compare = self.digests and command.layout == self.game.layout
        if command.to == before:
            return
        steps = Steps(self.game, self.events[:seq], self.fold.states or [])
        try:
            found = first_difference(steps, len(self.reading.header.seats), witnesses_in(self.events[seq]))
        except KifuError as cause:
            self._add("rules", cause.summary, seq)
        else:
            if found is not None:
                self._add("rules", found.why, seq)

    def _refused(self, violation: RuleViolation, seat: int, seq: int) -> None:
        violation.seat = seat if violation.seat is None else violation.seat
        kind = "form" if violation.rule is TableRule.FORM else "rule"
        self._stop(kind, str(violation), seq, violation)

    def _compare(self, recorded: bytes, seq: int) -> None:
        if not self.compare:
            self.reading.digests = "unchecked"
            return
        if self.reading.digests == "absent":
            self.reading.digests = "checked"
        if not self.digest_differs and digest(self.fold.state) != recorded:
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
        wrong = end_error(value, len(reading.header.seats) if reading.header else 0)
        if wrong is None and not linked:
            wrong = Message("chain-not-last", "its last {count} bytes are not the chain", count=CHAIN_BYTES)
        reading.ended = str(value["end"])
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
        if not hasattr(self, "fold"):
            return
        try:
            if not self.fold.is_refused:
                reading.result = call_game(self.game, self.game.result, self.fold.state)
        except KifuError as cause:
            self._add("form", cause.summary)
        if self.stopped:
            return
        if self.end_record is not None and (wrong := result_error(self.end_record, reading.result)):
            self._add("result", wrong)
        if reading.match is not None:
            reading.match.abandoned = reading.ended == "abandoned" and reading.result is None

    def _stop(self, kind: str, why: str, seq: int | None = None, violation: RuleViolation | None = None) -> None:
        """Add the finding that stops the fold; from here on only the chain is checked."""
        rule = violation.rule.number if violation is not None and kind == "rule" else None
        self.stopped = True
        self.reading.findings.append(Finding(kind, why, seq, rule, violation))

    def _add(self, kind: str, why: str, seq: int | None = None) -> None:
        (self.reading.findings if seq is not None else self.at_no_event).append(Finding(kind, why, seq))


def _event(seq: int, seat: Seat, command: Any, meta: Meta | None) -> Event[Any]:
    """Return an event, made without its `__init__`: at two thirds of the cost."""
    event: Event[Any] = object.__new__(Event)
    fields: dict[str, Any] = event.__dict__
    fields["seq"], fields["seat"], fields["command"], fields["meta"] = seq, seat, command, meta
    return event


def _is_end_record(value: Any, raw: bytes) -> bool:
    """Return True if a map is meant as the end record: it has the key `end`, or cannot be decoded."""
    return (value.__class__ is dict and "end" in value) or isinstance(parse_strict(raw), BrokenObject)
