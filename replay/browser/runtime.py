"""The runtime of the engine in a browser: Pyodide and two wheels of C code, by version and hash, from npm and pip.

Run by node, it compiles the Python that it will run in a browser.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from ..call_errors import CallError, UserMessage

PYODIDE = "314.0.7"
PYTHON = "3.14"
PLATFORM = "pyemscripten_2026_0_wasm32"
ARCHIVE = f"pyodide-{PYODIDE}.tgz"
WHEELS = ("msgpack==1.2.4", "msgspec==0.22.0")
HASHES = {
    ARCHIVE: "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0",
    f"msgpack-1.2.4-cp314-cp314-{PLATFORM}.whl": "06a0657a4110d563255006b7cb7147432f67827144e429c2cdb1c967548d1817",
    f"msgspec-0.22.0-cp314-cp314-{PLATFORM}.whl": "a66b1766311e42371e509c996c3933b161c7ae0eabdf361af5316dec197e1022",
}
"""SHA-256 of each file."""
NEEDED = {
    "pyodide.mjs": "pyodide.js",
    "pyodide.asm.mjs": "pyodide.asm.js",
    "pyodide.asm.wasm": "pyodide.asm.wasm",
    "python_stdlib.zip": "python_stdlib.zip",
}
"""The files of Pyodide that a page loads, and what they are called here: not every server knows what an `.mjs` is."""
LOCK = "pyodide-lock.json"
"""The list of packages that Pyodide offers: none is loaded by it here."""
ONLY_IN_NODE = re.compile(rb'import\("(node:[a-z/_]+|ws)"\)')
"""What the loader imports in node alone."""
UNSEEN = rb'import(/* webpackIgnore: true */ /* @vite-ignore */ ["\1"].join())'
"""The same so that no bundler looks for it."""
WASM_LOST = (b'{console.warn("wasm instantiation failed!"),console.warn(l)}', b"{r(null,l)}")
"""What the loader does where WebAssembly cannot be loaded: it would wait for ever."""
SOURCE_MAP = re.compile(rb"\n//# sourceMappingURL=\S+")
TIMEOUT_S = 600
COMPILE = Path(__file__).parent / "compile.mjs"
WHEN = (1980, 1, 1, 0, 0, 0)
"""The time of every file in an archive: the same files make the same bytes."""
Files = dict[str, bytes]
"""Files by their names in an archive."""
NEEDS = ("prometheus_client",)
"""Of what the archive takes, what may be missing where matches are served."""


def runtime_folder() -> Path:
    """Return the folder in which the runtime is kept once it was fetched."""
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(cache) / "kifu" / f"pyodide-{PYODIDE}"


def fetch_runtime(folder: Path | None = None) -> Path:
    """Return the folder with the files of `HASHES`, which npm and pip fetch if they are not there.

    Raises `CallError` if they cannot be had, or are not those that kifu was tested with.
    """
    place = runtime_folder() if folder is None else folder
    if folder is not None and not folder.is_dir():
        raise CallError("no-runtime-folder", "{folder} is not a folder: {how}", folder=folder, how=_how())
    missing = [name for name in HASHES if not (place / name).is_file()]
    if missing and folder is None:
        place.mkdir(parents=True, exist_ok=True)
        if ARCHIVE in missing:
            _run(["npm", "pack", "--silent", f"pyodide@{PYODIDE}"], place)
        if set(missing) - {ARCHIVE}:
            wanted = ["--only-binary=:all:", "--platform", PLATFORM, "--python-version", PYTHON, *WHEELS]
            _run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", *wanted], place)
        missing = [name for name in HASHES if not (place / name).is_file()]
    if missing:
        raise CallError(
            "no-runtime", "{folder} has no {names}: {how}", folder=place, names=", ".join(missing), how=_how()
        )
    for name, wanted_hash in HASHES.items():
        if sha256((place / name).read_bytes()).hexdigest() != wanted_hash:
            english = "{file} is not the file that kifu was tested with: remove it, and run this again"
            raise CallError("other-runtime", english, file=place / name)
    return place


def unpack_runtime(fetched: Path, folder: Path) -> None:
    """Write what a page loads of Pyodide into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with tarfile.open(fetched / ARCHIVE) as archive:
        for name, ours in NEEDED.items():
            content = _member(archive, name)
            if ours.endswith(".js"):
                content = SOURCE_MAP.sub(b"", ONLY_IN_NODE.sub(UNSEEN, content.replace(*WASM_LOST)))
            (folder / ours).write_bytes(content)
        lock = {**json.loads(_member(archive, LOCK)), "packages": {}}
    (folder / "lock.js").write_text(f"export default {json.dumps(json.dumps(lock))};\n", "utf-8")


def compiled(runtime: Path, engine: Files, stdlib: Files) -> tuple[Files, Files]:
    """Return the files with the modules of the start compiled for this runtime; as they are if node cannot do that."""
    node = shutil.which("node")
    if node is None:
        return engine, stdlib
    with TemporaryDirectory() as place:
        archives = Path(place) / "engine.zip", Path(place) / "stdlib.zip"
        for archive, files in zip(archives, (engine, stdlib), strict=True):
            write_zip(archive, files)
        command: list[str | Path] = [node, COMPILE, runtime, *archives]
        done = subprocess.run(command, capture_output=True, timeout=TIMEOUT_S, check=False)  # noqa: S603 (node itself)
        return (engine, stdlib) if done.returncode else (read_zip(archives[0]), read_zip(archives[1]))


def read_zip(source: Path) -> Files:
    """Return the files of a zip archive."""
    with ZipFile(source) as archive:
        return {each.filename: archive.read(each) for each in archive.infolist() if not each.is_dir()}


def write_zip(target: Path, files: Files) -> None:
    """Write a zip archive: the same bytes for the same files."""
    with ZipFile(target, "w", ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in files.items():
            entry = ZipInfo(name, WHEN)
            entry.compress_type = ZIP_DEFLATED
            archive.writestr(entry, content)


def _member(archive: tarfile.TarFile, name: str) -> bytes:
    source = archive.extractfile(f"package/{name}")
    assert source is not None
    return source.read()


def wheels_of(fetched: Path) -> list[Path]:
    """Return the wheels among the files that were fetched."""
    return [fetched / name for name in HASHES if name.endswith(".whl")]


def _run(command: list[str], folder: Path) -> None:
    """Run a program in a folder; raises `CallError` if it is missing or fails."""
    program = shutil.which(command[0])
    if program is None:
        raise CallError("no-program", "{program} is not installed: {how}", program=command[0], how=_how())
    done = subprocess.run(  # noqa: S603 (npm or pip, by what stands above)
        [program, *command[1:]], cwd=folder, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
    )
    if done.returncode:
        why = (done.stderr.strip() or done.stdout.strip()).splitlines()[-1:]
        english = "{program} could not fetch the runtime: {why}. {how}"
        raise CallError("not-fetched", english, program=command[0], why="".join(why)[:300], how=_how())


def _how() -> UserMessage:
    english = "fetch the runtime with `{npm}` and `{pip}` into one folder, and give that with --runtime"
    pip = (
        f"pip download --no-deps --only-binary=:all: --platform {PLATFORM} --python-version {PYTHON} {' '.join(WHEELS)}"
    )
    return UserMessage("fetch-runtime", english, npm=f"npm pack pyodide@{PYODIDE}", pip=pip)


def can_be_made() -> bool:
    """Return whether the runtime is kept here, and what the archive takes is installed; nothing is fetched."""
    kept = all((runtime_folder() / name).is_file() for name in HASHES)
    return kept and all(find_spec(name) is not None for name in NEEDS)
