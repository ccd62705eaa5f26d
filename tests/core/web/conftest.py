"""Fixtures of the web's tests: an app over a host whose clock stands still, and its clients.

Without the libraries of `kifu[web]` and `kifu[dev]` the tests skip.
"""

import json
import logging
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import pytest
from attrs import define
from kifu.core.game.shuffle import Shuffler
from kifu.core.host import Host
from kifu.core.match.random_play import draw_command
from kifu.core.stores import MemoryStore

from ..host.conftest import FIRST, SENT
from ..host.conftest import Entropy as SameBytes
from .browsing import DESKTOP, TIMEOUT_MS

UNPAINTED = "addEventListener('DOMContentLoaded', () => { document.body.style.opacity = 0; })"
"""Nobody looks: what is not painted lies and is hit where it would be, for two thirds of the processor's time."""
Entropy = partial(SameBytes, number=11)
NAMES = ["Aki", "Ren", "Mio", "Sou", "Emi", "Jun"]


@pytest.fixture(scope="session", autouse=True)
def web() -> None:
    """Skip without the libraries that nearly all tests here need."""
    pytest.importorskip("msgspec", reason="needs kifu[web]")
    pytest.importorskip("httpx2", reason="needs kifu[dev]")


def bearer(key: str | None) -> dict[str, str]:
    return {} if key is None else {"Authorization": f"Bearer {key}"}


@define
class Table:
    """One match over HTTP, with its keys."""

    client: Any
    match: str
    keys: dict[int, str]

    def get(self, path: str = "", seat: int | None = None, **more: Any) -> Any:
        key = None if seat is None else self.keys[seat]
        headers = {**bearer(key), **more.pop("headers", {})}
        return self.client.get(f"/api/matches/{self.match}{path}", headers=headers, **more)

    def post(self, path: str, seat: int | None, body: Any, **more: Any) -> Any:
        key = None if seat is None else self.keys[seat]
        headers = {**bearer(key), **more.pop("headers", {})}
        return self.client.post(f"/api/matches/{self.match}{path}", headers=headers, json=body, **more)

    def observe(self, seat: int | None = None) -> dict[str, Any]:
        return self.get("/observation", seat).json()

    def play(self, seat: int | None = None, **more: Any) -> Any:
        """Submit a legal command of the seat, or of the first to act; a pass if there is one, so that games end."""
        seat = min(self.observe()["to_act"]) if seat is None else seat
        observation = self.observe(seat)
        passes = [each for each in observation["legal"] if each["tag"] == "pass"]
        chosen = draw_command(passes or observation["legal"], Shuffler(bytes(32), observation["count"]))
        return self.post("/commands", seat, {**self.submission(chosen, observation["count"]), **more})

    def submission(self, command: dict[str, Any], expected_events: int) -> dict[str, Any]:
        """Return the body that submits a command, with a new idempotency key."""
        sent = {"expected_events": expected_events, "idempotency_key": f"{next(SENT):032x}"}
        return {"tag": command["tag"], "fields": command["fields"], **sent}

    def play_on(self, most: int = 2000) -> None:
        for _ in range(most):
            if not (acting := self.observe()["to_act"]):
                return
            assert self.play(min(acting)).status_code == 201


@pytest.fixture
def make_client() -> Iterator[Callable[..., Any]]:
    """Yield a function that returns a test client of an app over a host, with these settings."""
    from kifu.core.web import Limits, app
    from starlette.testclient import TestClient

    clients = []

    def made(host: Host | None = None, **settings: Any) -> Any:
        served = host or Host(MemoryStore(), clock=lambda: 1_000_000, entropy=Entropy(), bots=FIRST)
        settings.setdefault("limits", Limits(processor_burst_s=10**6, bot_matches_per_client=10**6))
        made_app = app(served, bots=["first"], **settings)
        client = TestClient(made_app, raise_server_exceptions=False, client=("127.0.0.1", 5))
        clients.append(client)
        return client

    yield made
    for client in clients:
        client.close()


