"""`replay serve` as a process, and the client of `docs/serve.md`, which plays a match to its end."""

import platform
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from kifu.core.log import read_bytes

from .conftest import Table

httpx = pytest.importorskip("httpx2", reason="needs kifu[dev]")

GUIDE = Path(__file__).parents[3] / "docs" / "serve.md"
SERVE = [sys.executable, "-m", "kifu.replay", "serve"]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., tuple[subprocess.Popen, str]]]:
    """Start servers over one store, at a port of their own or a given one, and kill what is left of them at the end."""
    with ExitStack() as started:
        log = started.enter_context((tmp_path / "access_log").open("w"))

        def begin(port: int = 0) -> tuple[subprocess.Popen, str]:
            command = [*SERVE, "--store", f"sqlite:{tmp_path / 'matches.db'}", "--port", str(port), "--bots", "random"]
            server = started.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True))
            started.callback(server.kill)
            address = re.search(r"http://\S+", server.stdout.readline())[0]
            httpx.get(f"{address}health/live", timeout=60)
            return server, address

        yield begin


def test_the_client_of_the_guide_plays_a_match_to_its_end(start, tmp_path):
    server, address = start()
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
    server.send_signal(signal.SIGINT)
    assert server.wait(60) == 130, "as every verb that is interrupted"
    access_log = (tmp_path / "access_log").read_text()
    assert access_log.count('"status": 201') >= 60
    assert "Bearer" not in access_log


def test_options_that_cannot_be_used_are_refused_in_one_line(capsys):
    from kifu.replay.app import run

    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        for more, what in (
            (["--port", port, "--store", "memory:"], port),
            (["--port", "0", "--store", "nowhere:x"], "nowhere"),
            (["--store", "memory:", "--allow-host", "friends.example:80"], "without https:// and port"),
            (["--store", "memory:", "--allow-host", "https://friends.example"], "without https:// and port"),
            (["--store", "memory:", "--origin", "friends.example"], "https://friends.example"),
            (["--store", "memory:", "--origin", "https://friends.example/page"], "https://friends.example"),
        ):
            assert run(["serve", *more]) == 2
            told = capsys.readouterr().err
            assert told.count("\n") == 1
            assert what in told


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
    from kifu.replay.options import printable_store

    assert printable_store("postgresql://me:secret@db.example/kifu") == "postgresql"
    assert printable_store("sqlite:matches.db") == "sqlite:matches.db"


def test_without_the_extra_one_line_names_it():
    code = "import sys; sys.modules['starlette'] = None; from kifu.replay.app import run; sys.exit(run(['serve']))"
    tried = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert (tried.returncode, tried.stderr.count("\n")) == (2, 1)
    assert "pip install 'kifu[web]'" in tried.stderr


def play_on(address: str, opened: dict, times: int) -> int:
    """Play some events over a connection of its own; return how many there are then."""
    keys = {each["seat"]: each["key"] for each in opened["keys"]}
    with httpx.Client(base_url=address, timeout=60) as client:
        table = Table(client, opened["match"], keys)
        table.play_on(times)
        return table.observe()["count"]


def test_two_servers_over_one_store_serve_the_same_matches_and_one_that_is_killed_begins_again(start):
    """`docs/deploy.md` promises that one is back within 3 seconds, of which systemd waits 0.2."""
    psutil = pytest.importorskip("psutil", reason="needs psutil")
    (one, first), (_, second) = start(), start()
    seats = [{"name": name} for name in "abc"]
    opened = httpx.post(f"{first}api/matches", json={"game": "take_and_share", "seats": seats}).json()
    assert play_on(second, opened, 3) == 4
    one.kill()
    assert play_on(second, opened, 2) == 6
    new, again = start(int(first.rpartition(":")[2].strip("/")))
    took = psutil.Process(new.pid).cpu_times()
    assert took.user + took.system < 2.5, "of processor time, whatever else the machine does"
    assert again == first
    assert play_on(again, opened, 2) == 8


HEAPS = """
import ctypes, tempfile, threading
from kifu.core.web.serve import settle

settle()
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


SHAPES = """
import sys
import msgspec
from kifu.core.web import app, request_shapes, response_shapes

worked_out = []

def called(frame, event, _):
    if event == "call" and frame.f_code.co_name == "get_class_annotations":
        worked_out.append(frame.f_locals["obj"].__name__)

class Other(msgspec.Struct):
    seat: int

sys.setprofile(called)
for module in (request_shapes, response_shapes):
    for shape in list(vars(module).values()):
        if isinstance(shape, type) and issubclass(shape, msgspec.Struct):
            msgspec.json.Decoder(shape)
msgspec.json.Decoder(Other)
print(*worked_out)
"""


def test_every_shape_is_worked_out_at_import():
    """Two threads that do so at once would crash the process."""
    done = subprocess.run([sys.executable, "-c", SHAPES], capture_output=True, text=True, timeout=60)
    assert (done.stdout.split(), done.stderr) == (["Other"], "")
