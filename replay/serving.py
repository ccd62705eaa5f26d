"""What `replay serve` makes of its settings and of its machine: limits, and folders for as long as it runs."""

from __future__ import annotations

import logging
import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir

from attrs import asdict, evolve

from ..core.errors import MatchError, Message
from ..core.log.files import exclusive_lock
from ..core.web import Limits, access_log
from .call_errors import CallError

RESERVE = 256
"""Files for the store and the log."""
LEAST = 64
"""Connections that are accepted however few files there are."""


def changed_limits(settings: Iterable[str]) -> Limits:
    """Return the limits with settings like `streams=7`; raises `MatchError` or `CallError` for any other."""
    kinds = {name: type(default) for name, default in asdict(Limits()).items()}
    values: dict[str, float] = {}
    for each in settings:
        name, equals, text = map(str.strip, each.partition("="))
        if not equals:
            raise CallError("limit-form", "--set-limit {typed} is not of the form NAME=NUMBER", typed=ascii(each))
        if name not in kinds:
            english = "there is no limit {name}; there are: {known}"
            raise MatchError(Message("no-such-limit", english, name=ascii(name), known=", ".join(kinds)))
        try:
            values[name] = kinds[name](text)
        except ValueError:
            values[name] = -1
        if not 0 < values[name] < 1e12:
            english = "the limit {name} is a number above 0, not {given}"
            raise MatchError(Message("limit-is", english, name=name, given=ascii(text)))
    return Limits(**values)  # type: ignore[arg-type]


def fitting_limits(limits: Limits) -> Limits:
    """Return the limits, lowered to what the machine gives; the log says which are."""
    fitting = fit_limits(limits, raise_open_files(limits.connections + RESERVE), memory_bytes())
    if fitting != limits:
        lowered = {name: getattr(fitting, name) for name in ("connections", "streams", "folded_bytes")}
        access_log.note("limits are lowered to the machine's", logging.WARNING, **lowered)
    return fitting


def raise_open_files(wanted: int) -> int | None:
    """Raise the limit of open files as far as it goes, at most to `wanted`; return it, None where there is none."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return None
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        soft = most
    return None if soft == resource.RLIM_INFINITY else soft


def memory_bytes() -> int | None:
    """Return how much memory the process may have: the machine's, or less in a container; None if nothing tells it."""
    found = []
    with suppress(AttributeError, OSError, ValueError):
        found.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    with suppress(OSError, ValueError):  # "max": no less than the machine's
        found.append(int(Path("/sys/fs/cgroup/memory.max").read_text()))
    return min(found, default=None)


def fit_limits(limits: Limits, open_files: int | None, memory: int | None = None) -> Limits:
    """Return the limits lowered to what so many open files and so much memory allow."""
    connections, folded_bytes = limits.connections, limits.folded_bytes
    if open_files is not None:
        connections = min(connections, max(open_files - RESERVE, LEAST))
    if memory is not None:
        folded_bytes = min(folded_bytes, memory // 4)
    streams = min(limits.streams, connections * 3 // 4)
    return evolve(limits, connections=connections, streams=streams, folded_bytes=folded_bytes)


LOCK = ".lock"
"""The file in each folder whose lock its server holds as long as it lives."""


@contextmanager
def scratch_folder(prefix: str) -> Iterator[Path]:
    """Yield a new folder for temporary files, and remove it at the end; first remove those of servers that are dead."""
    for folder in Path(gettempdir()).glob(f"{prefix}*"):
        _remove_if_left(folder)
    with TemporaryDirectory(prefix=prefix, ignore_cleanup_errors=True) as name:
        folder = Path(name)
        with open(folder / LOCK, "wb") as lock, exclusive_lock(lock.fileno()):
            yield folder


def _remove_if_left(folder: Path) -> None:
    """Remove a folder of our own that no living server holds."""
    if sys.platform == "win32":  # which has no such locks
        return
    with suppress(OSError):  # another's, removed meanwhile, or held
        if folder.lstat().st_uid != os.getuid():
            return
        with open(folder / LOCK, "rb+") as lock, exclusive_lock(lock.fileno(), wait=False):
            shutil.rmtree(folder, ignore_errors=True)
