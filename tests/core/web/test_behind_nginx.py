"""Floods through a real nginx, with the configuration of `docs/deploy.md`: what it limits, and what kifu does."""

import contextlib
import re
import shutil
import socket
import time

import pytest

from .served import TIMEOUT_S, Served, read_on, read_until, wait_for
from .test_deployment import PATH, hosts  # noqa: F401 (a fixture)

pytest.importorskip("msgspec", reason="needs kifu[web]")
pytestmark = pytest.mark.ci


class Behind(Served):
    """An app behind nginx: what connects goes through it."""

    def __init__(self, hosts, folder, **some):  # noqa: F811
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
def behind(hosts, tmp_path):  # noqa: F811
    if not shutil.which("nginx", path=PATH):
        pytest.skip("needs nginx")
    tmp_path.chmod(0o755)
    return lambda **some: Behind(hosts, tmp_path, **some)


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
