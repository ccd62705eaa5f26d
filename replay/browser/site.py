"""The folder that `replay site` writes: pages, the engine, and a library of logs, for any host of static files."""

from __future__ import annotations

import json
import os
import shutil
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from gzip import compress
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any
from urllib.parse import quote

import brotli
from attrs import frozen

from ...core.errors import GameError, LogError
from ...core.match import registry
from ...core.page import LANGS
from ...core.page.document import page_script, page_style
from ...core.text.texts import Texts
from ...core.web import page as table_page
from ..call_errors import CallError
from ..logs.locations import Location, read_content
from ..progress import spinner
from .bundle import WORDS, GamePackage, engine_files, installed_packages, licence, licences, stdlib_files, write_engine
from .checks import row
from .runtime import compiled, fetch_runtime, runtime_folder, unpack_runtime, wheels_of, write_zip
from .typescript import declarations

HERE = Path(__file__).parent
MARK = "kifu-site"
"""The file by which a folder is known as a site: no other folder is written over."""
PACKED = (".gz", ".br")
MIN_PACKED_BYTES = 1000
BROTLI_QUALITY = 9
"""The best would take half a minute, for one part in twenty."""
KEPT_LOGS_BYTES = 8_000_000
"""Logs are kept for use without a network from the first visit on if all of them together are no larger."""
SAFE = "/!'()*~"
"""What `encodeURIComponent` leaves as it is in a name, and what is between names: the pages ask for these addresses."""
_NOTHING_ELSE = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'"
_PAGES = {
    "index.html": (
        f"{_NOTHING_ELSE}; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self' blob:; img-src 'self' data:;"
        " worker-src 'self'",
        *("table.css", "words.js", "library.js", "transport.js", "table.js"),
    ),
    "steps.html": (f"{_NOTHING_ELSE}; script-src 'self'; img-src data:", "match.css", "steps.js"),
}
"""Of each page its policy, its style and its scripts."""


@frozen
class Listed:
    """One log of the library: its name in the site, its bytes, and what the library lists of it."""

    name: str
    content: bytes
    row: dict[str, Any]


@frozen
class Written:
    """What was written: how many logs, how many bytes the engine and its pages have, which packages are left out.

    A package of games is left out if it is not pure Python: it is named with its first file of another kind.
    """

    logs: int
    engine_bytes: int
    left_out: tuple[tuple[str, str], ...] = ()


def write_site(folder: Path, logs: Iterable[Listed], runtime: Path | None = None, *, shown: bool = False) -> Written:
    """Write a site; an earlier one in this folder stays until the new one is whole. Raises `CallError` or `OSError`.

    `shown`: with a spinner in a terminal while the engine is made.
    """
    _check_free(folder)
    is_new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        (folder / MARK).write_text("written by replay site\n")
        with TemporaryDirectory(prefix=".new-", dir=folder) as begun:
            written = _write_whole(Path(begun), logs, runtime, shown=shown)
            _replace(folder, Path(begun))
    except BaseException:
        if is_new:
            shutil.rmtree(folder)
        raise
    return written


def _write_whole(folder: Path, logs: Iterable[Listed], runtime: Path | None, *, shown: bool) -> Written:
    with spinner("site", shown=shown):  # the engine takes seconds, or minutes where it is fetched
        fetched = fetch_runtime(runtime)
        packages = list(installed_packages())
        _write_version(folder, fetched, [each for each in packages if each.native is None])
    listed = _write_library(folder, logs)
    files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    engine_bytes = sum(
        (folder / name).stat().st_size for name in files if not name.startswith("logs/") and not name.endswith(PACKED)
    )
    logs_bytes = sum((folder / name).stat().st_size for name in files if name.startswith("logs/"))
    _write_service_worker(folder, files, keeps_logs=logs_bytes <= KEPT_LOGS_BYTES)
    left_out = tuple((each.name, each.native) for each in packages if each.native is not None)
    return Written(listed, engine_bytes, left_out)


def _write_version(folder: Path, fetched: Path, packages: Sequence[GamePackage]) -> None:
    """Write the engine and the scripts into a folder that is named by what is in it, and the pages that use them."""
    begun = folder / "version"
    write_package(begun / "kifu", fetched, packages=packages)
    _write_scripts(begun)
    _pack(begun)
    version = f"v-{_digest(begun)[:16]}"
    begun.rename(folder / version)
    for name, (policy, *needed) in _PAGES.items():
        _write(folder / name, table_page.html(policy, *(f"{version}/{each}" for each in needed)))


def write_package(
    folder: Path,
    fetched: Path,
    more: Sequence[str] = (),
    wheels: Sequence[Path] = (),
    packages: Sequence[GamePackage] = (),
) -> None:
    """Write the npm package `kifu`, with the runtime and the archive.

    `more` are further libraries of this environment for the archive, `wheels` those that are not pure Python, and
    `packages` have other people's games.
    """
    shutil.copytree(HERE / "package", folder, dirs_exist_ok=True)
    every = [*wheels_of(fetched), *wheels]
    _write(folder / "kifu.d.ts", declarations([registry.find(name) for name in registry.names()]).encode())
    _write(folder / "LICENSES.txt", licences(every, more).encode())
    _write(folder / "LICENSE", licence().encode())
    unpack_runtime(fetched, folder / "runtime")
    files = engine_files(every, more, packages)
    if not more:
        stdlib = folder / "runtime" / "python_stdlib.zip"
        files, modules = compiled(folder / "runtime", files, stdlib_files(stdlib))
        write_zip(stdlib, modules)
    words = {name: files.pop(name) for name in [*files] if name.endswith(WORDS)}
    write_engine(folder / "engine.data", {**files, **(words if more else {})})
    write_engine(folder / "words.data", words)


