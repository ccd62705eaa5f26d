"""Files: written whole or not at all, or grown at their end with what is known to be there, under a lock.

Everything that writes a whole file does so by `whole_file`, or `write_whole` for content at hand.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from os import PathLike
from pathlib import Path
from typing import BinaryIO

from ..errors import LogError, Message, os_error_message

Path_ = str | PathLike[str]

ANYBODYS, OWNERS = 0o666, 0o600
"""The modes of new files, less the umask of the process."""

NO_NAME = Message("no-file-name", "this is not a file name")

REPLACE_TRIES = 200 if sys.platform == "win32" else 1
"""Windows replaces no file that somebody reads at the moment."""


def require_regular(path: Path_) -> None:
    """Raise `OSError` for a pipe or a device, which might never end; a folder is left to `open`, which says so."""
    if not stat.S_ISREG(os.stat(path).st_mode) and not os.path.isdir(path):
        raise OSError(errno.EINVAL, Message("a-device", "this is a pipe or a device, not a file"), os.fspath(path))


def write_whole(path: Path_, content: bytes, *, new: bool = False, private: bool = False, durable: bool = True) -> None:
    """Write this content as `whole_file` does; raises `LogError`."""
    with whole_file(path, new=new, private=private, durable=durable) as file, writing(path):
        file.write(content)


@contextmanager
def writing(path: Path_) -> Iterator[None]:
    """Raise `LogError` where what is written to this file in the block fails."""
    try:
        yield
    except OSError as cause:
        raise write_error(path, cause) from None


@contextmanager
def whole_file(path: Path_, *, new: bool = False, private: bool = False, durable: bool = True) -> Iterator[BinaryIO]:
    """Yield an open file whose content stands under this name once it is left without an error.

    Readers find the old file or the new one, never less, whoever else writes it. A link is followed, and an old file
    keeps its mode and owner. With `new`, there must be no old one. A new file that is `private` is its owner's alone.
    Where it need not be `durable`, a power failure may lose it. Raises `LogError` for what cannot be written.
    """
    with writing(path):
        try:
            target, old = _target(path, new=new)
            draft = target.parent / f".{os.urandom(8).hex()}.draft"
            mode = OWNERS if private or old is not None else ANYBODYS
            file = open(draft, "xb", opener=partial(os.open, mode=mode))  # noqa: SIM115 (closed below)
        except (ValueError, TypeError):
            raise OSError(errno.EINVAL, NO_NAME) from None
    try:
        yield file
        with writing(path):
            if old is not None:
                _keep(draft, old)
            file.flush()
            if durable:
                os.fsync(file.fileno())
            file.close()
            if new:
                _give_name(draft, target)
            else:
                _replace(draft, target)
            if durable:
                _sync_folder(target.parent)
    finally:
        with suppress(OSError):  # on a full disk, closing fails too
            file.close()
        with suppress(OSError):
            draft.unlink()


def _target(path: Path_, *, new: bool) -> tuple[Path, os.stat_result | None]:
    """Return the file to write, and what is known of the old one; raises `OSError` where none can be written."""
    target = Path(path)
    if b"\0" in os.fsencode(target):  # raises `UnicodeEncodeError` for half a surrogate pair
        raise ValueError(path)
    if new:
        if os.path.lexists(target):
            raise FileExistsError(errno.EEXIST, Message("file-there", "the file is there already"))
        return target, None
    target = Path(os.path.realpath(target))
    try:
        old = os.stat(target)
    except FileNotFoundError:
        return target, None
    if stat.S_ISDIR(old.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    require_regular(target)
    return target, old


def _keep(draft: Path, old: os.stat_result) -> None:
    """Give a draft the owner, as far as the process may, and the mode of the old file."""
    with suppress(OSError, AttributeError):  # Windows has no owners of this kind
        os.chown(draft, old.st_uid, old.st_gid)
    os.chmod(draft, stat.S_IMODE(old.st_mode))


def _replace(draft: Path, target: Path) -> None:
    for _ in range(REPLACE_TRIES - 1):
        try:
            os.replace(draft, target)
        except PermissionError:
            time.sleep(0.01)
        else:
            return
    os.replace(draft, target)


def _give_name(draft: Path, target: Path) -> None:
    """Give a draft a name that no file has yet; raises `FileExistsError` if one has it, or another `OSError`.

    Some file systems have no hard links, such as exFAT, or that of a browser: there the name is claimed by an empty
    file first.
    """
    try:
        os.link(draft, target)
    except FileExistsError:
        raise
    except (OSError, AttributeError):
        open(target, "xb").close()
        try:
            _replace(draft, target)
        except OSError:
            target.unlink()
            raise


def _sync_folder(folder: Path) -> None:
    """Bring the names in a folder to disk."""
    if sys.platform == "win32":
        return
    file = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


class Displaced(OSError):  # noqa: N818 (says what happened)
    """The file that is open no longer stands at its path: it was removed, or another has taken its place."""


class GrowingFile:
    """A file that grows at its end: what `append` returned for is on disk, and in the file of this name."""

    def __init__(self, path: Path, size: int) -> None:
        """Open a file of this size; raises `OSError`."""
        self.path = path
        self.size = size
        self._file = open(path, "a+b", buffering=0, opener=_open_existing)  # noqa: SIM115 (until `close`)

    @property
    def closed(self) -> bool:
        """True once `close` was called."""
        return self._file.closed

    def close(self) -> None:
        """Close the file; it stays as it is."""
        self._file.close()

    def append(self, raw: bytes) -> None:
        """Append these bytes and return once they are on disk, or raise `OSError` and leave the file as it was."""
        file = self._file.fileno()
        with exclusive_lock(file):
            if os.fstat(file).st_size != self.size:
                raise OSError(errno.EBUSY, Message("written-meanwhile", "another program has written to it meanwhile"))
            try:
                write_all(self._file, raw)
                self._check_in_place()
            except BaseException:  # an interrupted write, too, would be found by the next one
                os.ftruncate(file, self.size)
                raise
        self.size += len(raw)

    def _check_in_place(self) -> None:
        with suppress(FileNotFoundError):
            if os.path.samestat(os.stat(self.path), os.fstat(self._file.fileno())):
                return
        raise Displaced(errno.ESTALE, Message("displaced", "it was removed, or another file has taken its place"))

    def common_bytes(self) -> bytes:
        """Return the bytes with which both this file and the one that stands at its path begin."""
        self._file.seek(0)
        ours, theirs = self._file.read(self.size), b""
        with suppress(OSError):
            require_regular(self.path)
            theirs = self.path.read_bytes()
        same = (at for at, (one, other) in enumerate(zip(ours, theirs, strict=False)) if one != other)
        return ours[: next(same, min(len(ours), len(theirs)))]


def _open_existing(name: str, flags: int) -> int:
    return os.open(name, flags & ~os.O_CREAT)


def write_all(file: BinaryIO, raw: bytes) -> None:
    """Write to an unbuffered file, and return once the bytes are on disk; raises `OSError`."""
    rest = memoryview(raw)
    while rest:
        rest = rest[file.write(rest) :]
    os.fsync(file.fileno())


def cut_tail(path: Path, size: int, tail: bytes) -> None:
    """Save the tail beside the log as `NAME.torn`, then truncate the log to `size` bytes; raises `LogError`."""
    beside = path.with_name(path.name + ".torn")
    count = 1
    while os.path.lexists(beside):
        count += 1
        beside = path.with_name(f"{path.name}.torn{count}")
    write_whole(beside, tail, new=True, private=True)
    try:
        with open(path, "r+b") as file:
            file.truncate(size)
            os.fsync(file.fileno())
    except OSError as cause:
        why = Message("not-cut-off", "its torn tail cannot be cut off: {why}", why=os_error_message(cause))
        raise LogError("file", why, path=str(path)) from None


def read_error(path: object, cause: Exception) -> LogError:
    """Return the error of a file that cannot be read, or of a path that names none (`ValueError`, `TypeError`)."""
    why = os_error_message(cause) if isinstance(cause, OSError) else NO_NAME
    return LogError("file", Message("unreadable", "cannot be read: {why}", why=why), path=str(path))


def write_error(path: object, cause: OSError) -> LogError:
    """Return the error of a file that cannot be written."""
    return LogError(
        "file", Message("unwritable", "cannot be written: {why}", why=os_error_message(cause)), path=str(path)
    )


if sys.platform != "win32":  # there, another writer is noticed by the size of the log alone
    import fcntl


@contextmanager
def exclusive_lock(file: int, *, wait: bool = True) -> Iterator[None]:
    """Hold the exclusive lock of this open file, given by its descriptor; raises `OSError`.

    Unless it may `wait`, that is `BlockingIOError` while another holds it.
    """
    if sys.platform != "win32":
        fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    try:
        yield
    finally:
        if sys.platform != "win32":
            fcntl.flock(file, fcntl.LOCK_UN)


@contextmanager
def locked(path: str | PathLike[str]) -> Iterator[None]:
    """Hold the exclusive lock of the file that stands at a path, also if it is replaced meanwhile; raises `OSError`."""
    while True:
        file = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))  # it may turn out to be a pipe
        try:
            with exclusive_lock(file):
                if os.path.samestat(os.stat(path), os.fstat(file)):
                    yield
                    return
        finally:
            os.close(file)
