"""The bar of a long run: on the terminal, and never in what is written elsewhere."""

import os
import re
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path

import pytest
from kifu.core.host import Host, Terms
from kifu.core.stores import open_store

pty = pytest.importorskip("pty", reason="a terminal of a POSIX system")


RANDOM = ("simulate", "take_and_share", "--games", "3")


@pytest.mark.ci
@pytest.mark.parametrize(
    "call",
    [
        "stats LOGS",
        "stats LOGS --json",
        "rate LOGS",
        "golden LOGS",
        "rules cake --coverage LOGS",
        "store check sqlite:STORE",
    ],
)
def test_who_waits_at_a_terminal_for_many_logs_sees_how_far_it_is(call: str, tmp_path: Path) -> None:
    logs = Path(__file__).parents[2] / "fixtures" / "cake"
    if "STORE" in call:
        with closing(open_store(f"sqlite:{tmp_path}/store")) as store:
            Host(store).import_log((logs / "three_seats.log").read_bytes(), Terms())
    controller, terminal = pty.openpty()
    call = call.replace("LOGS", str(logs)).replace("STORE", f"{tmp_path}/store")
    program = [sys.executable, "-m", "kifu.replay", *call.split()]
    environment = {**os.environ, "TERM": "xterm"}
    ended = subprocess.Popen(program, stdout=terminal, stderr=terminal, env=environment, cwd=tmp_path)
    os.close(terminal)
    read = b""
    with suppress(OSError):  # the end of a terminal
        while more := os.read(controller, 100_000):
            read += more
    os.close(controller)
    assert ended.wait() == 0
    assert re.search(rf"{call.split()[0]}[a-z ]* ━", re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", read.decode()))


CALLS = {
    "random": RANDOM,
    "bots, as data": (*RANDOM, "--bots", "random", "--jobs", "1", "--json"),
}


@pytest.mark.ci
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())
def test_who_sends_the_output_into_a_file_sees_how_far_it_is(call: tuple[str, ...], tmp_path: Path) -> None:
    controller, terminal = pty.openpty()
    program = [sys.executable, "-m", "kifu.replay", *call, "-o", str(tmp_path)]
    ended = subprocess.run(program, stdout=subprocess.PIPE, stderr=terminal, env={**os.environ, "TERM": "xterm"})
    os.close(terminal)
    assert ended.returncode == 0
    assert "━" in os.read(controller, 100_000).decode(errors="replace")
    assert b"\x1b" not in ended.stdout
    os.close(controller)
