"""The writer of logs: whole at once, or event by event, each on disk before `append` returns."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from os import PathLike
from pathlib import Path
from typing import Any

from attrs import evolve

from ..errors import LogError, MatchError, Message, os_error_message
from ..game import AnyGame, AnyStep, Event, RuleViolation
from ..match import AnyMatch
from ..match.header import Header, check_meta, unsigned, without_trust
from ..match.registry import find as find_installed
from ..wire import wire_of
from .format import CHAIN_BYTES, changes_version, digest, end_bytes, event_bytes, first_chain, header_bytes
from .json_form import to_json
from .lock import READ_WITHOUT_BLOCKING, exclusive_lock
from .reader import Find, read
from .recovery import is_torn_tail

Path_ = str | PathLike[str]


def log_bytes(match: AnyMatch, *, digests: bool = True, ended: bool = True) -> bytes:
    """Pack a match as a log, with an end record if the match has ended and `ended` is True.

    A match that was read from other bytes than these loses `fair`, `veil`, `sign` and the `sign` of each event's meta:
    they held for those bytes alone.
    """
    return b"".join(log_objects(match, digests=digests, ended=ended))


def log_objects(match: AnyMatch, *, digests: bool = True, ended: bool = True) -> Iterator[bytes]:
    """Yield the objects of the log that `log_bytes` packs: the header, the events, and the end record if it has one."""
    parts, chains = _packed(match, digests, unsign=changes_version(match.header, match.game))
    if match.recorded is not None and chains[match.recorded[0]] != match.recorded[1]:
        parts, chains = _packed(match, digests, unsign=True)
    yield from parts
    if ended and (match.result is not None or match.abandoned):
        yield end_bytes(match.result, len(match.events), chains[-1])


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

    Raises `LogError` if the file cannot be written.
    """
    try:
        file = Path(path)
    except TypeError as cause:
        raise write_error(path, cause) from None
    data = log_bytes(match)
    replace_file(file, to_json(data).encode() if file.name.lower().endswith(".json") else data)


