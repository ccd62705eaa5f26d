"""`docs/deploy.md`, run: floods through its nginx, its systemd unit, and hosts that are killed again and again."""

import contextlib
import importlib
import re
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ..host.writing import wait_for
from .served import TIMEOUT_S, Served, read_on, read_until

ROOT = Path(__file__).parents[3]
PATH = "/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin"


@pytest.fixture
def hosts(monkeypatch):
    """Return the benchmark of hosts, as a module."""
    pytest.importorskip("uvicorn", reason="needs kifu[web]")
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    return importlib.import_module("hosts")


@pytest.fixture
def nginx():
    return shutil.which("nginx", path=PATH) or pytest.skip("needs nginx")


def accepts(nginx, folder, text):
    (folder / "nginx.conf").write_text(text)
    command = [nginx, "-t", "-c", str(folder / "nginx.conf"), "-p", str(folder), "-e", str(folder / "nginx.log")]
    checked = subprocess.run(command, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr
    assert "[warn]" not in checked.stderr


@pytest.mark.parametrize("ports", [[8001], [8001, 8002]], ids=["one host", "several hosts"])
def test_nginx_accepts_the_configuration(hosts, nginx, tmp_path, ports):
    text = hosts.nginx_configuration(tmp_path, 8000, ports)
    assert text.count("server 127.0.0.1:") == len(ports)
    accepts(nginx, tmp_path, text)


def test_systemd_accepts_the_unit(tmp_path):
    verify = shutil.which("systemd-analyze") or pytest.skip("needs systemd")
    guide = (ROOT / "docs" / "deploy.md").read_text("utf-8")
    (unit,) = re.findall(r"((?:    .*\n|\n)*    \[Unit\]\n(?:    .*\n|\n)*)", guide)
    text = re.sub(r"^    ", "", unit.strip("\n"), flags=re.MULTILINE)
    assert "\nExecStart=/opt/kifu/bin/replay serve " in text
    assert {"Restart=always", "RestartSec=0.2", "StartLimitIntervalSec=0"} <= {*text.split("\n")}, (
        "back at once, always"
    )
    (tmp_path / "kifu@8001.service").write_text(text.replace("/opt/kifu/bin/replay", shutil.which("true")))
    checked = subprocess.run(
        [verify, "verify", "--man=no", str(tmp_path / "kifu@8001.service")], capture_output=True, text=True
    )
    ours = [line for line in checked.stderr.splitlines() if "kifu" in line]
    assert (checked.returncode, ours) == (0, [])


class Behind(Served):
    """An app behind nginx: what connects goes through it."""

    def __init__(self, hosts, folder, **some):
        super().__init__(**some)
        self.hosts, self.folder = hosts, folder
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]

    def __enter__(self):
        super().__enter__()
        self.nginx = self.hosts.nginx(self.folder, self.port, [self.listener.getsockname()[1]])
        until_s = time.monotonic() + TIMEOUT_S
        while time.monotonic() < until_s:
            with contextlib.suppress(OSError), self.connect():
                return self
            time.sleep(0.05)
        raise TimeoutError

    def __exit__(self, *error):
        self.nginx.terminate()
        self.nginx.wait(TIMEOUT_S)
        super().__exit__(*error)

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), TIMEOUT_S)


@pytest.fixture
def behind(hosts, nginx, tmp_path):
    tmp_path.chmod(0o755)
    return lambda **some: Behind(hosts, tmp_path, **some)


@pytest.mark.ci
def test_a_watcher_behind_nginx_is_told_as_it_happens_and_noticed_when_it_leaves(behind):
    with behind() as served:
        host = served.context.host
        opened = host.open("cake", ["Aki", "Ren", "Mio"])
        with served.connect() as connection:
            connection.sendall(
                b"GET /api/matches/%s/events HTTP/1.1\r\nHost: localhost\r\n\r\n" % opened.match.encode()
            )
            read_until(connection, b"about")
            began_s = time.monotonic()
            seat = min(host.about(opened.match).to_act)
            observed = host.observe(opened.match, opened.keys[seat])
            host.submit(opened.match, opened.keys[seat], observed.legal[0], observed.count)
            read_until(connection, b"id: %d" % observed.count)
            assert time.monotonic() - began_s < 5, "nginx keeps nothing back"
        wait_for(lambda: served.context.metrics.watchers._value.get() == 0)


@pytest.mark.ci
def test_of_a_flood_of_requests_nginx_passes_on_no_more_than_its_rate(behind):
    with behind() as served:
        began_s, statuses = time.monotonic(), []
        for _ in range(5):
            with served.connect() as connection:
                with contextlib.suppress(ConnectionError):
                    connection.sendall(b"GET /nope HTTP/1.1\r\nHost: localhost\r\n\r\n" * 900)
                    connection.sendall(b"GET /nope HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                statuses += re.findall(rb"HTTP/1.1 (\d+)", read_on(connection))
        passed = statuses.count(b"404")
        assert 500 <= passed <= 650 + 100 * (time.monotonic() - began_s)
        assert statuses.count(b"429") > 0


@pytest.mark.ci
def test_heads_and_bodies_that_are_too_large_or_never_end_stay_at_nginx(behind):
    with behind() as served:
        held = [served.connect() for _ in range(100)]
        for connection in held:
            connection.sendall(b"GET / HTTP/1.1\r\nHost: loc")
        large = b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"A: b\r\n" * 10_000 + b"\r\n"
        body = b"POST /api/matches HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n"
        begun = b"POST /api/matches HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{"
        for sent, status in ((large, b" 400 "), (body, b" 413 ")):
            with served.connect() as connection:
                with contextlib.suppress(ConnectionError):
                    connection.sendall(sent)
                assert status in read_on(connection).partition(b"\r\n")[0]
        with served.connect() as connection:
            connection.sendall(begun)
            assert " 200 " in served.ask("/api/games").partition("\r\n")[0]
        assert len(served.server.server_state.connections) <= 1, "of all these, kifu has seen one"
        for connection in held:
            connection.close()


@pytest.mark.long
def test_hosts_behind_nginx_of_which_one_is_killed_again_and_again(nginx):
    """The benchmark has the figures of 500 matches; how late a deadline is here is the machine's."""
    pytest.importorskip("psycopg", reason="needs kifu[postgres]")
    pytest.importorskip("uvicorn", reason="needs kifu[web]")
    from ..stores.cluster import Cluster, binaries

    cluster = Cluster(binaries() or pytest.skip("needs PostgreSQL's server"))
    try:
        command = [sys.executable, str(ROOT / "benchmarks" / "hosts.py"), "--store", cluster.address("hosts")]
        few = ["--matches", "30", "--seconds", "35", "--kill-every", "6", "--most-late", "60"]
        ran = subprocess.run([*command, *few], capture_output=True, text=True, timeout=300)
    finally:
        cluster.stop()
    assert ran.returncode == 0, ran.stdout + ran.stderr
    for wrong in ("acknowledged and lost", "matches with a command twice", "logs that are not clean"):
        assert re.search(rf"^{wrong} +0\.0* ", ran.stdout, re.MULTILINE), ran.stdout
    assert int(re.search(r"(\d+) kills", ran.stdout)[1]) >= 3
