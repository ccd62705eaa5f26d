"""Where logs are: a path of this machine, or an address that fsspec knows, like `s3://bucket/logs` (extra `bulk`)."""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from posixpath import dirname, splitext
from typing import Any, TypeVar, overload

from attrs import frozen

from ...core.errors import LogError, Message, MissingExtra, os_error_message
from ...core.log import Reading, read, read_bytes
from ...core.log.writer import replace_file, write_error
from ..call_errors import CallError, UserMessage

T = TypeVar("T")

PASSING = ("simplecache", "filecache", "blockcache")
"""Links of a chain of addresses that have no path of their own."""


@frozen
class Address:
    """A location that fsspec knows, perhaps by a chain of links, like `zip://logs::s3://bucket/logs.zip`."""

    url: str

    def __str__(self) -> str:
        return self.url

    @property
    def name(self) -> str:
        links, at = self._links()
        return links[at].rpartition("/")[2]

    def with_suffix(self, suffix: str) -> Address:
        """Name what lies beside it."""
        links, at = self._links()
        links[at] = splitext(links[at])[0] + suffix
        return Address("::".join(links))

    def __truediv__(self, path: str) -> Address:
        """Name what lies in it."""
        links, at = self._links()
        links[at] = f"{links[at]}{'' if links[at].endswith('/') else '/'}{path}"
        return Address("::".join(links))

    def read_bytes(self) -> bytes:
        """Read all of it; raises `OSError`, whatever the library behind it raises."""
        return self._asked(lambda files, path: bytes(files.cat_file(path)))

    def write_bytes(self, content: bytes) -> None:
        """Put this there, in folders that are made where they are missing; raises `OSError`."""
        self._asked(lambda files, path: _pipe(files, path, content))

    def logs(self, suffix: str = ".log") -> list[Address]:
        """List the files of this suffix in it, in byte order; itself alone, if it is no folder. Raises `CallError`."""
        try:
            found = self._asked(lambda files, root: self._found(files, root, suffix))
        except FileNotFoundError:
            return [self]  # whoever reads it tells
        except OSError as cause:
            raise CallError(
                "cannot-list", "{address}: cannot be listed: {why}", address=self, why=os_error_message(cause)
            ) from None
        return sorted(found, key=lambda each: os.fsencode(each.url))

    def _found(self, files: Any, root: str, suffix: str) -> list[Address]:
        if files.isfile(root):
            return [self]
        names = [name for name in files.find(root) if name.endswith(suffix)]
        if not names and not files.exists(root):
            raise FileNotFoundError
        return [self / name.removeprefix(root).lstrip("/") for name in names]

    def _asked(self, question: Callable[[Any, str], T]) -> T:
        """Ask the file system of this address; raises `Unusable` if there is none, `OSError` for all that fails."""
        try:
            from fsspec.core import url_to_fs
        except ImportError:
            raise MissingExtra(UserMessage("what-is-at", "what is at {address}", address=self), "bulk") from None
        try:
            return question(*url_to_fs(self.url))
        except ImportError as cause:
            raise CallError(
                "address-unusable", "{address}: {why}", address=self, why=cause
            ) from None  # it says what to install
        except (FileNotFoundError, KeyError):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), self.url) from None
        except OSError:
            raise
        except Exception as cause:  # a library of any making
            raise OSError(errno.EIO, " ".join(str(cause).split()) or repr(cause), self.url) from None

    def _links(self) -> tuple[list[str], int]:
        """Give the links of the chain, and which of them the path belongs to."""
        links = self.url.split("::")
        at = next((at for at, link in enumerate(links) if link not in PASSING), 0)
        links[at] = links[at] if "://" in links[at] else f"{links[at]}://"
        return links, at


@frozen
class SentFile:
    """A path of this machine on its way to another, with what is in the file, or why it cannot be read."""

    path: Path
    files: Mapping[Path, bytes | OSError]

    @classmethod
    def of(cls, path: Path, beside: Collection[str] = ()) -> SentFile:
        """Pack a file, and those beside it with these suffixes."""
        return cls(path, {each: _packed(each) for each in (path, *map(path.with_suffix, beside))})

    def __str__(self) -> str:
        return str(self.path)

    @property
    def name(self) -> str:
        return self.path.name

    def with_suffix(self, suffix: str) -> SentFile:
        return SentFile(self.path.with_suffix(suffix), self.files)

    def read_bytes(self) -> bytes:
        content = self.files[self.path]
        if isinstance(content, OSError):
            raise content
        return content


Location = Path | Address


