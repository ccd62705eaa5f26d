"""An ASGI app called within its own process: requests and WebSockets without a server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from attrs import define, field, frozen
from starlette.types import ASGIApp, Message

CLIENT = ("browser", 0)
"""The one client of an app in a browser."""
SITE = ("kifu.local", 80)
LOST = 1006
"""The close code of a socket that ended without one."""


@frozen
class Answer:
    """A response."""

    status: int
    headers: dict[str, str]
    body: bytes


@define(eq=False)
class Socket:
    """The client's end of a WebSocket."""

    _to_app: asyncio.Queue[Message]

    def send(self, text: str) -> None:
        """Send a message."""
        self._to_app.put_nowait({"type": "websocket.receive", "text": text})

    def close(self) -> None:
        """Leave."""
        self._to_app.put_nowait({"type": "websocket.disconnect", "code": 1000})


@frozen
class Bridge:
    """The way to an app."""

    app: ASGIApp
    _running: set[asyncio.Task[None]] = field(factory=set)

    async def request(self, method: str, target: str, headers: Mapping[str, str], body: bytes = b"") -> Answer:
        """Send a request for a target, e.g. `/api/games`, and return the whole response."""
        to_app: asyncio.Queue[Message] = asyncio.Queue()
        to_app.put_nowait({"type": "http.request", "body": body})
        said: list[Message] = []

        async def send(message: Message) -> None:
            said.append(message)

        await self.app({**_scope("http", target, headers), "method": method}, to_app.get, send)
        start = said[0]
        got = {name.decode("latin-1"): value.decode("latin-1") for name, value in start["headers"]}
        return Answer(start["status"], got, b"".join(each.get("body", b"") for each in said[1:]))

    def socket(
        self,
        target: str,
        headers: Mapping[str, str],
        receive: Callable[[str], object],
        closed: Callable[[int, str], object],
    ) -> Socket:
        """Open a WebSocket: `receive` gets each message, `closed` the code and the reason of the end."""
        to_app: asyncio.Queue[Message] = asyncio.Queue()
        to_app.put_nowait({"type": "websocket.connect"})
        ends = [(LOST, "")]

        async def send(message: Message) -> None:
            if message["type"] == "websocket.send":
                receive(message["text"])
            elif message["type"] == "websocket.close":
                ends.append((message.get("code", 1000), message.get("reason") or ""))

        async def run() -> None:
            try:
                await self.app({**_scope("websocket", target, headers), "subprotocols": []}, to_app.get, send)
            finally:
                closed(*ends[-1])

        task = asyncio.ensure_future(run())
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return Socket(to_app)


def _scope(kind: str, target: str, headers: Mapping[str, str]) -> dict[str, Any]:
    parts = urlsplit(target)
    named = {"host": SITE[0], **{name.lower(): value for name, value in headers.items()}}
    return {
        "type": kind,
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "scheme": {"http": "http", "websocket": "ws"}[kind],
        "path": parts.path,
        "raw_path": parts.path.encode(),
        "query_string": parts.query.encode(),
        "root_path": "",
        "headers": [(name.encode("latin-1"), value.encode("latin-1")) for name, value in named.items()],
        "client": CLIENT,
        "server": SITE,
        "state": {},
    }
