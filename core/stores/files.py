"""A store in a folder: a log a match, which every tool reads as it is, and its sheet beside it."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from time import time_ns
from typing import Any
from zlib import crc32

import msgpack
from attrs import frozen

from ..errors import Conflict, LogError, Message, NoMatch, StoreError, os_error_message
from ..game import Game
from ..log import read_bytes
from ..log.framing import ObjectStream
from ..log.lock import exclusive_lock
from ..log.recovery import is_torn_tail
from ..log.writer import cut_tail, replace_file, write_all
from ..registry import find as find_installed
from .memory import choose
from .metadata_file import MetadataFile, pack, unpack
from .store import ID, NEWEST, LogHead, MetadataRow, Query, StoredLog, check_known, check_new
from .subscriptions import Subscriptions, polling

LOCKS = 64
"""So many matches are written at once at most."""
LOGS = 1024
"""So many logs are remembered."""
FRESH = 2_000_000_000
"""Nanoseconds for which the clock of a file system may not tell two changes apart."""


@frozen
class _Log:
    """The objects of a log's file of this size."""

    size: int = 0
    head: bytes = b""
    events: tuple[bytes, ...] = ()
    end: bytes | None = None


@frozen
class _Glance:
    """A sheet's file as it was read, and by what one sees that it is still the same."""

    stamp: tuple[int, int, int]
    read: int
    file: MetadataFile

    def holds(self, stamp: tuple[int, int, int]) -> bool:
        return self.stamp == stamp and self.read - stamp[1] > FRESH


