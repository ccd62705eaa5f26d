"""The browser's part in trust, in node: what it keeps, what it sends, what it alarms of, and when it stops."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest


@pytest.mark.ci
@pytest.mark.parametrize("script", ["ceremony", "trust_page", "vault"])
def test_the_browser_keeps_to_what_it_agreed_to_and_alarms_of_nothing_else(script):
    node = shutil.which("node") or pytest.skip("needs node")
    path = Path(__file__).with_name(f"{script}.mjs")
    done = subprocess.run([node, str(path)], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "fine\n"