@pytest.fixture
def client(make_client: Callable[..., Any]) -> Any:
    return make_client()


@pytest.fixture
def open_table(client: Any) -> Callable[..., Table]:
    """Return a function that opens a match, by default with all seats taken."""

    def opened(game: str = "take_and_share", seats: int = 3, *, at: Any = None, **more: Any) -> Table:
        chosen = at or client
        requested = more.pop("requested", [{"name": name} for name in NAMES[:seats]])
        response = chosen.post("/api/matches", json={"game": game, "seats": requested, **more})
        assert response.status_code == 201, response.text
        keys = {each["seat"]: each["key"] for each in response.json()["keys"]}
        return Table(chosen, response.json()["match"], keys)

    return opened


@pytest.fixture
def access_log() -> Iterator[list[dict[str, Any]]]:
    """Yield the lines of the access log, as they are module."""
    from kifu.core.web import access_log as module

    lines: list[dict[str, Any]] = []

    class Collect(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(json.loads(module.JsonLines().format(record)))

    handler, level = Collect(), module.LOGGER.level
    module.LOGGER.addHandler(handler)
    module.LOGGER.setLevel(logging.INFO)
    yield lines
    module.LOGGER.removeHandler(handler)
    module.LOGGER.setLevel(level)


QUICK = """
from kifu.replay.commands import serve
serve.LEVEL_LIMIT, serve.PACE_MARGIN_MS = "5ms", 5
import kifu.replay
kifu.replay.main()
"""
"""The program `replay`, in which bots are heard 10 milliseconds after their turn begins, not a second."""


@contextmanager
def serving(*options: str) -> Iterator[str]:
    """Start the server, and stop it as Ctrl-C does; yield its address."""
    pytest.importorskip("msgspec", reason="needs kifu[web]")
    command = [sys.executable, "-c", QUICK, "serve", "--store", "memory:", "--port", "0", "--quiet", *options]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    yield re.search(r"http://\S+", server.stdout.readline())[0]
    server.send_signal(signal.SIGINT)
    with server:  # which closes its end of the pipe
        assert server.wait(60) == 130, "as every verb that is interrupted"


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    many = [f"--set-limit={name}=100000" for name in ("bot_matches_per_client", "processor_burst_s")]
    with serving("--bots", "random,easy", *many) as address:
        yield address


@pytest.fixture(scope="module")
def refusals() -> tuple[str, ...]:
    """The statuses that a page may be answered with: refusals by a rule, of a key, and of who acts after another."""
    return ("422", "401", "409")


@contextmanager
def opening(browser, address: str, refusals: tuple[str, ...]) -> Iterator[Callable]:
    """Yield a function that opens the page in a new browser; fails at the end if the page had errors."""
    wrong: list[str] = []
    contexts = []

    def show(where: str = "", size: dict = DESKTOP, script: str = "", **more):
        context = browser.new_context(viewport=size, **{"reduced_motion": "reduce", "locale": "en-GB", **more})
        contexts.append(context)
        context.add_init_script(UNPAINTED)
        context.add_init_script(script)
        tab = context.new_page()
        tab.set_default_timeout(TIMEOUT_MS)
        tab.on("console", lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None)
        tab.on("pageerror", lambda error: wrong.append(str(error)))
        tab.on("dialog", lambda dialog: wrong.append(dialog.message))
        outside = lambda request: None if request.url.startswith(address) else wrong.append(request.url)  # noqa: E731
        tab.on("request", outside)
        tab.goto(where or address)
        return tab

    yield show
    for context in contexts:
        context.close()
    assert [each for each in wrong if not any(code in each for code in refusals) and not each.startswith("data:")] == []


@pytest.fixture
def opened(browser, address, refusals) -> Iterator[Callable]:
    """Open the page in a new browser, for a test."""
    with opening(browser, address, refusals) as show:
        yield show


@pytest.fixture(scope="module")
def opened_once(browser, address, refusals) -> Iterator[Callable]:
    """Open the page in a new browser, for all tests of a file."""
    with opening(browser, address, refusals) as show:
        yield show
