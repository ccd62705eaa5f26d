"""The writer of logs: whole at once, or as the match goes on, its events on disk before `sync` returns."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from attrs import evolve

from ..errors import LogError, Message, os_error_message
from ..game import FROM_ABOVE
from ..match import AnyMatch
from ..match.header import unsigned, without_trust
from ..match.registry import find as find_installed
from ..wire import wire_of
from .files import Displaced, GrowingFile, Path_, cut_tail, locked, read_error, write_error, write_whole
from .format import (
    CHAIN_BYTES,
    changes_version,
    digest,
    end_bytes,
    event_bytes,
    first_chain,
    header_bytes,
    packed_events,
)
from .framing import ObjectStream
from .json_form import to_json
from .reader import Find, read
from .recovery import is_torn_tail


def log_bytes(match: AnyMatch, *, digests: bool = True, ended: bool = True) -> bytes:
    """Pack a match as a log, with an end record if the match has ended and `ended` is True.

    A match that was read from other bytes than these loses `fair`, `veil`, `sign` and the `sign` of each event's meta:
    they held for those bytes alone.
    """
    return b"".join(log_objects(match, digests=digests, ended=ended))


def log_objects(match: AnyMatch, *, digests: bool = True, ended: bool = True) -> Iterator[bytes]:
    """Yield the objects of the log that `log_bytes` packs: the header, the events, and the end record if it has one."""
    parts, chains = _parts(match, digests)
    yield from parts
    if ended and (match.result is not None or match.abandoned):
        yield end_bytes(match.result, len(match.events), chains[-1])


def _parts(match: AnyMatch, digests: bool) -> tuple[list[bytes], list[bytes]]:
    """Return what `_packed` does, without the signatures of other bytes."""
    parts, chains = _packed(match, digests, unsign=changes_version(match.header, match.game))
    if match.recorded is not None and chains[match.recorded[0]] != match.recorded[1]:
        parts, chains = _packed(match, digests, unsign=True)
    return parts, chains


def _packed(match: AnyMatch, digests: bool, *, unsign: bool) -> tuple[list[bytes], list[bytes]]:
    """Return the packed header and events, and the chains: before the first event and after each."""
    wire = wire_of(match.game)
    head = header_bytes(without_trust(match.header) if unsign else match.header, match.game)
    parts, chains = [head], [first_chain(head)]
    for event, state in zip(match.events, match.states[1:], strict=True):
        written = evolve(event, meta=unsigned(event.meta)) if unsign else event
        parts.append(event_bytes(written, wire, digest(state) if digests else None, chains[-1]))
        chains.append(parts[-1][-CHAIN_BYTES:])
    return parts, chains


def save(match: AnyMatch, path: Path_) -> None:
    """Write a match as a log, or in its JSON form if the name ends in `.json`; replaces the file.

    A new file of a match that goes on is for its owner alone to read: all cards are in it. Raises `LogError` if the
    file cannot be written.
    """
    data = log_bytes(match)
    is_json = os.fspath(path).lower().endswith(".json") if isinstance(path, str | os.PathLike) else False
    write_whole(path, to_json(data).encode() if is_json else data, private=goes_on(match))


FROM_ABOVE["save"] = save


def goes_on(match: AnyMatch) -> bool:
    """Return True while a match has neither a result nor been abandoned."""
    return match.result is None and not match.abandoned


class LogWriter:
    """The growing log of one match: once `sync` returns, all events of the match are on disk.

    `create` begins the log of a match, `open` continues an old one; `match` is the match that it writes.
    """

    def __init__(
        self, path: Path, match: AnyMatch, chain: bytes, events: int, size: int, *, digests: bool = True
    ) -> None:
        self.path = path
        self.match = match
        self.events = events
        """How many events are in the log."""
        self._digests = digests
        self._chain = chain
        self._ended = False
        try:
            self._file = GrowingFile(path, size)
        except OSError as cause:
            why = Message("unopened", "cannot be opened: {why}", why=os_error_message(cause))
            raise LogError("file", why, path=str(path)) from None

    @classmethod
    def create(cls, path: Path_, match: AnyMatch) -> LogWriter:
        """Create the log of a match, with the events that it has; raises `LogError` if the file exists.

        Its owner alone can read the file.
        """
        parts, chains = _parts(match, digests=True)
        data = b"".join(parts)
        write_whole(path, data, new=True, private=True)
        return cls(Path(path), match, chains[-1], len(match.events), len(data))

    @classmethod
    def open(cls, path: Path_, find: Find = find_installed) -> LogWriter:
        """Open a log to continue its match.

        A torn tail is cut off and kept beside the log as `NAME.torn`, but only if it is a proper beginning of the next
        object. Anything else that is wrong raises `LogError` and leaves the file as it was; so does a log of an older
        rules version, under whose header no current event may stand.
        """
        try:
            with locked(path):
                return cls._continue(Path(path), find)
        except (OSError, ValueError, TypeError) as cause:
            raise read_error(path, cause) from None

    @classmethod
    def _continue(cls, path: Path, find: Find) -> LogWriter:
        reading = read(path, find)
        torn = [finding.kind for finding in reading.findings] == ["torn"]
        if not (reading.ok or torn) or reading.match is None or reading.game is None:
            raise reading.error(str(path))
        match = reading.match
        if match.rules != reading.game.version:
            english = "rules version {rules}, today's is {today}: load it, save the match anew, go on"
            why = Message("older-rules", english, rules=match.rules, today=reading.game.version)
            raise LogError("header", why, path=str(path))
        if reading.ended is not None:
            raise LogError("form", Message("has-ended", "the match has ended: nothing can be appended"), path=str(path))
        if torn:
            if not is_torn_tail(reading.tail, reading):
                why = Message(
                    "strange-tail",
                    "the tail is not the beginning of the next event: look at it before anything is cut off",
                )
                raise LogError("torn", why, reading.events, path=str(path))
            cut_tail(path, reading.size, reading.tail)
        digests = match.layout == reading.game.past.layout  # digests of two layouts cannot be compared
        return cls(path, match, reading.chain, reading.events, reading.size, digests=digests)

    def __enter__(self) -> LogWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def sync(self) -> None:
        """Append the events that the match has and the log has not, and return once they are on disk.

        Raises `LogError`, and then the log is as it was.
        """
        raw = packed_events(self.match, self.events, self._chain, digests=self._digests)
        if raw:
            self._write(b"".join(raw))
            self._chain, self.events = raw[-1][-CHAIN_BYTES:], len(self.match.events)

    def end(self) -> None:
        """Append what is missing, and the end record; raises `LogError` while the match goes on."""
        if goes_on(self.match):
            english = "the match goes on: play it to its end, or abandon it"
            raise LogError("form", Message("has-not-ended", english), path=str(self.path))
        self.sync()
        self._write(end_bytes(self.match.result, self.events, self._chain))
        self._ended = True

    def close(self) -> None:
        """Close the file, without an end record."""
        self._file.close()

    def _write(self, raw: bytes) -> None:
        if self._ended or self._file.closed:
            raise LogError(
                "form", Message("log-closed", "this log is closed: nothing can be appended"), path=str(self.path)
            )
        try:
            self._file.append(raw)
        except Displaced:
            english = (
                "it was removed, or another file has taken its place: {safe} of the {count} events written are there"
            )
            why = Message("log-displaced", english, safe=self._events_in_place(), count=self.events)
            raise LogError("file", why, path=str(self.path)) from None
        except OSError as cause:
            raise write_error(self.path, cause) from None

    def _events_in_place(self) -> int:
        """Return how many of the events that were written are in the file that stands at the path now."""
        return max(sum(1 for _ in ObjectStream(self._file.common_bytes())) - 1, 0)
