"""`replay serve` as a process, and the client of `docs/serve.md`, which plays a match to its end."""

import platform
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from kifu.core.log import read_bytes

pytest.importorskip("msgspec", reason="needs kifu[web]")
httpx = pytest.importorskip("httpx2", reason="needs kifu[webtest]")

GUIDE = Path(__file__).parents[3] / "docs" / "serve.md"
SERVE = [sys.executable, "-m", "kifu.replay", "serve"]


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Start the server over SQLite, and stop it as Ctrl-C does."""
    command = [*SERVE, "--store", f"sqlite:{tmp_path / 'matches.db'}", "--port", "0", "--bots", "random"]
    with (
        (tmp_path / "access_log").open("w") as access_log,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=access_log, text=True) as server,
    ):
        yield re.search(r"http://\S+", server.stdout.readline())[0]
        server.send_signal(signal.SIGINT)
        assert server.wait(60) == 130, "as every verb that is interrupted"


def test_the_client_of_the_guide_plays_a_match_to_its_end(address, tmp_path):
    pytest.importorskip("websockets", reason="needs kifu[web]")
    (client,) = re.findall(r"```py\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL)
    (tmp_path / "client.py").write_text(client.replace("import httpx\n", "import httpx2 as httpx\n"))
    opened = httpx.post(f"{address}api/matches", json={"game": "take_and_share", "seats": [{}, {}, {}]}).json()
    calls = [[sys.executable, tmp_path / "client.py", address.rstrip("/"), opened["match"], name] for name in "ABC"]
    clients = [subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) for call in calls]
    outputs = [each.communicate(timeout=300)[0] for each in clients]
    assert [each.returncode for each in clients] == [0, 0, 0], outputs
    assert all("(TS-12)" in each for each in outputs)
    raw = httpx.get(f"{address}api/matches/{opened['match']}/log").content
    assert read_bytes(raw).problem() is None
    access_log = (tmp_path / "access_log").read_text()
    assert access_log.count('"status": 201') >= 60
    assert "Bearer" not in access_log


def test_options_that_cannot_be_used_are_refused_in_one_line(address):
    port = address.rstrip("/").rpartition(":")[2]
    for more, what in (
        (["--port", port, "--store", "memory:"], port),
        (["--store", "nowhere:x"], "nowhere"),
        (["--store", "memory:", "--origin", "friends.example"], "https://friends.example"),
        (["--store", "memory:", "--origin", "https://friends.example/page"], "https://friends.example"),
    ):
        tried = subprocess.run([*SERVE, *more], capture_output=True, text=True, timeout=120)
        assert tried.returncode == 2
        assert tried.stderr.count("\n") == 1
        assert what in tried.stderr


@pytest.mark.parametrize(
    ("given", "site"),
    [
        ("https://friends.example/", "https://friends.example"),
        ("HTTP://localhost:8080", "http://localhost:8080"),
        ("*", "*"),
    ],
)
def test_a_site_is_normalized_as_browsers_do(given, site):
    from kifu.replay.commands.serve import _origin

    assert _origin(given) == site


def test_the_first_line_holds_no_password_of_a_database():
    from kifu.replay.commands.serve import _printable

    assert _printable("postgresql://me:secret@db.example/kifu") == "postgresql"
    assert _printable("sqlite:matches.db") == "sqlite:matches.db"


def test_without_the_extra_one_line_names_it():
    code = "import sys; sys.modules['starlette'] = None; from kifu.replay.app import run; sys.exit(run(['serve']))"
    tried = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert (tried.returncode, tried.stderr.count("\n")) == (2, 1)
    assert "pip install 'kifu[web]'" in tried.stderr


@pytest.fixture
def workers(tmp_path: Path) -> Iterator[tuple[subprocess.Popen, str]]:
    """Start a server of two workers, and kill what is left of it at the end."""
    psutil = pytest.importorskip("psutil", reason="needs psutil")
    command = [*SERVE, "--store", f"sqlite:{tmp_path / 'matches.db'}", "--port", "0", "--workers", "2", "--quiet"]
    with subprocess.Popen([*command, "--bots", "random"], stdout=subprocess.PIPE, text=True) as server:
        address = re.search(r"http://\S+", server.stdout.readline())[0]
        httpx.get(f"{address}health", timeout=60)
        family = psutil.Process(server.pid).children(recursive=True)
        yield server, address
        server.kill()
        _, alive = psutil.wait_procs(family, 30)
        for each in alive:
            each.kill()
    assert not alive, "workers end with the process that started them, however it ends"


def listening(server: subprocess.Popen, address: str) -> list:
    """Return the processes of the two workers, once both have begun."""
    import psutil

    until = time.monotonic() + 60
    while time.monotonic() < until:
        found = [each for each in psutil.Process(server.pid).children() if "spawn_main" in " ".join(each.cmdline())]
        if len(found) == 2 and httpx.get(f"{address}metrics").text.count("kifu_due_late_seconds") >= 1:
            return found
        time.sleep(0.1)
    raise AssertionError("no two workers")


def play_on(address: str, opened: dict, events: int) -> int:
    """Play the first legal commands, each over a connection of its own; return how many events there are.

    A request waits until a worker that is to take the place of a dead one has begun, on a busy machine for seconds.
    """
    keys, path = {each["seat"]: each["key"] for each in opened["keys"]}, f"{address}api/matches/{opened['match']}"
    count = 0
    while count < events:
        (seat, *_) = httpx.get(f"{path}/observation", timeout=60).json()["to_act"]
        bearer = {"Authorization": f"Bearer {keys[seat]}"}
        seen = httpx.get(f"{path}/observation", headers=bearer, timeout=60).json()
        command = {name: seen["legal"][0][name] for name in ("tag", "fields")}
        command |= {"expected_events": seen["count"], "idempotency_key": f"{seen['count']:032x}"}
        answer = httpx.post(f"{path}/commands", headers=bearer, json=command, timeout=60)
        assert answer.status_code == 201, answer.text
        count = answer.json()["count"]
    return count


def test_workers_serve_the_same_matches_and_one_that_dies_is_replaced(workers):
    connect = pytest.importorskip("websockets.sync.client", reason="needs kifu[web]").connect
    server, address = workers
    one, other = listening(server, address)
    seats = [{"name": name} for name in "abc"]
    opened = httpx.post(f"{address}api/matches", json={"game": "take_and_share", "seats": seats}).json()
    path = f"{address.replace('http', 'ws')}api/matches/{opened['match']}/watch"
    with ExitStack() as connections:
        watchers = [connections.enter_context(connect(path)) for _ in range(6)]
        for each in watchers:
            each.send("{}")
        count = play_on(address, opened, 6)
        for each in watchers:
            heard = 0
            while heard < count:
                heard += '"event"' in each.recv(timeout=30)[:10]
    counted = re.search(r'kifu_requests_total\{.*commands",status="201"\} (\S+)', httpx.get(f"{address}metrics").text)
    assert float(counted[1]) == count - 1, "all but the deal, whichever worker was asked"
    one.kill()
    count = play_on(address, opened, count + 4)
    other.kill()
    play_on(address, opened, count + 4)


def test_a_worker_may_take_longer_to_begin_than_uvicorn_waits():
    import uvicorn
    from kifu.core.web.serve import Config

    assert Config(lambda: None, 2).timeout_worker_healthcheck > 4 * uvicorn.Config("").timeout_worker_healthcheck


def test_workers_that_are_interrupted_end_as_one_process_does(workers):
    server, address = workers
    children = listening(server, address)
    server.send_signal(signal.SIGINT)
    assert server.wait(60) == 130
    assert not any(each.is_running() for each in children)


def test_workers_need_a_store_that_they_share():
    tried = subprocess.run([*SERVE, "--store", "memory:", "--workers", "2"], capture_output=True, text=True, timeout=60)
    assert tried.returncode == 2
    assert tried.stderr.count("\n") == 1
    assert "--workers 2" in tried.stderr


HEAPS = """
import asyncio, ctypes, tempfile, threading
from kifu.core.host import Host
from kifu.core.stores import open_store
from kifu.core.web import app
from kifu.core.web.serve import Config

async def load():
    Config(lambda: app(Host(open_store("memory:")))).load()

asyncio.run(load())
libc = ctypes.CDLL(None)
ready = threading.Barrier(9)

def pack():
    kept = [bytes(5000) for _ in range(100)]
    ready.wait()

threads = [threading.Thread(target=pack) for _ in range(8)]
for each in threads:
    each.start()
ready.wait()
libc.fopen.restype = ctypes.c_void_p
with tempfile.NamedTemporaryFile() as told:
    file = ctypes.c_void_p(libc.fopen(told.name.encode(), b"w"))
    libc.malloc_info(0, file)
    libc.fclose(file)
    print(told.read().decode().count("<heap "))
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="heaps are counted by glibc")
def test_threads_that_pack_pages_share_two_heaps():
    """With a heap for each of them a server holds more memory after a flood of requests than before."""
    run = subprocess.run([sys.executable, "-c", HEAPS], capture_output=True, text=True, timeout=120)
    assert int(run.stdout) <= 2, run.stderr
