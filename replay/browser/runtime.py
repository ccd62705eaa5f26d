"""The runtime of the engine in a browser: Pyodide and two wheels of C code, by version and hash, from npm and pip."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
from hashlib import sha256
from pathlib import Path

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
STEMS = tuple(name.partition("-")[0] + "-" for name in HASHES)
"""How the files begin, of whatever version."""
NEEDED = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
"""The files of Pyodide that a page loads."""
LOCK = "pyodide-lock.json"
"""The list of packages that Pyodide offers: none is loaded by it here."""
TIMEOUT_S = 600


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
        raise CallError("no-runtime-folder", "{folder} is no folder: {how}", folder=folder, how=_how())
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
        others = sorted(
            each.name for each in place.iterdir() if each.name.startswith(STEMS) and each.name not in HASHES
        )
        if others:
            english = "{folder} has {others}, which kifu was not tested with, and no {names}: {how}"
            raise CallError(
                "other-version", english, folder=place, others=", ".join(others), names=", ".join(missing), how=_how()
            )
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
        for name in NEEDED:
            source = archive.extractfile(f"package/{name}")
            assert source is not None
            content = source.read()
            if name == LOCK:
                content = json.dumps({**json.loads(content), "packages": {}}).encode()
            (folder / name).write_bytes(content)


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