def location(typed: str) -> Location:
    """Tell an address from a path, by the name of a protocol before it; raises `Unusable`."""
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]+(://|::)", typed):
        return Address(typed)
    if "\0" in typed:
        raise CallError("no-file-name", "{asked}: this is no file name", asked=ascii(typed))
    return Path(typed)


@frozen
class Logs(Sequence[Location]):
    """Locations of logs, very many perhaps: of a path only its name is kept."""

    names: list[str | Address]

    def __len__(self) -> int:
        return len(self.names)

    @overload
    def __getitem__(self, at: int) -> Location: ...
    @overload
    def __getitem__(self, at: slice) -> Logs: ...
    def __getitem__(self, at: int | slice) -> Location | Logs:
        if isinstance(at, slice):
            return Logs(self.names[at])
        name = self.names[at]
        return Path(name) if isinstance(name, str) else name


def some_logs(typed: Sequence[str]) -> Logs:
    """List what `logs_of` gives; raises `Unusable` if there is nothing."""
    found = logs_of(typed)
    if not found:
        raise CallError(
            "no-logs", "no *.log in {folder}: give a log, or a folder that has some", folder=", ".join(typed)
        )
    return found


def logs_of(typed: Iterable[str]) -> Logs:
    """List the files given, and the `*.log` of the folders given."""
    names: list[str | Address] = []
    for each in map(location, typed):
        if isinstance(each, Address):
            names += each.logs()
        elif os.path.isdir(each):  # unlike `Path.is_dir`, no error where the way to it is closed
            names += logs_in(each)
        else:
            names.append(str(each))
    return Logs(names)


def logs_in(folder: Path) -> list[str]:
    """List the `*.log` of a folder and of the folders in it, in byte order of their paths.

    One that cannot be opened stands among them, so that it is reported like a file that cannot be read.
    """
    closed: list[OSError] = []
    found = [
        os.path.join(where, name)
        for where, _, names in os.walk(folder, onerror=closed.append)
        for name in names
        if name.endswith(".log")
    ]
    return sorted((*found, *(cause.filename for cause in closed)), key=os.fsencode)


def reading_of(where: Location | SentFile, *, keep: bool = True) -> Reading:
    """Read a log as `core.log.read` does; one that is not at a path is read once, however it grows."""
    return (
        read(where, keep_states=keep) if isinstance(where, Path) else read_bytes(read_content(where), keep_states=keep)
    )


def read_content(where: Location | SentFile) -> bytes:
    """Read a file, of a path as much as it says that it has; raises `LogError`."""
    try:
        return _content(where) if isinstance(where, Path) else where.read_bytes()
    except OSError as cause:
        raise LogError(
            "file", Message("unreadable", "cannot be read: {why}", why=os_error_message(cause)), path=str(where)
        ) from cause


def read_if_exists(where: Location | SentFile) -> bytes | None:
    """Read a file that may be there: as `content_of`, but None if it is not."""
    try:
        return read_content(where)
    except LogError as error:
        if isinstance(error.__cause__, FileNotFoundError):
            return None
        raise


def write_file(where: Location, content: bytes) -> None:
    """Write a file, at a path whole or not at all; raises `LogError`."""
    if isinstance(where, Path):
        replace_file(where, content)
        return
    try:
        where.write_bytes(content)
    except OSError as cause:
        raise write_error(where, cause) from None


def forget_listings() -> None:
    """Have all that is at addresses looked at anew: a process that lives long may know old archives and folders."""
    known = sys.modules.get("fsspec.registry")
    for kind in list(known.registry.values()) if known is not None else ():
        kind.clear_instance_cache()


def _pipe(files: Any, path: str, content: bytes) -> None:
    try:
        files.pipe_file(path, content)
    except FileNotFoundError:
        if not path.startswith("/"):  # it begins with a bucket, which is not ours to make
            raise
        files.makedirs(dirname(path), exist_ok=True)
        files.pipe_file(path, content)


def _content(path: Path) -> bytes:
    try:
        if not stat.S_ISREG(os.stat(path).st_mode) and not os.path.isdir(path):
            raise OSError(errno.EINVAL, Message("a-device", "a pipe or device is no log"), str(path))
        with open(path, "rb") as file:
            return file.read(os.fstat(file.fileno()).st_size)
    except ValueError:  # a name with a zero byte
        raise OSError(errno.EINVAL, Message("no-file-name", "this is no file name"), str(path)) from None


def _packed(path: Path) -> bytes | OSError:
    try:
        return _content(path)
    except OSError as cause:
        return cause
