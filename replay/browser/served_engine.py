"""The engine as `replay serve` offers it to its page: made of the runtime that an earlier `replay site` has fetched."""

from __future__ import annotations

import os
import shutil
from gzip import compress
from importlib.util import find_spec
from pathlib import Path
from tempfile import mkdtemp

from attrs import frozen

from .runtime import HASHES, fetch_runtime, runtime_folder

NEEDS = ("ecdsa", "prometheus_client")
"""Of what the archive takes, what may be missing where matches are served."""


def can_be_made() -> bool:
    """Return whether the runtime is kept here, and what the archive takes is installed; nothing is fetched."""
    kept = all((runtime_folder() / name).is_file() for name in HASHES)
    return kept and all(find_spec(name) is not None for name in NEEDS)


@frozen
class ServedEngine:
    """What makes the engine in a folder that all processes of a server share; it has the games of kifu."""

    folder: Path

    def __call__(self) -> Path:
        """Return the folder with the files; raises `CallError`, `MissingExtra` or `OSError`."""
        from .site import write_package

        done = self.folder / "kifu"
        if not done.is_dir():
            begun = Path(mkdtemp(dir=self.folder))
            write_package(begun, fetch_runtime(runtime_folder()))
            for path in [*begun.rglob("*.wasm")]:
                path.with_name(f"{path.name}.gz").write_bytes(compress(path.read_bytes()))
            try:
                os.rename(begun, done)
            except OSError:  # another process was first
                shutil.rmtree(begun)
                if not done.is_dir():
                    raise
        return done
