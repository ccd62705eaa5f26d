"""Which files the site judges together."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import kifu.replay.browser
import pytest

JUDGED = {
    "a.log": True,
    "a.log b.log": True,
    "a.log b.log c.log": False,
    "a.seat": True,
    "a.seat b.seat": True,
    "a.seat b.seat c.seat": False,
    "a.seat a.log": True,
    "a.log a.seat b.log": True,
    "a.seat b.seat a.log": False,
    "a.seat a.log b.log c.log": False,
    "photo.png": True,
    "A.SEAT a.log b.log": True,
    "A.SEAT b.Seat a.log": False,
}


@pytest.mark.ci
def test_no_file_is_passed_over_in_silence():
    node = shutil.which("node") or pytest.skip("needs node")
    module = Path(kifu.replay.browser.__file__).parent / "page" / "judged_files.mjs"
    script = f"""import {{ isJudged }} from {json.dumps(module.as_uri())};
    console.log(JSON.stringify({json.dumps([*JUDGED])}.map((names) => isJudged(names.split(" ")))));"""
    done = subprocess.run([node, "--input-type=module", "-e", script], capture_output=True, text=True, check=True)
    assert dict(zip(JUDGED, json.loads(done.stdout), strict=True)) == JUDGED
