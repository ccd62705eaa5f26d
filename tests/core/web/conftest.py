"""An app over a host whose clock stands still, and clients that ask it as a seat would.

Without the libraries of `kifu[web]` and `kifu[webtest]` these tests skip, and say so.
"""

from __future__ import annotations

import json
import logging
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from attrs import define, field
from kifu.core.host import Host
from kifu.core.random_play import draw_command
from kifu.core.shuffle import Shuffler
from kifu.core.stores import MemoryStore

from .browsing import DESKTOP, LONG

NAMES = ["Aki", "Ren", "Mio", "Sou", "Emi", "Jun"]


class Entropy:
    """The same bytes in every run."""

    def __init__(self, seed: bytes = bytes(32)) -> None:
        self._shuffler = Shuffler(seed, 11)

    def __call__(self, size: int) -> bytes:
        return bytes(self._shuffler.below(256) for _ in range(size))


def first_legal(info_state: Any) -> Any:
    return info_state.legal[0]


def bearer(key: str | None) -> dict[str, str]:
    return {} if key is None else {"Authorization": f"Bearer {key}"}


@define
class Table:
    """One match, asked about over HTTP."""

    client: Any
    match: str
    keys: dict[int, str]
    ids: int = field(default=0)

    def get(self, what: str = "", seat: int | None = None, **more: Any) -> Any:
        key = None if seat is None else self.keys[seat]
        headers = {**bearer(key), **more.pop("headers", {})}
        return self.client.get(f"/api/matches/{self.match}{what}", headers=headers, **more)

    def post(self, what: str, seat: int | None, told: Any, **more: Any) -> Any:
        key = None if seat is None else self.keys[seat]
        headers = {**bearer(key), **more.pop("headers", {})}
        return self.client.post(f"/api/matches/{self.match}{what}", headers=headers, json=told, **more)

    def observe(self, seat: int | None = None) -> dict[str, Any]:
        return self.get("/observation", seat).json()

    def fresh_id(self) -> str:
        self.ids += 1
        return f"{self.ids:032x}"

    def play(self, seat: int | None = None, **more: Any) -> Any:
        """Let the seat, or the first that is asked, give a legal command; a pass, if there is one: games end."""
        asked = min(self.observe()["to_act"]) if seat is None else seat
        observation = self.observe(asked)
        passes = [each for each in observation["legal"] if each["tag"] == "pass"]
        legal = [_Command(each) for each in passes or observation["legal"]]
        chosen = draw_command(legal, Shuffler(bytes(32), observation["count"])).told
        command = {"tag": chosen["tag"], "fields": chosen["fields"], "at": observation["count"], "id": self.fresh_id()}
        return self.post("/commands", asked, {**command, **more})

    def play_on(self, most: int = 2000) -> None:
        for _ in range(most):
            if not self.observe()["to_act"]:
                return
            assert self.play().status_code == 201


class _Command:
    """A legal command as it was told; `draw` tells kinds apart by their class, and here all are one kind."""

    def __init__(self, told: dict[str, Any]) -> None:
        self.told = told


@pytest.fixture
def make_client() -> Iterator[Callable[..., Any]]:
    """Serve a host, with these settings, to a test client."""
    from kifu.core.web import Limits, app
    from starlette.testclient import TestClient

    clients = []

    def made(host: Host | None = None, **settings: Any) -> Any:
        served = host or Host(MemoryStore(), clock=lambda: 1_000_000, entropy=Entropy(), bots={"first": first_legal})
        settings.setdefault("limits", Limits(request_burst=10**6, open_burst=10**6))
        client = TestClient(app(served, bots=["first"], **settings), raise_server_exceptions=False)
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
    """Open a match whose seats are all taken."""

    def opened(game: str = "take_and_share", seats: int = 3, *, at: Any = None, **more: Any) -> Table:
        chosen = at or client
        chairs = more.pop("chairs", [{"name": name} for name in NAMES[:seats]])
        told = chosen.post("/api/matches", json={"game": game, "seats": chairs, **more})
        assert told.status_code == 201, told.text
        keys = {each["seat"]: each["key"] for each in told.json()["keys"]}
        return Table(chosen, told.json()["match"], keys)

    return opened


@pytest.fixture
def access_log() -> Iterator[list[dict[str, Any]]]:
    """The lines that the web writes down, as they would stand in the file."""
    from kifu.core.web import access_log as written

    lines: list[dict[str, Any]] = []

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(json.loads(written.JsonLines().format(record)))

    kept, level = Keep(), written.LOGGER.level
    written.LOGGER.addHandler(kept)
    written.LOGGER.setLevel(logging.INFO)
    yield lines
    written.LOGGER.removeHandler(kept)
    written.LOGGER.setLevel(level)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Start the server, and stop it as Ctrl-C does."""
    command = [sys.executable, "-m", "kifu.replay", "serve", "--store", "memory:", "--port", "0", "--quiet"]
    server = subprocess.Popen([*command, "--bots", "random"], stdout=subprocess.PIPE, text=True)
    said = server.stdout.readline()
    yield re.search(r"http://\S+", said)[0]
    server.send_signal(signal.SIGINT)
    with server:  # which closes its end of the pipe
        assert server.wait(60) == 130, "as every verb that is interrupted"


@pytest.fixture
def opened(browser, address) -> Iterator[Callable]:
    """Open the page in a browser of its own; in the end nothing must have gone wrong in it."""
    wrong: list[str] = []
    contexts = []

    def show(where: str = "", size: dict = DESKTOP, **more):
        context = browser.new_context(viewport=size, reduced_motion="reduce", **{"locale": "en-GB", **more})
        contexts.append(context)
        tab = context.new_page()
        tab.set_default_timeout(LONG)
        tab.on("console", lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None)
        tab.on("pageerror", lambda error: wrong.append(str(error)))
        tab.on("dialog", lambda dialog: wrong.append(dialog.message))
        outside = lambda asked: None if asked.url.startswith(address) else wrong.append(asked.url)  # noqa: E731
        tab.on("request", outside)
        tab.goto(where or address)
        return tab

    yield show
    for context in contexts:
        context.close()
    assert [each for each in wrong if "422" not in each and not each.startswith("data:")] == []