@frozen
class ServedEngine:
    """What makes the engine in a folder, as `replay serve` offers it to its page; it has the games of kifu."""

    folder: Path

    def __call__(self) -> Path:
        """Return the folder with the files; raises `CallError`, `MissingExtra` or `OSError`."""
        made = Path(mkdtemp(dir=self.folder))
        write_package(made, fetch_runtime(runtime_folder()))
        for path in [*made.rglob("*.wasm")]:
            path.with_name(f"{path.name}.gz").write_bytes(compress(path.read_bytes()))
        return made


def listed(logs: Iterable[Location], whole: Sequence[Location], refused: list[str]) -> Iterator[Listed]:
    """Yield logs for the library, named by their place in the folder that the whole has in common.

    What is no log is named in `refused`. Raises `LogError` for what cannot be read.
    """
    parents = [os.path.dirname(os.path.abspath(each)) for each in whole if isinstance(each, Path)]
    base = os.path.commonpath(parents) if parents else ""
    for place, each in enumerate(logs):
        content = read_content(each)
        try:
            found = row(content)
        except LogError:
            found = None
        if found is None:
            refused.append(str(each))
            continue
        yield Listed(_name_below(base, each) or f"{place}.log", content, found)


def _name_below(base: str, place: Location) -> str | None:
    """Return the name of a log below a folder; None if it is not a local file, or its name is not a text."""
    if not isinstance(place, Path):
        return None
    name = Path(os.path.relpath(os.path.abspath(place), base)).as_posix()
    return name if name.isprintable() else None


def _check_free(folder: Path) -> None:
    """Raise `CallError` if the folder holds anything but an earlier site."""
    if folder.exists() and (not folder.is_dir() or (any(folder.iterdir()) and not (folder / MARK).is_file())):
        english = "{folder} exists already and is not a site of kifu: give a new folder with -o"
        raise CallError("site-folder", english, folder=folder)


def _replace(folder: Path, new: Path) -> None:
    """Put what lies in `new`, a folder within this one, in the place of all else in it but its mark.

    The folder of the version before stays: pages of it may be open.
    """
    older = sorted(folder.glob("v-*"), key=lambda path: path.stat().st_mtime)[-1:]
    kept = (new.name, MARK, *(each.name for each in older if not (new / each.name).exists()))
    for each in folder.iterdir():
        if each.name not in kept:  # by name: of a folder that is relative, `new` may be absolute
            shutil.rmtree(each) if each.is_dir() and not each.is_symlink() else each.unlink()
    for each in new.iterdir():
        each.rename(folder / each.name)


def _write_scripts(folder: Path) -> None:
    for path, page in table_page.PAGES.items():
        if path != "/":
            _write(folder / path.removeprefix("/"), page()[0])
    for each in (HERE / "page").glob("*.js"):
        if each.name != "sw.js":  # it is written last, with the names of all others
            shutil.copy(each, folder)
    _write(folder / "match.css", page_style().encode())
    _write(folder / "match.js", page_script().encode())
    said = json.dumps(table_page.messages("kifu.replay", "site-"), ensure_ascii=False)
    _write(folder / "words.js", f"const siteWords = {said};\n".encode())


def _write_library(folder: Path, logs: Iterable[Listed]) -> int:
    """Write the logs, and the rows of the library, the newest first; return how many logs there are."""
    rows: list[dict[str, Any]] = []
    (folder / "logs").mkdir()
    for each in logs:
        _write(folder / "logs" / each.name, each.content)
        rows.append({"log": each.name, **each.row})
    rows.sort(key=lambda row: (-(row["started"] or 0), row["log"]))
    titles: dict[str, list[str]] = {}
    for game in sorted({each["game"] for each in rows}):
        with suppress(GameError):  # it is not installed
            titles[game] = [Texts(lang).title(registry.find(game)) for lang in LANGS]
    library = json.dumps({"games": titles, "rows": rows}, ensure_ascii=False, separators=(",", ":"))
    _write(folder / "library.json", library.encode())
    return len(rows)


def _write_service_worker(folder: Path, files: Sequence[str], *, keeps_logs: bool) -> None:
    kept = [name for name in files if (keeps_logs or not name.startswith("logs/")) and not name.endswith(PACKED)]
    every = {name: _integrity((folder / name).read_bytes()) for name in files}
    version = sha256(json.dumps(every).encode()).hexdigest()[:16]  # of logs too that are kept once they were asked for
    hashes = {"./": every["index.html"]} if "index.html" in every else {}  # by addresses relative to the folder's
    hashes |= {quote(name, safe=SAFE): every[name] for name in kept}
    source = (HERE / "page" / "sw.js").read_text("utf-8")
    source = source.replace("$version", f"kifu {version}").replace("$files", json.dumps(hashes))
    _write(folder / "sw.js", source.encode())


def _integrity(content: bytes) -> str:
    return f"sha256-{b64encode(sha256(content).digest()).decode()}"


def _digest(folder: Path) -> str:
    """Return the SHA-256 of all files of a folder with their names, in hex digits."""
    whole = sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        whole.update(path.relative_to(folder).as_posix().encode() + sha256(path.read_bytes()).digest())
    return whole.hexdigest()


def _pack(folder: Path) -> None:
    """Write what is large once more with gzip and brotli beside it, for servers that send what is packed already."""
    for path in [*folder.rglob("*")]:
        if path.suffix in (".js", ".css", ".wasm") and path.stat().st_size >= MIN_PACKED_BYTES:
            content = path.read_bytes()
            _write(path.with_name(f"{path.name}.gz"), compress(content, mtime=0))
            _write(path.with_name(f"{path.name}.br"), brotli.compress(content, quality=BROTLI_QUALITY))


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
