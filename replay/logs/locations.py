"""The locations of logs: a local path, or an address that fsspec knows, like `s3://bucket/logs` (extra `bulk`)."""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from posixpath import dirname, splitext
from typing import Any, TypeVar, overload

from attrs import frozen

from ...core.errors import LogError, Message, needs_extra, os_error_message
from ...core.log import Reading, read, read_bytes
from ...core.log.files import read_error, require_regular, write_error, write_whole
from ...core.match import AnyMatch, registry
from ...core.text.texts import FALLBACK, Texts
from ..call_errors import CallError, UserMessage

T = TypeVar("T")

MAX_SKIPPED = 10
"""How many logs that are left out are named."""


@frozen
class Address:
    """A location that fsspec knows, like `s3://bucket/logs`."""

    url: str

    def __str__(self) -> str:
        return self.url

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.url.rpartition("/")[2]

    def with_suffix(self, suffix: str) -> Address:
        """Return the address with another file suffix."""
        return Address(splitext(self.url)[0] + suffix)

    def __truediv__(self, path: str) -> Address:
        """Return the address of a file in this folder."""
        return Address(f"{self.url}{'' if self.url.endswith('/') else '/'}{path}")

    def read_bytes(self) -> bytes:
        """Return the whole content; raises `OSError` for every error of the library behind it."""
        return self._call(lambda files, path: bytes(files.cat_file(path)))

    def write_bytes(self, content: bytes) -> None:
        """Write the whole content, and make missing folders; raises `OSError`, or `LogError` for a local file."""
        self._call(lambda files, path: _pipe(files, path, content))

    def logs(self, suffix: str = ".log") -> list[Address]:
        """Return the files of this suffix in this folder, in byte order; itself alone if it is not a folder.

        Raises `CallError`.
        """
        try:
            found = self._call(lambda files, root: self._list(files, root, suffix))
        except FileNotFoundError:
            return [self]  # reading it will report that
        except OSError as cause:
            raise CallError(
                "cannot-list", "{address}: cannot be listed: {why}", address=self, why=os_error_message(cause)
            ) from None
        return sorted(found, key=lambda each: os.fsencode(each.url))

    def _list(self, files: Any, root: str, suffix: str) -> list[Address]:
        if files.isfile(root):
            return [self]
        names = [name for name in files.find(root) if name.endswith(suffix)]
        if not names and not files.exists(root):
            raise FileNotFoundError
        return [self / name.removeprefix(root).lstrip("/") for name in names]

    def _call(self, operation: Callable[[Any, str], T]) -> T:
        """Call an operation on the address's file system; raises `CallError` if there is none, else `OSError`."""
        with needs_extra(UserMessage("what-is-at", "what is at {address}", address=self), "bulk"):
            from fsspec.core import url_to_fs
        try:
            return operation(*url_to_fs(self.url))
        except ImportError as cause:
            raise CallError(
                "address-unusable", "{address}: {why}", address=self, why=cause
            ) from None  # its text says what to install
        except (FileNotFoundError, KeyError):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), self.url) from None
        except OSError:
            raise
        except Exception as cause:  # each library has its own
            raise OSError(errno.EIO, " ".join(str(cause).split()) or repr(cause), self.url) from None


@frozen
class SentFile:
    """A local file to be sent to another machine: its path with its content, or the error of reading it."""

    path: Path
    files: Mapping[Path, bytes | OSError]

    @classmethod
    def of(cls, path: Path, beside: Collection[str] = ()) -> SentFile:
        """Read a file, and those beside it with these suffixes."""
        return cls(path, {each: _content_or_error(each) for each in (path, *map(path.with_suffix, beside))})

    def __str__(self) -> str:
        return str(self.path)

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.name

    def with_suffix(self, suffix: str) -> SentFile:
        """Return the file beside it with this suffix, one of those given to `of`."""
        return SentFile(self.path.with_suffix(suffix), self.files)

    def read_bytes(self) -> bytes:
        """Return the content; raises the `OSError` of reading it."""
        content = self.files[self.path]
        if isinstance(content, OSError):
            raise content
        return content


Place = Path | Address
Location = Place | SentFile


def location(typed: str) -> Location:
    """Parse the location of a file to read: standard input if it is `-`, else a place. Raises `CallError`."""
    return SentFile(Path(typed), {Path(typed): sys.stdin.buffer.read()}) if typed == "-" else place(typed)


def place(typed: str) -> Place:
    """Parse a place: an address if it begins with a protocol, else a path. Raises `CallError`."""
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]+://", typed):
        return Address(typed)
    if "\0" in typed:
        raise CallError("no-file-name", "{asked}: this is not a file name", asked=ascii(typed))
    return Path(typed)


@frozen
class Logs(Sequence[Location]):
    """The locations of many logs; paths are kept as text to save memory."""

    names: list[str | Address | SentFile]

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


def require_logs(typed: Sequence[str]) -> Logs:
    """Return `logs_of` what was typed; raises `CallError` if there are no logs."""
    found = logs_of(typed)
    if not found:
        raise CallError(
            "no-logs", "no *.log in {folder}: give a log, or a folder that has some", folder=", ".join(typed)
        )
    return found


def logs_of(typed: Iterable[str]) -> Logs:
    """Return the given files, and the `*.log` in the given folders."""
    names: list[str | Address | SentFile] = []
    for each in map(location, typed):
        if isinstance(each, Address):
            names += each.logs()
        elif isinstance(each, SentFile):
            names.append(each)
        elif os.path.isdir(each):  # unlike `Path.is_dir`, no error if a parent is not readable
            names += logs_in(each)
        else:
            names.append(str(each))
    return Logs(names)


