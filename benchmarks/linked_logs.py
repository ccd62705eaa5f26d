"""Many logs out of few: random matches, each under many names, and `replay` as a process that tells its memory."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

GAME = "take_and_share"
DISTINCT = 200
SEED = "0b" * 32
IN_A_FOLDER = 500
REPLAY = [sys.executable, "-m", "kifu.replay"]
CLIENT = """
import re, sys
from pathlib import Path
from kifu.replay import main
place = Path(sys.argv.pop(1))
try:
    main()
finally:
    place.write_text(re.search(r"VmHWM:\\s*(\\d+) kB", Path("/proc/self/status").read_text())[1])
"""
"""`replay`, then its peak memory, which Linux alone reports without that of the parent process."""


def played(folder: Path) -> list[Path]:
    """Play the matches that are distinct."""
    simulate = [*REPLAY, "simulate", GAME, "--games", str(DISTINCT), "--seed", SEED, "-o", str(folder), "--json"]
    subprocess.run(simulate, check=True, stdout=subprocess.DEVNULL)
    return sorted(folder.glob("*.log"))


def named(matches: list[Path], folder: Path, count: int) -> Path:
    """Link the matches under so many names, in folders of five hundred."""
    for number in range(count):
        place = folder / f"{number // IN_A_FOLDER:04}"
        if number % IN_A_FOLDER == 0:
            place.mkdir(parents=True)
        os.link(matches[number % len(matches)], place / f"{number:07}.log")
    return folder
