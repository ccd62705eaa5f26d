"""The archive `engine.tar.xz`: kifu and what it needs, as they are installed here, with two wheels for WebAssembly.

Nothing is changed in any file but the list of entry points; what no page imports is left out.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from fnmatch import fnmatch
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from io import BytesIO
from itertools import chain
from pathlib import Path
from tarfile import TarInfo
from tarfile import open as open_tar
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from ...core.errors import MissingExtra
from .game_packages import GamePackage

LIBRARIES = (
    *("attrs", "cattrs", "typing_extensions", "ecdsa", "six", "fluent.runtime", "fluent.syntax", "babel", "pytz"),
    *("starlette", "anyio", "idna", "prometheus_client"),
)
"""What the extra `web` installs, without the server; msgpack and msgspec come as wheels."""
IN_WHEELS = ("msgpack", "msgspec")
LANGS = ("root", "en", "en_US", "ja", "ja_JP")
OURS = (
    *("kifu/__init__.py", "kifu/py.typed", "kifu/core/*", "kifu/games/*"),
    *("kifu/replay/__init__.py", "kifu/replay/call_errors.py", "kifu/replay/texts/*", "kifu/replay/browser/*.py"),
    *("kifu/replay/analysis/*", "kifu/replay/logs/*", "kifu/replay/stats/__init__.py", "kifu/replay/stats/figures.py"),
)
"""The files of kifu that a page may import."""
UNUSED = (
    *(
        "*.pyc",
        "*/RECORD",
        "*/tests/*",
        "babel/locale-data/*",
        "babel/messages/*",
        "pytz/zoneinfo/*",
        "anyio/_backends/_trio.py",
    ),
    *(
        "kifu/core/testing/*",
        "kifu/core/env/*",
        "kifu/core/stores/postgres.py",
        "kifu/core/web/table/*",
        "kifu/replay/browser/package/*",
    ),
)
"""What no page imports."""
STDLIB_UNUSED = (
    *(
        "_pydecimal.py",
        "_pyio.py",
        "asyncio/proactor*",
        "asyncio/windows*",
        "asyncio/__main__.py",
        "encodings/cp[01235-9]*",
    ),
    *("encodings/big5*", "encodings/euc*", "encodings/gb*", "encodings/iso*", "encodings/koi8*", "encodings/mac*"),
    *(
        "encodings/shift*",
        "http/cookiejar.py",
        "logging/config.py",
        "logging/handlers.py",
    ),
    *("_pyrepl/*", "bdb.py", "cProfile.py", "cgi*.py", "cmd.py", "code.py", "concurrent/interpreters/*", "curses/*"),
    *("dbm/*", "doctest.py", "ensurepip/*", "ftplib.py", "idlelib/*", "imaplib.py"),
    *("lib2to3/*", "mailbox.py", "multiprocessing/*", "netrc.py", "nntplib.py", "optparse.py", "pdb.py"),
    *("pickletools.py", "plistlib.py", "poplib.py", "profile*.py", "pstats.py", "pydoc*", "smtplib.py", "sqlite3/*"),
    *("telnetlib.py", "test/*", "this.py", "tkinter/*", "trace.py", "tracemalloc.py"),
    *("turtle*", "unittest/*", "venv/*", "wave.py", "webbrowser.py", "xml/*", "xmlrpc/*", "zipapp.py"),
)
"""Modules of the standard library that nothing in the archive imports."""
ROOT = Path(__file__).parents[2]
"""The folder of the package `kifu`."""
ROOMS = ("core", "games", "replay")
"""The folders of the package that hold code. In a checkout there is more beside them, such as an environment."""
MODULES = (".py", "/__init__.py")
WHEN = (1980, 1, 1, 0, 0, 0)
"""The time of every file in an archive: the same files make the same bytes."""


def write_engine(
    target: Path, wheels: Iterable[Path], more: Iterable[str] = (), packages: Sequence[GamePackage] = ()
) -> None:
    """Write the archive; `more` are further libraries for it, e.g. those of tests. Raises `MissingExtra`."""
    asked = [name for package in packages for name in package.libraries if name not in (*LIBRARIES, *IN_WHEELS)]
    libraries = dict.fromkeys((*LIBRARIES, *more, *asked))
    with open_tar(target, "w:xz", preset=9) as archive:
        for name, content in [*_own(bool(more)), *_libraries(libraries), *_unpacked(wheels), *_games(packages)]:
            entry = TarInfo(name)
            entry.size, entry.mode = len(content), 0o644
            archive.addfile(entry, BytesIO(content))


def cut_stdlib(source: Path) -> None:
    """Leave out of the archive of the standard library what no page imports."""
    with ZipFile(source) as whole:
        kept = [
            (each.filename, whole.read(each)) for each in whole.infolist() if not _any(each.filename, STDLIB_UNUSED)
        ]
    with ZipFile(source, "w", ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in kept:
            entry = ZipInfo(name, WHEN)
            entry.compress_type = ZIP_DEFLATED
            archive.writestr(entry, content)


def _own(whole: bool) -> Iterator[tuple[str, bytes]]:
    """Yield the files of kifu, and those that say what is installed; `whole`: all of kifu."""
    names: set[str] = set()
    for path in sorted([*ROOT.glob("*.py"), ROOT / "py.typed", *chain(*((ROOT / room).rglob("*") for room in ROOMS))]):
        name = f"kifu/{path.relative_to(ROOT).as_posix()}"
        unused = "*.pyc" if whole else UNUSED
        if path.is_file() and (whole or _any(name, OURS)) and not _any(name, unused):
            names.add(name)
            yield name, path.read_bytes()
    info = distribution("kifu")
    for name, text in (("METADATA", info.read_text("METADATA")), ("entry_points.txt", _entries(info, names))):
        yield f"kifu-{info.version}.dist-info/{name}", (text or "").encode()


def _entries(info: Distribution, names: Container[str]) -> str:
    """Return the entry points whose modules are among these files: no bot is listed that cannot be made."""
    lines = (info.read_text("entry_points.txt") or "").splitlines()
    modules = {line: line.partition("=")[2].partition(":")[0].strip().replace(".", "/") for line in lines}
    return "".join(
        f"{line}\n" for line in lines if not modules[line] or any(f"{modules[line]}{end}" in names for end in MODULES)
    )


def _libraries(names: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    for name in names:
        try:
            files = distribution(name).files or ()
        except PackageNotFoundError:
            raise MissingExtra("replay site", "site") from None
        for each in files:
            locale = each.match("babel/locale-data/*") and each.stem in LANGS
            if not str(each).startswith("..") and (locale or not _any(str(each), UNUSED)):
                yield each.as_posix(), Path(str(each.locate())).read_bytes()


def _unpacked(wheels: Iterable[Path]) -> Iterator[tuple[str, bytes]]:
    for wheel in wheels:
        with ZipFile(wheel) as archive:
            yield from ((each.filename, archive.read(each)) for each in archive.infolist() if not each.is_dir())


def _games(packages: Iterable[GamePackage]) -> Iterator[tuple[str, bytes]]:
    for package in packages:
        yield from ((name, path.read_bytes()) for name, path in package.files.items())
        yield from package.metadata.items()


def _any(name: str, patterns: str | Iterable[str]) -> bool:
    return any(fnmatch(name, pattern) for pattern in ([patterns] if isinstance(patterns, str) else patterns))