class LogWriter:
    """A growing log: `append` returns once the event is on disk.

    `create` begins a log for a new match, `open` continues the log of an old one.
    """

    def __init__(
        self, path: Path, game: AnyGame, chain: bytes, events: int, size: int, *, digests: bool = True
    ) -> None:
        self.path = path
        self.events = events
        self._wire = wire_of(game)
        self._digests = digests
        self._chain = chain
        self._size = size
        self._ended = False
        try:
            self._file = os.open(path, os.O_WRONLY | os.O_APPEND)
        except OSError as cause:
            raise LogError(
                "file", Message("unopened", "cannot be opened: {why}", why=os_error_message(cause)), path=str(path)
            ) from None

    @classmethod
    def create(cls, path: Path_, game: AnyGame, header: Header) -> LogWriter:
        """Create a log with this header and return its writer; raises `LogError` if the file exists."""
        path = Path(path)
        head = header_bytes(header, game)
        replace_file(path, head, new=True)
        return cls(path, game, first_chain(head), 0, len(head))

    @classmethod
    def open(cls, path: Path_, find: Find = find_installed) -> tuple[LogWriter, AnyMatch]:
        """Open a log to continue it; return its writer and the match so far.

        A torn tail is cut off and kept beside the log as `NAME.torn`, but only if it is a proper beginning of the next
        object. Anything else that is wrong raises `LogError` and leaves the file as it was; so does a log of an older
        rules version, under whose header no current event may stand.
        """
        path = Path(path)
        try:
            file = os.open(path, READ_WITHOUT_BLOCKING)
        except (OSError, ValueError) as cause:
            raise LogError(
                "file", Message("unreadable", "cannot be read: {why}", why=os_error_message(cause)), path=str(path)
            ) from None
        try:
            with exclusive_lock(file):
                return cls._continue(path, find)
        finally:
            os.close(file)

    @classmethod
    def _continue(cls, path: Path, find: Find) -> tuple[LogWriter, AnyMatch]:
        reading = read(path, find)
        torn = [finding.kind for finding in reading.findings] == ["torn"]
        if not (reading.ok or torn) or reading.match is None or reading.game is None:
            raise reading.error(str(path))
        match = reading.match
        if match.rules != reading.game.rules:
            english = "rules version {rules}, today's is {today}: load it, save the match anew, go on"
            why = Message("older-rules", english, rules=match.rules, today=reading.game.rules)
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
        digests = match.layout == reading.game.layout  # digests of two layouts cannot be compared
        return cls(path, reading.game, reading.chain, reading.events, reading.size, digests=digests), match

    def __enter__(self) -> LogWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def append(self, step: AnyStep) -> None:
        """Append the step's event and return once it is on disk; raises `LogError`, and then the log is as it was."""
        if step.seq != self.events:
            raise LogError(
                "form",
                Message("other-next", "event {next} is next, not {seq}", next=self.events, seq=step.seq),
                path=str(self.path),
            )
        event = self._exact(step.event)
        state_digest = digest(step.after) if self._digests else None
        raw = event_bytes(event, self._wire, state_digest, self._chain)
        self._write(raw)
        self._chain = raw[-CHAIN_BYTES:]
        self.events += 1

    def _exact(self, event: Event[Any]) -> Event[Any]:
        """Return the event as reading gives it; raises `LogError` for one that a log cannot hold."""
        try:
            if event.seat.__class__ is not int:
                raise MatchError(
                    Message("no-int-as-seat", "a seat is an int, not {given}", given=ascii(event.seat)[:60])
                )
            if event.meta is not None:
                check_meta(event.meta)
            return evolve(event, command=self._wire.exact(event.command))
        except (MatchError, RuleViolation) as wrong:
            why = wrong.facts["why"] if isinstance(wrong, RuleViolation) else wrong.summary
            raise LogError("form", why, event.seq, path=str(self.path)) from None

    def end(self, match: AnyMatch) -> None:
        """Append the end record: the result, or `abandoned` if the match has none."""
        self._write(end_bytes(match.result, self.events, self._chain))
        self._ended = True

    def close(self) -> None:
        """Close the file, without an end record."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _write(self, raw: bytes) -> None:
        if self._ended or self._file < 0:
            raise LogError(
                "form", Message("log-closed", "this log is closed: nothing can be appended"), path=str(self.path)
            )
        try:
            with exclusive_lock(self._file):
                self._write_next(raw)
        except OSError as cause:
            raise write_error(self.path, cause) from None
        self._size += len(raw)

    def _write_next(self, raw: bytes) -> None:
        if os.fstat(self._file).st_size != self._size:
            raise LogError(
                "file", Message("written-meanwhile", "another program has written to it meanwhile"), path=str(self.path)
            )
        append_all(self._file, self._size, raw)


def write_all(file: int, raw: bytes, *, durable: bool = True) -> None:
    """Write to an open file, and return once the bytes are on disk, if it is to be `durable`; raises `OSError`."""
    rest = memoryview(raw)
    while rest:
        rest = rest[os.write(file, rest) :]
    if durable:
        os.fsync(file)


def append_all(file: int, size: int, raw: bytes) -> None:
    """Write at the end of an open file of this size, or leave it as it was; raises `OSError`."""
    try:
        write_all(file, raw)
    except OSError:
        os.ftruncate(file, size)
        raise


def replace_file(path: Path, raw: bytes, *, new: bool = False, durable: bool = True) -> None:
    """Write a whole file atomically: readers see the old content or the new; raises `LogError`.

    With `new`, raises `LogError` if the file exists. Where it need not be `durable`, a power failure may lose it.
    """
    draft = path.parent / f".{path.name}.{os.getpid()}.draft"  # a folder such as "." has no name
    try:
        if new and path.exists():
            raise FileExistsError(17, Message("file-there", "the file is there already"))
        file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
        try:
            write_all(file, raw, durable=durable)
        finally:
            os.close(file)
        if new:
            give_name(draft, path)
        else:
            draft.replace(path)
        if durable:
            sync_folder(path.parent)
    except (OSError, ValueError) as cause:  # ValueError: a name with a zero byte
        with suppress(OSError, ValueError):
            draft.unlink(missing_ok=True)
        raise write_error(path, cause) from None


def give_name(draft: Path, path: Path) -> None:
    """Give the draft this name, which no file has yet; raises `FileExistsError` if one has it, or another `OSError`.

    Some file systems have no hard links, such as exFAT, or that of a browser: there the name is claimed by an empty
    file first.
    """
    try:
        os.link(draft, path)
    except FileExistsError:
        raise
    except (OSError, AttributeError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
        draft.replace(path)
    else:
        draft.unlink()


def sync_folder(folder: Path) -> None:
    """Bring the names in a folder to disk; raises `OSError`."""
    if os.name == "nt":
        return
    file = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def cut_tail(path: Path, size: int, tail: bytes) -> None:
    """Save the tail beside the log as `NAME.torn`, then truncate the log to `size` bytes; raises `LogError`."""
    beside = path.with_name(path.name + ".torn")
    count = 1
    while beside.exists():
        count += 1
        beside = path.with_name(f"{path.name}.torn{count}")
    replace_file(beside, tail, new=True)
    try:
        file = os.open(path, os.O_WRONLY)
        try:
            os.ftruncate(file, size)
            os.fsync(file)
        finally:
            os.close(file)
    except OSError as cause:
        raise LogError(
            "file",
            Message("not-cut-off", "its torn tail cannot be cut off: {why}", why=os_error_message(cause)),
            path=str(path),
        ) from None


def write_error(path: object, cause: Exception) -> LogError:
    """Return the error of a file that cannot be written, or of a path that names none."""
    is_name = isinstance(cause, OSError)
    why = os_error_message(cause) if is_name else Message("no-file-name", "this is no file name")
    return LogError("file", Message("unwritable", "cannot be written: {why}", why=why), path=str(path))
