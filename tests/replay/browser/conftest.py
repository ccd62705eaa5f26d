"""Fixtures of the engine in a browser: the npm package with its runtime, and a site on a static server.

The runtime is not fetched by a test: without it, or without node or chromium, the tests skip.
"""

import http.server
import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from runpy import run_path
from types import ModuleType
from typing import Any

import pytest
from kifu.replay.browser.runtime import HASHES, fetch_runtime, runtime_folder

TIMEOUT_S = 300
FIXTURES = Path(__file__).parents[3] / "fixtures"
CORE = Path(__file__).parents[2] / "core"
Served = run_path(str(CORE / "web" / "served.py"))["Served"]


def _of_trust(name: str) -> ModuleType:
    # Not from the folder above: the one from which pytest is called has a `core`, too.
    sys.path.insert(0, str(CORE))
    try:
        return import_module(f"trust.{name}")
    finally:
        sys.path.remove(str(CORE))


@pytest.fixture
def calls() -> Iterator[Any]:
    """An engine, and its calls as a program in JavaScript makes them."""
    from .calling import Calls  # which needs the extra

    calls = Calls()
    yield calls
    calls.apart.shutdown()
    calls.loop.close()


@pytest.fixture(scope="session")
def rigged() -> ModuleType:
    """The tables of the tests of trust, and the hosts of which only the rules say that they cheat."""
    return _of_trust("rigged")


@pytest.fixture(scope="session")
def vectors() -> ModuleType:
    """The published cases."""
    return _of_trust("vectors")


@pytest.fixture(scope="session")
def hosts_that_cheat(rigged: ModuleType, vectors: ModuleType) -> dict[str, Any]:
    """By the name of the crime a record, or None, and a log, or another record."""
    lies = {name: rigged.lies()[name] for name in ("another note", "shows what is hidden", "lies in a view")}
    return {"deals other cards": rigged.deals_other_cards(), **lies, **vectors.judged_of("cheats")}


@pytest.fixture(scope="session")
def forks(vectors: ModuleType) -> dict[str, Any]:
    """By name a record, or None, a fork, and the match that it is passed off as a fork of."""
    return vectors.judged_of("fork", "honest fork")


@pytest.fixture(scope="session")
def runtime() -> Path:
    """The folder of the runtime, fetched by whoever called `replay site` before."""
    if not all((runtime_folder() / name).is_file() for name in HASHES):
        pytest.skip("needs the runtime: call `replay site` once")
    return fetch_runtime()


@pytest.fixture(scope="session")
def written(runtime: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of the golden logs, written once; `KIFU_SITE` names one that `replay site fixtures` has written."""
    pytest.importorskip("prometheus_client", reason="needs kifu[web]")
    if already := os.environ.get("KIFU_SITE"):
        return Path(already)
    from kifu.replay.browser.checks import row
    from kifu.replay.browser.site import Listed, write_site  # which needs the extra

    folder = tmp_path_factory.mktemp("site") / "site"
    logs = sorted(FIXTURES.rglob("*.log"))
    listed = (Listed(log.relative_to(FIXTURES).as_posix(), log.read_bytes(), row(log.read_bytes())) for log in logs)
    assert write_site(folder, listed, runtime).logs == len(logs)
    return folder


@pytest.fixture(scope="session")
def package(written: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The npm package as it is published, and as the site has it but for what a server packs."""
    (folder,) = written.glob("v-*/kifu")
    target = tmp_path_factory.mktemp("package") / "kifu"
    return Path(shutil.copytree(folder, target, ignore=shutil.ignore_patterns("*.gz", "*.br")))


@pytest.fixture(scope="session")
def node() -> Callable[..., list[Any]]:
    """Run a script of this folder in node with arguments; return the values that it prints, one JSON text a line."""
    program = shutil.which("node")
    if program is None:
        pytest.skip("needs node")

    def run(script: str, *arguments: str | Path) -> list[Any]:
        command = [program, str(Path(__file__).parent / script), *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
        assert done.returncode == 0, (done.stdout[-2000:], done.stderr[-4000:])
        return [json.loads(line) for line in done.stdout.splitlines()]

    return run


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Python's own server of static files, without its log."""

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def served() -> Iterator[Callable[..., tuple[str, Callable[[], None]]]]:
    """Serve a folder, perhaps at a port where it was before; return its address, and what stops the server."""
    stops: list[Callable[[], None]] = []

    def serve(folder: Path, port: int = 0) -> tuple[str, Callable[[], None]]:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", port), partial(Quiet, directory=str(folder)))
        threading.Thread(target=server.serve_forever, daemon=True).start()

        def stop() -> None:
            server.shutdown()
            server.server_close()
            stops.remove(stop)

        stops.append(stop)

        return f"http://127.0.0.1:{server.server_port}/", stop

    yield serve
    for stop in [*stops]:
        stop()
