"""kifu where there is no POSIX: a Python that has what Windows has plays, saves, audits and serves.

No Windows was at hand. What it lacks is taken away from this Python, and its console writes cp932.
"""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.ci

WINDOWS = """
import asyncio, concurrent.futures, importlib, os, pathlib, shutil, signal, socket, subprocess, sys, tempfile, threading
import contextlib, http.server, logging.handlers, multiprocessing.pool, sqlite3, sysconfig, uuid, webbrowser
ED25519 = "cryptography.hazmat.primitives.asymmetric.ed25519"
for name in ("click", "rich.console", "textual.app", ED25519, "uvicorn", "starlette.applications"):
    with contextlib.suppress(ImportError):
        importlib.import_module(name)  # libraries know Windows by themselves
for name in ("fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "syslog"):
    sys.modules[name] = None
for name in ("fork", "killpg", "getuid", "geteuid", "chown", "fchown", "fchmod", "O_NONBLOCK"):
    if hasattr(os, name):
        delattr(os, name)
for name in ("SIGALRM", "SIGVTALRM", "SIGKILL", "SIGSTOP", "SIGCONT", "SIGHUP", "setitimer", "getitimer", "alarm"):
    delattr(signal, name)
sysconfig.get_paths()
sys.platform = "win32"
"""
PLAYS = """
import kifu
from kifu.core.log import LogWriter
from kifu.replay import main
match = kifu.new("cake", ["Aki", "Ren", "Mio"], seed=bytes(32))
writer = LogWriter.create("game.log", match)
for _ in range(5):
    match.play(seat := min(match.to_act), match.legal(seat)[0])
    writer.sync()
writer.close()
kifu.save(match, "game.log")
assert kifu.load("game.log").state == match.state
"""


def run(folder: Path, code: str, encoding: str = "utf-8") -> str:
    """Run code in such a Python; return what it prints."""
    environ = {"PYTHONIOENCODING": encoding, "PATH": "", "TMPDIR": str(folder)}
    done = subprocess.run(
        [sys.executable, "-c", WINDOWS + code], cwd=folder, env=environ, capture_output=True, timeout=120
    )
    assert done.returncode == 0, done.stderr.decode(encoding)
    return done.stdout.decode(encoding)


def test_a_match_is_written_read_and_saved_over_itself(tmp_path: Path) -> None:
    run(tmp_path, PLAYS)
    assert [each.name for each in tmp_path.iterdir()] == ["game.log"]


@pytest.mark.parametrize(
    "call", ["show game.log", "audit game.log", "--help", "simulate cake -o logs --games 2 --jobs 1"]
)
def test_the_command_prints_japanese_on_a_console_of_cp932(tmp_path: Path, call: str) -> None:
    pytest.importorskip("click", reason="needs kifu[replay]")
    words = [*call.split(), "--lang", "ja"] if "show" in call else call.split()
    said = run(
        tmp_path,
        PLAYS
        + f"import sys; sys.argv[1:] = {words!r}\ntry: main()\nexcept SystemExit as end: assert not end.code, end.code",
        "cp932",
    )
    assert said.strip()
    assert ("点" in said) is ("show" in call)


def test_the_service_starts(tmp_path: Path) -> None:
    pytest.importorskip("starlette", reason="needs kifu[web]")
    code = """
from kifu.core.host import Host
from kifu.core.stores import open_store
from kifu.core.web import app, serve
host = Host(open_store("sqlite:store.db"))
opened = host.open("cake", ["Aki", "Ren", "Mio"])
assert app(host) and host.observe(opened.match).count
"""
    run(tmp_path, code)
