"""The browser's part in a fair deal, in node: what it keeps, what it sends, and when it stops."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest


@pytest.mark.ci
def test_the_browser_keeps_to_what_it_agreed_to():
    node = shutil.which("node") or pytest.skip("needs node")
    script = Path(__file__).with_name("ceremony.mjs")
    done = subprocess.run([node, str(script)], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "fine\n"
