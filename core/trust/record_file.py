"""The file of a seat record: read whole, and written entry by entry, each on disk before it is shown."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgpack

from ..errors import LogError, Message, TrustError, os_error_message
from ..log.lock import READ_WITHOUT_BLOCKING, exclusive_lock
from ..log.regular_file import require_regular
from ..log.writer import Path_, append_all, cut_tail, replace_file, write_error
from .seat_record import Entry, Record, entry_error, read_bytes, with_compared


def read(path: Path_) -> Record:
    """Read a seat record; raises `TrustError` if the file cannot be read, or is none."""
    try:
        require_regular(path)
        data = Path(path).read_bytes()
    except (OSError, ValueError) as cause:
        raise _unreadable(path, os_error_message(cause)) from None
    return _read(data, path)


def _read(data: bytes, path: Path_) -> Record:
    try:
        return read_bytes(data)
    except TrustError as cause:
        raise TrustError(cause.kind, cause.why, os.fspath(path)) from None


class RecordWriter:
    """A seat record that grows: `append` returns when the entry is on disk.

    Make one with `create` for a new record, or with `open` to go on with an old one.
    """

    def __init__(self, path: Path, record: Record) -> None:
        self.path = path
        self.record = record
        """The head; what stood in the file when it was opened."""
        self._known = {entry.packed() for entry in record.entries}
        self._latest = max((entry.time or 0 for entry in record.entries), default=0)
        self._size = record.size
        try:
            self._file = os.open(path, os.O_WRONLY | os.O_APPEND)
        except OSError as cause:
            why = Message("unopened", "cannot be opened: {why}", why=os_error_message(cause))
            raise TrustError("record", why, str(path)) from None

    @classmethod
    def create(cls, path: Path_, head: Mapping[str, Any]) -> RecordWriter:
        """Begin a record with this head (`records.head`); raises `TrustError` for no head, or if the file is there."""
        path, raw = Path(path), msgpack.packb(dict(head))
        record = _read(raw, path)
        try:
            replace_file(path, raw, new=True)
        except LogError as cause:
            raise TrustError("record", cause.message, str(path)) from None
        return cls(path, record)

    @classmethod
    def open(cls, path: Path_) -> RecordWriter:
        """Go on with a record; a torn last entry is cut off and kept beside it as `NAME.torn`.

        Raises `TrustError` where it is no record, or anything else is wrong with it; then nothing is touched.
        """
        path = Path(path)
        try:
            file = os.open(path, READ_WITHOUT_BLOCKING)
        except (OSError, ValueError) as cause:
            raise _unreadable(path, os_error_message(cause)) from None
        try:
            with exclusive_lock(file):
                return cls._going_on(path)
        except LogError as cause:
            raise TrustError("record", cause.message, str(path)) from None
        finally:
            os.close(file)

    @classmethod
    def _going_on(cls, path: Path) -> RecordWriter:
        record = read(path)
        wrong = next((each for each in record.findings if each.kind != "torn"), None)
        if wrong is not None:
            raise TrustError("record", wrong.message, str(path))
        if record.tail:
            cut_tail(path, record.size, record.tail)
        return cls(path, record)

    def __enter__(self) -> RecordWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def append(self, entry: Entry | Sequence[Any]) -> None:
        """Write an entry and return once it is on disk; one that is there already is not written again.

        Raises `TrustError` for a malformed entry, or one that is told later than what came after it; the record is as
        it was.
        """
        parts = list(entry) if isinstance(entry, Sequence) else msgpack.unpackb(entry.packed())
        wrong = entry_error(parts, self.record.form)
        if wrong is not None:
            raise TrustError("record", wrong, str(self.path))
        new = Entry(*parts)
        raw = new.packed()
        if raw in self._known:
            return
        if new.time is not None and new.time < self._latest:
            raise TrustError("record", Message("out-of-order", "this entry stands after a later one"), str(self.path))
        self._write(raw)
        self._known.add(raw)
        self._latest = max(self._latest, new.time or 0)

    def close(self) -> None:
        """Close the file; the record stays as it is."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _write(self, raw: bytes) -> None:
        if self._file < 0:
            raise TrustError("record", Message("record-closed", "this record is closed"), str(self.path))
        try:
            while not self._appended(raw):
                self._follow()
        except OSError as cause:
            why = Message("unwritable", "cannot be written: {why}", why=os_error_message(cause))
            raise TrustError("record", why, str(self.path)) from None
        self._size += len(raw)

    def _appended(self, raw: bytes) -> bool:
        """Append these bytes; return False if another file has taken this one's place: they would be lost."""
        with exclusive_lock(self._file):
            if not os.path.samestat(os.stat(self.path), os.fstat(self._file)):
                return False
            if os.fstat(self._file).st_size != self._size:
                raise self._written_meanwhile()
            append_all(self._file, self._size, raw)
            return True

    def _follow(self) -> None:
        """Go on in the file that has taken this one's place, if it has the same entries: its owner has noted a code."""
        record = read(self.path)
        entries = {entry.packed() for entry in record.entries}
        if record.roster_raw != self.record.roster_raw or entries != self._known or record.tail:
            raise self._written_meanwhile()
        self.close()
        self._file, self._size = os.open(self.path, os.O_WRONLY | os.O_APPEND), record.size

    def _written_meanwhile(self) -> TrustError:
        english = "another program has written to it meanwhile"
        return TrustError("record", Message("written-meanwhile", english), str(self.path))


def note_codes(path: Path, agreed: Record) -> None:
    """Note in its file the codes that a record notes, whoever writes to it; raises `LogError` if that fails."""
    try:
        file = os.open(path, READ_WITHOUT_BLOCKING)
    except OSError as cause:
        raise write_error(path, cause) from None
    try:
        with exclusive_lock(file):
            replace_file(path, with_compared(path.read_bytes(), agreed))
    finally:
        os.close(file)


def _unreadable(path: Path_, why: str) -> TrustError:
    return TrustError("record", Message("unreadable", "cannot be read: {why}", why=why), os.fspath(path))
