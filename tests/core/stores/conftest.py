"""Fixtures of the tests of stores: a program that writes is killed, and what it left is checked."""

import importlib.util
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import kifu
import pytest
from kifu.core.log import log_bytes, read_bytes
from kifu.core.stores import Query, Store, log_bytes_of, open_store

WRITING = Path(__file__).with_name("writing.py")
ACKNOWLEDGED = re.compile(r"m\d+-\d+ \d+\n")
Kill = Callable[[subprocess.Popen[str]], None]


@pytest.fixture(scope="session")
def writing() -> ModuleType:
    spec = importlib.util.spec_from_file_location("writing", WRITING)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["writing"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the path of the log of a whole match."""
    match = kifu.new("take_and_share", ["a", "b", "c"], seed=bytes(32), match="m", started=0)
    while match.to_act:
        seat = min(match.to_act)
        match.play(seat, match.legal(seat)[0])
    path = tmp_path_factory.mktemp("log") / "m.log"
    path.write_bytes(log_bytes(match))
    return path


def kill_9(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGKILL)


@pytest.fixture
def written(writing: ModuleType, log: Path) -> Callable[..., int]:
    """Return a function that lets a program write, kills it or its server, and checks that nothing was lost.

    It kills after `enough` acknowledgements and returns how many there were. The store is then opened twice: the second
    finds what the first left.
    """

    def written(address: str, enough: int, kill: Kill = kill_9, restart: Callable[[], None] = lambda: None) -> int:
        run = [sys.executable, str(WRITING), address, str(log)]
        process = subprocess.Popen(run, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert process.stdout is not None
        lines = []
        while len(lines) < enough and (line := process.stdout.readline()):
            lines.append(line)
        kill(process)
        lines += [line for line in process.stdout if line.endswith("\n")]
        process.communicate()
        assert "Traceback (most recent call last):\n" not in lines, "".join(lines[enough:])
        acknowledged = [line.split() for line in lines if ACKNOWLEDGED.fullmatch(line)]
        assert len(acknowledged) >= enough, lines[-3:]
        restart()
        for _ in range(2):
            store = open_store(address)
            try:
                _check(
                    store,
                    {match: int(done) for match, done in acknowledged},
                    list(writing.plan_of(log.read_bytes()).states()),
                )
            finally:
                store.close()
        return len(acknowledged)

    return written


def _check(store: Store, acknowledged: dict[str, int], states: list[object]) -> None:
    """Check that each match has what was acknowledged, and at most the one submission under way besides."""
    found = {match for match, _ in store.list(Query(limit=1 << 30))}
    assert set(acknowledged) <= found
    for match in found:
        stored, done = store.read(match), acknowledged.get(match, 0)
        assert stored in states[max(done - 1, 0) : done + 1], (
            f"{match}: {done} acknowledged, {stored.count} events stored"
        )
        if stored.header:
            assert read_bytes(log_bytes_of(stored)).ok