class FilesStore:
    """Logs as files of a folder, `ID.log`, each with its sheet, `ID.meta`; several processes may use it at once.

    A single event is appended to the log and synced. What changes at once with a sheet is first written into the
    sheet's file, which takes the old one's place whole: that is the moment at which it is done, and whoever finds the
    log without it brings it up to date. A log whose last event is torn is mended when it is next looked at, as
    `LogWriter.open` does it; `find` gives the games for that.
    """

    def __init__(self, folder: str | Path, find: Callable[[str], Game[Any, Any, Any]] = find_installed) -> None:
        self._name = f"files:{folder}"
        self._folder = Path(folder).absolute()
        self._find = find
        self._closed = False
        self._locks = tuple(Lock() for _ in range(LOCKS))
        self._logs: OrderedDict[str, _Log] = OrderedDict()
        self._memory = Lock()
        self._glances: dict[str, _Glance] = {}
        with self._translated():
            (self._folder / ".locks").mkdir(parents=True, exist_ok=True)
        self._subscriptions = Subscriptions(polling(self._look, 0.05))

    def create(self, match: str, header: bytes, row: MetadataRow) -> None:
        """Begin a log, or a sheet whose log begins later."""
        check_new(self._name, match)
        with self._alone(match):
            with suppress(NoMatch):
                raise Conflict(match, 0, len(self._load(match)[1].events))
            if self._path(match, "log").exists():
                raise StoreError(
                    self._name, Message("without-sheet", "{match}.log is there already, without a sheet", match=match)
                )
            self._commit(match, MetadataFile(row, 0, header), _Log(), _Log(len(header), header))
        self._subscriptions.notify(match)

    def append(
        self,
        match: str,
        expected_events: int,
        events: Sequence[bytes],
        *,
        header: bytes | None = None,
        end: bytes | None = None,
        row: MetadataRow | None = None,
        expected_version: int | None = None,
    ) -> None:
        """Add events, and whatever else comes with them."""
        new = [each for each in (header, *events, end) if each]
        with self._alone(match):
            file, log = self._load(match)
            _log_head(file, log).check_append(match, expected_events, events, header, end, row, expected_version)
            self._check_objects(events, end)
            size = log.size + sum(map(len, new))
            after = _Log(size, header or log.head, (*log.events, *events), end)
            if row is None and len(new) == 1 and not header:
                self._extend(match, log, new[0], after)
            elif row is not None or new:
                self._commit(match, MetadataFile(row or file.row, log.size, b"".join(new)), log, after)
        self._subscriptions.notify(match)

    def update(self, match: str, row: MetadataRow) -> None:
        """Put the next sheet in the place of the one that is kept."""
        with self._alone(match):
            file, log = self._load(match)
            _log_head(file, log).check_row(match, row)
            self._commit(match, MetadataFile(row, log.size, b""), log, log)
        self._subscriptions.notify(match)

    def read(self, match: str, since: int = 0) -> StoredLog:
        """Give the log from event `since` on, and its sheet."""
        with self._alone(match):
            file, log = self._load(match)
        since = min(max(since, 0), len(log.events))
        return StoredLog(log.head, since, log.events[since:], log.end, file.row)

    def list(self, query: Query = NEWEST) -> Iterator[tuple[str, MetadataRow]]:
        """Give the ids and sheets that the query asks for; one that cannot be read is in no list."""
        rows = []
        with self._translated():
            names = [name.removesuffix(".meta") for name in os.listdir(self._folder) if name.endswith(".meta")]
            for name in filter(ID.fullmatch, names):
                with suppress(StoreError, NoMatch):
                    rows.append((name, self._glance(name).row))
        return iter(choose(rows, query))

    def subscribe(self, match: str, callback: Callable[[], None]) -> Callable[[], None]:
        """Call `wake` soon after the match has changed by whomever; the answer ends that."""
        with self._translated():
            self._glance(match)
        return self._subscriptions.subscribe(match, callback)

    def close(self) -> None:
        """Forget what was read; no file is held open."""
        self._closed = True
        self._subscriptions.close()

    def _path(self, match: str, kind: str) -> Path:
        return self._folder / f"{match}.{kind}"

    @contextmanager
    def _alone(self, match: str) -> Iterator[None]:
        """Let nobody else look at this match or write it, in this process or another."""
        number = crc32(match.encode("utf-8", "replace")) % LOCKS
        with self._translated(), self._locks[number]:
            file = os.open(self._folder / ".locks" / str(number), os.O_RDWR | os.O_CREAT, 0o666)
            try:
                with exclusive_lock(file):
                    yield
            finally:
                os.close(file)

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Turn what the file system raises into `StoreError`."""
        if self._closed:
            raise StoreError(self._name, Message("store-closed", "it is closed"))
        try:
            yield
        except LogError as cause:
            raise StoreError(self._name, cause.summary) from cause
        except (OSError, UnicodeError, OverflowError, ValueError) as cause:
            raise StoreError(self._name, os_error_message(cause)) from cause

    def _glance(self, match: str) -> MetadataFile:
        """Read the file of a sheet, unless it is the one that was read before."""
        check_known(match)
        path = self._path(match, "meta")
        try:
            there, now = path.stat(), time_ns()
            stamp = there.st_ino, there.st_mtime_ns, there.st_size
            known = self._glances.get(match)
            if known is not None and known.holds(stamp):
                return known.file
            file = unpack(path.read_bytes())
        except FileNotFoundError:
            raise NoMatch(match) from None
        except ValueError as cause:
            raise StoreError(self._name, _at(path, os_error_message(cause))) from None
        self._glances[match] = _Glance(stamp, now, file)
        return file

    def _load(self, match: str) -> tuple[MetadataFile, _Log]:
        """Read a match, and bring its log up to date with its sheet."""
        file = self._glance(match)
        path = self._path(match, "log")
        size = path.stat().st_size if path.exists() else 0
        if size < file.size:
            english = "{file} is shorter than it was: {size} bytes, not {known}"
            raise StoreError(self._name, Message("shorter", english, file=path.name, size=size, known=file.size))
        if size < file.size + len(file.tail):
            size = self._write(match, file.size, file.tail)
        log = self._logs.get(match)
        if log is None or log.size != size:
            log = self._parse(path, path.read_bytes() if size else b"")
        self._remember(match, log)
        return file, log

    def _parse(self, path: Path, data: bytes) -> _Log:
        """Take a log to pieces; one that ends inside an event is mended."""
        objects = ObjectStream(data)
        parts = [(data[start:end], value.__class__) for value, start, end in objects]
        if objects.noise is not None:
            raise StoreError(self._name, _at(path, objects.noise))
        end = parts.pop()[0] if len(parts) > 1 and parts[-1][1] is dict else None
        strange = next((seq for seq, (_, kind) in enumerate(parts[1:]) if kind is not list), None)
        if strange is not None:
            raise StoreError(self._name, _at(path, Message("no-array", "event {seq} is no array", seq=strange)))
        if objects.torn:
            self._mend(path, data)
        head, *events = [raw for raw, _ in parts] or [b""]
        return _Log(objects.end, head, tuple(events), end)

    def _mend(self, path: Path, data: bytes) -> None:
        reading = read_bytes(data, self._find)
        if [finding.kind for finding in reading.findings] != ["torn"] or not is_torn_tail(reading.tail, reading):
            problem = reading.problem()
            english = "{problem}, and it is not the beginning of the next event"
            why = Message("no-beginning", english, problem="" if problem is None else problem.summary)
            raise StoreError(self._name, _at(path, why))
        cut_tail(path, reading.size, reading.tail)

    def _extend(self, match: str, log: _Log, new: bytes, after: _Log) -> None:
        """Append one object to a log: all of it is there, or it is torn, and no event."""
        self._write(match, log.size, new)
        self._remember(match, after)

    def _commit(self, match: str, file: MetadataFile, log: _Log, after: _Log) -> None:
        """Write a sheet's file, which settles what comes with it, and then the log."""
        replace_file(self._path(match, "meta"), pack(file))
        if file.tail:
            self._write(match, log.size, file.tail)
        self._remember(match, after)

    def _write(self, match: str, size: int, raw: bytes) -> int:
        """Write at this place of a log, which is its end or begins what was torn; give the log's new size."""
        path = self._path(match, "log")
        if size == 0:
            replace_file(path, raw)
            return len(raw)
        file = os.open(path, os.O_WRONLY | os.O_APPEND)
        try:
            os.ftruncate(file, size)
            try:
                write_all(file, raw)
            except OSError:
                os.ftruncate(file, size)
                raise
        finally:
            os.close(file)
        return size + len(raw)

    def _remember(self, match: str, log: _Log) -> None:
        with self._memory:
            self._logs[match] = log
            self._logs.move_to_end(match)
            while len(self._logs) > LOGS:
                self._logs.popitem(last=False)

    def _check_objects(self, events: Sequence[bytes], end: bytes | None) -> None:
        """Raise `StoreError` unless these are objects that can be told apart in a file."""
        for raw, kind in [*((each, list) for each in events), *([(end, dict)] if end is not None else [])]:
            try:
                fits = isinstance(msgpack.unpackb(raw, strict_map_key=False), kind)
            except Exception:
                fits = False
            if not fits:
                raise StoreError(
                    self._name, Message("no-objects", "an event is an array of msgpack, an end record a map")
                )

    def _look(self, matches: Collection[str]) -> Mapping[str, Hashable]:
        """Give how long the logs of these matches are, and which versions their sheets have."""
        stamps: dict[str, Hashable] = {}
        for match in matches:
            with suppress(NoMatch, StoreError, OSError):
                row, path = self._glance(match).row, self._path(match, "log")
                stamps[match] = row.version, path.stat().st_size if path.exists() else 0
        return stamps


def _at(path: Path, why: str) -> Message:
    return Message("in-file", "{file}: {why}", file=path.name, why=why)


def _log_head(file: MetadataFile, log: _Log) -> LogHead:
    return LogHead(bool(log.head), len(log.events), log.end is not None, file.row.version)