def logs_in(folder: Path) -> list[str]:
    """Return the paths of the `*.log` in a folder and its subfolders, in byte order.

    A folder that cannot be opened is listed too, so that it is reported like an unreadable file.
    """
    unreadable: list[OSError] = []
    found = [
        os.path.join(where, name)
        for where, _, names in os.walk(folder, onerror=unreadable.append)
        for name in names
        if name.endswith(".log")
    ]
    return sorted((*found, *(cause.filename for cause in unreadable)), key=os.fsencode)


@frozen
class SkippedLog:
    """A log that is left out, with the reason."""

    log: str
    why: str
    unusable: bool = False
    """Whether it contains no match at all."""
    other_game: bool = False
    """Whether it is fine, and of a game that lacks what is asked about."""
    rule: str | None = None
    """The rule that it breaks, if that is the reason."""
    game: str | None = None
    """The game that has the rule."""

    @classmethod
    def of(cls, where: Location | SentFile, reading: Reading) -> SkippedLog:
        """Leave out a log for the first of its findings."""
        problem = reading.problem()
        if problem is None:
            return cls(str(where), "", unusable=reading.match is None)
        return cls(str(where), problem.summary, reading.match is None, rule=problem.rule, game=reading.name)

    def said(self, texts: Texts) -> str:
        """Return the reason in the language of `texts`: other languages have a broken rule's sentence without facts."""
        why = self.why
        if isinstance(why, Message) and self.rule is not None and self.game is not None and texts.lang != FALLBACK:
            game = registry.find(self.game)
            words = texts.colon.join([self.rule, texts.rule(game.rule(self.rule), game)])
            why = type(why)(why.key, why.english, **{**why.values, "why": words})
        return texts.message(why)


def kept(results: Iterable[T | SkippedLog], skipped: list[SkippedLog]) -> Iterator[T]:
    """Yield what came of the logs that are not left out; the others are added to `skipped`."""
    for each in results:
        if isinstance(each, SkippedLog):
            skipped.append(each)
        else:
            yield each


def reading_of(where: Location | SentFile, *, keep_states: bool = True) -> Reading:
    """Read a log as `core.log.read` does; a log at an address is read only once, even if it grows meanwhile."""
    return (
        read(where, keep_states=keep_states)
        if isinstance(where, Path)
        else read_bytes(read_content(where), keep_states=keep_states)
    )


def match_of(where: Location | SentFile) -> AnyMatch | SkippedLog:
    """Return the match of a log, or why the log is left out: it has a finding or cannot be read."""
    try:
        reading = reading_of(where)
    except LogError as cause:
        return SkippedLog(str(where), cause.message, unusable=True)
    return reading.match if reading.ok and reading.match is not None else SkippedLog.of(where, reading)


def read_content(where: Location | SentFile) -> bytes:
    """Return the content of a file, at a path up to its size at the time; raises `LogError`."""
    try:
        return _content(where) if isinstance(where, Path) else where.read_bytes()
    except OSError as cause:
        raise read_error(where, cause) from cause


def read_if_exists(where: Location | SentFile) -> bytes | None:
    """Return the content of a file, or None if it does not exist; raises `LogError`."""
    try:
        return read_content(where)
    except LogError as error:
        if isinstance(error.__cause__, FileNotFoundError):
            return None
        raise


def write_file(where: Place, content: bytes, *, private: bool = False, durable: bool = True) -> None:
    """Write a file, at a path as `write_whole` does; raises `LogError`."""
    if isinstance(where, Path):
        write_whole(where, content, private=private, durable=durable)
        return
    try:
        where.write_bytes(content)
    except OSError as cause:
        raise write_error(where, cause) from None


def make_folder(folder: Place) -> None:
    """Make a folder and those above it; raises `LogError`. One at an address is made with the first file in it."""
    if isinstance(folder, Address):
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as cause:
        why = UserMessage("no-folder-made", "the folder cannot be made: {why}", why=os_error_message(cause))
        raise LogError("file", why, path=str(folder)) from None


def forget_listings() -> None:
    """Clear fsspec's caches: a long-lived process may have cached old folders."""
    known = sys.modules.get("fsspec.registry")
    for kind in list(known.registry.values()) if known is not None else ():
        kind.clear_instance_cache()


def _pipe(files: Any, path: str, content: bytes) -> None:
    if files.protocol == ("file", "local"):
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content)
        return
    try:
        files.pipe_file(path, content)
    except FileNotFoundError:
        if not path.startswith("/"):  # it begins with a bucket, which must exist
            raise
        files.makedirs(dirname(path), exist_ok=True)
        files.pipe_file(path, content)


def _content(path: Path) -> bytes:
    try:
        require_regular(path)
        with open(path, "rb") as file:
            return file.read(os.fstat(file.fileno()).st_size)
    except ValueError:  # a name with a zero byte
        raise OSError(errno.EINVAL, Message("no-file-name", "this is not a file name"), str(path)) from None


def _content_or_error(path: Path) -> bytes | OSError:
    try:
        return _content(path)
    except OSError as cause:
        return cause


def open_log(where: Location) -> tuple[Reading, AnyMatch]:
    """Read a log, and return its match too; raises `LogError` if it contains none."""
    reading = reading_of(where)
    if reading.match is None:
        raise reading.error(str(where))
    return reading, reading.match
