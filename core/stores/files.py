"""A store in a folder: one log file a match, which every tool can read, and a metadata file beside it."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from errno import EAGAIN
from pathlib import Path
from threading import Lock, get_ident
from time import monotonic, time_ns
from typing import Any
from zlib import crc32

from ..errors import KifuError, LogError, Message, NoMatch, StoreError, os_error_message
from ..game import Game
from ..log.lock import exclusive_lock
from ..log.writer import replace_file, sync_folder
from ..match.registry import find as find_installed
from .due_files import open_due_files
from .folders import clear_drafts, make_folder
from .known_logs import KnownLogs
from .log_file import LogFile, parse, write
from .memory import choose
from .metadata_file import CachedMetadata, MetadataFile, pack, unpack
from .patience import Patience
from .probe import PROBE_BYTES, check_probe
from .store import (
    ID,
    LOCK_TIMEOUT_S,
    NEWEST,
    Append,
    Change,
    Claim,
    Create,
    Delete,
    Due,
    LogHead,
    MetadataRow,
    Query,
    Schedule,
    StoredLog,
    Update,
    changed_by,
    check_id,
    check_known,
    each_made,
)
from .subscriptions import Subscriptions, polling

GUARD_MS = 1_500
"""How much later than it is due a match is looked at if the process dies or stops in the middle of a change."""
LOCKS = 64
"""How many lock files there are: the most matches that are written at the same time."""
MAX_CACHED_LOGS = 1024


class FilesStore:
    """A store of log files, `ID.log`, and metadata files, `ID.meta`; several processes may use it at once.

    A single event is appended to the log and synced. A change of log and metadata goes into the metadata file first,
    which is replaced atomically: that commits it. A reader that finds the log without it appends it. A log whose last
    event is torn is repaired when it is next read, as `LogWriter.open` does; `find` returns the games for that.
    """

    def __init__(self, folder: str | Path, find: Callable[[str], Game[Any, Any, Any]] = find_installed) -> None:
        self._name = f"files:{folder}"
        self._folder = Path(folder).absolute()
        self._find = find
        self._closed = False
        self._locks = tuple(Lock() for _ in range(LOCKS))
        self._patience = tuple(Patience() for _ in range(LOCKS))
        self._logs: OrderedDict[str, LogFile] = OrderedDict()
        self._cache_lock = Lock()
        self._cached: dict[str, CachedMetadata] = {}
        with self._translated():
            make_folder(self._folder / ".locks")
            self._known = KnownLogs(self._folder / ".known")
            clear_drafts(self._folder)
            self._due = open_due_files(self._folder / ".due", self._going)
        self._subscriptions = Subscriptions(polling(self._stamps, 0.05))

    def commit(self, changes: Sequence[Change]) -> Sequence[KifuError | None]:
        """Make changes, each for itself: files have no transaction; return what became of each."""
        answers = each_made(changes, self._make)
        for match in changed_by(changes, answers):
            self._subscriptions.notify(match)
        return answers

    def _make(self, change: Change) -> None:
        """Make one change under the lock of its match."""
        check_id(self._name, change)
        match = change.match
        with self._locked(match):
            try:
                file, log = self._load(match)
            except NoMatch:
                change.check(None)
                assert isinstance(change, Create), "the change was checked"
                self._begin(change)
                return
            change.check(_log_head(file, log))
            if isinstance(change, Append | Update):
                self._guard(match, change.due)
            match change:
                case Append():
                    self._append(change, file, log)
                case Update():
                    self._commit(match, MetadataFile(change.row, log.size, b""), log, log)
                case Delete():
                    self._remove(match)
            if isinstance(change, Append | Update | Schedule) and change.due is not None:
                self._due.set(match, change.due)

    def _begin(self, create: Create) -> None:
        """Make the files of a new match."""
        if self._path(create.match, "log").exists():
            english = "{match}.log is there already, without metadata"
            raise StoreError(self._name, Message("without-metadata", english, match=create.match))
        log = LogFile(len(create.header), create.header)
        self._commit(create.match, MetadataFile(create.row, 0, create.header), LogFile(), log)

    def _append(self, append: Append, file: MetadataFile, log: LogFile) -> None:
        """Append to a log, with the row if one is given."""
        match, row = append.match, append.row
        after, new = log.after(append)
        if row is None and len(new) == 1 and not append.header:
            self._extend(match, log, new[0], after)
        elif row is not None or new:
            self._commit(match, MetadataFile(row or file.row, log.size, b"".join(new)), log, after)

    def _remove(self, match: str) -> None:
        """Remove the files of a match."""
        self._due.set(match, Due(None))
        self._known.forget(match)
        for kind in ("meta", "log"):  # a log that is left without metadata is no match
            self._path(match, kind).unlink(missing_ok=True)
        sync_folder(self._folder)
        with self._cache_lock:
            self._logs.pop(match, None)
            self._cached.pop(match, None)

    def read(self, match: str, since: int = 0) -> StoredLog:
        """Return the log from event `since` on, and its metadata row."""
        with self._translated():
            unchanged = self._unchanged(match)
        if unchanged is None:
            with self._locked(match):
                unchanged = self._load(match)
        file, log = unchanged
        since = min(max(since, 0), len(log.events))
        return StoredLog(log.header, since, log.events[since:], log.end, file.row)

    def list(self, query: Query = NEWEST) -> Iterator[tuple[str, MetadataRow]]:
        """Return the ids and metadata rows that fit the query; leaves out files that cannot be read."""
        rows = []
        with self._translated():
            names = [name.removesuffix(".meta") for name in os.listdir(self._folder) if name.endswith(".meta")]
            for name in filter(ID.fullmatch, names):
                with suppress(StoreError, NoMatch):
                    rows.append((name, self._read_metadata(name).row))
        return iter(choose(rows, query))

    def _going(self) -> Iterator[str]:
        return (match for match, _ in self.list(Query(status="going", limit=1 << 62)))

    def claim(self, now_ms: int, until_ms: int, limit: int, *, is_bot: bool) -> Sequence[Claim]:
        """Claim the matches in which something is due now, but for those that somebody is writing to."""
        claimed: list[Claim] = []
        with self._translated():
            for at_ms, match in self._due.all_due(now_ms, is_bot=is_bot):
                if len(claimed) >= limit:
                    break
                timeout_s = LOCK_TIMEOUT_S if until_ms < at_ms else 0.0  # a time put back is put back in all matches
                with suppress(BlockingIOError), self._holding(match, timeout_s):
                    count = self._count(match)
                    if self._due.postpone(match, Due(at_ms, is_bot), Due(until_ms, is_bot)):
                        claimed.append(Claim(match, count))
        return claimed

    def _count(self, match: str) -> int:
        """Return how many events a locked match has; 0 if it cannot be read, which whoever reads it will be told."""
        try:
            return len(self._load(match)[1].events)
        except (KifuError, OSError):
            return 0

    def earliest_due(self) -> int | None:
        """Return when something is next due in any match."""
        with self._translated():
            return self._due.earliest_due()

    def probe(self) -> None:
        """Write bytes that a full disk would not take, and read them back."""
        path, content = self._folder / f".probe.{os.getpid()}.{get_ident()}", os.urandom(PROBE_BYTES)
        with self._translated():
            replace_file(path, content)
            found = path.read_bytes()
            path.unlink()
        check_probe(self._name, content, found)

    def subscribe(self, match: str, callback: Callable[[], None]) -> Callable[[], None]:
        """Call `callback` after each change of the match by any process. Returns a function that unsubscribes."""
        with self._translated():
            self._read_metadata(match)
        return self._subscriptions.subscribe(match, callback)

    def close(self) -> None:
        """Close the store; no file is open."""
        self._closed = True
        self._subscriptions.close()

    def _path(self, match: str, kind: str) -> Path:
        return self._folder / f"{match}.{kind}"

    @contextmanager
    def _locked(self, match: str) -> Iterator[None]:
        """Hold the match's lock, against other threads and processes."""
        with self._translated(), self._holding(match, LOCK_TIMEOUT_S):
            yield

    @contextmanager
    def _holding(self, match: str, timeout_s: float) -> Iterator[None]:
        """Hold the match's lock; raises `BlockingIOError` if another holds it for longer."""
        number, until_s = crc32(match.encode("utf-8", "replace")) % LOCKS, monotonic() + timeout_s
        patience = self._patience[number]
        if not self._locks[number].acquire(timeout=timeout_s):
            raise BlockingIOError(EAGAIN, "")
        try:
            file = os.open(self._folder / ".locks" / str(number), os.O_RDWR | os.O_CREAT, 0o666)
            try:
                with exclusive_lock(file, patience.wait_s(max(0.0, until_s - monotonic()))):
                    patience.restore()
                    yield
            finally:
                os.close(file)
        finally:
            self._locks[number].release()

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Raise what the file system raises as `StoreError`; raise it at once if the store is closed."""
        if self._closed:
            raise StoreError(self._name, Message("store-closed", "it is closed"))
        try:
            yield
        except LogError as cause:
            raise StoreError(self._name, cause.summary) from cause
        except BlockingIOError as cause:
            raise StoreError(self._name, Message("store-locked", "another program holds its lock")) from cause
        except (OSError, UnicodeError, OverflowError, ValueError) as cause:
            raise StoreError(self._name, os_error_message(cause)) from cause

    def _read_metadata(self, match: str) -> MetadataFile:
        """Return the match's metadata file, read anew if it may have changed; raises `NoMatch` or `StoreError`."""
        check_known(match)
        path = self._path(match, "meta")
        try:
            stamp, now = _stamp(path), time_ns()
            known = self._cached.get(match)
            if known is not None and known.is_valid(stamp):
                return known.file
            file = unpack(path.read_bytes())
        except FileNotFoundError:
            if self._known.size(match) is not None:
                english = "the metadata of match {match} is missing"
                raise StoreError(self._name, Message("lost-metadata", english, match=match)) from None
            raise NoMatch(match) from None
        except ValueError as cause:
            raise StoreError(self._name, _at(path, os_error_message(cause))) from None
        self._cached[match] = CachedMetadata(stamp, now, file)
        return file

    def _load(self, match: str) -> tuple[MetadataFile, LogFile]:
        """Return a match's metadata file and its log, after appending what the log still lacks."""
        file = self._read_metadata(match)
        path = self._path(match, "log")
        size = path.stat().st_size if path.exists() else 0
        most = max(file.size, self._known.size(match) or 0)
        if size < most:
            english = "{file} is shorter than it was: {size} bytes, not {known}"
            raise StoreError(self._name, Message("shorter", english, file=path.name, size=size, known=most))
        if size < file.size + len(file.tail):
            size = write(path, file.size, file.tail)
        log = self._logs.get(match)
        if log is None or log.size != size:
            raw = path.read_bytes() if size else b""
            problem = self._known.problem(match, path.name, raw)
            if problem is not None:
                raise StoreError(self._name, problem)
            try:
                log = parse(path, raw, self._find)
            except ValueError as cause:
                raise StoreError(self._name, _at(path, os_error_message(cause))) from None
        self._cache(match, log)
        return file, log

    def _guard(self, match: str, due: Due | None) -> None:
        """See to it that somebody looks at the match soon, even if this process dies before it sets when it is due."""
        if due is not None and due.at_ms is not None:
            before, soon_ms = self._due.get(match).at_ms, due.at_ms + GUARD_MS
            if before is None or soon_ms < before:
                self._due.set(match, Due(soon_ms, due.is_bot))

    def _unchanged(self, match: str) -> tuple[MetadataFile, LogFile] | None:
        """Return the metadata file and the log if both are known and have not changed: that needs no lock."""
        log, known = self._logs.get(match), self._cached.get(match)
        if log is None or known is None or not log.size:
            return None
        try:
            stamp, size = _stamp(self._path(match, "meta")), self._path(match, "log").stat().st_size
        except FileNotFoundError:
            return None
        whole = log.size == size >= known.file.size + len(known.file.tail)
        return (known.file, log) if whole and known.is_valid(stamp) else None

    def _extend(self, match: str, log: LogFile, new: bytes, after: LogFile) -> None:
        """Append one object to a log: after a crash it is whole, or torn and cut off."""
        write(self._path(match, "log"), log.size, new)
        self._known.keep(match, after.size, after.last)
        self._cache(match, after)

    def _commit(self, match: str, file: MetadataFile, log: LogFile, after: LogFile) -> None:
        """Replace the metadata file, which commits the change, and then append its tail to the log."""
        replace_file(self._path(match, "meta"), pack(file))
        if file.tail:
            write(self._path(match, "log"), log.size, file.tail)
            self._known.keep(match, after.size, after.last)
        self._cache(match, after)

    def _cache(self, match: str, log: LogFile) -> None:
        """Keep a parsed log, among the `MAX_CACHED_LOGS` used last."""
        with self._cache_lock:
            self._logs[match] = log
            self._logs.move_to_end(match)
            while len(self._logs) > MAX_CACHED_LOGS:
                self._logs.popitem(last=False)

    def _stamps(self, matches: Collection[str]) -> Mapping[str, Hashable]:
        """Return a stamp for each of these matches: the version of its row, and its log's size."""
        stamps: dict[str, Hashable] = {}
        for match in matches:
            with suppress(NoMatch, StoreError, OSError):
                row, path = self._read_metadata(match).row, self._path(match, "log")
                stamps[match] = row.version, path.stat().st_size if path.exists() else 0
        return stamps


def _stamp(path: Path) -> tuple[int, int, int]:
    """Return what changes with a file; raises `OSError`."""
    there = path.stat()
    return there.st_ino, there.st_mtime_ns, there.st_size


def _at(path: Path, why: str) -> Message:
    return Message("in-file", "{file}: {why}", file=path.name, why=why)


def _log_head(file: MetadataFile, log: LogFile) -> LogHead:
    return LogHead(bool(log.header), len(log.events), log.end is not None, file.row.version)
