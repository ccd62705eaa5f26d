"""A game is judged by the laws in WebAssembly, in the quick profile."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

pytest.importorskip("msgspec", reason="needs kifu[web]")

from kifu.replay.browser.runtime import PLATFORM, PYTHON, unpack_runtime
from kifu.replay.browser.site import write_package

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[3]
LIBRARIES = ("pytest", "pluggy", "iniconfig", "packaging", "sortedcontainers", "pygments")


@pytest.fixture
def with_pytest(runtime, tmp_path):
    """The package with what the laws need, and the whole standard library."""
    wanted = ["--only-binary=:all:", "--platform", PLATFORM, "--python-version", PYTHON]
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", *wanted, "-d", str(tmp_path)]
    done = subprocess.run([*command, f"hypothesis=={version('hypothesis')}"], capture_output=True, check=False)
    if done.returncode:
        pytest.skip("needs a network: hypothesis for a browser")
    write_package(tmp_path / "kifu", runtime, LIBRARIES, list(tmp_path.glob("*.whl")))
    unpack_runtime(runtime, tmp_path / "kifu" / "runtime")
    return tmp_path / "kifu"


def test_a_game_keeps_the_laws_in_webassembly(with_pytest, node):
    [[code, passed, failures]] = node("laws.mjs", with_pytest, ROOT, "cake")
    assert (code, failures) == (0, [])
    assert passed > 15
