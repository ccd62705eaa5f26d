"""The archive `engine.data`: kifu and what it needs, as they are installed here, with two wheels for WebAssembly.

Other people's games are in it if they are of pure Python. Nothing is changed in any file but the list of entry points;
what no page imports is left out.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from fnmatch import fnmatch
from gzip import compress
from importlib.metadata import Distribution, PackageNotFoundError, distribution, entry_points
from importlib.util import find_spec
from io import BytesIO
from itertools import chain
from pathlib import Path
from tarfile import USTAR_FORMAT, TarInfo
from tarfile import open as open_tar
from zipfile import ZipFile

from attrs import frozen

from ...core.errors import MissingExtra
from ...core.match.engine import NAMED, engine_name
from ...core.match.registry import GAMES
from .runtime import Files, read_zip

LIBRARIES = (
    *("attrs", "cattrs", "typing_extensions", "fluent.runtime", "fluent.syntax", "babel", "pytz"),
    *("starlette", "anyio", "prometheus_client"),
)
"""What the extra `web` installs, without the server; msgpack and msgspec come as wheels."""
LICENCE = re.compile("LICEN[CS]E|COPYING|NOTICE")
SHIPPED = """\
This package is kifu (MIT, see LICENSE) with the word lists of its game mabr, and what kifu needs to run where there
is no Python. Each part stays under its own licence:

word lists of mabr   kifu-ja-1: NAIST-2003; kifu-ja-2: CC-BY-SA-4.0. Texts and credits lie beside them in engine.data
                     (a .tar.gz), in kifu/games/mabr/lexicon.
Pyodide              MPL-2.0: https://mozilla.org/MPL/2.0/. Source: https://github.com/pyodide/pyodide, at the version
                     that runtime/pyodide.js names. runtime/pyodide*.js ask for node's libraries in another way, and
                     hand on why WebAssembly failed; runtime/python_stdlib.zip has fewer modules, compiled.
CPython              PSF-2.0, as typing_extensions below.
fluent.runtime, fluent.syntax   Apache-2.0, as prometheus_client below.
"""
IN_WHEELS = ("msgpack", "msgspec")
LANGS = ("root", "en", "en_US", "ja", "ja_JP")
OURS = """
    kifu/__init__.py kifu/py.typed kifu/core/* kifu/games/*
    kifu/replay/__init__.py kifu/replay/call_errors.py kifu/replay/option_parsing.py kifu/replay/texts/*
    kifu/replay/analysis/* kifu/replay/browser/*.py kifu/replay/logs/*
    kifu/replay/stats/__init__.py kifu/replay/stats/figures.py
"""
"""The files of kifu that a page may import."""
WORDS = ".words.z"
"""The end of the names of files that only `mabr` needs: they have an archive of their own."""
UNUSED = """
    *.pyc *.pyi *.dist-info/* */tests/* babel/locale-data/* babel/messages/* babel/support.py babel/units.py
    pytz/zoneinfo/* msgpack/fallback.py cattrs/preconf/msgspec.py
    anyio/_backends/_trio.py anyio/_core/_subprocesses.py anyio/_core/_tempfile.py anyio/pytest_plugin.py
    anyio/streams/tls.py anyio/to_interpreter.py anyio/to_process.py
    prometheus_client/multiprocess.py prometheus_client/openmetrics/parser.py prometheus_client/parser.py
    starlette/authentication.py starlette/endpoints.py starlette/middleware/opentelemetry.py
    starlette/middleware/sessions.py starlette/middleware/wsgi.py starlette/schemas.py starlette/templating.py
    starlette/testclient.py
    kifu/core/testing/* kifu/core/env/* kifu/core/stores/postgres* kifu/core/stores/sql* kifu/core/trace/__main__.py
    kifu/core/trace/golden.py kifu/core/trace/presenter.py kifu/core/web/serve.py kifu/core/web/table/*
    kifu/replay/analysis/engine.py kifu/replay/analysis/event_rows.py kifu/replay/analysis/expression.py
    kifu/replay/analysis/seek.py kifu/replay/analysis/table_files.py kifu/replay/analysis/watch.py
    kifu/replay/browser/bundle.py kifu/replay/browser/package/* kifu/replay/browser/runtime.py
    kifu/replay/browser/site.py kifu/replay/browser/typescript.py kifu/replay/logs/dask_pool.py
    kifu/replay/logs/processes.py kifu/replay/logs/work.py kifu/replay/logs/worker_pool.py
"""
"""What no page imports, and of whatever is installed what says where it came from."""
STDLIB_UNUSED = """
    _pydatetime.py _pydecimal.py _pyio.py _pyrepl/* asyncio/proactor* asyncio/tools.py asyncio/windows*
    asyncio/__main__.py bdb.py cProfile.py cgi*.py cmd.py code.py colorsys.py compileall.py concurrent/interpreters/*
    concurrent/futures/process.py configparser.py ctypes/* curses/* dbm/* difflib.py doctest.py
    email/_header_value_parser.py email/contentmanager.py email/headerregistry.py encodings/big5*
    encodings/cp[01235-9]* encodings/euc* encodings/gb* encodings/hp_roman8.py encodings/iso* encodings/koi8*
    encodings/kz1048.py encodings/mac* encodings/palmos.py encodings/ptcp154.py encodings/shift* encodings/tis_620.py
    ensurepip/* filecmp.py fileinput.py ftplib.py getopt.py http/cookiejar.py idlelib/* imaplib.py lib2to3/*
    logging/config.py logging/handlers.py mailbox.py modulefinder.py multiprocessing/* netrc.py nntplib.py optparse.py
    pdb.py pickletools.py plistlib.py poplib.py profile*.py pstats.py pty.py py_compile.py pyclbr.py pydoc*
    rlcompleter.py sched.py shelve.py smtplib.py sqlite3/* symtable.py tabnanny.py tarfile.py telnetlib.py test/*
    this.py tkinter/* trace.py tracemalloc.py turtle* unittest/* urllib/robotparser.py venv/* wave.py webbrowser.py
    wsgiref/validate.py xml/* xmlrpc/* zipapp.py
    _collections_abc.py _sitebuiltins.py abc.py codecs.py genericpath.py importlib/_bootstrap* io.py ntpath.py
    posixpath.py site.py stat.py zipimport.py
"""
"""Modules of the standard library that nothing in the archive imports; those of the last lines are within CPython."""
ROOT = Path(__file__).parents[2]
"""The folder of the package `kifu`."""
ROOMS = ("core", "games", "replay")
"""The folders of the package that hold code. In a checkout there is more beside them, such as an environment."""
MODULES = (".py", "/__init__.py")
NATIVE = (".so", ".pyd", ".dylib", ".dll")
"""The endings of modules that are made for one kind of machine."""


def engine_files(wheels: Iterable[Path], more: Iterable[str] = (), packages: Sequence[GamePackage] = ()) -> Files:
    """Return what is installed in the engine, by name; `more` are further libraries, e.g. those of tests.

    Raises `MissingExtra`.
    """
    asked = [name for package in packages for name in package.libraries if name not in (*LIBRARIES, *IN_WHEELS)]
    libraries = dict.fromkeys((*LIBRARIES, *more, *asked))
    named = (f"kifu/{NAMED.relative_to(ROOT).as_posix()}", engine_name().encode())
    return dict([*_own(bool(more)), named, *_libraries(libraries), *_unpacked(wheels), *_games(packages)])


def write_engine(target: Path, files: Files) -> None:
    """Write the archive, so that JavaScript unpacks it while the browser compiles WebAssembly."""
    content = BytesIO()
    with open_tar(fileobj=content, mode="w", format=USTAR_FORMAT) as archive:
        for name, each in files.items():
            entry = TarInfo(name)
            entry.size, entry.mode = len(each), 0o644
            archive.addfile(entry, BytesIO(each))
    target.write_bytes(compress(content.getvalue(), mtime=0))


def licences(wheels: Iterable[Path], more: Iterable[str] = ()) -> str:
    """Return the licences of all that the package ships, with their texts."""
    parts = [SHIPPED, *(_licence_of(name) for name in dict.fromkeys((*LIBRARIES, *more)))]
    for wheel in wheels:
        with ZipFile(wheel) as archive:
            texts = [archive.read(name).decode() for name in archive.namelist() if "/licenses/" in name]
        parts.append("\n".join([f"{wheel.name.partition('-cp')[0]}\n", *texts]))
    return f"\n{'-' * 80}\n\n".join(parts)


def licence() -> str:
    """Return kifu's own licence; raises `MissingExtra` where kifu was installed without its metadata."""
    found = next((each for each in distribution("kifu").files or () if each.name == "LICENSE"), None)
    return (ROOT / "LICENSE").read_text("utf-8") if found is None else found.read_text()


def _licence_of(name: str) -> str:
    """Return the name of a library, and its licence in words."""
    found = distribution(name)
    texts = [each.read_text() for each in found.files or () if LICENCE.match(each.name)]
    named = next((found.metadata[key] for key in ("License-Expression", "License") if key in found.metadata), "")
    return "\n".join([f"{name} {found.version}\n{named.splitlines()[0] if named else ''}\n", *texts])


def stdlib_files(source: Path) -> Files:
    """Return the modules of the standard library but those that no page imports."""
    return {name: content for name, content in read_zip(source).items() if not _any(name, STDLIB_UNUSED)}


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
    metadata = f"Metadata-Version: 2.1\nName: kifu\nVersion: {info.version}\n"  # an `.egg-info` has none to copy
    for name, text in (("METADATA", metadata), ("entry_points.txt", _entries(info, names))):
        yield f"kifu-{info.version}.dist-info/{name}", text.encode()


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
            raise MissingExtra("replay site", "web") from None
        for each in files:
            locale = each.match("babel/locale-data/*") and each.stem in LANGS
            if not str(each).startswith("..") and (locale or not _any(str(each), UNUSED)):
                yield each.as_posix(), Path(str(each.locate())).read_bytes()


def _unpacked(wheels: Iterable[Path]) -> Iterator[tuple[str, bytes]]:
    for wheel in wheels:
        yield from ((name, each) for name, each in read_zip(wheel).items() if not _any(name, UNUSED))


def _games(packages: Iterable[GamePackage]) -> Iterator[tuple[str, bytes]]:
    for package in packages:
        yield from ((name, path.read_bytes()) for name, path in package.files.items())
        yield from package.metadata.items()


def _any(name: str, patterns: str) -> bool:
    return any(fnmatch(name, pattern) for pattern in patterns.split())


@frozen
class GamePackage:
    """A package with games: its name, its files by their names in the archive, and the libraries that it asks for."""

    name: str
    files: dict[str, Path]
    libraries: tuple[str, ...]

    @property
    def native(self) -> str | None:
        """The name of a file that WebAssembly cannot run, if there is one."""
        return next((name for name in self.files if name.endswith(NATIVE)), None)

    @property
    def metadata(self) -> dict[str, bytes]:
        """The files that say what is installed, by their names in the archive."""
        found, folder = distribution(self.name), f"{self.name.replace('-', '_')}.dist-info"
        return {f"{folder}/{each}": (found.read_text(each) or "").encode() for each in ("METADATA", "entry_points.txt")}


def installed_packages() -> Iterator[GamePackage]:
    """Yield each installed package with games but kifu's own, also one that is installed as an editable folder."""
    found = {entry.dist.name: entry.dist for entry in entry_points(group=GAMES) if entry.dist is not None}
    for name, dist in sorted(found.items()):
        if name != "kifu":
            modules = {entry.module.partition(".")[0] for entry in dist.entry_points if entry.group == GAMES}
            files = {key: path for module in sorted(modules) for key, path in _files(module)}
            yield GamePackage(name, files, tuple(_asked_libraries(dist, {"kifu"})))


def _files(module: str) -> Iterator[tuple[str, Path]]:
    spec = find_spec(module)
    for folder in (spec and spec.submodule_search_locations) or ():
        for path in sorted(Path(folder).rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                yield f"{module}/{path.relative_to(folder).as_posix()}", path
    if spec and spec.origin and not spec.submodule_search_locations:
        yield Path(spec.origin).name, Path(spec.origin)


def _asked_libraries(dist: Distribution, known: set[str]) -> Iterator[str]:
    """Yield the libraries that a package asks for, and those that they ask for."""
    for requirement in dist.requires or ():
        name = re.match(r"[\w.-]+", requirement)
        if name is None or "extra ==" in requirement or name[0] in known:
            continue
        known.add(name[0])
        try:
            found = distribution(name[0])
        except PackageNotFoundError:  # it is for another system
            continue
        yield name[0]
        yield from _asked_libraries(found, known)
